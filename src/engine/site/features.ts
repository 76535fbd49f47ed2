export const deploymentKinds = ["cloud", "client-hosted", "air-gapped"] as const;

export type DeploymentKind = (typeof deploymentKinds)[number];
