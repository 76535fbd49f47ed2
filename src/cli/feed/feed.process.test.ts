/** `octavo feed` and `octavo verify feed`: copies of a change feed as files, and what data warehouses read from them. */

import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { root, temporaryFolder } from "../../../test/engine/build.ts";
import { runCli } from "../../../test/engine/run-cli.ts";
import { sourceRecords } from "../../../test/service/change-feed.ts";
import { type OpenTestService, openTestService } from "../../../test/service/open-test-service.ts";
import { importAll, recorded } from "../../../test/service/recorded.ts";
import { newOrganization, type TestOrganization } from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { recordFeedback } from "../../service/feedback/record-feedback.ts";
import { recordSearches } from "../../service/searches/searches.ts";

let service: OpenTestService;
let organization: TestOrganization;
let folder: string;
beforeAll(async () => {
  const env = { OCTAVO_ANALYTICS_LIMIT: "1000000000" };
  service = await openTestService({ databaseUrl: await createDatabase(), env });
});
beforeEach(async () => {
  organization = await newOrganization(service);
  folder = temporaryFolder();
});
afterAll(() => service.stop());

const octavo = (...args: string[]) =>
  runCli(args, { OCTAVO_URL: `http://localhost:${service.port}`, OCTAVO_API_KEY: organization.key });
const copy = (format = "ndjson") =>
  octavo("feed", folder, "--project", organization.projectId, "--format", format);
const verify = () => octavo("verify", "feed", folder);
const files = () => readdirSync(folder).sort();

/** Adds conversations, feedback, and searches, and deletes a conversation. */
async function write(words: string): Promise<void> {
  const { projectId } = organization;
  const rows = ["How do I pay?", "Ünïcode, 'quotes', \"more\", \\ and\nlines", words].map((query, index) =>
    recorded(Date.now() - 10_000 + index, query),
  );
  await importAll(organization, rows);
  await recordFeedback(service.service, projectId, { path: "/start", helpful: false, comment: words });
  await recordSearches(service.service, projectId, "web", [{ query: words, resultsCount: 0 }]);
  await copy("ndjson").then(({ code }) => expect(code).toBe(0));
  rmSync(folder, { recursive: true });
  await organization.ask(`/v1/analytics/${projectId}/assistant/${rows[0]!.id}`, { method: "DELETE" });
}

test("each run adds the new events, and nothing if there are none", async () => {
  await write("first words");
  expect(await copy()).toMatchObject({
    code: 0,
    out: expect.stringContaining("events copied to changes-000000000000001.ndjson"),
  });
  expect(await copy()).toMatchObject({ code: 0, out: expect.stringContaining("No new events") });
  await recordFeedback(service.service, organization.projectId, { path: "/", helpful: true });
  expect((await copy("parquet")).out).toMatch(/^1 event copied to changes-\d{15}\.parquet/);
  expect(files()).toHaveLength(4);
  expect(await verify()).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^The copy is complete and unaltered: \d+ events in 2 files, digest [0-9a-f]{64}/,
    ),
  });
});

describe.each(["ndjson", "parquet"])("verify, with %s", (format) => {
  const change = (name: string, at: number) => {
    const bytes = readFileSync(path.join(folder, name));
    bytes[at]! ^= 1;
    writeFileSync(path.join(folder, name), bytes);
  };

  beforeEach(async () => {
    await write("first words");
    await copy(format);
    await recordFeedback(service.service, organization.projectId, { path: "/", helpful: true });
    await copy(format);
    expect((await verify()).code).toBe(0);
  });

  test("names the file in which a byte was flipped, wherever it is", async () => {
    const name = files().find((file) => file.endsWith(format))!;
    const size = readFileSync(path.join(folder, name)).length;
    for (const at of [0, Math.floor(size / 3), Math.floor(size / 2), size - 1]) {
      change(name, at);
      expect(await verify()).toMatchObject({ code: 1, err: expect.stringContaining(`${name} was changed`) });
      change(name, at);
    }
    expect((await verify()).code).toBe(0);
  });

  test("names an event that was changed together with its manifest", async () => {
    if (format === "parquet") return;
    const name = files().find((file) => file.endsWith(format))!;
    const manifest = JSON.parse(readFileSync(path.join(folder, name.replace(format, "json")), "utf8"));
    const text = readFileSync(path.join(folder, name), "utf8").replace("first words", "other words");
    writeFileSync(path.join(folder, name), text);
    const { sha256 } = await import("../../io/sha256.ts");
    writeFileSync(
      path.join(folder, name.replace(format, "json")),
      JSON.stringify({ ...manifest, sha256: sha256(text) }),
    );
    expect((await verify()).err).toMatch(/event \d+ was changed/);
  });

  test.each([
    [0, /is missing|has no manifest/],
    [1, /is missing|has no manifest/],
    [2, /is missing|has no manifest/],
  ])("names what is missing without file %i", async (index, message) => {
    rmSync(path.join(folder, files()[index]!));
    expect(await verify()).toMatchObject({ code: 1, err: expect.stringMatching(message) });
  });

  test("a file without a manifest is written again", async () => {
    rmSync(path.join(folder, files().at(-1)!.replace(format, "json")));
    expect((await verify()).err).toContain("has no manifest");
    await copy(format);
    expect((await verify()).code).toBe(0);
  });
});

