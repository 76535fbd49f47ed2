/** Backups and processes of earlier versions, which know feedback on answers as `turn_feedback`. */

import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { openPlatform } from "../../../test/service/platform.ts";
import { tarGz } from "../../../test/service/tar.ts";
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

const at = "2026-01-01T00:00:00+00:00";
const id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const project = "01ARZ3NDEKTSV4RRFFQ69G5FAX";
const projectRow = { id: project, organization_id: id, name: "Docs", subdomain: "docs", source: {} };
const message = {
  project_id: project,
  id,
  thread_id: id,
  query: "How?",
  response: "So.",
  sources: [],
  resolution_status: "answered",
};
const feedback = { project_id: project, turn_id: id, helpful: false, comment: "Too short", at };

const rows = (table: string, content: object) => ({
  name: `database/${table}/000001.json`,
  content: JSON.stringify([content]),
});
const stored = () => service.db.selectFrom("message_feedback").selectAll().execute();

test("feedback of an earlier version's backup is restored", async () => {
  const description = JSON.stringify({ formatVersion: 1, migrations: ["0001-service.sql"] });
  const archive = tarGz([
    { name: "backup.json", content: description },
    rows("organizations", { id, name: "Acme", plan: "enterprise", created_at: at }),
    rows("projects", projectRow),
    rows("conversations", message),
    rows("turn_feedback", feedback),
  ]);
  expect(await readBackup(Readable.from([archive]), service)).toMatchObject({
    rows: 4,
  });
  expect(await stored()).toMatchObject([{ message_id: id, helpful: false, comment: "Too short" }]);
});

test("a process of an earlier version can replace and delete feedback", async () => {
  await service.pool.query(
    `insert into turn_feedback (project_id, turn_id, helpful, comment, at) values ($1, $2, true, null, now())
     on conflict (project_id, turn_id) do update set helpful = true, comment = null, at = now()`,
    [project, id],
  );
  expect(await stored()).toMatchObject([{ message_id: id, helpful: true, comment: null }]);
  await service.pool.query("delete from turn_feedback where project_id = $1 and turn_id = $2", [project, id]);
  expect(await stored()).toEqual([]);
});
