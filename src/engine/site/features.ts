/** What a site can do, by the kind of deployment that it runs in. The one table of it. */
export const deploymentKinds = ["cloud", "client-hosted", "air-gapped"] as const;

export type DeploymentKind = (typeof deploymentKinds)[number];

export type Feature = "search" | "assistant" | "analytics" | "playground";

/** `operator`: on or off by the operator's file at the root of the bundle. */
export type Availability = "on" | "off" | "operator";

const table: Record<Feature, Record<DeploymentKind, Availability>> = {
  search: { cloud: "on", "client-hosted": "operator", "air-gapped": "off" },
  assistant: { cloud: "on", "client-hosted": "operator", "air-gapped": "off" },
  analytics: { cloud: "on", "client-hosted": "operator", "air-gapped": "off" },
  playground: { cloud: "on", "client-hosted": "on", "air-gapped": "operator" },
};

export function availability(feature: Feature, kind: DeploymentKind): Availability {
  return table[feature][kind];
}
