/**
 * Operation in a cluster: pod policies, rollouts without downtime, outbound rules, and consistent
 * documentation.
 */

import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { generatedChart } from "../../scripts/generate-docs.js";
import { limits } from "../../src/base/limits.ts";
import { defaults, helm, type Manifest, render, schemaProblems, type Values } from "./render-chart.ts";

const link = "https://store.example.com/exports/bundle.tar.gz?X-Amz-Signature=secret";
const deltaLink = "https://store.example.com/exports/bundle.delta.tar.gz?X-Amz-Signature=secret-too";
const store = [{ cidr: "10.1.0.0/16", port: 9000 }];
const staticExport = { enabled: true, bundleUrl: link };
const platform = {
  enabled: true,
  url: "https://docs-service.example.com",
  sitesDomain: "docs.example.com",
  storage: "s3://octavo?endpoint=https://s3.example.com",
  existingSecret: "octavo",
  web: { autoscaling: { enabled: true } },
};
const certificate = { name: "certificate", configMap: { name: "store-certificate" } };

const cases: [string, Values][] = [
  ["a site", { staticExport }],
  [
    "a site with everything",
    {
      image: { digest: `sha256:${"a".repeat(64)}` },
      staticExport: {
        ...staticExport,
        deltaUrl: deltaLink,
        version: "v1",
        autoscaling: { enabled: true },
        extraEnv: [{ name: "NODE_EXTRA_CA_CERTS", value: "/certificate/ca.pem" }],
        extraVolumes: [certificate],
        extraVolumeMounts: [{ name: "certificate", mountPath: "/certificate" }],
      },
      ingress: {
        enabled: true,
        hosts: ["docs.example.com"],
        tls: [{ secretName: "tls", hosts: ["docs.example.com"] }],
      },
    },
  ],
  ["a site of a Secret", { staticExport: { enabled: true, existingSecret: "mine" } }],
  ["a site without volumes", { staticExport: { ...staticExport, volume: { enabled: false } } }],
  ["an air-gapped site", { kind: "air-gapped", staticExport, networkPolicy: { bundleStore: store } }],
  [
    "the platform",
    { platform, ingress: { enabled: true, hosts: ["docs-service.example.com", "*.docs.example.com"] } },
  ],
  ["both", { staticExport, platform }],
];

const of = (manifests: Manifest[], kind: string): Manifest[] =>
  manifests.filter((manifest) => manifest.kind === kind);
const workloads = (manifests: Manifest[]): Manifest[] => [
  ...of(manifests, "StatefulSet"),
  ...of(manifests, "Deployment"),
];
const envOf = (workload: Manifest): { name: string; value?: string }[] =>
  workload.spec.template.spec.containers[0].env;

