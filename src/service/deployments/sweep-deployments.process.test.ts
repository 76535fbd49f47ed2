/** The sweep of deployments and files, with rows whose times are set to the past. */

import { type Dirent, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder, writeFiles } from "../../../test/engine/build.ts";
import { deploy, docs, visit } from "../../../test/service/deploying.ts";
import { openPlatform } from "../../../test/service/platform.ts";
import { newOrganization, type TestOrganization, type TestService } from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { openTestService } from "../../../test/shared/service.ts";
import type { Service } from "../core/service.ts";
import { readManifest } from "../storage/manifests.ts";
import { storeFiles } from "../storage/store-files.ts";
import { sweepStoredFiles } from "../storage/verify-files.ts";
import { sweepDeployments } from "./sweep-deployments.ts";

const folder = temporaryFolder();
let service: TestService;
let organization: TestOrganization;
let client: pg.Pool;
/** The service's dependencies in this process, as in a worker. */
let platform: Service;
let close: () => Promise<void>;

beforeAll(async () => {
  const databaseUrl = await createDatabase();
  const storage = `file:${path.join(folder, "objects")}`;
  service = await openTestService({
    databaseUrl,
    storage,
    secret: "shared-secret of this test, long enough to be one",
  });
  organization = await newOrganization(service);
  client = new pg.Pool({ connectionString: databaseUrl });
  ({ service: platform, close } = await openPlatform({ databaseUrl, storage, folder }));
});
afterAll(async () => {
  await close();
  await client.end();
  await service.stop();
});

const age = (days: number) =>
  client.query(`update deployments set ended_at = ended_at - interval '${days} days'`);
const ageFiles = () => client.query("update stored_files set used_at = now() - interval '2 days'");
const objectCount = () =>
  (
    readdirSync(path.join(folder, "objects"), { recursive: true, withFileTypes: true }) as {
      isFile(): boolean;
    }[]
  ).filter((entry) => entry.isFile()).length;
const home = async () => visit(service, `${organization.subdomain}.localhost`);
const rollback = (id: string) => organization.ask(`/v1/deployments/${id}/rollback`, { method: "POST" });

