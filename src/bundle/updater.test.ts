/** When a server fetches its bundle again after an error. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bundle, startStore } from "../../test/bundle/bundles.ts";
import { freePort } from "../../test/service/postgres.ts";
import { readBundleConfiguration } from "../main/bundle-configuration.ts";
import { Approval } from "./approval.ts";
import { bundleFeatures } from "./bundle-features.ts";
import { BundleSite } from "./bundle-site.ts";
import { BundleStore } from "./bundle-store.ts";
import { Updater } from "./updater.ts";

const good = bundle("v1", "first");
let folder: string;
let errors: string[];
let started: Updater[];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "octavo-updater-"));
  errors = [];
  started = [];
});
afterEach(async () => {
  for (const updater of started) await updater.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts to fetch a bundle. Downloads are retried after 1 ms, and updates after 20 ms. */
function start(source: string): Updater {
  const volume = mkdtempSync(path.join(folder, "volume-"));
  const configuration = readBundleConfiguration({ OCTAVO_DATA: volume, OCTAVO_BUNDLE_URL: source });
  const updater = new Updater({
    ...configuration,
    approval: new Approval(volume),
    store: new BundleStore(volume),
    site: new BundleSite((bundle) => bundleFeatures(bundle, configuration)),
    workFolder: volume,
    report: { info() {}, error: (message) => errors.push(message) },
    retries: { download_ms: 1, update_ms: 20 },
  });
  started.push(updater);
  void updater.update();
  return updater;
}

test("a restored network is noticed, and the failure is logged once", async () => {
  const port = await freePort();
  const updater = start(`http://127.0.0.1:${port}/a`);
  await expect.poll(() => errors.length).toBe(1);
  const back = await startStore((_request, response) => response.end(good), port);
  try {
    await expect.poll(() => [updater.isReady, updater.problem]).toEqual([true, undefined]);
    expect(errors).toEqual([expect.stringContaining("ECONNREFUSED")]);
  } finally {
    back.close();
  }
});

test("a file that appears late is noticed, and its absence is logged once", async () => {
  const late = path.join(folder, "late.tar.gz");
  const updater = start(late);
  await expect.poll(() => errors.length).toBe(1);
  writeFileSync(late, good);
  await expect.poll(() => [updater.isReady, updater.problem]).toEqual([true, undefined]);
  expect(errors).toEqual([expect.stringMatching(/^There is no file at .*late\.tar\.gz\. Correct the path/)]);
});

test("an expired link is not requested again", async () => {
  const asked: (string | undefined)[] = [];
  const store = await startStore((request, response) => {
    asked.push(request.url);
    response.writeHead(request.url === "/expired" ? 403 : 500).end();
  });
  try {
    start(`${store.url}/expired`);
    await expect.poll(() => errors.length).toBe(1);
    start(`${store.url}/failing`);
    // Each update requests a failing file five times.
    await expect.poll(() => asked.length).toBeGreaterThan(20);
    expect(asked.filter((path) => path === "/expired")).toHaveLength(1);
  } finally {
    store.close();
  }
});
