/** Exports with a failing object store, concurrent attempts, and the retention of exports. */

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { docs, unpack } from "../../../test/service/exports.ts";
import { tarOf } from "../../../test/service/tar.ts";
import { AppError } from "../../base/app-error.ts";
import { ulidMaker } from "../../base/ulid.ts";
import { BuildProcess } from "../../builder/build-process.ts";
import { FolderObjects } from "../../io/folder-objects.ts";
import type { Objects } from "../../io/objects.ts";
import { type OpenDatabase, openDatabase } from "../../io/postgres.ts";
import { idempotent } from "../core/idempotency.ts";
import type { Scope } from "../core/scope.ts";
import { Secrets } from "../core/secrets.ts";
import type { Service } from "../core/service.ts";
import { rateLimitOf } from "../core/service-rate-limit.ts";
import type { Tables } from "../core/tables.ts";
import { JobQueue } from "../jobs/job-queue.ts";
import { createOrganization } from "../organizations/organizations.ts";
import { createProject } from "../projects/projects.ts";
import type { ExportJobRow } from "../storage/fail-exports.ts";
import { createBundleLinks } from "./export-bundle.ts";
import { beginAttempt, complete, fail, getExportJob, saveProgress } from "./export-job.ts";
import { exportHandler } from "./run-export.ts";
import { createExportJob, prepareExportJob } from "./start-export.ts";
import { sweepExports } from "./sweep-exports.ts";

const root = process.cwd();
const folder = mkdtempSync(path.join(tmpdir(), "octavo-export-faults-"));
const pages = 5;

let database: OpenDatabase<Tables>;
let store: FolderObjects;
let queue: JobQueue;
let service: Service;
let scope: Scope;
let projectId: string;
/** Object store that the service uses. Tests replace it with one that fails. */
let objects: Objects;
const domain = "acme.localhost";

