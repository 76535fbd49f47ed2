/** Documents are found by the end of their path. */

import { expect, test } from "vitest";
import type { ApiDocument } from "../../openapi/document/api-document.ts";
import { ApiDocuments } from "./api-documents.ts";

const documents = new ApiDocuments(
  ["api.json", "v1/my-api.json", "v1/pets.yaml"].map((file) => ({ file }) as ApiDocument),
  new Set(),
);

test.each([
  ["v1/pets.yaml", ["v1/pets.yaml"]],
  ["pets.yaml", ["v1/pets.yaml"]],
  ["pets", ["v1/pets.yaml"]],
  ["my-api.json", ["v1/my-api.json"]],
  ["i.json", []],
  ["-api.json", []],
])("%s names %j", (name, files) => {
  expect(documents.named(name).map(({ file }) => file)).toEqual(files);
});
