/** Values for the chart as operators use them. Each set is installed by the cluster tests. */

const digest = `sha256:${"a".repeat(64)}`;
const bundleUrl = "https://store.example.com/exports/bundle.tar.gz?X-Amz-Signature=secret";
const staticExport = { enabled: true, bundleUrl };
const certificate = {
  extraEnv: [{ name: "NODE_EXTRA_CA_CERTS", value: "/certificates/ca.pem" }],
  extraVolumes: [{ name: "certificates", configMap: { name: "certificates" } }],
  extraVolumeMounts: [{ name: "certificates", mountPath: "/certificates", readOnly: true }],
};
const platform = {
  enabled: true,
  url: "https://docs-service.example.com",
  sitesDomain: "docs.example.com",
  storage: "s3://octavo?endpoint=https://s3.example.com&region=eu-1",
  existingSecret: "octavo",
};
const zones = { maxSkew: 1, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "ScheduleAnyway" };

export interface ValueSet {
  values: Record<string, unknown>;
  /** Changes for an upgrade. */
  change: Record<string, unknown>;
}

export const valueSets: Record<string, ValueSet> = {
  defaults: { values: {}, change: { commonLabels: { team: "docs" } } },
  "bundle by URL": {
    values: { staticExport },
    change: { staticExport: { version: "v2", deltaUrl: `${bundleUrl}2` } },
  },
  "bundle by Secret": {
    values: { staticExport: { enabled: true, existingSecret: "bundle" }, image: { digest } },
    change: { staticExport: { version: "v2" } },
  },
  "bundle from a volume": {
    values: {
      kind: "air-gapped",
      features: { search: "local" },
      staticExport: {
        enabled: true,
        bundleUrl: "/bundles/bundle.tar.gz",
        extraVolumes: [{ name: "bundles", persistentVolumeClaim: { claimName: "bundles", readOnly: true } }],
        extraVolumeMounts: [{ name: "bundles", mountPath: "/bundles" }],
        persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete" },
      },
    },
    change: { networkPolicy: { sealed: true } },
  },
  "own certificate authority": {
    values: { staticExport: { ...staticExport, ...certificate } },
    change: { staticExport: { podAnnotations: { "reloader.stakater.com/auto": "true" } } },
  },
  "restricted network": {
    values: {
      kind: "air-gapped",
      staticExport,
      networkPolicy: {
        bundleStore: [{ cidr: "10.20.0.0/16", port: 443 }],
        from: [{ namespaceSelector: { matchLabels: { name: "ingress" } } }],
        internalFrom: [{ namespaceSelector: { matchLabels: { name: "monitoring" } } }],
      },
    },
    change: { networkPolicy: { sealed: true } },
  },
  "ingress with a path": {
    values: {
      staticExport,
      ingress: {
        enabled: true,
        className: "nginx",
        hosts: ["example.com"],
        path: "/docs",
        annotations: { "nginx.ingress.kubernetes.io/proxy-body-size": "10m" },
        tls: [{ secretName: "tls", hosts: ["example.com"] }],
      },
    },
    change: { ingress: { pathType: "ImplementationSpecific" } },
  },
  gateway: {
    values: {
      staticExport,
      httpRoute: {
        enabled: true,
        parentRefs: [{ name: "public", namespace: "gateways" }],
        hostnames: ["docs.example.com"],
      },
    },
    change: { httpRoute: { path: "/docs" } },
  },
  autoscaling: {
    values: {
      staticExport: {
        ...staticExport,
        autoscaling: { enabled: true, targetMemoryUtilizationPercentage: 80 },
      },
    },
    change: {
      staticExport: {
        autoscaling: { maxReplicas: 9, behavior: { scaleDown: { stabilizationWindowSeconds: 60 } } },
      },
    },
  },
  platform: {
    values: {
      platform: {
        ...platform,
        ...certificate,
        env: { OCTAVO_STORAGE_LIMIT_MB: 1_000_000 },
        extraEnv: [
          ...certificate.extraEnv,
          { name: "DATABASE_URL", valueFrom: { secretKeyRef: { name: "database", key: "uri" } } },
        ],
        envFrom: [{ secretRef: { name: "store" } }],
        web: { autoscaling: { enabled: true } },
        worker: {
          nodeSelector: { pool: "builds" },
          tolerations: [{ key: "builds", operator: "Exists" }],
          podDisruptionBudget: { enabled: true },
        },
      },
      ingress: { enabled: true, hosts: ["docs-service.example.com", "*.docs.example.com"] },
      metrics: {
        serviceMonitor: { enabled: true },
        podMonitor: { enabled: true, interval: "30s" },
        prometheusRule: { enabled: true },
      },
      networkPolicy: {
        platformEgress: [{ to: [{ ipBlock: { cidr: "10.0.0.0/8" } }], ports: [{ port: 5432 }] }],
      },
    },
    change: { platform: { env: { OCTAVO_LOG_LEVEL: "debug" } } },
  },
  OpenShift: {
    values: {
      staticExport,
      podSecurityContext: { runAsUser: null, runAsGroup: null, fsGroup: null },
      networkPolicy: {
        dns: [
          {
            namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "openshift-dns" } },
            podSelector: { matchLabels: { "dns.operator.openshift.io/daemonset-dns": "default" } },
          },
        ],
      },
    },
    change: { podSecurityContext: { runAsUser: 1_000_680_000 } },
  },
  "names, labels and placement": {
    values: {
      global: { imageRegistry: "mirror.example.com", imagePullSecrets: [{ name: "mirror" }] },
      nameOverride: "documentation",
      fullnameOverride: "handbook",
      commonLabels: { "cost-center": "42" },
      commonAnnotations: { owner: "docs" },
      serviceAccount: { create: false },
      staticExport: {
        ...staticExport,
        podLabels: { mesh: "on" },
        priorityClassName: "system-cluster-critical",
        topologySpreadConstraints: [zones],
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }] },
              ],
            },
          },
        },
        hostAliases: [{ ip: "10.0.0.5", hostnames: ["store.example.com"] }],
        dnsConfig: { options: [{ name: "ndots", value: "1" }] },
        podDisruptionBudget: { minAvailable: "50%" },
      },
    },
    change: { staticExport: { replicas: 3 } },
  },
  "load balancer": {
    values: {
      staticExport,
      service: {
        type: "LoadBalancer",
        annotations: { "service.beta.kubernetes.io/aws-load-balancer-scheme": "internal" },
        labels: { tier: "public" },
        loadBalancerClass: "service.k8s.aws/nlb",
        externalTrafficPolicy: "Local",
        loadBalancerSourceRanges: ["10.0.0.0/8"],
      },
    },
    change: { service: { labels: { tier: "internal" } } },
  },
  "additional containers": {
    values: {
      platform: {
        ...platform,
        extraContainers: [proxyContainer("proxy")],
        worker: { initContainers: [{ ...proxyContainer("wait"), command: ["true"] }], replicas: null },
      },
    },
    change: { platform: { web: { podAnnotations: { "sidecar.istio.io/inject": "true" } } } },
  },
};

function proxyContainer(name: string): object {
  return {
    name,
    image: "registry.example.com/proxy:1",
    securityContext: { allowPrivilegeEscalation: false, runAsNonRoot: true, capabilities: { drop: ["ALL"] } },
    resources: { limits: { memory: "64Mi" } },
  };
}
