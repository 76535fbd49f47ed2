/** Installs, upgrades, rolls back and uninstalls the chart on a real control plane, with Helm 3 and Helm 4. No pods run. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ControlPlane, type HelmVersion, startControlPlane } from "./control-plane.ts";
import { valueSets } from "./value-sets.ts";

let cluster: ControlPlane;
beforeAll(async () => {
  cluster = await startControlPlane();
}, 120_000);
afterAll(() => cluster?.stop());

const versions: HelmVersion[] = ["helm3", "helm4"];
const cases = versions.flatMap((version) => Object.entries(valueSets).map(([name, set]) => ({ version, name, ...set })));
const kinds = "serviceaccount,secret,service,statefulset,deployment,ingress,networkpolicy,poddisruptionbudget,horizontalpodautoscaler";

/** Runs Helm, and fails with what it has written if it fails or prints a warning. */
async function helm(version: HelmVersion, args: readonly string[], values?: object): Promise<string> {
  const { status, stdout, stderr } = await cluster.helm(version, args, values);
  expect({ status, stderr }, args.join(" ")).toEqual({ status: 0, stderr: "" });
  return stdout;
}

describe.concurrent.each(cases)("$version: $name", ({ version, name, values, change }) => {
  const namespace = `${version}-${name.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
  const into = ["--namespace", namespace];

  test("installs, upgrades, rolls back and uninstalls without a warning", async () => {
    await cluster.createNamespace(namespace);
    await helm(version, ["lint", "--strict", "chart"], values);
    const manifests = await helm(version, ["template", "docs", "chart", ...into], values);
    if (Object.keys(values).length > 0)
      await cluster.kubectl(
        ["apply", "--dry-run=server", "--validate=strict", "--warnings-as-errors", ...into, "--filename", "-"],
        manifests,
      );

    await helm(version, ["install", "docs", "chart", ...into], values);
    const installed = await specs(namespace);
    await helm(version, ["upgrade", "docs", "chart", ...into, "--reuse-values"], change);
    await helm(version, ["rollback", "docs", "1", ...into]);
    expect(await specs(namespace)).toEqual(installed);
    const release = JSON.parse(await helm(version, ["history", "docs", ...into, "--output", "json"])) as { status: string }[];
    expect(release.map(({ status }) => status)).toEqual(["superseded", "superseded", "deployed"]);

    await helm(version, ["uninstall", "docs", ...into]);
    const left = await cluster.get(kinds, ...into, "--selector", "app.kubernetes.io/managed-by=Helm");
    expect(left.items).toEqual([]);
  });
});

/** What has been set in the objects of a release, by kind and name. */
async function specs(namespace: string): Promise<Record<string, unknown>> {
  const { items } = await cluster.get(kinds, "--namespace", namespace, "--selector", "app.kubernetes.io/managed-by=Helm");
  return Object.fromEntries(
    (items as { kind: string; metadata: { name: string }; spec?: unknown }[]).map(({ kind, metadata, spec }) => [
      `${kind} ${metadata.name}`,
      spec,
    ]),
  );
}
