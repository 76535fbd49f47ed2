/**
 * A service on a full disk. The disk is a small file system in memory, which needs the right to mount one.
 */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { temporaryFolder } from "../../test/engine/build.ts";
import { newOrganization, type RunningService, startService } from "../../test/service/service.ts";
import { EmbeddedPostgres } from "../io/embedded-postgres.ts";
import { endpoints } from "../service/app/endpoints.ts";

const canMount = spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
});

/** Returns a folder with this much space, which exists until the tests end. */
async function smallDisk(bytes: number): Promise<string> {
  const folder = temporaryFolder();
  // `cat` ends with the tests, even if they're killed.
  const script = 'mount -t tmpfs -o "size=$1" tmpfs "$0" && echo mounted && exec cat';
  const child = spawn("unshare", ["--mount", "sh", "-c", script, folder, String(bytes)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  started.push(child);
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return path.join("/proc", String(child.pid), "root", folder);
}

/** Uses all free space. */
function fill(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(path.join(folder, "filler"), Buffer.alloc(bavail * bsize));
}

async function kill(service: RunningService): Promise<void> {
  const ended = new Promise((resolve) => service.process.once("exit", resolve));
  service.process.kill("SIGKILL");
  await ended;
}

test.skipIf(!canMount)(
  "a killed service names a full disk as the reason that it can't start, and loses nothing",
  async () => {
    const disk = await smallDisk(200_000_000);
    const dataFolder = path.join(disk, "data");
    mkdirSync(dataFolder);
    const first = await startService({ dataFolder });
    const { id } = await newOrganization(first);
    await kill(first);
    fill(disk);
    const failure = await startService({ dataFolder }).catch((error: Error) => error.message);
    expect(failure).toContain("The disk is full");
    expect(failure).not.toMatch(/Aborted|\n\s+at /);
    const database = EmbeddedPostgres.start(
      path.resolve("dist/database.js"),
      path.join(dataFolder, "postgres"),
    );
    await expect(database).rejects.toThrow(/The disk is full: .*\. Free some space, and start again/);
    rmSync(path.join(disk, "filler"));
    const service = await startService({ dataFolder });
    expect((await service.operator(endpoints.getOrganization, { params: { organizationId: id } })).id).toBe(
      id,
    );
    expect(await service.stop()).toBe(0);
  },
);