describe.skipIf(helm === undefined).each(cases)("%s", (_title, values) => {
  const manifests = helm ? render(values) : [];

  test("passes the restricted standard for pods, and takes no disk without a limit", () => {
    for (const workload of workloads(manifests)) {
      const { spec } = workload.spec.template;
      for (const shared of ["hostNetwork", "hostPID", "hostIPC", "initContainers"])
        expect(spec[shared], shared).toBeUndefined();
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: "RuntimeDefault" },
      });
      expect(spec.securityContext.runAsUser).not.toBe(0);
      for (const { name, ...source } of spec.volumes) {
        expect(["emptyDir", "configMap", "secret", "persistentVolumeClaim"], name).toContain(
          Object.keys(source)[0],
        );
        if (source.emptyDir) expect(source.emptyDir.sizeLimit, name).toBeDefined();
      }
      for (const container of spec.containers) {
        expect(container.securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          capabilities: { drop: ["ALL"] },
        });
        expect(container.securityContext.privileged).toBeUndefined();
        expect(
          container.ports.every(
            (port: Manifest) => port.hostPort === undefined && port.containerPort > 1_024,
          ),
        ).toBe(true);
        expect(container.resources.requests).toMatchObject({
          cpu: expect.anything(),
          memory: expect.anything(),
        });
      }
    }
  });

  test("says nothing twice, nothing secret, and nothing that no program reads", () => {
    const source = (name: string) => readFileSync(`src/main/${name}.ts`, "utf8");
    const read = {
      StatefulSet: source("bundle-configuration") + source("internal-server") + source("data-folder"),
      Deployment: source("service-configuration") + source("internal-server") + source("data-folder"),
    };
    const switches = ["OCTAVO_SEARCH", "OCTAVO_ASSISTANT", "OCTAVO_ANALYTICS", "OCTAVO_PLAYGROUND"];
    for (const workload of workloads(manifests)) {
      const names = envOf(workload).map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      const text = read[workload.kind as keyof typeof read];
      const unread = names.filter(
        (name) => name.startsWith("OCTAVO_") && !switches.includes(name) && !text.includes(`env.${name}`),
      );
      expect(unread).toEqual([]);
    }
    expect(JSON.stringify(manifests.filter(({ kind }) => kind !== "Secret"))).not.toMatch(
      /X-Amz-Signature|secret-too/,
    );
  });

  test("rolls without a gap, and gives each process its time to end", () => {
    for (const { kind, spec } of workloads(manifests)) {
      const { terminationGracePeriodSeconds, containers, topologySpreadConstraints } = spec.template.spec;
      const [, pause] = containers[0].lifecycle.preStop.exec.command;
      expect(terminationGracePeriodSeconds * 1_000).toBeGreaterThan(Number(pause) * 1_000 + limits.stop_ms);
      expect(containers[0].readinessProbe.httpGet.path).toBe("/readyz");
      expect(containers[0].livenessProbe.httpGet.path).toBe("/healthz");
      expect(topologySpreadConstraints[0].labelSelector.matchLabels).toEqual(spec.selector.matchLabels);
      if (kind === "Deployment")
        expect(spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
      // One pod at a time, also if an old pod isn't ready, so that the next rollout can fix a failed one.
      else
        expect([spec.updateStrategy.type, spec.podManagementPolicy]).toEqual(["RollingUpdate", "Parallel"]);
    }
  });

  test("scales and protects what is there", () => {
    const names = workloads(manifests).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    for (const { spec } of of(manifests, "HorizontalPodAutoscaler")) {
      const target = `${spec.scaleTargetRef.kind} ${spec.scaleTargetRef.name}`;
      expect(names).toContain(target);
      // Without a number, Kubernetes would start with one pod.
      expect(workloads(manifests)[names.indexOf(target)].spec.replicas).toBe(spec.minReplicas);
    }
    const served = workloads(manifests).filter(
      ({ spec }) => spec.template.metadata.labels["app.kubernetes.io/component"] !== "worker",
    );
    const guarded = of(manifests, "PodDisruptionBudget").map(({ spec }) =>
      JSON.stringify(spec.selector.matchLabels),
    );
    expect(guarded.sort()).toEqual(
      served.map(({ spec }) => JSON.stringify(spec.selector.matchLabels)).sort(),
    );
  });

  test("an ingress leads to a service and a port that are there", () => {
    for (const { spec } of of(manifests, "Ingress"))
      for (const { http } of spec.rules) {
        const { name, port } = http.paths[0].backend.service;
        const service = of(manifests, "Service").find(({ metadata }) => metadata.name === name)!;
        expect(service.spec.ports.map((entry: Manifest) => entry.name)).toContain(port.name);
      }
  });
});

