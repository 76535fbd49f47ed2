/** Rules of the API's description that linters recommend and generators need. */

import { describe, expect, test } from "vitest";
import { describeApi } from "./openapi-description.ts";

// biome-ignore lint/suspicious/noExplicitAny: a JSON document.
type Json = any;

const description: Json = describeApi("https://docs.example.com");
const operations: [string, Json][] = Object.entries(description.paths as Record<string, Json>).flatMap(
  ([path, methods]) =>
    Object.entries(methods as Record<string, Json>).map(
      ([method, operation]) => [`${method} ${path}`, operation] as [string, Json],
    ),
);

test("the document has a license, a contact, and a description of each tag", () => {
  expect(description.info).toMatchObject({
    license: { identifier: "Apache-2.0" },
    contact: { name: "Octavo", url: "https://docs.example.com" },
  });
  const used = new Set(operations.flatMap(([, { tags }]) => tags));
  expect(description.tags.map(({ name }: Json) => name).sort()).toEqual([...used].sort());
  for (const tag of description.tags) expect(tag.description, tag.name).toMatch(/\.$/);
});

test.each(operations)("%s has a name, a summary, a description, and error responses", (_name, operation) => {
  expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
  expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
  expect(operation.description ?? "").toMatch(/\.$/);
  expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(["400", "401", "429", "500"]));
  for (const { headers } of Object.values(operation.responses) as Json[])
    for (const { $ref } of Object.values(headers) as Json[])
      if ($ref) expect(description.components.headers).toHaveProperty([$ref.split("/").at(-1)]);
});

test("operation IDs are unique", () => {
  const ids = operations.map(([, { operationId }]) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

describe("schemas", () => {
  const unions: Json[] = [];
  const visit = (node: Json): void => {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node.anyOf) || Array.isArray(node.oneOf)) unions.push(node);
    for (const child of Object.values(node)) visit(child);
  };
  visit(description);
  const resolved = (schema: Json): Json =>
    schema.$ref ? description.components.schemas[schema.$ref.split("/").at(-1)] : schema;

  test("unions of objects are told apart by a property, and all variants are named", () => {
    const objects = unions.filter(
      ({ anyOf, oneOf }) =>
        (oneOf ?? anyOf).filter((each: Json) => resolved(each).type === "object").length > 1,
    );
    expect(objects.length).toBeGreaterThan(4);
    for (const { oneOf, discriminator } of objects) {
      const refs = oneOf.map(({ $ref }: Json) => $ref);
      expect(refs).not.toContain(undefined);
      expect(new Set(Object.values(discriminator.mapping))).toEqual(new Set(refs));
      for (const variant of oneOf) expect(resolved(variant).required).toContain(discriminator.propertyName);
    }
  });

  test("titles and names are different, also without regard to case and spaces", () => {
    const names = Object.entries(description.components.schemas as Record<string, Json>).map(
      ([name, { title }]) => (title ?? name).replace(/\W/g, "").toLowerCase(),
    );
    expect(new Set(names).size).toBe(names.length);
  });
});

test("binary bodies can also be sent as octet-stream", () => {
  const bodies = operations.flatMap(([, { requestBody }]) => (requestBody ? [requestBody.content] : []));
  const binary = bodies.filter((content) => content["application/json"] === undefined);
  expect(binary.length).toBe(2);
  for (const content of binary)
    expect(content["application/octet-stream"].schema).toMatchObject({ type: "string", format: "binary" });
});
