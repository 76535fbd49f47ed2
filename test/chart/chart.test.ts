/** Checks the rendered chart against the schemas of the Kubernetes API and a policy for pods. */

import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import * as apps from "kubernetes-models/apps/v1";
import * as autoscaling from "kubernetes-models/autoscaling/v2";
import * as networking from "kubernetes-models/networking.k8s.io/v1";
import * as policy from "kubernetes-models/policy/v1";
import * as core from "kubernetes-models/v1";
import { describe, expect, test } from "vitest";
import { type Manifest, render, renderTexts, schemaProblems, standIn, type Values } from "./render-chart.ts";

const models: Record<string, Record<string, unknown>> = {
  v1: core,
  "apps/v1": apps,
  "autoscaling/v2": autoscaling,
  "networking.k8s.io/v1": networking,
  "policy/v1": policy,
};

const link = "https://store.example.com/exports/bundle.tar.gz?X-Amz-Signature=secret";
const site = { staticExport: { enabled: true, bundleUrl: link } };
const platform = {
  platform: {
    enabled: true,
    url: "https://docs-service.example.com",
    sitesDomain: "docs.example.com",
    storage: "s3://octavo?endpoint=https://s3.example.com",
    existingSecret: "octavo",
    env: { OCTAVO_MODEL_NAME: "small", OCTAVO_ANALYTICS_LIMIT: 200 },
    web: { autoscaling: { enabled: true } },
  },
};
const everything = {
  ...site,
  staticExport: {
    ...site.staticExport,
    version: "v1",
    sha256: "a".repeat(64),
    autoscaling: { enabled: true },
    volume: { storageClass: "fast" },
  },
  features: { search: true, assistant: true, playground: false },
  ingress: { enabled: true, className: "nginx", hosts: ["docs.example.com"], tls: [{ secretName: "tls", hosts: ["docs.example.com"] }] },
  networkPolicy: { bundleStore: [{ cidr: "10.0.0.0/8", port: 443 }] },
  imagePullSecrets: [{ name: "registry" }],
};

const cases: [string, Values][] = [
  ["a site", site],
  ["a site with everything", everything],
  [
    "an air-gapped site",
    { ...site, kind: "air-gapped", features: { search: "local" }, networkPolicy: { bundleStore: [{ cidr: "10.0.0.0/8", port: 443 }] } },
  ],
  ["a site without volumes", { staticExport: { ...site.staticExport, volume: { enabled: false } } }],
  ["the platform", platform],
  [
    "the platform behind an ingress",
    { ...platform, ingress: { enabled: true, hosts: ["docs-service.example.com", "*.docs.example.com"] } },
  ],
  ["OpenShift", { ...site, podSecurityContext: { runAsUser: null, runAsGroup: null, fsGroup: null } }],
  ["nothing", {}],
];

