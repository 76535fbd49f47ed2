/**
 * What goes wrong in a cluster, and not yet when the chart is rendered: scaling, changes of existing objects,
 * and rejected values.
 */

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { connect, type HelmVersion } from "./control-plane.ts";
import { previousChart } from "./previous-chart.ts";
import { programs } from "./programs.js";

const versions: HelmVersion[] = ["helm3", "helm4"];
const staticExport = { enabled: true, bundleUrl: "https://store.example.com/bundle.tar.gz" };
const platform = {
  enabled: true,
  url: "https://docs-service.example.com",
  sitesDomain: "docs.example.com",
  storage: "s3://octavo?endpoint=https://s3.example.com",
  existingSecret: "octavo",
};

const cluster = connect(inject("controlPlane"));

/** A namespace with a release. Returns functions for both. */
async function release(version: HelmVersion, name: string, values: object, chart = "chart") {
  const namespace = `${version}-${name}`;
  const into = ["--namespace", namespace];
  const helm = (args: readonly string[], given?: object) => cluster.helm(version, [...args, ...into], given);
  const done = async (args: readonly string[], given?: object) => {
    const { status, stdout, stderr } = await helm(args, given);
    expect({ status, stderr }, args.join(" ")).toEqual({ status: 0, stderr: "" });
    return stdout;
  };
  await cluster.createNamespace(namespace);
  await done(["install", "docs", chart], values);
  return {
    helm,
    done,
    upgrade: (given: object) => done(["upgrade", "docs", "chart"], given),
    get: (...args: string[]) => cluster.get(...args, ...into),
    kubectl: (args: readonly string[], input?: string) => cluster.kubectl([...args, ...into], input),
    history: async () =>
      JSON.parse(await done(["history", "docs", "--output", "json"])) as { status: string }[],
  };
}

/**
 * The numbers of pods that an object is set to while an action runs, and until an autoscaler has seen the
 * object.
 */
async function replicasDuring(
  namespace: string,
  object: string,
  autoscaler: string,
  action: () => Promise<unknown>,
): Promise<number[]> {
  const seen: number[] = [];
  const args = [
    "get",
    object,
    "--namespace",
    namespace,
    "--watch",
    "--output",
    'jsonpath={.spec.replicas}{"\\n"}',
  ];
  const watch = spawn(programs.kubectl, ["--kubeconfig", cluster.kubeconfig, ...args]);
  let text = "";
  watch.stdout.on("data", (chunk) => (text += chunk));
  try {
    await expect.poll(() => text).not.toBe("");
    await action();
    const status = () =>
      cluster.get(autoscaler, "--namespace", namespace).then(({ status }) => status.conditions?.length ?? 0);
    await expect.poll(status, { timeout: 60_000 }).toBeGreaterThan(0);
  } finally {
    watch.kill();
  }
  for (const line of text.trim().split("\n")) seen.push(Number(line));
  return seen;
}

