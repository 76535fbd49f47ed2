// Types of the chart's values, by path or by the end of a path. The type of a value that isn't listed is that
// of its default.

const kubernetes = (type) => ({ $ref: `#/definitions/${type}` });
const list = (items) => ({ type: "array", items });
const text = (pattern, more) => ({ type: "string", pattern, ...more });
const optional = (pattern) => `^(?:${pattern})?$`;
const integer = (minimum, maximum) => ({ type: "integer", minimum, maximum });

const label = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const host = `${label}(?:\\.${label})*`;
/** Name of an object in Kubernetes. */
const name = text(optional(host), { maxLength: 253 });
const octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const cidr = text(
  `^(?:(?:${octet}\\.){3}${octet}/(?:3[0-2]|[12]?[0-9])|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*/(?:12[0-8]|1[01][0-9]|[1-9]?[0-9]))$`,
);
const port = integer(1, 65_535);
const duration = text(optional("[0-9]+(?:ms|s|m|h)"));
const annotations = { type: "object", additionalProperties: { type: "string" } };
const labels = {
  type: "object",
  additionalProperties: text(optional("[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?"), { maxLength: 63 }),
};
/** Labels of pods. The chart sets those that selectors use. */
const podLabels = {
  ...labels,
  propertyNames: { not: { pattern: "^app\\.kubernetes\\.io/(?:name|instance|component)$" } },
};
const quantity = text("^[0-9]+(?:\\.[0-9]+)?(?:m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$");
const replicas = (minimum) => ({ type: ["integer", "null"], minimum });
const percentage = { type: ["integer", "null"], minimum: 1, maximum: 1000 };
const share = { anyOf: [{ type: "null" }, integer(0), text("^[0-9]{1,3}%$")] };
const url = text("^(?:$|https?://|/)");
const digest = text(optional("sha256:[0-9a-f]{64}"));
const path = text("^/");
const probe = {
  type: "object",
  properties: {
    initialDelaySeconds: integer(0),
    periodSeconds: integer(1),
    timeoutSeconds: integer(1),
    successThreshold: integer(1),
    failureThreshold: integer(1),
  },
  additionalProperties: false,
};
const reference = {
  type: "object",
  properties: {
    group: { type: "string" },
    kind: { type: "string" },
    name: { type: "string", minLength: 1 },
    namespace: { type: "string", minLength: 1 },
    sectionName: { type: "string", minLength: 1 },
    port,
  },
  required: ["name"],
  additionalProperties: false,
};
const store = {
  type: "object",
  properties: { cidr, port },
  required: ["cidr", "port"],
  additionalProperties: false,
};
const feature = { enum: [true, false, null] };

export const types = {
  imagePullSecrets: list({ ...kubernetes("LocalObjectReference") }),
  nameOverride: text(optional(label), { maxLength: 50 }),
  fullnameOverride: text(optional(label), { maxLength: 50 }),
  commonLabels: podLabels,
  commonAnnotations: annotations,
  "image.repository": { type: "string", minLength: 1 },
  "staticExport.image.repository": { type: "string" },
  "image.digest": digest,
  "image.pullPolicy": { enum: ["Always", "IfNotPresent", "Never"] },
  kind: { enum: ["client-hosted", "air-gapped"] },
  "features.search": { enum: [true, false, "local", null] },
  "features.assistant": feature,
  "features.analytics": feature,
  "features.playground": feature,

  bundleUrl: url,
  deltaUrl: url,
  existingSecret: name,
  version: { type: "string", maxLength: 64 },
  sha256: text(optional("[0-9a-f]{64}")),
  "volume.size": quantity,
  "volume.accessModes": {
    type: "array",
    items: { enum: ["ReadWriteOnce", "ReadWriteOncePod", "ReadWriteMany"] },
    minItems: 1,
    uniqueItems: true,
  },
  scratchSize: quantity,
  replicas: replicas(1),
  "platform.worker.replicas": replicas(0),
  resources: kubernetes("ResourceRequirements"),
  minReplicas: integer(1),
  maxReplicas: integer(1),
  targetCPUUtilizationPercentage: percentage,
  targetMemoryUtilizationPercentage: percentage,
  "autoscaling.metrics": list(kubernetes("MetricSpec")),
  behavior: kubernetes("HorizontalPodAutoscalerBehavior"),
  minAvailable: share,
  maxUnavailable: share,
  persistentVolumeClaimRetentionPolicy: {
    type: "object",
    properties: { whenDeleted: { enum: ["Delete", "Retain"] }, whenScaled: { enum: ["Delete", "Retain"] } },
    additionalProperties: false,
  },
  "staticExport.updateStrategy": kubernetes("StatefulSetUpdateStrategy"),
  "platform.updateStrategy": kubernetes("DeploymentStrategy"),
  startupSeconds: integer(10),
  readinessProbe: probe,
  livenessProbe: probe,
  extraEnv: list(kubernetes("EnvVar")),
  envFrom: list(kubernetes("EnvFromSource")),
  extraVolumes: list(kubernetes("Volume")),
  extraVolumeMounts: list(kubernetes("VolumeMount")),
  initContainers: list(kubernetes("Container")),
  extraContainers: list(kubernetes("Container")),
  podAnnotations: annotations,
  podLabels,
  nodeSelector: labels,
  tolerations: list(kubernetes("Toleration")),
  affinity: kubernetes("Affinity"),
  topologySpreadConstraints: list(kubernetes("TopologySpreadConstraint")),
  priorityClassName: name,
  runtimeClassName: name,
  hostAliases: list(kubernetes("HostAlias")),
  dnsPolicy: { enum: ["", "ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"] },
  dnsConfig: kubernetes("PodDNSConfig"),

  "service.type": { enum: ["ClusterIP", "NodePort", "LoadBalancer"] },
  "service.port": port,
  "service.nodePort": { type: ["integer", "null"], minimum: 1, maximum: 65_535 },
  externalTrafficPolicy: { enum: ["", "Cluster", "Local"] },
  loadBalancerSourceRanges: list(cidr),
  annotations,
  labels,
  "ingress.hosts": list(text(`^(?:\\*\\.)?${host}$`, { maxLength: 253 })),
  path,
  pathType: { enum: ["Prefix", "Exact", "ImplementationSpecific"] },
  extraRules: list({ type: "object" }),
  "ingress.extraRules": list(kubernetes("IngressRule")),
  tls: list(kubernetes("IngressTLS")),
  parentRefs: list(reference),
  hostnames: list(text(`^(?:\\*\\.)?${host}$`, { maxLength: 253 })),
  filters: list({ type: "object", required: ["type"] }),

  from: list(kubernetes("NetworkPolicyPeer")),
  internalFrom: list(kubernetes("NetworkPolicyPeer")),
  dns: list(kubernetes("NetworkPolicyPeer")),
  extraIngress: list(kubernetes("NetworkPolicyIngressRule")),
  platformEgress: list(kubernetes("NetworkPolicyEgressRule")),
  bundleStore: list(store),
  interval: duration,
  scrapeTimeout: duration,
  podSecurityContext: kubernetes("PodSecurityContext"),
  containerSecurityContext: kubernetes("SecurityContext"),

  "platform.url": text("^(?:$|https?://[^/]+$)"),
  "platform.sitesDomain": text(optional(`${host}(?::[0-9]+)?`)),
  "platform.storage": text("^(?:$|s3://)"),
  "platform.env": {
    type: "object",
    propertyNames: { pattern: "^[A-Za-z_][A-Za-z0-9_]*$" },
    additionalProperties: { type: ["string", "boolean", "number", "null"] },
  },
};