const of = (manifests: Manifest[], kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const podsOf = (manifests: Manifest[]) =>
  [...of(manifests, "StatefulSet"), ...of(manifests, "Deployment")].map(({ spec }) => spec.template);

describe.skipIf(standIn === undefined)("rendered", () => {
  test.each(cases)("%s: every object is one of Kubernetes", (_title, values) => {
    expect(schemaProblems(values)).toEqual([]);
    for (const manifest of render(values)) {
      const Model = models[manifest.apiVersion]?.[manifest.kind] as (new (value: unknown) => { validate(): void }) | undefined;
      expect(Model, `${manifest.apiVersion} ${manifest.kind}`).toBeDefined();
      expect(() => new Model!(manifest).validate(), `${manifest.kind} ${manifest.metadata.name}`).not.toThrow();
    }
  });

  test.each(cases)("%s: pods are nobody, write nowhere, and hold no secret", (_title, values) => {
    const manifests = render(values);
    for (const { spec } of podsOf(manifests)) {
      expect(spec.automountServiceAccountToken).toBe(false);
      expect(spec.securityContext.runAsNonRoot).toBe(true);
      for (const container of spec.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
        expect(container.resources.limits.memory).toBeDefined();
        for (const probe of ["startupProbe", "readinessProbe", "livenessProbe"]) expect(container[probe]).toBeDefined();
      }
    }
    const shown = JSON.stringify(manifests.filter(({ kind }) => kind !== "Secret"));
    expect(shown).not.toContain("X-Amz-Signature");
  });

  test("a selector finds the pods of its own part", () => {
    const manifests = render({ ...everything, ...platform, ingress: { enabled: false } });
    const labels = podsOf(manifests).map(({ metadata }) => metadata.labels);
    for (const service of of(manifests, "Service")) {
      const found = labels.filter((label) => Object.entries(service.spec.selector).every(([name, value]) => label[name] === value));
      expect(found, service.metadata.name).toHaveLength(1);
    }
  });

  test("bundleUrl is needed, and a new one rolls the pods", () => {
    expect(() => render({ staticExport: { enabled: true } })).toThrow(/Set staticExport.bundleUrl/);
    const mark = (bundleUrl: string) =>
      podsOf(render({ staticExport: { enabled: true, bundleUrl } }))[0].metadata.annotations["octavo/bundle"];
    expect(mark("https://x.example/1")).toBe(mark("https://x.example/1"));
    expect(mark("https://x.example/1")).not.toBe(mark("https://x.example/2"));
  });

  test("a Secret of one's own takes the place of the link", () => {
    const manifests = render({ staticExport: { enabled: true, existingSecret: "mine" } });
    expect(of(manifests, "Secret")).toEqual([]);
    const { env } = podsOf(manifests)[0].spec.containers[0];
    expect(env.find(({ name }: { name: string }) => name === "OCTAVO_BUNDLE_URL").valueFrom.secretKeyRef).toEqual({
      name: "mine",
      key: "bundleUrl",
    });
  });

  test("switches that were set, and no others, reach the server", () => {
    const names = (values: Values) =>
      podsOf(render(values))[0].spec.containers[0].env.map(({ name, value }: Manifest) => `${name}=${value}`);
    expect(names(site).filter((name: string) => /SEARCH|ASSISTANT|ANALYTICS|PLAYGROUND/.test(name))).toEqual([]);
    expect(names({ ...site, features: { search: false, analytics: true } })).toEqual(
      expect.arrayContaining(["OCTAVO_SEARCH=false", "OCTAVO_ANALYTICS=true", "OCTAVO_KIND=client-hosted"]),
    );
  });

  test("an air-gapped site reaches the store of its bundle and nothing else", () => {
    const policyOf = (values: Values) => of(render(values), "NetworkPolicy")[0].spec;
    const closed = policyOf({ staticExport: { enabled: true, bundleUrl: "/bundles/a.tar.gz" }, kind: "air-gapped" });
    expect([closed.policyTypes, closed.egress]).toEqual([["Ingress", "Egress"], []]);
    const open = policyOf({ ...site, kind: "air-gapped", networkPolicy: { bundleStore: [{ cidr: "10.1.0.0/16", port: 9000 }] } });
    expect(open.egress[0]).toEqual({ to: [{ ipBlock: { cidr: "10.1.0.0/16" } }], ports: [{ port: 9000, protocol: "TCP" }] });
    expect(() => render({ ...site, kind: "air-gapped" })).toThrow(/can only access the destinations in networkPolicy.bundleStore/);
  });

  test("on OpenShift the cluster gives the ids", () => {
    const { securityContext } = podsOf(render(cases.find(([title]) => title === "OpenShift")![1]))[0].spec;
    expect(securityContext).toEqual({
      runAsNonRoot: true,
      fsGroupChangePolicy: "OnRootMismatch",
      seccompProfile: { type: "RuntimeDefault" },
    });
  });

  test("what the platform lacks is asked for by name", () => {
    for (const name of ["url", "sitesDomain", "storage", "existingSecret"])
      expect(() => render({ platform: { ...platform.platform, [name]: "" } }), name).toThrow(`Set platform.${name}`);
  });

  test("local search is refused for the platform, unless its own setting is given", () => {
    const local = { ...platform, features: { search: "local" } };
    expect(() => render(local)).toThrow(/features\.search can't be "local" if platform\.enabled is true/);
    const own = { ...local, platform: { ...platform.platform, env: { OCTAVO_SEARCH: "true" } } };
    const { env } = podsOf(render(own))[0].spec.containers[0];
    expect(env.filter(({ name }: Manifest) => name === "OCTAVO_SEARCH")).toEqual([{ name: "OCTAVO_SEARCH", value: "true" }]);
  });

  test("the notes say what to do next", () => {
    expect(renderTexts(site)["NOTES.txt"]).toContain("helm upgrade docs");
    expect(renderTexts({ staticExport: { ...site.staticExport, replicas: 1 } })["NOTES.txt"]).toContain("a few seconds of downtime");
    expect(renderTexts({})["NOTES.txt"]).toContain("This release doesn't run anything");
  });
});

describe("values", () => {
  test("the chart's own are good", () => expect(schemaProblems(load(readFileSync("chart/values.yaml", "utf8")) as Values)).toEqual([]));

  test.each([
    ["a misspelt key", { staticExport: { bundleURL: "https://x.example" } }],
    ["no link", { staticExport: { enabled: true, bundleUrl: "", existingSecret: "" } }],
    ["another protocol", { staticExport: { bundleUrl: "ftp://x.example/a" } }],
    ["a hash that is none", { staticExport: { sha256: "abc" } }],
    ["an unknown kind", { kind: "cloud" }],
    ["an assistant without a network", { kind: "air-gapped", features: { assistant: true } }],
    ["a search without a network", { kind: "air-gapped", features: { search: true } }],
    ["no replicas", { staticExport: { replicas: 0 } }],
    ["a platform without an address", { platform: { enabled: true, url: "", sitesDomain: "x", storage: "s3://x", existingSecret: "x" } }],
  ])("%s is refused", (_title, values) => expect(schemaProblems(values)).not.toEqual([]));
});
