/** The volume of a bundle server that doesn't run as root, with the owners and modes that Kubernetes sets. */

import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { bundle } from "../../test/bundle/bundles.ts";
import { startBundleServer } from "../../test/bundle/server.ts";

/** `runAsUser`, `runAsGroup`, and `fsGroup` of the chart. */
const user = 10_001;
const folder = mkdtempSync(path.join(tmpdir(), "octavo-owners-"));
const file = path.join(folder, "bundle.tar.gz");
let volume: string;

const canChangeUser = process.getuid?.() === 0 && spawnSync("setpriv", ["--version"]).status === 0;

/** A new volume with `fsGroup`: root owns it, and the group can write. */
beforeEach(() => {
  chmodSync(folder, 0o755);
  writeFileSync(file, bundle("v1", "first"));
  volume = mkdtempSync(path.join(folder, "volume-"));
  chownSync(volume, 0, user);
  chmodSync(volume, 0o2775);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = (uid = user) =>
  startBundleServer(
    { OCTAVO_BUNDLE_URL: file },
    { volume, around: ["setpriv", `--reuid=${uid}`, `--regid=${user}`, "--clear-groups"] },
  );

async function serves(uid = user): Promise<void> {
  const server = await start(uid);
  expect(await server.settled()).toMatchObject({ code: 200, version: "v1" });
  expect((await server.get("/")).text).toBe("<h1>first</h1>");
  await server.stop();
}

/** Calls `visit` for all files and folders below a folder, and for the folder. */
function each(at: string, visit: (at: string, isFolder: boolean) => void): void {
  const isFolder = lstatSync(at).isDirectory();
  visit(at, isFolder);
  if (isFolder) for (const name of readdirSync(at)) each(path.join(at, name), visit);
}

const modeOf = (name: string) => lstatSync(path.join(volume, name)).mode & 0o777;

describe.runIf(canChangeUser)("a volume with fsGroup", () => {
  test("that is new, and after Kubernetes has given the group access to all files", async () => {
    await serves();
    expect(modeOf("bundles")).toBe(0o700);
    each(volume, (at, isFolder) => {
      chownSync(at, lstatSync(at).uid, user);
      chmodSync(at, lstatSync(at).mode | (isFolder ? 0o2770 : 0o660));
    });
    await serves();
    expect([modeOf("bundles"), modeOf("work")]).toEqual([0o700, 0o700]);
  });

  test("whose files were restored by root", async () => {
    await serves();
    each(volume, (at, isFolder) => {
      chownSync(at, 0, user);
      chmodSync(at, isFolder ? 0o2770 : 0o660);
    });
    writeFileSync(file, bundle("v2", "second"));
    const server = await start();
    expect(await server.settled()).toMatchObject({ code: 200, version: "v2" });
    await server.stop();
  });

  test("whose files belong to the user of an earlier configuration is refused", async () => {
    await serves();
    const server = await start(user + 1);
    await expect(server.settled()).rejects.toThrow();
    expect(server.output()).toMatch(/bundles is owned by a different user \(ID 10001\)/);
  });
});