describe("the statements in the docs give the records of the source", () => {
  const docs = readFileSync(path.join(root, "docs/integrate/change-feed.mdx"), "utf8");
  const statements = (name: string) => new RegExp(`\`\`\`sql ${name}\\n([\\s\\S]*?)\`\`\``).exec(docs)![1]!;

  async function expectRecords(rows: { recordType: string; recordId: string; data: unknown }[]) {
    const records = Object.fromEntries(
      rows.map(({ recordType, recordId, data }) => [`${recordType} ${recordId}`, data]),
    );
    expect(records).toEqual(await sourceRecords(service.service, organization.projectId));
  }

  test("in DuckDB, with types and times", async () => {
    await write("first words");
    await copy("parquet");
    await recordFeedback(service.service, organization.projectId, { path: "/", helpful: true });
    await copy("parquet");
    const connection = await (await DuckDBInstance.create()).connect();
    const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
    for (const sql of statements("DuckDB")
      .split(";")
      .filter((text) => text.trim()))
      await connection.run(sql.replaceAll("octavo/", `${folder}/`));
    const rows = await read("SELECT * FROM octavo_records");
    await expectRecords(
      rows.map(({ data, ...row }) => ({ ...row, data: JSON.parse(String(data)) })) as never,
    );

    const types = await read("DESCRIBE octavo_events");
    expect(types.map(({ column_name, column_type }) => [column_name, column_type])).toEqual([
      ["sequence", "BIGINT"],
      ["id", "VARCHAR"],
      ["timestamp", expect.stringMatching(/^TIMESTAMP/)],
      ["kind", "VARCHAR"],
      ["recordType", "VARCHAR"],
      ["recordId", "VARCHAR"],
      ["contentHash", "VARCHAR"],
      ["digest", "VARCHAR"],
      ["data", "JSON"],
    ]);
    const { events } = (await organization.ask(`/v1/analytics/${organization.projectId}/changes?limit=1000`))
      .json as { events: { timestamp: string }[] };
    const times = await read("SELECT epoch_ms(timestamp) AS at FROM octavo_events ORDER BY sequence");
    expect(times.map(({ at }) => new Date(Number(at)).toISOString())).toEqual(
      events.map(({ timestamp }) => timestamp),
    );
    connection.closeSync();
  });

  const hasPsql = spawnSync("psql", ["--version"]).status === 0;
  if (!hasPsql) console.error("The statements for PostgreSQL aren't tested: psql isn't installed.");
  test.skipIf(!hasPsql)("in PostgreSQL", async () => {
    await write("first words");
    await copy();
    const database = await createDatabase();
    const sql = statements("PostgreSQL").replaceAll("octavo/", `${folder}/`);
    const psql = (input: string) =>
      execFileSync("psql", [database, "-qtA", "-v", "ON_ERROR_STOP=1"], { input, encoding: "utf8" });
    psql(sql);
    const rows = psql("SELECT row_to_json(octavo_records) FROM octavo_records");
    await expectRecords(
      rows
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    );
    expect(psql(sql)).toBe("");
  });
});

test("a link with the name of a temporary file isn't followed", async () => {
  await write("first words");
  const outside = path.join(temporaryFolder(), "outside");
  writeFileSync(outside, "Mine.");
  mkdirSync(folder);
  symlinkSync(outside, path.join(folder, "changes-000000000000001.ndjson.part"));
  expect((await copy()).code).toBe(0);
  expect(readFileSync(outside, "utf8")).toBe("Mine.");
});

describe("refused", () => {
  test("a folder with the feed of another project", async () => {
    await write("first words");
    await copy();
    organization = await newOrganization(service);
    expect(await copy()).toMatchObject({ code: 1, err: expect.stringContaining("Use another folder") });
  });

  test("a copy that is ahead of the service, after a restored backup", async () => {
    await write("first words");
    await copy();
    const { projectId } = organization;
    await service.service.pool.query("delete from change_events where project_id = $1 and sequence > 2", [
      projectId,
    ]);
    await service.service.pool.query(
      "update change_feeds set sequence = 2, digest = (select digest from change_events where project_id = $1 and sequence = 2) where project_id = $1",
      [projectId],
    );
    expect(await copy()).toMatchObject({ code: 1, err: expect.stringContaining("restored from a backup") });
  });

  test.each([
    ["--format must be one of ndjson, parquet", ["feed", "x", "--project", "x", "--format", "csv"]],
    ["isn't a folder or a URL like s3://bucket/prefix", ["feed", "https://example.com", "--project", "x"]],
    ["may only contain lowercase letters", ["feed", "s3://bucket/Prefix", "--project", "x"]],
    ["Missing --project ID", ["feed", "x"]],
    ["Missing FOLDER", ["feed"]],
  ])("%s", async (message, args) => {
    expect(await octavo(...args)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });

  test("an unknown key, before anything is written", async () => {
    const { code, err } = await runCli(["feed", folder, "--project", organization.projectId], {
      OCTAVO_URL: `http://localhost:${service.port}`,
      OCTAVO_API_KEY: "oct_wrong",
    });
    expect([code, existsSync(path.join(folder, "changes-000000000000001.json"))]).toEqual([2, false]);
    expect(err).not.toBe("");
  });
});
