/** A server that is killed during writes, with each kind of database. */

import { describe, expect, test } from "vitest";
import { killServer } from "../../../test/service/kill-server.ts";
import { createDatabase } from "../../../test/shared/database.ts";

describe("kill -9 of the server during writes loses nothing that was acknowledged", () => {
  test("embedded database", { timeout: 240_000 }, async () => {
    const result = await killServer(4);
    expect(result.lost).toEqual([]);
    expect(result.acknowledged).toBeGreaterThan(0);
  });

  test("PostgreSQL", { timeout: 240_000 }, async () => {
    const result = await killServer(3, await createDatabase());
    expect(result.lost).toEqual([]);
    expect(result.acknowledged).toBeGreaterThan(0);
  });
});
