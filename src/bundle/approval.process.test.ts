/** Bundles that wait for an approval or for the hours for updates. */

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bundle } from "../../test/bundle/bundles.ts";
import { type BundleServer, startBundleServer } from "../../test/bundle/server.ts";
import { isWithin, readApprovalRule } from "./approval.ts";

let folder: string;
let file: string;
let server: BundleServer | undefined;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "octavo-approval-"));
  file = path.join(folder, "bundle.tar.gz");
  writeFileSync(file, bundle("v1", "first"));
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function start(rule: string, args: string[] = []): Promise<BundleServer> {
  const volume = path.join(folder, "volume");
  server = await startBundleServer(
    { OCTAVO_BUNDLE_URL: file, OCTAVO_BUNDLE_APPROVAL: rule },
    { volume: mkVolume(volume), args },
  );
  return server;
}

function mkVolume(volume: string): string {
  if (!existsSync(volume)) execFileSync("mkdir", ["-m", "700", volume]);
  return volume;
}

function approve(version: string) {
  const { status, stderr } = spawnSync(
    process.execPath,
    [path.resolve("bin/octavo.js"), "bundle-server", "--approve", version],
    {
      encoding: "utf8",
      env: {
        PATH: process.env.PATH,
        OCTAVO_DATA: path.join(folder, "volume"),
      },
    },
  );
  return { status, text: stderr };
}

const home = async () => (await server!.get("/")).text;

describe("with OCTAVO_BUNDLE_APPROVAL=required", () => {
  test("the first bundle is served, and the next one waits until it's approved", async () => {
    await start("required");
    expect(await server!.settled()).toMatchObject({ code: 200, version: "v1", stale: false });
    expect(approve("v1")).toEqual({ status: 2, text: expect.stringContaining("No bundle is waiting") });

    writeFileSync(file, bundle("v2", "second"));
    const held = await server!.fetchAgain();
    expect(held).toMatchObject({ code: 200, version: "v1", stale: true });
    expect(held.problem).toMatch(
      /^Version v2 is waiting for approval\. The server keeps serving version v1\. Compare them with octavo bundle plan \S+ \S+, and approve with octavo bundle-server --approve v2\.$/,
    );
    expect(await home()).toBe("<h1>first</h1>");

    const [, before, after] = /bundle plan (\S+) (\S+),/.exec(held.problem!)!;
    const plan = spawnSync(process.execPath, ["bin/octavo.js", "bundle", "plan", before!, after!]);
    expect([plan.status, plan.stderr.toString()]).toEqual([0, ""]);

    expect(approve("v3")).toEqual({
      status: 2,
      text: expect.stringContaining('Version "v2" is waiting for approval, not "v3"'),
    });
    expect(approve("v2")).toEqual({ status: 0, text: expect.stringContaining("Version v2 is approved") });
    await expect.poll(() => server!.ready()).toMatchObject({ version: "v2", stale: false });
    expect(await home()).toBe("<h1>second</h1>");
    expect(approve("v2")).toMatchObject({ status: 2 });
  });

  test("a restart keeps what is served and what waits, and an approval of one bundle isn't one of the next", async () => {
    await start("required");
    await server!.settled();
    writeFileSync(file, bundle("v2", "second"));
    await server!.fetchAgain();
    await server!.stop();

    await start("required");
    expect(await server!.settled()).toMatchObject({ version: "v1", stale: true });
    await server!.stop();
    expect(approve("v2").status).toBe(0);

    writeFileSync(file, bundle("v3", "third"));
    await start("required");
    expect(await server!.settled()).toMatchObject({ version: "v1", stale: true });
    expect(await home()).toBe("<h1>first</h1>");
    expect(approve("v2").status).toBe(2);
    expect(approve("v3").status).toBe(0);
    await expect.poll(home).toBe("<h1>third</h1>");
  });

  test("an approved bundle goes live although the next one is damaged", async () => {
    await start("required");
    await server!.settled();
    writeFileSync(file, bundle("v2", "second"));
    await server!.fetchAgain();
    writeFileSync(file, "damaged");
    expect((await server!.fetchAgain()).problem).toContain("was rejected");
    approve("v2");
    await expect.poll(home).toBe("<h1>second</h1>");
  });
});

describe("with hours", () => {
  const hours = (from: number, to: number) => {
    const text = (offset: number) => new Date(Date.now() + offset * 3_600_000).toISOString().slice(11, 16);
    return `${text(from)}-${text(to)}`;
  };

  test("a bundle goes live within them", async () => {
    await start(hours(-1, 2));
    await server!.settled();
    writeFileSync(file, bundle("v2", "second"));
    expect(await server!.fetchAgain()).toMatchObject({ version: "v2", stale: false });
  });

  test("a bundle waits outside of them, and can be approved", async () => {
    await start(hours(2, 5));
    await server!.settled();
    writeFileSync(file, bundle("v2", "second"));
    const held = await server!.fetchAgain();
    expect(held).toMatchObject({ version: "v1", stale: true });
    expect(held.problem).toContain("Version v2 is waiting for approval or the hours for updates.");
    approve("v2");
    await expect.poll(home).toBe("<h1>second</h1>");
  });
});

test.each([
  ["22:00-04:30", "21:59", false],
  ["22:00-04:30", "22:00", true],
  ["22:00-04:30", "00:00", true],
  ["22:00-04:30", "04:29", true],
  ["22:00-04:30", "04:30", false],
  ["09:15-17:00", "09:14", false],
  ["09:15-17:00", "09:15", true],
  ["09:15-17:00", "17:00", false],
])("%s contains %s: %s", (rule, time, expected) => {
  const hours = readApprovalRule(rule);
  if (typeof hours !== "object") throw new Error("not hours");
  expect(isWithin(hours, new Date(`2026-03-01T${time}:00Z`))).toBe(expected);
});

test.each(["yes", "24:00-01:00", "9:00-17:00", "09:00", "09:00-09:00", "09:00-17:60"])(
  "%s is refused when the server starts",
  async (rule) => {
    await start(rule);
    expect(await server!.ended).toBe(2);
    expect(server!.output()).toContain("OCTAVO_BUNDLE_APPROVAL must be required or hours in UTC");
  },
);
