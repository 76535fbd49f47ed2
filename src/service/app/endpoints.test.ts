/** Every endpoint that a contract declares is registered, and the audit log page knows which endpoints only view data. */

import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { viewActions } from "../audit-log/action-label.ts";
import type { Endpoint } from "../core/endpoint.ts";
import { endpoints } from "./endpoints.ts";

test("each endpoint of each contract is in the registry", async () => {
  const contracts = (readdirSync("src/service", { recursive: true }) as string[]).filter((file) => file.endsWith("contract.ts"));
  const declared = await Promise.all(
    contracts.map(async (file) => Object.values((await import(path.resolve("src/service", file))) as object)),
  );
  const ids = declared
    .flat()
    .flatMap((value: { operationId?: unknown }) => (typeof value?.operationId === "string" ? [value.operationId] : []));
  expect(ids.toSorted()).toEqual(
    Object.values(endpoints)
      .map(({ operationId }) => operationId)
      .toSorted(),
  );
});

test("reads that the audit log records are left out of its list of changes", () => {
  const reads = (Object.values(endpoints) as Endpoint[]).filter(({ method, rateLimit }) => method === "GET" && rateLimit === "analytics");
  expect(viewActions).toEqual(expect.arrayContaining(reads.map(({ operationId }) => operationId)));
});
