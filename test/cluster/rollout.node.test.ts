/**
 * Runs the chart on a node with the images of the Dockerfile: rollouts under load, a wrong version,
 * rollbacks, and data in volumes.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundle } from "../bundle/bundles.ts";
import type { HelmVersion } from "./control-plane.ts";
import { buildImages, images, saveImages } from "./images.js";
import { type Cluster, nodeIp, startCluster } from "./node.ts";
import { previousChart } from "./previous-chart.ts";

const folder = mkdtempSync(path.join(tmpdir(), "octavo-rollout-"));
const bundles = path.join(folder, "bundles");
const [repository, tag] = images["octavo-bundle"].split(":");
const image = { repository, tag };

let cluster: Cluster;

beforeAll(async () => {
  mkdirSync(bundles);
  for (const version of ["v1", "v2"])
    writeFileSync(path.join(bundles, `${version}.tar.gz`), bundle(version, `release ${version}`));
  buildImages();
  cluster = await startCluster(saveImages("octavo-bundle"), 12);
  const store = cluster.start("bundle-store", process.execPath, [
    path.resolve("test/cluster/bundle-store.js"),
    bundles,
    nodeIp,
  ]);
  expect(store.exitCode).toBeNull();
});

afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const printPage =
  "fetch(process.argv[1]).then(async (response) => console.log(response.status, await response.text()))";

const valuesFor = (version: string, more: object = {}) => ({
  staticExport: {
    enabled: true,
    image,
    bundleUrl: `http://${nodeIp}:8000/${version}.tar.gz`,
    version,
    ...more,
  },
});

interface Site {
  namespace: string;
  /** Runs Helm, and fails if it fails. */
  helm(args: readonly string[], values?: object): Promise<string>;
  /** Runs Helm. Resolves with whether it succeeded. */
  tries(args: readonly string[], values?: object): Promise<boolean>;
  // biome-ignore lint/suspicious/noExplicitAny: objects of Kubernetes are untyped in tests.
  get(...args: string[]): Promise<any>;
  kubectl(...args: string[]): Promise<string>;
  url(): Promise<string>;
  page(): Promise<string>;
  /** Deletes the release and its volumes. */
  remove(): Promise<void>;
}

async function newSite(version: HelmVersion, name: string): Promise<Site> {
  const namespace = `${version}-${name}`;
  const into = ["--namespace", namespace];
  await cluster.createNamespace(namespace);
  const url = async () => `http://${(await site.get("service/docs-octavo-site")).spec.clusterIP}`;
  const site: Site = {
    namespace,
    async helm(args, values) {
      const { status, stdout, stderr } = await cluster.helm(version, [...args, ...into], values);
      if (status !== 0)
        throw new Error(
          `helm ${args.join(" ")}: ${stderr}\n${await cluster.kubectl(["describe", "pods", ...into])}`,
        );
      return stdout;
    },
    tries: async (args, values) => (await cluster.helm(version, [...args, ...into], values)).status === 0,
    get: (...args) => cluster.get(...args, ...into),
    kubectl: (...args) => cluster.kubectl([...into, ...args]),
    url,
    page: async () => cluster.run([process.execPath, "--eval", printPage, await url()]),
    async remove() {
      await site.helm(["uninstall", "docs", "--wait"]);
      await site.kubectl("delete", "pvc", "--all", "--timeout=60s");
    },
  };
  return site;
}

/** Requests a URL while an action runs. Resolves with how often each result occurred. */
async function trafficDuring(url: string, action: () => Promise<unknown>): Promise<Record<string, number>> {
  const traffic = cluster.spawn([process.execPath, path.resolve("test/cluster/traffic.js"), url]);
  let output = "";
  traffic.stdout!.on("data", (chunk) => (output += chunk));
  const closed = new Promise((resolve) => traffic.once("close", resolve));
  try {
    await action();
  } finally {
    traffic.kill("SIGTERM");
    await closed;
  }
  return JSON.parse(output) as Record<string, number>;
}

const wait = ["--wait", "--timeout", "120s"];

