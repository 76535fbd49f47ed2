/** The scripts with the data of playgrounds contain the values of the document. */

import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { buildSiteFrom } from "../../../test/engine/build.ts";
import { inputsOf } from "../../browser/playground/draft.ts";
import { firstDraft } from "../../browser/playground/first-draft.ts";
import { type Raw, Refs } from "../openapi/nodes/refs.ts";
import { readOperation } from "../openapi/request/operation.ts";
import type { OperationData } from "../openapi/request/operation-data.ts";
import { buildRequest } from "../openapi/request/request.ts";

const text = `{
  "openapi": "3.1.0",
  "info": { "title": "T", "version": "1" },
  "servers": [{ "url": "https://api.example.com" }],
  "paths": {
    "/a": {
      "post": {
        "summary": "A",
        "parameters": [
          { "name": "cursor", "in": "query", "required": true, "schema": { "type": "integer", "default": 9007199254740993, "enum": [9007199254740993, 9007199254740995] } },
          { "name": "X-Limit", "in": "header", "example": -9223372036854775808, "required": true, "schema": { "type": "integer" } }
        ],
        "requestBody": { "required": true, "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Account" } } } },
        "responses": { "200": { "description": "Fine" } }
      }
    }
  },
  "components": { "schemas": { "Account": {
    "type": "object",
    "required": ["id", "fixed", "list", "__proto__"],
    "properties": {
      "id": { "type": "integer", "example": 12345678901234567890, "maximum": 98765432109876543210 },
      "fixed": { "const": 9007199254740997 },
      "list": { "type": "array", "items": { "type": "integer" }, "example": [18446744073709551615, 1] },
      "__proto__": { "type": "string", "example": "<b> 12345678901234567890" }
    }
  } } }
}`;

test("integers keep their digits, from the document to the first request", async () => {
  const site = await buildSiteFrom({
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "Acme",
      colors: { primary: "#0D9373" },
      navigation: { tabs: [{ tab: "API", openapi: "api.json" }] },
      api: { examples: { prefill: true } },
    }),
    "api.json": text,
  });
  let data: OperationData | undefined;
  const loaded = new Map<string, unknown>();
  const scope = {
    octavoOperation: (given: OperationData) => (data = given),
    octavoComponents: (_: number, nodes: Raw) => {
      for (const [pointer, node] of Object.entries(nodes)) loaded.set(pointer, node);
    },
    octavoChunks: () => {},
  };
  for (const path of site.paths)
    if (/^_octavo\/api\/.*\.js$/.test(path)) runInNewContext(site.read(path), scope);

  // Objects of another context aren't instances of this one's classes.
  const { root, pathItem, method, path, settings } = data!;
  const refs = new Refs(root, loaded);
  const operation = readOperation(refs, refs.at(pathItem)!, method, path, "operation")!;
  Object.assign(globalThis, { localStorage: undefined, sessionStorage: undefined });
  const request = buildRequest(
    operation,
    inputsOf(firstDraft(operation, refs, settings, ""), operation, refs),
    refs,
  );
  expect(request.url).toBe("https://api.example.com/a?cursor=9007199254740993");
  expect(request.headers).toContainEqual(["X-Limit", "-9223372036854775808"]);
  expect(JSON.stringify(request.body)).toContain("12345678901234567890");
  for (const digits of ["12345678901234567890", "9007199254740997", "18446744073709551615", "<b> 1234567890"])
    expect(JSON.stringify(request.body)).toContain(digits);
});
