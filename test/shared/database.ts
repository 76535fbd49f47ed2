/** Creates databases on the PostgreSQL server that all tests of a run share. */

import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

/** Creates a migrated database and returns its connection string. */
export function createDatabase(): Promise<string> {
  return copy(inject("templateDatabase"));
}

/** Creates a database without tables and returns its connection string. */
export function createEmptyDatabase(): Promise<string> {
  return copy("template1");
}

async function copy(template: string): Promise<string> {
  const server = inject("postgresUrl");
  const name = `octavo_${randomBytes(6).toString("hex")}`;
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  await client.query(`create database ${name} template ${template}`);
  await client.end();
  return `${server}/${name}`;
}