describe("the sweeper", () => {
  const ids: string[] = [];

  test("keeps the live deployment, the last ten and those of the last day; purges the rest", async () => {
    for (let number = 0; number < 12; number++)
      ids.push(
        (await deploy(organization, docs(`Number ${number}.`, { "images/own.svg": `<svg>${number}</svg>` })))
          .id,
      );
    const full = objectCount();
    await sweepDeployments(platform);
    expect(objectCount()).toBe(full);

    await age(2);
    await ageFiles();
    await sweepDeployments(platform);
    expect(objectCount()).toBeLessThan(full);
    // The last ten successful deployments, one of which is live, can be rolled back to.
    expect(await rollback(ids[1]!)).toMatchObject({
      status: 409,
      json: { error: "The deployment was deleted" },
    });
    expect(await rollback(ids[2]!)).toMatchObject({ status: 200 });
    for (const id of ids.slice(2)) {
      const { rows } = await client.query("select attempt from deployments where id = $1", [id]);
      const { files } = await readManifest(platform.objects, { id, attempt: rows[0].attempt });
      for (const { hash, bytes, encodings } of Object.values(files)) {
        const [stored] = (
          await client.query("select bytes, encodings from stored_files where hash = $1", [hash])
        ).rows;
        expect(stored).toEqual({ bytes, encodings });
      }
    }
    await expect.poll(async () => (await home()).text).toContain("Number 2.");
    expect((await visit(service, `${organization.subdomain}.localhost`, "/images/own.svg")).text).toContain(
      "<svg>2</svg>",
    );
    // Twelve deployments take minutes while other tests use the processors.
  }, 300_000);

  test("keeps the newest successful preview of a branch if a later one failed", async () => {
    const other = await newOrganization(service);
    const older = await deploy(other, docs("Older preview."));
    const served = await deploy(other, docs("Served preview."));
    const failed = await deploy(other, { "docs.json": "{" });
    expect([older.status, served.status, failed.status]).toEqual(["success", "success", "failure"]);
    await client.query("update projects set live_deployment_id = null where id = $1", [other.projectId]);
    await client.query(
      "update deployments set preview_branch = 'draft', preview_host = 'draft--test', ended_at = ended_at - interval '2 days' where project_id = $1",
      [other.projectId],
    );
    await sweepDeployments(platform);
    const { rows } = await client.query(
      "select id from deployments where project_id = $1 and purged_at is null",
      [other.projectId],
    );
    expect(rows).toEqual([{ id: served.id }]);
  });

  test("doesn't delete files that a running deployment reuses", async () => {
    const file = { path: "fresh.txt", access: "anyone" as const };
    const site = writeFiles(path.join(folder, "site"), {
      "fresh.txt": "Only this deployment has it. ".repeat(100),
    });
    const store = () =>
      storeFiles(platform, site, [file], { signal: new AbortController().signal, onProgress: () => {} });
    const { files } = await store();
    const { hash } = files["fresh.txt"]!;
    const isThere = async () =>
      (await client.query("select from stored_files where hash = $1", [hash])).rowCount === 1;
    await ageFiles();
    // The file is reused by a running deployment, so no manifest contains it yet.
    expect((await store()).added).toBe(0);
    await sweepDeployments(platform);
    expect(await isThere()).toBe(true);
    await ageFiles();
    await sweepDeployments(platform);
    expect(await isThere()).toBe(false);
    expect((await store()).added).toBe(1);
  });

  test("a concurrent sweep and deployments lose no stored file", async () => {
    const site = writeFiles(
      path.join(folder, "race"),
      Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}.txt`, `Content ${i} `.repeat(200)])),
    );
    const files = Array.from({ length: 40 }, (_, i) => ({ path: `f${i}.txt`, access: "anyone" as const }));
    for (let round = 0; round < 30; round++) {
      await ageFiles();
      // The delay increases in each round, so that the writes overlap different steps of the sweep.
      const later = () => new Promise((resolve) => setTimeout(resolve, round * 5));
      const store = () =>
        storeFiles(platform, site, files, { signal: new AbortController().signal, onProgress: () => {} });
      const [, stored] = await Promise.all([sweepDeployments(platform), later().then(store)]);
      for (const entry of Object.values(stored.files)) {
        const key = `files/${entry.hash.slice(0, 2)}/${entry.hash}`;
        for (const ending of [
          "",
          ...Object.keys(entry.encodings).map((name) => (name === "br" ? ".br" : ".gz")),
        ])
          expect(
            await platform.objects.get(`${key}${ending}`),
            `${key}${ending} in round ${round}`,
          ).toBeDefined();
      }
    }
  });

  test("objects of a deleted project are deleted", async () => {
    const other = await newOrganization(service);
    const { id } = await deploy(other, docs("Gone soon"));
    await client.query("delete from projects where id = $1", [other.projectId]);
    const left = async () => {
      const keys: string[] = [];
      for (const prefix of ["sources/", "manifests/"])
        for await (const key of platform.objects.keys(prefix))
          if (key.includes(id.toLowerCase())) keys.push(key);
      return keys;
    };
    expect(await left()).toHaveLength(3);
    // Recent objects may belong to an upload whose row isn't written yet.
    await sweepDeployments(platform);
    expect(await left()).toHaveLength(3);
    const later = Date.now() + 2 * 24 * 3_600_000;
    const now = Date.now;
    Date.now = () => later;
    try {
      await sweepDeployments(platform);
    } finally {
      Date.now = now;
    }
    expect(await left()).toEqual([]);
  });

  test("history is deleted after 90 days, the live deployment never", async () => {
    const live = (await organization.ask(`/v1/projects/${organization.projectId}`)).json.liveDeploymentId;
    await age(100);
    await sweepDeployments(platform);
    const { rows } = await client.query(
      "select id, purged_at from deployments where project_id = $1 order by number",
      [organization.projectId],
    );
    expect(rows.map(({ id }) => id)).toContain(live);
    expect(rows.every(({ purged_at }) => purged_at === null)).toBe(true);
    expect((await home()).status).toBe(200);
  });
});

describe("stored files that are missing or damaged", () => {
  const objects = path.join(folder, "objects", "files");
  const fileWith = (text: string) =>
    (readdirSync(objects, { recursive: true, withFileTypes: true }) as Dirent[])
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .find((file) => readFileSync(file).includes(text))!;
  const image = "<svg><title>to be damaged</title></svg>";
  const picture = async () =>
    (await visit(service, `${organization.subdomain}.localhost`, "/images/own.svg")).text;

  test.each<[string, (file: string) => void]>([
    ["missing", (file) => rmSync(file)],
    ["cut", (file) => truncateSync(file, 10)],
    [
      "of the same size, but different",
      (file) => writeFileSync(file, readFileSync(file, "utf8").replace("damaged", "DAMAGED")),
    ],
  ])("are stored again by the next deployment: %s", async (_, damage) => {
    const files = docs("With a picture", { "images/own.svg": image });
    await deploy(organization, files);
    damage(fileWith("to be damaged"));
    await deploy(organization, files);
    expect(readFileSync(fileWith("to be damaged"), "utf8")).toBe(image);
    await service.until(async () => (await picture()) === image);
  });

  test("are found by the sweep, which lets the next deployment store them again", async () => {
    const files = docs("With a picture", { "images/own.svg": image });
    await deploy(organization, files);
    writeFileSync(fileWith("to be damaged"), image.replace("damaged", "DAMAGED"));
    const count = async () =>
      (await client.query("select count(*)::int as count from stored_files")).rows[0].count as number;
    const before = await count();
    await sweepStoredFiles(platform);
    expect(await count()).toBe(before - 1);
    await deploy(organization, files);
    expect(await count()).toBe(before);
  });
});