describe.each<HelmVersion>(["helm3", "helm4"])("%s", (version) => {
  test("a site is installed, upgraded under load, and rolled back; a wrong version stops the rollout", async () => {
    const site = await newSite(version, "rollout");
    await site.helm(["install", "docs", "chart", ...wait], valuesFor("v1"));
    expect(await site.page()).toContain("release v1");
    expect(await site.kubectl("exec", "docs-octavo-site-0", "--", "id")).toMatch(/uid=10001.* gid=10001/);
    await cluster.publishNames(site.namespace);
    expect(await site.helm(["test", "docs", "--timeout", "60s"])).toMatch(/Phase: +Succeeded/);

    const upgraded = await trafficDuring(await site.url(), () =>
      site.helm(["upgrade", "docs", "chart", ...wait], valuesFor("v2")),
    );
    expect(Object.keys(upgraded)).toEqual(["200"]);
    console.info(`${version}: ${upgraded[200]} requests during an upgrade, none failed`);
    expect(await site.page()).toContain("release v2");

    const stopped = await trafficDuring(await site.url(), async () => {
      expect(
        await site.tries(
          ["upgrade", "docs", "chart", "--wait", "--timeout", "20s"],
          valuesFor("v1", { version: "v9" }),
        ),
      ).toBe(false);
    });
    expect(Object.keys(stopped)).toEqual(["200"]);
    const { items } = await site.get("pods", "--selector", "app.kubernetes.io/component=site");
    expect(
      items.filter(
        (pod: { status: { containerStatuses: { ready: boolean }[] } }) =>
          pod.status.containerStatuses[0]?.ready,
      ),
    ).toHaveLength(1);

    await site.helm(["rollback", "docs", "2", ...wait]);
    expect(await site.page()).toContain("release v2");
    await site.remove();
  });

  test.skipIf(!previousChart.exists)(
    "an upgrade from an earlier chart and a rollback keep the data in volumes",
    async () => {
      previousChart.write(folder);
      const site = await newSite(version, "earlier");
      await site.helm(["install", "docs", path.join(folder, "chart"), ...wait], valuesFor("v1"));
      await site.kubectl("exec", "docs-octavo-site-1", "--", "sh", "-c", "echo kept > /data/mark");
      const claims = async () =>
        (await site.get("pvc")).items.map(({ metadata }: { metadata: { uid: string } }) => metadata.uid);
      const before = await claims();
      // From now on, pods can't download the bundle, and have to serve the one on their volumes.
      writeFileSync(path.join(bundles, "expired"), "");
      try {
        for (const step of [
          ["upgrade", "docs", "chart"],
          ["rollback", "docs", "1"],
        ]) {
          const values = step[0] === "upgrade" ? valuesFor("v1") : undefined;
          const results = await trafficDuring(await site.url(), () => site.helm([...step, ...wait], values));
          expect(Object.keys(results), step[0]).toEqual(["200"]);
          expect(await site.page()).toContain("release v1");
          expect(await site.kubectl("exec", "docs-octavo-site-1", "--", "cat", "/data/mark")).toBe("kept\n");
          expect(await claims()).toEqual(before);
        }
      } finally {
        rmSync(path.join(bundles, "expired"));
      }
      await site.remove();
    },
  );
});

test("a site runs as a random user, from a file in a ConfigMap, without a network, and its volumes outlive the release", async () => {
  const site = await newSite("helm3", "random-user");
  await site.kubectl("create", "configmap", "bundle", `--from-file=${path.join(bundles, "v1.tar.gz")}`);
  const user = 1_000_680_000;
  const values = {
    kind: "air-gapped",
    features: { search: "local" },
    podSecurityContext: { runAsUser: user, runAsGroup: 0, fsGroup: user },
    staticExport: {
      enabled: true,
      image,
      bundleUrl: "/bundles/v1.tar.gz",
      version: "v1",
      extraVolumes: [{ name: "bundle", configMap: { name: "bundle" } }],
      extraVolumeMounts: [{ name: "bundle", mountPath: "/bundles", readOnly: true }],
      terminationGracePeriodSeconds: 20,
    },
  };
  await site.helm(["install", "docs", "chart", ...wait], values);
  expect(await site.kubectl("exec", "docs-octavo-site-0", "--", "id")).toContain(`uid=${user} gid=0`);
  expect(
    await site.kubectl(
      "exec",
      "docs-octavo-site-0",
      "--",
      "sh",
      "-c",
      "grep -E 'CapEff|NoNewPrivs' /proc/1/status",
    ),
  ).toMatch(/CapEff:\s+0+\nNoNewPrivs:\s+1/);
  expect(await site.page()).toContain("release v1");
  await site.helm(["uninstall", "docs", "--wait"]);
  expect((await site.get("pvc")).items).toHaveLength(2);
});
