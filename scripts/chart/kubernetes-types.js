// Extracts the types that chart values contain from the OpenAPI description of Kubernetes, without texts, and
// writes them to kubernetes-types.json. `node scripts/chart/kubernetes-types.js FILE`, where FILE is
// api/openapi-spec/swagger.json of the module k8s.io/kubernetes.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const types = [
  "apps.v1.DeploymentStrategy",
  "apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy",
  "apps.v1.StatefulSetUpdateStrategy",
  "autoscaling.v2.HorizontalPodAutoscalerBehavior",
  "autoscaling.v2.MetricSpec",
  "core.v1.Affinity",
  "core.v1.Container",
  "core.v1.EnvFromSource",
  "core.v1.EnvVar",
  "core.v1.HostAlias",
  "core.v1.LocalObjectReference",
  "core.v1.PodDNSConfig",
  "core.v1.PodSecurityContext",
  "core.v1.ResourceRequirements",
  "core.v1.SecurityContext",
  "core.v1.Toleration",
  "core.v1.TopologySpreadConstraint",
  "core.v1.Volume",
  "core.v1.VolumeMount",
  "networking.v1.IngressRule",
  "networking.v1.IngressTLS",
  "networking.v1.NetworkPolicyEgressRule",
  "networking.v1.NetworkPolicyIngressRule",
  "networking.v1.NetworkPolicyPeer",
];

/** Formats that the API server checks, but that the OpenAPI description doesn't contain. */
const patterns = {
  Quantity: {
    type: ["string", "integer"],
    pattern: "^[0-9]+(?:\\.[0-9]+)?(?:m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$",
  },
  IntOrString: { type: ["string", "integer"] },
  Time: { type: "string" },
};

/** Rules that the API server checks, but that the OpenAPI description doesn't contain. */
const rules = {
  Toleration: {
    anyOf: [{ required: ["key"] }, { required: ["operator"], properties: { operator: { const: "Exists" } } }],
  },
  TopologySpreadConstraint: {
    properties: { whenUnsatisfiable: { enum: ["DoNotSchedule", "ScheduleAnyway"] }, maxSkew: { minimum: 1 } },
  },
};

/**
 * Types whose fields have defaults in values.yaml. With `--reuse-values`, Helm keeps the null that removes
 * one.
 */
const removable = ["PodSecurityContext", "ResourceRequirements", "SecurityContext"];
const orNull = (schema) =>
  typeof schema.type === "string"
    ? { ...schema, type: [schema.type, "null"] }
    : { anyOf: [schema, { type: "null" }] };

/** Allows null for a field and for the values of a map. */
const allowNull = (schema) =>
  orNull(
    typeof schema.additionalProperties === "object"
      ? { ...schema, additionalProperties: orNull(schema.additionalProperties) }
      : schema,
  );

const { definitions } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const found = {};
for (const type of types) add(`io.k8s.api.${type}`);
const sorted = Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(
  path.join(import.meta.dirname, "kubernetes-types.json"),
  `${JSON.stringify(sorted, undefined, 2)}\n`,
);

/** Adds a type and those that it refers to. Returns its short name. */
function add(type) {
  const name = type.split(".").slice(-1)[0];
  if (!Object.hasOwn(found, name)) {
    found[name] = {};
    const schema = patterns[name] ?? {
      ...shape(definitions[type]),
      ...(rules[name] && { allOf: [rules[name]] }),
    };
    if (removable.includes(name)) schema.properties = mapValues(schema.properties, allowNull);
    found[name] = schema;
  }
  return name;
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

/** A schema without texts and extensions, which rejects unknown properties. */
function shape({ $ref, type, enum: values, required, properties, items, additionalProperties }) {
  if ($ref) return { $ref: `#/definitions/${add($ref.replace("#/definitions/", ""))}` };
  return {
    type,
    enum: values,
    required,
    properties: properties && mapValues(properties, shape),
    items: items && shape(items),
    additionalProperties: additionalProperties ? shape(additionalProperties) : properties ? false : undefined,
  };
}
