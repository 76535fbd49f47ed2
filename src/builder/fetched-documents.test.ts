import { expect, test } from "vitest";
import { fetchDocuments } from "./fetched-documents.ts";

/** A loopback URL, which is not allowed. */
const address = "https://127.0.0.1/openapi.json";

test("a document that cannot be fetched is replaced by its last copy, with a warning", async () => {
  const found = (await fetchDocuments([address], undefined, { last: { [address]: "openapi: 3.1.0" } })).get(address);
  expect(found).toMatchObject({ text: "openapi: 3.1.0", problem: { code: "openapi-stale", severity: "warning" } });
});

test("a document that cannot be fetched and has no earlier copy is an error", async () => {
  const found = (await fetchDocuments([address], undefined)).get(address);
  expect(found).toMatchObject({ problem: { code: "openapi-fetch", severity: "error" } });
  expect(found).not.toHaveProperty("text");
});