beforeAll(async () => {
  database = await openDatabase<Tables>({
    folder,
    script: path.join(root, "dist/database.js"),
    migrations: path.join(root, "src/io/migrations"),
  });
  const { db, pool } = database;
  store = await FolderObjects.open(path.join(folder, "store"), {
    url: "http://localhost",
    secret: "secret of this test, long enough to be one",
  });
  objects = store;
  queue = new JobQueue({ db, slots: 1, isAlone: true, report: () => {} });
  service = {
    db,
    pool,
    // Calls go to `objects`, which tests replace.
    objects: new Proxy({} as Objects, { get: (_target, name: keyof Objects) => objects[name].bind(objects) }),
    queue,
    ulid: ulidMaker(Date.now, randomBytes),
    random: randomBytes,
    secrets: new Secrets("test", randomBytes(32)),
    rateLimit: rateLimitOf(db, "secret"),
    settings: {
      url: "http://localhost",
      sitesDomain: "localhost",
      secret: "secret of this test, long enough to be one",
      analyticsLimit_count: 100,
      kind: "cloud",
      hasSearch: true,
      hasAssistant: true,
      hasAnalytics: true,
      linkLife_s: 3_600,
      git: { path: undefined },
      storageLimit_bytes: 1_000_000_000,
      workFolder: path.join(folder, "work"),
    },
  };
  const organization = await createOrganization(service, { name: "Acme", plan: "enterprise" });
  scope = { organizationId: organization.id, plan: "enterprise", actor: "test" };
  const project = await createProject(service, organization.id, { name: "Acme", subdomain: "acme" });
  projectId = project.id;
  await store.put("sources/one.tar.gz", tarOf(docs(pages)));
  await db
    .insertInto("deployments")
    .values({
      id: "one",
      organization_id: organization.id,
      project_id: project.id,
      number: 1,
      status: "success",
      trigger: "upload",
      snapshot: JSON.stringify({ archive: "sources/one.tar.gz", documents: {} }),
    } as never)
    .execute();
  await db.updateTable("projects").set({ live_deployment_id: "one" }).execute();
  const module = path.join(root, "dist/build.js");
  void queue.work({
    deploy: { attempts: 1, run: async () => {}, giveUp: async () => {} },
    "deploy-pull-request": { attempts: 1, run: async () => {}, giveUp: async () => {} },
    "report-deployment": { attempts: 1, run: async () => {}, giveUp: async () => {} },
    "embed-passages": { attempts: 1, run: async () => {}, giveUp: async () => {} },
    "mirror-repository": { attempts: 1, run: async () => {}, giveUp: async () => {} },
    categorize: { attempts: 1, run: async () => {}, giveUp: async () => {} },
    "static-export": exportHandler(
      service,
      (told) => new BuildProcess({ module, env: { PATH: process.env.PATH! }, ...told }),
    ),
  });
});
afterAll(async () => {
  await queue.stop();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

async function begin(): Promise<string> {
  const planned = await prepareExportJob(service, scope, { domain });
  return (await service.db.transaction().execute((tx) => createExportJob(service, tx, scope, planned))).id;
}

async function ended(id: string): Promise<ExportJobRow> {
  for (let waited_ms = 0; waited_ms < 60_000; waited_ms += 50) {
    const row = await getExportJob(service, scope, id);
    if (row.status === "completed" || row.status === "failed") return row;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("The export did not end");
}

async function keysBelow(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.keys(prefix)) keys.push(key);
  return keys;
}

/** Checks the export's bundle, and that the store has no other objects of the export. */
async function checkBundle(row: ExportJobRow): Promise<void> {
  expect(row).toMatchObject({ status: "completed", page_count: pages, total_pages: pages, error: null });
  const keys = [row.bundle_key, row.delta_key].filter((key) => key !== null);
  expect((await keysBelow(`exports/${row.id}/`)).sort()).toEqual(keys.sort());
  const bundle = Buffer.from((await store.get(row.bundle_key!))!);
  expect(bundle.length).toBe(row.bundle_bytes);
  const files = await unpack(bundle);
  expect([...files.keys()].filter((file) => /^(?:index|guides\/page-\d+)\.html$/.test(file))).toHaveLength(
    pages,
  );
}

type Fault = (call: number, name: string, act: () => Promise<unknown>) => Promise<unknown>;

function withFaults(fault: Fault): { calls: string[]; objects: Objects } {
  const calls: string[] = [];
  const faulty = new Proxy(store, {
    get: (target, name: "put" | "open" | "get" | "delete") => (key: string, more: never) => {
      calls.push(name);
      return fault(calls.length, name, () => target[name](key, more) as Promise<unknown>);
    },
  });
  return { calls, objects: faulty };
}

describe("a store that fails", () => {
  const sources = ["open"];
  const before = ["open"];
  const kept = ["put", "open"];
  const calls = [...sources, ...before, ...kept, ...kept];

  test("an export calls it for its sources, the previous bundle, its bundle and its delta", async () => {
    const watched = withFaults((_call, _name, act) => act());
    objects = watched.objects;
    await checkBundle(await ended(await begin()));
    expect(watched.calls).toEqual([...sources, ...kept]);
    watched.calls.length = 0;
    const second = await ended(await begin());
    await checkBundle(second);
    expect(second.delta_key).not.toBeNull();
    expect(watched.calls).toEqual(calls);
  });

  test.each(calls.map((name, index) => [index + 1, name] as const))("call %i, %s, fails once", async (at) => {
    ({ objects } = withFaults((call, _name, act) =>
      call === at ? Promise.reject(new Error("503 SlowDown")) : act(),
    ));
    const row = await ended(await begin());
    await checkBundle(row);
    expect(row.attempt).toBe(2);
  });

  const damages = [
    ["cut short", (bytes: Buffer) => bytes.subarray(0, -1)],
    ["changed", (bytes: Buffer) => Buffer.from(bytes.map((byte, i) => (i === 9 ? byte ^ 1 : byte)))],
    ["gone", () => undefined],
  ] as const;
  const damaging = (at: number, damage: (bytes: Buffer) => Buffer | undefined) =>
    withFaults(async (call, _name, act) => {
      const answer = await act();
      if (call !== at) return answer;
      const chunks: Buffer[] = [];
      for await (const chunk of answer as Readable) chunks.push(chunk as Buffer);
      const damaged = damage(Buffer.concat(chunks));
      return damaged && Readable.from([damaged]);
    });

  test.each(damages.flatMap(([how, damage]) => [4, 6].map((at) => [at, how, damage] as const)))(
    "the export succeeds if the data that call %i reads back is %s",
    async (at, _how, damage) => {
      ({ objects } = damaging(at, damage));
      const row = await ended(await begin());
      await checkBundle(row);
      expect(row.attempt).toBe(2);
    },
  );

  test.each([damages[0], damages[2]])(
    "if the previous bundle is %s, there is a bundle without a delta",
    async (_how, damage) => {
      ({ objects } = damaging(2, damage));
      const row = await ended(await begin());
      await checkBundle(row);
      expect(row).toMatchObject({ attempt: 1, delta_key: null, delta_bytes: null });
    },
  );

  test.each([
    ["SlowDown", "The export failed 3 times because of an internal error"],
    ["ENOSPC", "The export failed 3 times because storage is full"],
  ])("if storing fails with %s, the export fails with its own message", async (code, told) => {
    ({ objects } = withFaults((_call, name, act) =>
      name === "put" ? Promise.reject(Object.assign(new Error("refused"), { code })) : act(),
    ));
    const row = await ended(await begin());
    expect(row).toMatchObject({ status: "failed", error: told, bundle_key: null });
    expect(await keysBelow(`exports/${row.id}/`)).toEqual([]);
    objects = store;
    await checkBundle(await ended(await begin()));
  });

  test("if an attempt ends between storing and completing, the store has no other objects after the next one", async () => {
    ({ objects } = withFaults(async (call, _name, act) => {
      const answer = await act();
      if (call === 3) throw new Error("as if killed");
      return answer;
    }));
    await checkBundle(await ended(await begin()));
    objects = store;
  });

  test("if the sources are deleted, the export fails without another attempt", async () => {
    ({ objects } = withFaults((_call, name, act) => (name === "open" ? Promise.resolve(undefined) : act())));
    expect(await ended(await begin())).toMatchObject({
      status: "failed",
      error: "The sources were deleted",
      attempt: 1,
    });
    objects = store;
  });
});

describe("two attempts of one export", () => {
  const made = { key: "exports/x/y.tar.gz", bytes: 1, sha256: "0".repeat(64), version: "v", pages };
  /** Creates a row without a job in the queue, so that no worker takes it. */
  async function row(): Promise<string> {
    const planned = await prepareExportJob(service, scope, { domain });
    const enqueue = async () => {};
    return service.db
      .transaction()
      .execute(
        async (tx) =>
          (await createExportJob({ ...service, queue: { ...queue, enqueue } as never }, tx, scope, planned))
            .id,
      );
  }

  test("the late attempt changes nothing", async () => {
    const id = await row();
    const { db } = service;
    expect(await beginAttempt(db, id, 1)).toMatchObject({ status: "running", attempt: 1 });
    expect(await saveProgress(db, id, 1, { percent: 50, pages: 3, totalPages: pages })).toBe(true);
    expect(await beginAttempt(db, id, 2)).toMatchObject({
      status: "running",
      attempt: 2,
      progress: 50,
      page_count: 3,
    });
    expect(await beginAttempt(db, id, 1)).toBeUndefined();
    expect(await saveProgress(db, id, 1, { percent: 90, pages, totalPages: pages })).toBe(false);
    await complete(service, id, 1, made);
    expect(await fail(service, id, "late", 1)).toBeUndefined();
    // A new attempt doesn't reset the progress.
    expect(await saveProgress(db, id, 2, { percent: 10, pages: 1, totalPages: pages })).toBe(true);
    expect(await getExportJob(service, scope, id)).toMatchObject({
      status: "running",
      attempt: 2,
      progress: 50,
      page_count: 3,
    });
    await complete(service, id, 2, made);
    const done = await getExportJob(service, scope, id);
    expect(done).toMatchObject({ status: "completed", progress: 100 });
    await complete(service, id, 2, { ...made, sha256: "1".repeat(64) });
    expect(await fail(service, id, "late")).toBeUndefined();
    expect(await beginAttempt(db, id, 3)).toBeUndefined();
    expect(await getExportJob(service, scope, id)).toEqual(done);
  });
});

describe("retention", () => {
  const day_s = 24 * 3_600;

  /** Creates an export that was completed some days ago, with its objects. */
  async function completed(days: number, of = domain): Promise<string> {
    const id = `se_${randomBytes(8).toString("hex")}`;
    const key = `exports/${id}/${"0".repeat(64)}.tar.gz`;
    const delta = `exports/${id}/${"1".repeat(64)}.delta.tar.gz`;
    for (const object of [key, delta]) await store.put(object, Buffer.from(id));
    await service.db
      .insertInto("static_export_jobs")
      .values({
        id,
        organization_id: scope.organizationId,
        project_id: projectId,
        deployment_id: "one",
        domain: of,
        version: null,
        paths: null,
        status: "completed",
        bundle_key: key,
        bundle_bytes: id.length,
        bundle_sha256: "0".repeat(64),
        delta_key: delta,
        delta_bytes: id.length,
        completed_at: sql<Date>`clock_timestamp() - ${days * day_s} * interval '1 second'`,
        created_at: sql<Date>`clock_timestamp() - ${days * day_s} * interval '1 second'`,
      } as never)
      .execute();
    return id;
  }
  const bundle = (id: string) =>
    createBundleLinks(service, scope, id).then(
      () => "given",
      (error: unknown) => (error instanceof AppError ? error.code : String(error)),
    );
  /** Whether the bundle and the delta are stored. Fails if only one of them is. */
  const isStored = async (id: string) => {
    const { length } = await keysBelow(`exports/${id}/`);
    expect([0, 2]).toContain(length);
    return length === 2;
  };

  test("a bundle is kept for 30 days, and the newest of a domain as long as it is the newest", async () => {
    const [old, middle, newest] = [
      await completed(45, "a.example"),
      await completed(31, "a.example"),
      await completed(2, "a.example"),
    ];
    const alone = await completed(80, "b.example");
    expect(await Promise.all([old, middle, newest, alone].map(bundle))).toEqual([
      "gone",
      "gone",
      "given",
      "given",
    ]);
    await sweepExports(service);
    expect(await Promise.all([old, middle, newest, alone].map(isStored))).toEqual([false, false, true, true]);
    expect(await Promise.all([old, middle, newest, alone].map(bundle))).toEqual([
      "gone",
      "gone",
      "given",
      "given",
    ]);
    await expect(getExportJob(service, scope, old)).resolves.toMatchObject({ status: "completed" });
  });

  test("the objects of a bundle are kept until its links have expired", async () => {
    // The bundle is older than the retention, but was the newest one until ten minutes ago.
    const old = await completed(60, "c.example");
    await completed(10 / (24 * 60), "c.example");
    expect(await bundle(old)).toBe("gone");
    await sweepExports(service);
    expect(await isStored(old)).toBe(true);
    await service.db
      .updateTable("static_export_jobs")
      .set({ completed_at: sql`completed_at - interval '2 hours'` })
      .where("domain", "=", "c.example")
      .execute();
    await sweepExports(service);
    expect(await isStored(old)).toBe(false);
  });

  test("rows are kept for 90 days, idempotency keys for a day, and objects without a row are deleted", async () => {
    const [ancient, kept] = [await completed(91, "d.example"), await completed(89, "d.example")];
    await completed(1, "d.example");
    const alone = await completed(200, "e.example");
    await store.put("exports/se_ffffffffffffffff/left.tar.gz", Buffer.from("x"));
    await store.put(`exports/${alone}/left.tar.gz`, Buffer.from("x"));
    const running = await completed(1, "f.example");
    await service.db
      .updateTable("static_export_jobs")
      .set({ status: "running", bundle_key: null })
      .where("id", "=", running)
      .execute();
    const values = {
      organization_id: scope.organizationId,
      route: "r",
      body_hash: Buffer.alloc(32),
      response: "{}",
    };
    const age = (hours: number) => sql<Date>`clock_timestamp() - ${hours} * interval '1 hour'`;
    await service.db
      .insertInto("idempotency_keys")
      .values([
        { ...values, key: "old", created_at: age(25) as never },
        { ...values, key: "new", created_at: age(23) as never },
      ])
      .execute();
    await sweepExports(service);
    await expect(getExportJob(service, scope, ancient)).rejects.toThrow("Not found");
    await expect(getExportJob(service, scope, kept)).resolves.toMatchObject({ bundle_key: null });
    await expect(getExportJob(service, scope, alone)).resolves.toMatchObject({ status: "completed" });
    expect(await keysBelow("exports/se_ffffffffffffffff/")).toEqual([]);
    expect(await isStored(alone)).toBe(true);
    // The objects were stored by a worker that hasn't completed the job yet.
    expect(await isStored(running)).toBe(true);
    const left = await service.db.selectFrom("idempotency_keys").select("key").execute();
    expect(left).toEqual([{ key: "new" }]);
  });

  test("an Idempotency-Key is valid for a day", async () => {
    const asked = { route: "r", key: "again", body: [1] };
    const answers = ["first", "second", "third"];
    const ask = () =>
      idempotent(
        service,
        scope,
        asked,
        async () => {},
        async () => ({ answer: answers.shift() }),
      );
    expect(await ask()).toEqual({ answer: { answer: "first" }, isRepeated: false });
    const age = (hours: number) =>
      sql`update idempotency_keys set created_at = now() - ${hours} * interval '1 hour'`.execute(service.db);
    await age(23);
    expect(await ask()).toEqual({ answer: { answer: "first" }, isRepeated: true });
    await age(25);
    expect(await ask()).toEqual({ answer: { answer: "second" }, isRepeated: false });
    expect(await ask()).toEqual({ answer: { answer: "second" }, isRepeated: true });
  });

  test("at most 1,000 exports of an organization can be queued", async () => {
    const waiting = Array.from({ length: 1_000 }, (_, i) => ({
      id: `se_${i.toString(16).padStart(16, "0")}`,
      organization_id: scope.organizationId,
      project_id: projectId,
      deployment_id: "one",
      domain: "h.example",
      version: null,
      paths: null,
      status: "queued" as const,
    }));
    await service.db
      .insertInto("static_export_jobs")
      .values(waiting.slice(1) as never)
      .execute();
    await expect(prepareExportJob(service, scope, { domain })).resolves.toMatchObject({ domain });
    await service.db
      .insertInto("static_export_jobs")
      .values(waiting[0] as never)
      .execute();
    await expect(prepareExportJob(service, scope, { domain })).rejects.toMatchObject({
      code: "rate-limited",
      headers: { "retry-after": "60" },
    });
    await service.db.deleteFrom("static_export_jobs").where("domain", "=", "h.example").execute();
  });

  test("an export that wasn't started within a day fails", async () => {
    const late = await completed(2, "g.example");
    await service.db
      .updateTable("static_export_jobs")
      .set({ status: "queued", completed_at: null })
      .where("id", "=", late)
      .execute();
    await sweepExports(service);
    expect(await getExportJob(service, scope, late)).toMatchObject({
      status: "failed",
      error: "The job didn't start within 24 hours",
    });
  });
});
