/**
 * Determines the features of a site from the kind of its deployment and its operator's settings, and writes
 * them as a script for its pages.
 */

export const deploymentKinds = ["cloud", "client-hosted", "air-gapped"] as const;

export type DeploymentKind = (typeof deploymentKinds)[number];

export type Feature = "search" | "assistant" | "analytics" | "playground";

/**
 * `on`: available, unless the operator turns the feature off. `operator`: the operator can turn the feature
 * on or off. `off`: not available, except for `local` search.
 */
type Availability = "on" | "off" | "operator";

const table: Record<Feature, Record<DeploymentKind, Availability>> = {
  search: { cloud: "on", "client-hosted": "operator", "air-gapped": "off" },
  assistant: { cloud: "on", "client-hosted": "operator", "air-gapped": "off" },
  analytics: { cloud: "on", "client-hosted": "operator", "air-gapped": "off" },
  playground: { cloud: "on", "client-hosted": "on", "air-gapped": "operator" },
};

export function availability(feature: Feature, kind: DeploymentKind): Availability {
  return table[feature][kind];
}

/** An operator's settings. Features that aren't set keep their default. */
export interface FeatureChoice {
  /** `local`: search the files of the site, without a server. An air-gapped site supports no other search. */
  search?: boolean | "local";
  assistant?: boolean;
  /** Whether analytics are on. `services`: only the analytics services in docs.json. */
  analytics?: boolean | "services";
  playground?: boolean;
  /** `false`: the server of an air-gapped site must not send requests to any host. */
  send?: false;
}

/** The effective features of a deployed site. */
export interface SiteFeatures {
  kind: DeploymentKind;
  search: boolean | "local";
  assistant: boolean;
  analytics: boolean | "services";
  playground: boolean;
  /** `false`: the playground shows requests but can't send them. */
  send?: false;
}

const defaults: Record<DeploymentKind, Omit<SiteFeatures, "kind">> = {
  cloud: { search: true, assistant: true, analytics: true, playground: true },
  "client-hosted": { search: true, assistant: false, analytics: "services", playground: true },
  "air-gapped": { search: false, assistant: false, analytics: false, playground: false },
};

/**
 * Applies an operator's settings to the defaults of a deployment kind. Ignores settings that the kind doesn't
 * support.
 */
export function featuresOf(kind: DeploymentKind, choice: FeatureChoice = {}): SiteFeatures {
  const features = { kind, ...defaults[kind] };

  if (kind === "air-gapped") {
    const playground = choice.playground === true;
    const cannotSend = playground && choice.send === false;
    return {
      ...features,
      search: choice.search === "local" && "local",
      playground,
      ...(cannotSend ? { send: false } : {}),
    };
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

/** Path of the script that sets the features of a site for its pages. */
export const operatorPath = "octavo.config.js";

/** Returns the content of the script that sets the features. */
export function operatorFile(features: SiteFeatures): string {
  return `octavoConfig = ${JSON.stringify(features)};\n`;
}
