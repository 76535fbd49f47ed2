/** Late workers and failing object stores: one attempt wins, and the live site stays complete. */

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { docs } from "../../../test/service/deploying.ts";
import { openPlatform } from "../../../test/service/platform.ts";
import { tarOf } from "../../../test/service/tar.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { BuildEnded, type BuildProcess } from "../../builder/build-process.ts";
import { unpackUpload } from "../../io/unpack-upload.ts";
import type { Service } from "../core/service.ts";
import { type DeployTools, deployJob } from "../deployments/deploy-job.ts";
import { getDeployment } from "../deployments/deployments.ts";
import { LiveSites } from "../deployments/live-sites.ts";
import { deployUpload } from "../deployments/upload.ts";
import { createOrganization } from "../organizations/organizations.ts";
import { createProject } from "../projects/projects.ts";

const folder = temporaryFolder();
let service: Service;
let close: () => Promise<void>;
let owner: { organizationId: string };
let projectId: string;

beforeAll(async () => {
  const storage = `file:${path.join(folder, "objects")}`;
  ({ service, close } = await openPlatform({ databaseUrl: await createDatabase(), storage, folder }));
  owner = { organizationId: (await createOrganization(service, { name: "Late", plan: "free" })).id };
  projectId = (await createProject(service, owner.organizationId, { name: "Late", subdomain: "late" })).id;
});
afterAll(async () => {
  await close();
});

/** A fake build that writes some files when `gate` resolves. With `fault`, it throws the error instead. */
function tools(text: string, gate: Promise<void> = Promise.resolve(), fault?: Error): DeployTools {
  const build: BuildProcess["build"] = async ({ output }) => {
    await gate;
    if (fault) throw fault;
    const out = (output as { path: string }).path;
    mkdirSync(out, { recursive: true });
    const names = ["index.html", "a.html", "b.css"];
    for (const name of names) writeFileSync(path.join(out, name), `${name} ${text} ${"x".repeat(2_000)}`);
    return {
      pages: 2,
      sizes: {},
      problems: [],
      documents: {},
      files: names.map((name) => ({ path: name, access: "anyone" as const })),
    };
  };
  return {
    startBuild: () => ({ prepare() {}, unpack: unpackUpload, build, end() {} }) as unknown as BuildProcess,
    onEnd: { async succeeded() {}, async failed() {} },
  };
}

const asked = () => deployUpload(service, owner, projectId, Readable.from([tarOf(docs("Text"))]), "upload");
const run = (id: string, attempt: number, how: DeployTools, on = service) =>
  deployJob(on, how).run({ payload: { deploymentId: id }, attempt, signal: new AbortController().signal });
const row = (id: string) =>
  service.db.selectFrom("deployments").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
const project = () =>
  service.db.selectFrom("projects").selectAll().where("id", "=", projectId).executeTakeFirstOrThrow();

/** Returns the content of all files of the live site; undefined if the site isn't live. */
async function site(): Promise<Record<string, string> | undefined> {
  const sites = await LiveSites.start(service, () => {});
  try {
    const found = await sites.byHost("late.localhost", "/");
    if (!found) return undefined;
    const read: Record<string, string> = {};
    for (const [name, entry] of Object.entries(found.manifest.files)) {
      const chunks: Buffer[] = [];
      for await (const chunk of await sites.open(entry, undefined)) chunks.push(chunk as Buffer);
      expect(Buffer.concat(chunks).length).toBe(entry.bytes);
      read[name] = Buffer.concat(chunks).toString().split(" ")[1]!;
    }
    return read;
  } finally {
    sites.stop();
  }
}

