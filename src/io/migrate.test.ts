import type pg from "pg";
import { expect, test } from "vitest";
import { migrate } from "./migrate.ts";

test("a server that is too old is refused before anything is changed", async () => {
  const queries: string[] = [];
  const client = {
    release: () => {},
    query: async (text: string) => {
      queries.push(text);
      return { rows: [{ server_version_num: "140012" }] };
    },
  };
  const pool = { connect: async () => client } as unknown as pg.Pool;
  await expect(migrate(pool, "src/io/migrations")).rejects.toThrow(
    "Octavo requires PostgreSQL 15 or newer. The database server is PostgreSQL 14.",
  );
  expect(queries).toEqual(["show server_version_num"]);
});