describe.concurrent.each(versions)("%s", (version) => {
  test("turning autoscaling on keeps the number of pods", async () => {
    const site = await release(version, "scaling", {
      staticExport: { ...staticExport, replicas: 4 },
      platform: { ...platform, web: { replicas: 3 } },
    });
    const autoscaling = { enabled: true, minReplicas: 2 };
    const scaled = {
      staticExport: { ...staticExport, autoscaling },
      platform: { ...platform, web: { autoscaling } },
    };
    const name = `${version}-scaling`;
    const sites = replicasDuring(name, "statefulset/docs-octavo-site", "hpa/docs-octavo-site", () =>
      site.upgrade(scaled),
    );
    expect(Math.min(...(await sites))).toBe(4);
    expect((await site.get("deployment/docs-octavo-web")).spec.replicas).toBe(3);
    // The next upgrade and a rollback keep it, too.
    await site.kubectl(["scale", "statefulset/docs-octavo-site", "--replicas=5"]);
    await site.upgrade({ ...scaled, commonLabels: { team: "docs" } });
    expect((await site.get("statefulset/docs-octavo-site")).spec.replicas).toBe(5);
    // Helm 4 applies on the server, where the number belongs to the program that has set it.
    await site.done(["rollback", "docs", "2", ...(version === "helm4" ? ["--force-conflicts"] : [])]);
    expect((await site.get("statefulset/docs-octavo-site")).spec.replicas).toBeGreaterThanOrEqual(4);
  });

  test("a variable that the chart sets, too, is accepted", async () => {
    const both = await release(version, "variables", { staticExport, platform });
    const extra = { name: "OCTAVO_KIND", value: "air-gapped" };
    const env = { PORT: 5_000, OCTAVO_URL: "https://other.example", OCTAVO_STORAGE_LIMIT_MB: 1_000_000 };
    await both.upgrade({
      staticExport: { ...staticExport, extraEnv: [extra] },
      platform: { ...platform, env },
    });
    const envOf = async (object: string) =>
      (await both.get(object)).spec.template.spec.containers[0].env as { name: string; value: string }[];
    expect(
      (await envOf("statefulset/docs-octavo-site")).filter(({ name }) => name === "OCTAVO_KIND"),
    ).toEqual([extra]);
    const web = await envOf("deployment/docs-octavo-web");
    for (const [name, value] of Object.entries(env))
      expect(web.filter((variable) => variable.name === name)).toEqual([{ name, value: String(value) }]);
  });

  test.each<[string, object]>([
    ["more pods at least than at most", { staticExport: { autoscaling: { enabled: true, minReplicas: 9 } } }],
    ["a size with an unknown unit", { staticExport: { volume: { size: "5GB" } } }],
    [
      "an IP address instead of a range",
      { networkPolicy: { bundleStore: [{ cidr: "10.0.0.1", port: 443 }] } },
    ],
    ["a host name with capital letters", { ingress: { enabled: true, hosts: ["Docs.example.com"] } }],
    ["a host name with a port", { ingress: { enabled: true, hosts: ["docs.example.com:80"] } }],
    ["a variable that is a number", { staticExport: { extraEnv: [{ name: "A", value: 1 }] } }],
    ["a toleration of nothing", { staticExport: { tolerations: [{ effect: "NoSchedule" }] } }],
    ["a limit below the request", { staticExport: { resources: { limits: { memory: "64Mi" } } } }],
    [
      "a misspelled key of a certificate",
      { ingress: { enabled: true, hosts: ["a.example"], tls: [{ secret: "a" }] } },
    ],
  ])("%s is rejected before anything changes", async (title, change) => {
    const site = await release(version, title.replaceAll(/[^a-z]+/gi, "-").toLowerCase(), { staticExport });
    const { status, stderr } = await site.helm(["upgrade", "docs", "chart", "--reuse-values"], change);
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/staticExport|ingress|networkPolicy/);
    expect((await site.history()).map((revision) => revision.status)).toEqual(["deployed"]);
  });

  test("the volume of a release isn't changed without a reason and a way", async () => {
    const site = await release(version, "volumes", { staticExport });
    const claims = () =>
      site
        .get("pvc")
        .then(
          ({ items }) => items.map(({ metadata }: { metadata: { uid: string } }) => metadata.uid) as string[],
        );
    await expect.poll(claims, { timeout: 30_000 }).toHaveLength(2);
    const before = await claims();
    for (const volume of [{ size: "6Gi" }, { enabled: false }]) {
      const { status, stderr } = await site.helm(["upgrade", "docs", "chart"], {
        staticExport: { ...staticExport, volume },
      });
      expect(status).not.toBe(0);
      expect(stderr).toMatch(
        /staticExport\.volume\.(?:size|enabled) can't be changed .*delete statefulset docs-octavo-site --cascade=orphan/,
      );
    }
    // The same size in other units isn't a change.
    await site.upgrade({ staticExport: { ...staticExport, volume: { size: "5120Mi" } } });
    await site.kubectl(["delete", "statefulset", "docs-octavo-site", "--cascade=orphan"]);
    await site.upgrade({ staticExport: { ...staticExport, volume: { size: "6Gi" } } });
    expect(
      (await site.get("statefulset/docs-octavo-site")).spec.volumeClaimTemplates[0].spec.resources.requests
        .storage,
    ).toBe("6Gi");
    expect(await claims()).toEqual(before);
  });

  test("a changed Secret rolls the pods with the next upgrade", async () => {
    const values = { staticExport: { enabled: true, existingSecret: "bundle" } };
    const site = await release(version, "secrets", values);
    const write = (url: string) =>
      site.kubectl(["apply", "--filename", "-"], JSON.stringify(secret("bundle", { bundleUrl: url })));
    const checksum = async () =>
      (await site.get("statefulset/docs-octavo-site")).spec.template.metadata.annotations["checksum/secret"];
    const sums = [];
    for (const url of ["https://a.example", "https://a.example", "https://b.example"]) {
      await write(url);
      await site.upgrade(values);
      sums.push(await checksum());
    }
    expect(sums[0]).toBe(sums[1]);
    expect(sums[1]).not.toBe(sums[2]);
  });

  test("pods are created in a namespace with a quota of CPU limits", async () => {
    const resources = { limits: { cpu: "500m", memory: "512Mi" } };
    const site = await release(version, "quota", { staticExport: { ...staticExport, replicas: 1 } });
    const quota = {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "cpu" },
      spec: { hard: { "limits.cpu": "4" } },
    };
    await site.kubectl(["create", "--filename", "-"], JSON.stringify(quota));
    await site.upgrade({ staticExport: { ...staticExport, resources } });
    const pods = () => site.get("pods").then(({ items }) => items.length as number);
    await expect.poll(pods, { timeout: 30_000 }).toBe(2);
  });

  test("a site's pods have DNS names, and the platform has time to migrate", async () => {
    const both = await release(version, "names", {
      staticExport,
      platform: { ...platform, startupSeconds: 3_600 },
    });
    const { serviceName } = (await both.get("statefulset/docs-octavo-site")).spec;
    expect((await both.get(`service/${serviceName}`)).spec).toMatchObject({
      clusterIP: "None",
      publishNotReadyAddresses: true,
    });
    const { progressDeadlineSeconds, template } = (await both.get("deployment/docs-octavo-web")).spec;
    const { periodSeconds, failureThreshold } = template.spec.containers[0].startupProbe;
    expect(periodSeconds * failureThreshold).toBe(3_600);
    expect(progressDeadlineSeconds).toBeGreaterThan(3_600);
  });

  test.each<[string, Record<string, unknown>, RegExp, RegExp | undefined]>([
    ["a site", {}, /helm test docs.*port-forward.*helm upgrade docs.*helm rollback docs/s, undefined],
    ["one pod", { staticExport: { ...staticExport, replicas: 1 } }, /a few seconds of downtime/, undefined],
    [
      "a pinned version",
      { staticExport: { ...staticExport, version: "v7" } },
      /isn't ready until it serves version v7/,
      undefined,
    ],
    [
      "no volume",
      { staticExport: { ...staticExport, volume: { enabled: false } } },
      /No volume is configured/,
      undefined,
    ],
    [
      "autoscaling",
      { staticExport: { ...staticExport, replicas: 1, autoscaling: { enabled: true } } },
      /a permanent URL/,
      /downtime/,
    ],
    [
      "a bundle store",
      { kind: "air-gapped", networkPolicy: { bundleStore: [{ cidr: "10.0.0.0/8", port: 443 }] } },
      /sealed=true/,
      /no outbound network access/,
    ],
    [
      "a file",
      { kind: "air-gapped", staticExport: { enabled: true, bundleUrl: "/bundles/a.tar.gz" } },
      /no outbound network access/,
      /sealed=true/,
    ],
    ["an image without a registry", {}, /image octavo:[\d.]+ isn't in a registry/, undefined],
    [
      "an image in a registry",
      { image: { registry: "registry.example.com" } },
      /serves the site/,
      /isn't in a registry/,
    ],
    [
      "the platform",
      { staticExport: {}, platform },
      /octavo admin invite.*rollout restart/s,
      /serves the site/,
    ],
    ["nothing", { staticExport: {} }, /doesn't run anything/, undefined],
  ])("notes for %s", async (_title, values, present, absent) => {
    const { stdout, stderr } = await cluster.helm(version, ["install", "docs", "chart", "--dry-run=server"], {
      staticExport,
      ...values,
    });
    expect(stderr).toBe("");
    const notes = stdout.slice(stdout.indexOf("NOTES:"));
    expect(notes).toMatch(present);
    if (absent) expect(notes).not.toMatch(absent);
  });
});

