/** What a site offers, by the kind of its deployment and its operator's settings. Everything that asks reads it here. */
export const deploymentKinds = ["cloud", "client-hosted", "air-gapped"] as const;

export type DeploymentKind = (typeof deploymentKinds)[number];

export type Feature = "search" | "assistant" | "analytics" | "playground";

/** `on`: unless it is switched off. `operator`: as the operator chooses. `off`: nothing switches it on. */
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

/** What an operator sets. A feature that is not named has its default. */
export interface FeatureChoice {
  /** `local`: in files of the site, without a server. The only search of an air-gapped site. */
  search?: boolean | "local";
  assistant?: boolean;
  /** `services`: only the analytics services that docs.json names. */
  analytics?: boolean | "services";
  playground?: boolean;
  /** `false`: the server of an air-gapped site may call no host. */
  send?: false;
}

/** Of one site where it runs. */
export interface SiteFeatures {
  kind: DeploymentKind;
  search: boolean | "local";
  assistant: boolean;
  analytics: boolean | "services";
  playground: boolean;
  /** `false`: the playground builds requests, and can't send them. */
  send?: false;
}

const defaults: Record<DeploymentKind, Omit<SiteFeatures, "kind">> = {
  cloud: { search: true, assistant: true, analytics: true, playground: true },
  "client-hosted": { search: true, assistant: false, analytics: "services", playground: true },
  "air-gapped": { search: false, assistant: false, analytics: false, playground: false },
};

/** A choice that the kind does not have has no effect. */
export function featuresOf(kind: DeploymentKind, choice: FeatureChoice = {}): SiteFeatures {
  const features = { kind, ...defaults[kind] };
  if (kind === "air-gapped") {
    const playground = choice.playground === true;
    const cannotSend = playground && choice.send === false;
    return { ...features, search: choice.search === "local" && "local", playground, ...(cannotSend ? { send: false } : {}) };
  }
  const { search, assistant, analytics, playground } = choice;
  return {
    kind,
    search: search ?? features.search,
    assistant: assistant ?? features.assistant,
    analytics: analytics ?? features.analytics,
    playground: playground ?? features.playground,
  };
}

/** The script by which the pages of a site learn what it offers. Its place in a site. */
export const operatorPath = "octavo.config.js";

export function operatorFile(features: SiteFeatures): string {
  return `octavoConfig = ${JSON.stringify(features)};\n`;
}
