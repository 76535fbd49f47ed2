/** Every endpoint that a contract declares is registered. */

import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { endpoints } from "./endpoints.ts";

test("each endpoint of each contract is in the registry", async () => {
  const contracts = (readdirSync("src/service", { recursive: true }) as string[]).filter((file) =>
    file.endsWith("contract.ts"),
  );
  const declared = await Promise.all(
    contracts.map(async (file) => Object.values((await import(path.resolve("src/service", file))) as object)),
  );
  const ids = declared
    .flat()
    .flatMap((value: { operationId?: unknown }) =>
      typeof value?.operationId === "string" ? [value.operationId] : [],
    );
  expect(ids.toSorted()).toEqual(
    Object.values(endpoints)
      .map(({ operationId }) => operationId)
      .toSorted(),
  );
});
