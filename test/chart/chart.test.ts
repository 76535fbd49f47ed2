/** Checks the rendered chart against the schemas of the Kubernetes API and a policy for pods. */

import * as apps from "kubernetes-models/apps/v1";
import * as autoscaling from "kubernetes-models/autoscaling/v2";
import * as networking from "kubernetes-models/networking.k8s.io/v1";
import * as policy from "kubernetes-models/policy/v1";
import * as core from "kubernetes-models/v1";
import { describe, expect, test } from "vitest";
import {
  defaults,
  helm,
  type Manifest,
  render,
  schemaProblems,
  testPods,
  type Values,
} from "./render-chart.ts";

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
  ingress: {
    enabled: true,
    className: "nginx",
    hosts: ["docs.example.com"],
    tls: [{ secretName: "tls", hosts: ["docs.example.com"] }],
  },
  networkPolicy: { bundleStore: [{ cidr: "10.0.0.0/8", port: 443 }] },
  imagePullSecrets: [{ name: "registry" }],
};

const cases: [string, Values][] = [
  ["a site", site],
  ["a site with everything", everything],
  [
    "an air-gapped site",
    {
      ...site,
      kind: "air-gapped",
      features: { search: "local" },
      networkPolicy: { bundleStore: [{ cidr: "10.0.0.0/8", port: 443 }] },
    },
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

describe.skipIf(helm === undefined)("rendered", () => {
  test.each(cases)("%s: every object is one of Kubernetes", (_title, values) => {
    expect(schemaProblems(values)).toEqual([]);
    for (const manifest of [...render(values), ...testPods(values)]) {
      const Model = models[manifest.apiVersion]?.[manifest.kind] as
        | (new (
            value: unknown,
          ) => { validate(): void })
        | undefined;
      expect(Model, `${manifest.apiVersion} ${manifest.kind}`).toBeDefined();
      expect(
        () => new Model!(manifest).validate(),
        `${manifest.kind} ${manifest.metadata.name}`,
      ).not.toThrow();
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
        for (const probe of ["startupProbe", "readinessProbe", "livenessProbe"])
          expect(container[probe]).toBeDefined();
      }
    }
    const shown = JSON.stringify(manifests.filter(({ kind }) => kind !== "Secret"));
    expect(shown).not.toContain("X-Amz-Signature");
  });

  test("a selector finds the pods of its own part", () => {
    const manifests = render({ ...everything, ...platform, ingress: { enabled: false } });
    const labels = podsOf(manifests).map(({ metadata }) => metadata.labels);
    for (const service of of(manifests, "Service")) {
      const found = labels.filter((label) =>
        Object.entries(service.spec.selector).every(([name, value]) => label[name] === value),
      );
      expect(found, service.metadata.name).toHaveLength(1);
    }
  });

  test("a new bundleUrl rolls the pods", () => {
    const mark = (bundleUrl: string) =>
      podsOf(render({ staticExport: { enabled: true, bundleUrl } }))[0].metadata.annotations[
        "checksum/bundle"
      ];
    expect(mark("https://x.example/1")).toBe(mark("https://x.example/1"));
    expect(mark("https://x.example/1")).not.toBe(mark("https://x.example/2"));
  });

  test("a Secret of one's own takes the place of the link", () => {
    const manifests = render({ staticExport: { enabled: true, existingSecret: "mine" } });
    expect(of(manifests, "Secret")).toEqual([]);
    const { env } = podsOf(manifests)[0].spec.containers[0];
    expect(
      env.find(({ name }: { name: string }) => name === "OCTAVO_BUNDLE_URL").valueFrom.secretKeyRef,
    ).toEqual({
      name: "mine",
      key: "bundleUrl",
    });
  });

  test("switches that were set, and no others, reach the server", () => {
    const names = (values: Values) =>
      podsOf(render(values))[0].spec.containers[0].env.map(({ name, value }: Manifest) => `${name}=${value}`);
    expect(names(site).filter((name: string) => /SEARCH|ASSISTANT|ANALYTICS|PLAYGROUND/.test(name))).toEqual(
      [],
    );
    expect(names({ ...site, features: { search: false, analytics: true } })).toEqual(
      expect.arrayContaining(["OCTAVO_SEARCH=false", "OCTAVO_ANALYTICS=true", "OCTAVO_KIND=client-hosted"]),
    );
  });

  test("an air-gapped site reaches the store of its bundle and nothing else", () => {
    const policyOf = (values: Values) => of(render(values), "NetworkPolicy")[0].spec;
    const closed = policyOf({
      staticExport: { enabled: true, bundleUrl: "/bundles/a.tar.gz" },
      kind: "air-gapped",
    });
    expect([closed.policyTypes, closed.egress]).toEqual([["Ingress", "Egress"], []]);
    const open = policyOf({
      ...site,
      kind: "air-gapped",
      networkPolicy: { bundleStore: [{ cidr: "10.1.0.0/16", port: 9000 }] },
    });
    expect(open.egress[0]).toEqual({
      to: [{ ipBlock: { cidr: "10.1.0.0/16" } }],
      ports: [{ port: 9000, protocol: "TCP" }],
    });
    expect(() => render({ ...site, kind: "air-gapped" })).toThrow(
      /can only access the destinations in networkPolicy.bundleStore/,
    );
  });

  test("on OpenShift the cluster gives the ids", () => {
    const { securityContext } = podsOf(render(cases.find(([title]) => title === "OpenShift")![1]))[0].spec;
    expect(securityContext).toEqual({
      runAsNonRoot: true,
      fsGroupChangePolicy: "OnRootMismatch",
      seccompProfile: { type: "RuntimeDefault" },
    });
  });

  test.each<[string, Values, string]>([
    ["a site without a bundle", { staticExport: { enabled: true } }, "Set staticExport.bundleUrl"],
    ...["url", "sitesDomain", "storage", "existingSecret"].map((name): [string, Values, string] => [
      `the platform without ${name}`,
      { platform: { ...platform.platform, [name]: "" } },
      `Set platform.${name}`,
    ]),
    [
      "an air-gapped site with an assistant",
      { kind: "air-gapped", features: { assistant: true } },
      "can't be true if kind is air-gapped",
    ],
    [
      "an air-gapped site with a search on a server",
      { kind: "air-gapped", features: { search: true } },
      "can't be true if kind is air-gapped",
    ],
    [
      "more pods at least than at most",
      { staticExport: { autoscaling: { enabled: true, minReplicas: 7 } } },
      "staticExport.autoscaling.minReplicas (7) is above maxReplicas (6)",
    ],
    [
      "autoscaling without a metric",
      { staticExport: { autoscaling: { enabled: true, targetCPUUtilizationPercentage: null } } },
      "Set a target or a metric in staticExport.autoscaling",
    ],
    [
      "a limit below the request",
      { platform: { worker: { resources: { limits: { memory: "900M" } } } } },
      "platform.worker.resources.limits.memory (900M) is below the request (1Gi)",
    ],
    [
      "metrics of a site",
      { ...site, metrics: { podMonitor: { enabled: true } } },
      "metrics.podMonitor.enabled requires platform.enabled",
    ],
    ["a route without gateways", { ...site, httpRoute: { enabled: true } }, "Set httpRoute.parentRefs"],
    [
      "a class of a load balancer without one",
      { service: { loadBalancerClass: "internal" } },
      "service.loadBalancerClass has no effect",
    ],
  ])("%s is rejected with a reason", (_title, values, reason) =>
    expect(() => render(values)).toThrow(reason),
  );

  test("a variable is set once, by the last of the values that set it", () => {
    const envOf = (values: Values): Manifest[] => podsOf(render(values))[0].spec.containers[0].env;
    const of = (env: Manifest[], name: string) =>
      env.filter((variable) => variable.name === name).map(({ value }) => value);
    const extra = { name: "OCTAVO_KIND", value: "air-gapped" };
    expect(of(envOf({ staticExport: { ...site.staticExport, extraEnv: [extra] } }), "OCTAVO_KIND")).toEqual([
      "air-gapped",
    ]);
    const names = ["OCTAVO_URL", "HOST", "OCTAVO_DATA", "OCTAVO_STORAGE", "OCTAVO_SITES_DOMAIN"];
    const own = envOf({
      platform: { ...platform.platform, env: Object.fromEntries(names.map((name) => [name, "own"])) },
    });
    for (const name of names) expect(of(own, name), name).toEqual(["own"]);
    const both = envOf({
      platform: {
        ...platform.platform,
        env: { A: "1", B: "2" },
        extraEnv: [{ name: "A", value: "3" }],
        web: { extraEnv: [{ name: "B", value: "4" }] },
      },
    });
    expect([of(both, "A"), of(both, "B")]).toEqual([["3"], ["4"]]);
  });

  test("another port of the process is the port of the container", () => {
    const [web] = podsOf(render({ platform: { ...platform.platform, env: { PORT: 5_000 } } }));
    expect(web.spec.containers[0].ports[0]).toEqual({ name: "http", containerPort: 5_000 });
  });

  test("numbers keep their digits, and null removes a variable", () => {
    const env = {
      OCTAVO_STORAGE_LIMIT_MB: 1_000_000,
      RATIO: 0.25,
      FLAG: true,
      NONE: null,
      BIG: 123_456_789_012,
    };
    const variables = podsOf(render({ platform: { ...platform.platform, env } }))[0].spec.containers[0].env;
    const values = Object.fromEntries(variables.map(({ name, value }: Manifest) => [name, value]));
    expect(values).toMatchObject({
      OCTAVO_STORAGE_LIMIT_MB: "1000000",
      RATIO: "0.25",
      FLAG: "true",
      BIG: "123456789012",
    });
    expect(values).not.toHaveProperty("NONE");
    const large = 2_000_000;
    const timing = {
      startupSeconds: large,
      terminationGracePeriodSeconds: large,
      preStopSeconds: large,
      minReadySeconds: large,
    };
    const [pod] = podsOf(
      render({
        staticExport: { ...site.staticExport, ...timing, replicas: large },
        podSecurityContext: { runAsUser: 1_000_680_000 },
      }),
    );
    expect(pod.spec).toMatchObject({
      terminationGracePeriodSeconds: large,
      securityContext: { runAsUser: 1_000_680_000 },
    });
    expect(pod.spec.containers[0].lifecycle.preStop.exec.command).toEqual(["sleep", "2000000"]);
    expect(pod.spec.containers[0].startupProbe.failureThreshold).toBe(large / 2);
  });

  test("local search is refused for the platform, unless its own setting is given", () => {
    const local = { ...platform, features: { search: "local" } };
    expect(() => render(local)).toThrow(/features\.search can't be "local" if platform\.enabled is true/);
    const own = { ...local, platform: { ...platform.platform, env: { OCTAVO_SEARCH: "true" } } };
    const { env } = podsOf(render(own))[0].spec.containers[0];
    expect(env.filter(({ name }: Manifest) => name === "OCTAVO_SEARCH")).toEqual([
      { name: "OCTAVO_SEARCH", value: "true" },
    ]);
  });
});

describe("values", () => {
  test("the chart's own are good", () => expect(schemaProblems(defaults)).toEqual([]));

  test.each([
    ["a misspelt key", { staticExport: { bundleURL: "https://x.example" } }],
    ["another protocol", { staticExport: { bundleUrl: "ftp://x.example/a" } }],
    ["a hash that is none", { staticExport: { sha256: "abc" } }],
    ["an unknown kind", { kind: "cloud" }],
    ["no replicas", { staticExport: { replicas: 0 } }],
    ["a size with an unknown unit", { staticExport: { volume: { size: "5GB" } } }],
    [
      "an IP address instead of a range",
      { networkPolicy: { bundleStore: [{ cidr: "10.0.0.1", port: 443 }] } },
    ],
    ["a range that doesn't exist", { networkPolicy: { bundleStore: [{ cidr: "10.0.0.256/8", port: 443 }] } }],
    ["a host name with capital letters", { ingress: { hosts: ["Docs.example.com"] } }],
    ["a host name with a port", { ingress: { hosts: ["docs.example.com:8443"] } }],
    ["a variable that is a number", { staticExport: { extraEnv: [{ name: "A", value: 1 }] } }],
    ["a toleration of nothing", { platform: { tolerations: [{ effect: "NoSchedule" }] } }],
    ["a misspelled key of a certificate", { ingress: { tls: [{ secret: "a" }] } }],
    [
      "a misspelled key of a volume",
      { staticExport: { extraVolumes: [{ name: "a", configmap: { name: "a" } }] } },
    ],
    ["a misspelled key of a placement", { staticExport: { affinity: { podAntiaffinity: {} } } }],
    ["a list as a variable", { platform: { env: { A: [1] } } }],
    ["a label that selectors use", { commonLabels: { "app.kubernetes.io/name": "other" } }],
    ["an annotation that is a number", { service: { annotations: { weight: 5 } } }],
    ["a memory limit with a space", { platform: { web: { resources: { limits: { memory: "1 Gi" } } } } }],
    ["a relative path", { ingress: { path: "docs" } }],
  ])("%s is refused", (_title, values) => expect(schemaProblems(values)).not.toEqual([]));
});