describe.skipIf(helm === undefined)("a site", () => {
  const site = (values: Values = {}) => of(render({ staticExport, ...values }), "StatefulSet")[0];
  const policy = (values: Values) => of(render({ staticExport, ...values }), "NetworkPolicy")[0].spec;

  test("a delta comes by the Secret, and a new one rolls the pods", () => {
    const manifests = render({ staticExport: { ...staticExport, deltaUrl: deltaLink } });
    expect(of(manifests, "Secret")[0].stringData).toEqual({ bundleUrl: link, deltaUrl: deltaLink });
    expect(envOf(workloads(manifests)[0]).find(({ name }) => name === "OCTAVO_BUNDLE_DELTA_URL")).toEqual({
      name: "OCTAVO_BUNDLE_DELTA_URL",
      valueFrom: { secretKeyRef: { name: "docs-octavo-bundle", key: "deltaUrl", optional: true } },
    });
    const mark = (workload: Manifest) => workload.spec.template.metadata.annotations["checksum/bundle"];
    expect(mark(workloads(manifests)[0])).not.toBe(mark(site()));
    expect(envOf(site()).map(({ name }) => name)).not.toContain("OCTAVO_BUNDLE_DELTA_URL");
  });

  test("the first fetch has as long as it was given", () => {
    for (const startupSeconds of [10, 600, 3_600]) {
      const { startupProbe } = site({ staticExport: { ...staticExport, startupSeconds } }).spec.template.spec
        .containers[0];
      expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBe(startupSeconds);
    }
  });

  test("a pinned version reaches the server, which is not ready with another", () => {
    const env = envOf(site({ staticExport: { ...staticExport, version: "release-42" } }));
    expect(env.find(({ name }) => name === "OCTAVO_BUNDLE_VERSION")?.value).toBe("release-42");
  });

  test.each<[string, Values, string | undefined]>([
    [
      "an Ingress for a path",
      { ingress: { enabled: true, hosts: ["example.com"], path: "/docs/" } },
      "/docs",
    ],
    ["an Ingress for whole hosts", { ingress: { enabled: true, hosts: ["example.com"] } }, undefined],
    [
      "a route for a path",
      { httpRoute: { enabled: true, parentRefs: [{ name: "gateway" }], path: "/docs" } },
      "/docs",
    ],
    ["a path of an Ingress that isn't created", { ingress: { path: "/docs" } }, undefined],
  ])("%s: the server knows the path of the site", (_, values, expected) => {
    expect(
      envOf(site({ staticExport, ...values })).find(({ name }) => name === "OCTAVO_BASE_PATH")?.value,
    ).toBe(expected);
  });

  test("an image by its digest, a volume of one's own", () => {
    const [title, values] = cases[1]!;
    const { containers, volumes } = workloads(render(values))[0].spec.template.spec;
    expect(containers[0].image, title).toBe(`octavo@sha256:${"a".repeat(64)}`);
    expect(volumes).toContainEqual(certificate);
    expect(containers[0].volumeMounts).toContainEqual({ name: "certificate", mountPath: "/certificate" });
  });

  test("the bundle server's own image, which needs no arguments", () => {
    const container = (values: Values) => workloads(render(values))[0].spec.template.spec.containers[0];
    const own = container({
      staticExport: {
        ...staticExport,
        image: { repository: "registry.example.com/octavo-bundle", tag: "v2" },
      },
    });
    expect([own.image, own.args]).toEqual(["registry.example.com/octavo-bundle:v2", undefined]);
    const shared = container({ staticExport });
    expect([shared.image, shared.args]).toEqual([expect.stringMatching(/^octavo:/), ["bundle-server"]]);
  });

  test("sealed after the fetch: no way out, and no pod is replaced for it", () => {
    const open = { kind: "air-gapped", networkPolicy: { bundleStore: store } };
    const sealed = { kind: "air-gapped", networkPolicy: { bundleStore: store, sealed: true } };
    expect(policy(open).egress).toHaveLength(2);
    expect([policy(sealed).policyTypes, policy(sealed).egress]).toEqual([["Ingress", "Egress"], []]);
    expect(policy({ kind: "client-hosted", networkPolicy: { sealed: true } }).egress).toEqual([]);
    expect(site(sealed)).toEqual(site(open));
    expect(site({ ...sealed, networkPolicy: { sealed: true } })).toEqual(site(open));
  });

  test("names are asked of whoever answers for them, and of nobody else", () => {
    const dns = [
      {
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "openshift-dns" } },
        podSelector: { matchLabels: { "dns.operator.openshift.io/daemonset-dns": "default" } },
      },
    ];
    const [, names] = policy({ kind: "air-gapped", networkPolicy: { bundleStore: store, dns } }).egress;
    expect(names.to).toEqual(dns);
    expect(names.ports.map(({ port, protocol }: Manifest) => `${protocol} ${port}`).sort()).toEqual([
      "TCP 53",
      "TCP 5353",
      "UDP 53",
      "UDP 5353",
    ]);
    expect(
      policy({ kind: "air-gapped", networkPolicy: { bundleStore: store, dns: [] } }).egress,
    ).toHaveLength(1);
  });

  test("one ingress leads to one part, and names its hosts", () => {
    expect(() =>
      render({ staticExport, platform, ingress: { enabled: true, hosts: ["a.example"] } }),
    ).toThrow(/either staticExport or platform/);
    expect(() => render({ ingress: { enabled: true, hosts: ["a.example"] } })).toThrow(
      /either staticExport or platform/,
    );
    expect(() => render({ staticExport, ingress: { enabled: true } })).toThrow(/Set ingress.hosts/);
  });
});

