/** Links between the operations of the API's description. */

import { expect, test } from "vitest";
import type { Endpoint } from "../core/endpoint.ts";
import { endpoints } from "./endpoints.ts";
import { linksFrom } from "./openapi-links.ts";

const all = Object.values(endpoints) as Endpoint[];
const links = all.flatMap((from) =>
  Object.values(linksFrom(from, all)).map((link) => ({ from, to: link.operationId, ...link })),
);

test.each(links.map((link) => [`${link.from.operationId} to ${link.to}`, link] as const))(
  "%s: gives all path parameters, from the request's path or a property of the response",
  (_name, { from, to, parameters }) => {
    const target = all.find(({ operationId }) => operationId === to);
    expect(target?.caller).toBe(from.caller);
    expect(Object.keys(parameters).sort()).toEqual(Object.keys(target?.params ?? {}).sort());
    for (const expression of Object.values(parameters)) {
      const [, parameter] = /^\$request\.path\.(\w+)$/.exec(expression) ?? [];
      if (parameter !== undefined) expect(Object.keys(from.params ?? {})).toContain(parameter);
      else expect(hasPointer(from.success.schema, expression), expression).toBe(true);
    }
  },
);

/** Whether the schema has the properties and items of an expression such as `$response.body#/keys/0/id`. */
function hasPointer(schema: Endpoint["success"]["schema"], expression: string): boolean {
  const names = /^\$response\.body#\/(.+)$/.exec(expression)![1]!.split("/");
  const found = names.reduce<Endpoint["success"]["schema"]>(
    (each, name) => (name === "0" ? each?.items : each?.properties?.[name]) as typeof schema,
    schema,
  );
  return found !== undefined;
}

test("operations without a link are those that no response leads to", () => {
  const linked = new Set(links.flatMap(({ from, to }) => [from.operationId, to]));
  const apart = all.map(({ operationId }) => operationId).filter((id) => !linked.has(id as never));
  // The audit log has no parameters, and operators learn the IDs of exports from organizations.
  expect(apart).toEqual(["listAuditLog", "cancelStaticExport"]);
});
