/** Manipulated backups. Each is refused with a reason, and the service stays empty. */

import { existsSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { openPlatform } from "../../../test/service/platform.ts";
import { type TarEntry, tarGz } from "../../../test/service/tar.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import type { Service } from "../core/service.ts";
import { readBackup } from "./read-backup.ts";

const folder = temporaryFolder();
let service: Service;
let close: () => Promise<void>;

beforeAll(async () => {
  const storage = `file:${path.join(folder, "objects")}`;
  ({ service, close } = await openPlatform({ databaseUrl: await createDatabase(), storage, folder }));
});
afterAll(() => close());

const description: TarEntry = {
  name: "backup.json",
  content: JSON.stringify({ formatVersion: 1, migrations: ["0001-service.sql"] }),
};
const organization = {
  id: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
  name: "Evil",
  plan: "enterprise",
  created_at: "2026-01-01T00:00:00Z",
};
const rows = (table: string, content: unknown): TarEntry => ({
  name: `database/${table}/000001.json`,
  content: typeof content === "string" ? content : JSON.stringify(content),
});

describe("a backup is refused", () => {
  const table: [string, Buffer, RegExp][] = [
    ["no description", tarGz([rows("organizations", [organization])]), /isn't an Octavo backup/],
    ["a description that is not JSON", tarGz([{ ...description, content: "{" }]), /damaged in backup\.json/],
    ["an empty description", tarGz([{ ...description, content: "null" }]), /isn't an Octavo backup/],
    [
      "migrations that are not a list",
      tarGz([{ ...description, content: '{"formatVersion":1,"migrations":"all"}' }]),
      /isn't an Octavo backup/,
    ],
    [
      "a newer version",
      tarGz([{ ...description, content: '{"formatVersion":1,"migrations":["9999-x.sql"]}' }]),
      /newer version/,
    ],
    ["a system table", tarGz([description, rows("pg_authid", [{ rolname: "evil" }])]), /doesn't support/],
    [
      "a table name with SQL",
      tarGz([description, rows("organizations; drop table users; --", "[]")]),
      /doesn't support/,
    ],
    [
      "rows that are not JSON",
      tarGz([description, rows("organizations", "[{")]),
      /damaged in database\/organizations/,
    ],
    [
      "rows that are not a list",
      tarGz([description, rows("organizations", '"x"')]),
      /damaged in database\/organizations/,
    ],
    [
      "a value of another type",
      tarGz([description, rows("organizations", [{ ...organization, created_at: "soon" }])]),
      /damaged/,
    ],
    ["a duplicate row", tarGz([description, rows("organizations", [organization, organization])]), /damaged/],
    [
      "a row of an unknown organization",
      tarGz([description, rows("projects", [{ id: "x", organization_id: "nobody" }])]),
      /damaged/,
    ],
    [
      "an object outside of the store",
      tarGz([description, { name: "objects/../../evil", content: "x" }]),
      /damaged in objects/,
    ],
    [
      "an object at an absolute path",
      tarGz([description, { name: "objects//tmp/evil", content: "x" }]),
      /damaged in objects/,
    ],
    [
      "a link",
      tarGz([
        description,
        { name: "objects/link", type: "2", link: "/etc/passwd" },
        { name: "link", content: "x" },
      ]),
      /doesn't support/,
    ],
    [
      "a truncated archive",
      tarGz([description, rows("organizations", [organization])]).subarray(0, -30),
      /incomplete|Unexpected end/,
    ],
  ];
  test.each(table)("%s", async (_, archive, reason) => {
    await expect(readBackup(Readable.from([archive]), service)).rejects.toThrow(reason);
    expect(await service.db.selectFrom("organizations").select("id").execute()).toEqual([]);
    expect(existsSync(path.join(folder, "evil"))).toBe(false);
  });
});
