/**
 * Installs, upgrades, rolls back and uninstalls the chart on a real control plane, with Helm 3 and Helm 4. No
 * pods run.
 */

import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, inject, test } from "vitest";
import { connect, type HelmVersion } from "./control-plane.ts";
import { valueSets } from "./value-sets.ts";

const cluster = connect(inject("controlPlane"));

const versions: HelmVersion[] = ["helm3", "helm4"];
const cases = versions.flatMap((version) =>
  Object.entries(valueSets).map(([name, set]) => ({ version, name, ...set })),
);
const kinds =
  "serviceaccount,secret,service,statefulset,deployment,ingress,networkpolicy,poddisruptionbudget,horizontalpodautoscaler";

const dryRun = ["apply", "--dry-run=server", "--validate=strict", "--warnings-as-errors", "--filename", "-"];

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
    // Both versions of Helm render the same manifests.
    if (version === "helm3") await cluster.kubectl([...dryRun, ...into], manifests);

    await helm(version, ["install", "docs", "chart", ...into], values);
    const installed = await specs(namespace);
    await helm(version, ["upgrade", "docs", "chart", ...into, "--reuse-values"], change);
    await helm(version, ["rollback", "docs", "1", ...into]);
    expect(await specs(namespace)).toEqual(installed);
    await helm(version, ["uninstall", "docs", ...into]);
    const left = await cluster.get(kinds, ...into, "--selector", "app.kubernetes.io/managed-by=Helm");
    expect(left.items).toEqual([]);
  });
});

test.each(versions)("%s packages the chart, and installs the package", async (version) => {
  const folder = path.join(cluster.folder, `package-${version}`);
  await helm(version, ["package", "chart", "--destination", folder]);
  const [file] = readdirSync(folder);
  expect(file).toMatch(/^octavo-[\d.]+\.tgz$/);
  await cluster.createNamespace(`${version}-package`);
  const { staticExport } = valueSets["bundle by URL"]!.values;
  await helm(version, ["install", "docs", path.join(folder, file!), "--namespace", `${version}-package`], {
    staticExport,
  });
});

/** What has been set in the objects of a release, by kind and name. */
async function specs(namespace: string): Promise<Record<string, unknown>> {
  const { items } = await cluster.get(
    kinds,
    "--namespace",
    namespace,
    "--selector",
    "app.kubernetes.io/managed-by=Helm",
  );
  return Object.fromEntries(
    (items as { kind: string; metadata: { name: string }; spec?: unknown }[]).map(
      ({ kind, metadata, spec }) => [`${kind} ${metadata.name}`, spec],
    ),
  );
}
