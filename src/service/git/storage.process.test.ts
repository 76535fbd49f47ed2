/** Repositories in storage: several processes, backups, combined packs, quotas, and deletion. */

import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { docs, visit } from "../../../test/service/deploying.ts";
import { repositoryUrl, WorkingCopy } from "../../../test/service/git-client.ts";
import { type OpenTestService, openTestService } from "../../../test/service/open-test-service.ts";
import { newOrganization } from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { limits } from "../../base/limits.ts";
import { openObjects } from "../../io/open-objects.ts";
import { endpoints } from "../app/endpoints.ts";
import { BackupError } from "../backup/backup-archive.ts";
import { readBackup } from "../backup/read-backup.ts";
import { writeBackup } from "../backup/write-backup.ts";
import { readRepository } from "../storage/git-copies.ts";
import { measureStorage } from "../storage/storage-usage.ts";
import { newPacks, PushRefused } from "./check-push.ts";
import { sweepRepositories } from "./sweep-repositories.ts";

const day_ms = 24 * 3_600_000;
const storeFolder = mkdtempSync(path.join(tmpdir(), "octavo-store-"));
const storage = `file:${storeFolder}`;
let one: OpenTestService;
let two: OpenTestService;
beforeAll(async () => {
  const databaseUrl = await createDatabase();
  one = await openTestService({ databaseUrl, storage, background: true });
  two = await openTestService({ databaseUrl, storage, role: "web" });
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

async function pushedProject() {
  const organization = await newOrganization(one);
  const copy = await WorkingCopy.create(repositoryUrl(one, organization, organization.key));
  await copy.commit(docs("Words"));
  expect((await copy.push()).code).toBe(0);
  return { organization, copy };
}

const packsIn = ({ projectId }: { projectId: string }) =>
  readdirSync(path.join(storeFolder, "repositories", projectId.toLowerCase()));

test("another process reads and receives the pushes of the first one", async () => {
  const { organization, copy } = await pushedProject();
  const other = await WorkingCopy.clone(repositoryUrl(two, organization, organization.key));
  const second = await other.commit({ "other.mdx": "Words" });
  expect((await other.push()).output).toContain("remote: Live: ");
  await copy.git("pull", "--quiet", "origin", "main");
  expect(await copy.head()).toBe(second);

  // Of two pushes to the same branch, one is refused. Pushes to different branches are accepted.
  const race = async (refs: readonly [string, string]) => {
    await copy.commit({ "one.txt": String(Math.random()) });
    await other.commit({ "two.txt": String(Math.random()) });
    return Promise.all([copy.push("origin", `HEAD:${refs[0]}`), other.push("origin", `HEAD:${refs[1]}`)]);
  };
  const same = await race(["main", "main"]);
  expect(same.map(({ code }) => code).sort()).toEqual([0, 1]);
  expect((await race(["a", "b"])).map(({ code }) => code)).toEqual([0, 0]);
  const clone = await WorkingCopy.clone(repositoryUrl(two, organization, organization.key));
  expect((await clone.git("fsck", "--full")).code).toBe(0);
  expect((await clone.git("branch", "--remotes")).output).toMatch(/origin\/a\s+origin\/b/);
});

test("a restored backup has the repositories, and one with a damaged or missing pack is refused", async () => {
  const { organization, copy } = await pushedProject();
  const head = await copy.head();
  const chunks: Buffer[] = [];
  for await (const chunk of writeBackup(one.service.pool, one.service.objects, { rows: 0, objects: 0 }))
    chunks.push(chunk);

  const restore = async (change: (folder: string) => void) => {
    const folder = mkdtempSync(path.join(tmpdir(), "octavo-restored-"));
    const databaseUrl = await createDatabase();
    const pool = new pg.Pool({ connectionString: databaseUrl });
    const target = `file:${folder}`;
    const objects = await openObjects(target, { url: one.url, secret: "secret" });
    const put = objects.put.bind(objects);
    objects.put = async (key, body) => {
      await put(key, body);
      if (key.startsWith(`repositories/${organization.projectId.toLowerCase()}`))
        change(path.join(folder, key));
    };
    try {
      await readBackup(Readable.from(chunks), { ...one.service, pool, objects });
      return { databaseUrl, storage: target };
    } finally {
      await pool.end();
    }
  };

  const restored = await openTestService({ ...(await restore(() => {})) });
  const clone = await WorkingCopy.clone(repositoryUrl(restored, organization, organization.key));
  expect(await clone.head()).toBe(head);
  await restored.stop();

  const flipped = restore((file) => {
    const bytes = readFileSync(file);
    bytes[20]! ^= 0xff;
    writeFileSync(file, bytes);
  });
  await expect(flipped).rejects.toThrow(BackupError);
  const emptied = restore((file) => writeFileSync(file, emptyPack()));
  await expect(emptied).rejects.toThrow(/The Git repository of project \w+ is damaged in the backup/);
});

/** A valid pack file without objects. */
function emptyPack(): Buffer {
  const head = Buffer.from([..."PACK"].map((letter) => letter.charCodeAt(0)).concat(0, 0, 0, 2, 0, 0, 0, 0));
  return Buffer.concat([head, createHash("sha1").update(head).digest()]);
}

test("packs are combined, and the old ones are deleted a day later", async () => {
  const { organization, copy } = await pushedProject();
  for (let push = 0; push < 21; push++) {
    await copy.commit({ "notes.txt": String(push) });
    expect((await copy.push("origin", "HEAD:notes")).code).toBe(0);
  }
  const reader = await WorkingCopy.clone(repositoryUrl(two, organization, organization.key));
  expect(packsIn(organization).length).toBe(22);
  await sweepRepositories(one.service);
  expect((await readRepository(one.service.db, organization.projectId)).packs.length).toBe(1);
  expect(packsIn(organization).length).toBe(23);

  const later = vi.spyOn(Date, "now").mockReturnValue(Date.now() + day_ms + 1_000);
  await sweepRepositories(one.service).finally(() => later.mockRestore());
  expect(packsIn(organization).length).toBe(1);

  for (const service of [one, two]) {
    const clone = await WorkingCopy.clone(repositoryUrl(service, organization, organization.key));
    expect((await clone.git("fsck", "--full")).code).toBe(0);
  }
  await reader.commit({ "index.mdx": docs("Later words")["index.mdx"]! });
  expect((await reader.push()).output).toContain("remote: Live: ");
  expect((await visit(two, `${organization.subdomain}.localhost`)).text).toContain("Later words");
});

test("the packs and the copy of a deleted project are deleted", async () => {
  const { organization } = await pushedProject();
  const { projectId } = organization;
  await one.operator(endpoints.deleteProject, { params: { projectId } });
  await sweepRepositories(one.service);
  expect(packsIn(organization).length).toBe(1);
  const later = vi.spyOn(Date, "now").mockReturnValue(Date.now() + day_ms + 1_000);
  await sweepRepositories(one.service).finally(() => later.mockRestore());
  expect(packsIn(organization)).toEqual([]);
  expect(readdirSync(path.join(one.dataFolder, "work/repositories"))).not.toContain(`${projectId}.git`);
});

test("packs count toward the storage of the organization, and a push is refused if there is none left", async () => {
  const { organization, copy } = await pushedProject();
  const { db } = one.service;
  const stored = async () =>
    (
      await db
        .selectFrom("organizations")
        .select("stored_bytes")
        .where("id", "=", organization.id)
        .executeTakeFirstOrThrow()
    ).stored_bytes!;
  await measureStorage(one.service, organization.id);
  const before = await stored();
  await copy.commit({ "large.bin": Buffer.from(Array.from({ length: 300_000 }, () => Math.random() * 256)) });
  await copy.push("origin", "HEAD:large");
  await measureStorage(one.service, organization.id);
  expect((await stored()) - before).toBeGreaterThan(300_000);

  await db
    .updateTable("organizations")
    .set({ stored_bytes: 1e15 })
    .where("id", "=", organization.id)
    .execute();
  await copy.commit({ "x.txt": "x" });
  const { code, output } = await copy.push();
  expect(output).toContain("remote: Your organization has reached its storage limit");
  expect(code).toBe(1);
});

test("a push that makes the repository too large is refused", async () => {
  const quarantine = mkdtempSync(path.join(tmpdir(), "octavo-quarantine-"));
  const { organization } = await pushedProject();
  const [file] = packsIn(organization);
  mkdirSync(path.join(quarantine, "pack"));
  copyFileSync(
    path.join(storeFolder, "repositories", organization.projectId.toLowerCase(), file!),
    path.join(quarantine, `pack/pack-${"a".repeat(40)}.pack`),
  );
  const full = { id: "x", name: "b".repeat(40), bytes: limits.git.repository_bytes };
  const repository = { branch: "main", refs: {}, version: 1 };
  expect((await newPacks({ ...repository, packs: [] }, quarantine)).length).toBe(1);
  await expect(newPacks({ ...repository, packs: [full] }, quarantine)).rejects.toThrow(PushRefused);
});