describe.skipIf(helm === undefined)("the platform", () => {
  const env = (values: Values) => envOf(of(render(values), "Deployment")[0]);

  test("is of the kind and has the switches that were set, and its own env wins", () => {
    expect(env({ platform })).toContainEqual({ name: "OCTAVO_KIND", value: "client-hosted" });
    const chosen = env({ kind: "air-gapped", features: { search: false, playground: true }, platform });
    expect(chosen).toContainEqual({ name: "OCTAVO_KIND", value: "air-gapped" });
    expect(chosen).toContainEqual({ name: "OCTAVO_SEARCH", value: "false" });
    const own = env({
      features: { assistant: true },
      platform: { ...platform, env: { OCTAVO_KIND: "cloud", OCTAVO_ASSISTANT: false } },
    });
    expect(own.filter(({ name }) => /KIND|ASSISTANT/.test(name))).toEqual([
      { name: "OCTAVO_ASSISTANT", value: "false" },
      { name: "OCTAVO_KIND", value: "cloud" },
    ]);
  });
});

describe("words", () => {
  test.each(Object.entries(generatedChart()))("%s is up to date (npm run docs:generate)", (file, content) => {
    expect(readFileSync(`chart/${file}`, "utf8")).toBe(content);
  });

  const pages = ["self-host/kubernetes", "self-host/automate", "dashboard/exports"];
  const snippets = pages.flatMap((page) =>
    [...readFileSync(`docs/${page}.mdx`, "utf8").matchAll(/```yaml([^\n]*)\n([\s\S]*?)```/g)]
      .map(([, , text], index): [string, Values] => [`${page}, ${index + 1}`, load(text!) as Values])
      .filter(([, snippet]) => !("jobs" in snippet)),
  );

  test.each(snippets)("what the docs show is what the chart takes: %s", (_title, snippet) => {
    // Some examples lack the bundle URL, which users set separately.
    const { staticExport: own } = snippet as { staticExport?: Values };
    const given = own ? { ...snippet, staticExport: { ...own, bundleUrl: own.bundleUrl || link } } : snippet;
    expect(schemaProblems(given)).toEqual([]);
    if (helm && (own?.enabled || (snippet.platform as Values)?.enabled))
      expect(render(given).length).toBeGreaterThan(3);
  });

  test("values that the docs name are there", () => {
    const named = pages.flatMap((page) => [
      ...readFileSync(`docs/${page}.mdx`, "utf8").matchAll(
        /`((?:staticExport|networkPolicy|platform|ingress|image|features)\.[\w.]+)[`:]/g,
      ),
    ]);
    expect(named.length).toBeGreaterThan(5);
    const has = (name: string) =>
      name.split(".").reduce<Manifest>((value, key) => (value as Manifest)?.[key], defaults) !== undefined;
    expect(named.map(([, name]) => name!).filter((name) => !has(name))).toEqual([]);
  });
});