describe("an attempt that was replaced by another one", () => {
  test("changes nothing if it succeeds after the other attempt", async () => {
    const id = await asked();
    let letGo = () => {};
    const late = run(id, 1, tools("late", new Promise((resolve) => (letGo = resolve))));
    await expect.poll(async () => (await row(id)).attempt).toBe(1);
    await run(id, 2, tools("second"));
    const before = await row(id);
    const projectBefore = await project();
    expect(before).toMatchObject({ status: "success", attempt: 2 });
    letGo();
    await late;
    expect(await row(id)).toEqual(before);
    expect(await project()).toEqual(projectBefore);
    expect(await site()).toEqual({ "index.html": "second", "a.html": "second", "b.css": "second" });
  });

  test("changes nothing while the other attempt is running", async () => {
    const id = await asked();
    const gates: (() => void)[] = [];
    const gate = () => new Promise<void>((resolve) => gates.push(resolve));
    const late = run(id, 1, tools("late", gate()));
    await expect.poll(async () => (await row(id)).attempt).toBe(1);
    const second = run(id, 2, tools("third", gate()));
    await expect.poll(async () => (await row(id)).attempt).toBe(2);
    gates[0]!();
    await late;
    expect(await row(id)).toMatchObject({ status: "in_progress", attempt: 2 });
    expect((await project()).live_deployment_id).not.toBe(id);
    gates[1]!();
    await second;
    expect(await row(id)).toMatchObject({ status: "success", attempt: 2 });
    expect((await site())?.["index.html"]).toBe("third");
  });

  test("changes nothing if it fails", async () => {
    const id = await asked();
    const gates: (() => void)[] = [];
    const gate = () => new Promise<void>((resolve) => gates.push(resolve));
    const late = run(id, 1, tools("late", gate(), new BuildEnded("died", undefined)));
    await expect.poll(async () => (await row(id)).attempt).toBe(1);
    const second = run(id, 2, tools("fourth", gate()));
    await expect.poll(async () => (await row(id)).attempt).toBe(2);
    gates[0]!();
    await late;
    expect(await row(id)).toMatchObject({ status: "in_progress", attempt: 2 });
    gates[1]!();
    await second;
    expect(await row(id)).toMatchObject({ status: "success", summary: "Live" });
  });

  test("can't begin a completed deployment", async () => {
    const id = await asked();
    await run(id, 1, tools("done"));
    const before = await row(id);
    await run(id, 2, tools("again"));
    expect(await row(id)).toEqual(before);
    expect((await site())?.["index.html"]).toBe("done");
  });
});

test("a build that dies fails only its deployment, without another attempt", async () => {
  const id = await asked();
  await run(
    id,
    1,
    tools(
      "x",
      Promise.resolve(),
      new BuildEnded("The build process used too much memory while reading huge.mdx", "huge.mdx"),
    ),
  );
  expect(await getDeployment(service, owner, id)).toMatchObject({
    status: "failure",
    summary: "The build process used too much memory while reading huge.mdx",
  });
});

test("the n-th call of the store fails, for every n: the live site stays complete, and the next attempt succeeds", async () => {
  const last = await asked();
  await run(last, 1, tools("steady"));
  for (let n = 1; ; n++) {
    let calls = 0;
    const fault = new Error("The store is away");
    const { objects } = service;
    const counted = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
      return async (...args: A) => {
        if (++calls === n) throw fault;
        return call(...args);
      };
    };
    const failing: Service["objects"] = {
      put: counted((...args) => objects.put(...args)),
      get: counted((...args) => objects.get(...args)),
      size: counted((...args) => objects.size(...args)),
      open: counted((...args) => objects.open(...args)),
      delete: counted((...args) => objects.delete(...args)),
      keys: (prefix) => objects.keys(prefix),
      link: (...args) => objects.link(...args),
    };
    const id = await asked();
    const outcome = await run(id, 1, tools(`round${n}`), { ...service, objects: failing }).then(
      () => "done",
      (error: Error) => error.message,
    );
    expect(await site()).toBeDefined();
    if (outcome !== "done") {
      expect(outcome).toBe(fault.message);
      expect((await site())?.["index.html"]).toBe(n === 1 ? "steady" : `round${n - 1}`);
      await run(id, 2, tools(`round${n}`));
    }
    expect(await site()).toEqual({ "index.html": `round${n}`, "a.html": `round${n}`, "b.css": `round${n}` });
    // No temporary files are left.
    expect(readdirSync(path.join(folder, "work/deployments"))).toEqual([]);
    if (outcome === "done") {
      expect(n).toBeGreaterThan(10);
      return;
    }
  }
});