const secret = (name: string, stringData: Record<string, string>) => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name },
  stringData,
});

describe.skipIf(!previousChart.exists).each(versions)(
  "an upgrade from an earlier chart with %s",
  (version) => {
    const folder = mkdtempSync(path.join(tmpdir(), "octavo-chart-"));
    beforeAll(() => previousChart.write(folder));
    afterAll(() => rmSync(folder, { recursive: true }));

    test("keeps the objects and their volumes, and so does a rollback", async () => {
      const values = { staticExport, platform };
      const both = await release(version, "earlier", values, path.join(folder, "chart"));
      const identities = async () => {
        const { items } = await both.get(
          "statefulset,deployment,pvc,service,serviceaccount,secret,poddisruptionbudget,networkpolicy",
        );
        const found = (
          items as {
            kind: string;
            metadata: { name: string; uid: string; labels?: Record<string, string> };
          }[]
        ).filter(({ metadata }) => !metadata.name.startsWith("sh.helm.release"));
        return Object.fromEntries(
          found.map(({ kind, metadata }) => [`${kind} ${metadata.name}`, metadata.uid]),
        );
      };
      await expect.poll(async () => (await both.get("pvc")).items.length, { timeout: 30_000 }).toBe(2);
      const before = await identities();
      await both.done(["upgrade", "docs", "chart", "--reset-then-reuse-values"]);
      expect(await identities()).toMatchObject(before);
      await both.done(["rollback", "docs", "1"]);
      expect(await identities()).toEqual(before);
    });
  },
);
