/** Determines the features of a site from the settings of the service and of the project's assistant. */

import { featuresOf, type SiteFeatures } from "../../engine/site/features.ts";
import type { ServiceSettings } from "./service.ts";
import type { AssistantSettings } from "./tables.ts";

export interface FeatureContext {
  /** Previews have no analytics and no assistant. */
  isPreview: boolean;
  assistant: Pick<AssistantSettings, "isEnabled"> | null;
}

export function siteFeatures(
  settings: ServiceSettings,
  { isPreview, assistant }: FeatureContext,
): SiteFeatures {
  return featuresOf(settings.kind, {
    search: settings.hasSearch,
    assistant: settings.hasAssistant && !isPreview && assistant?.isEnabled !== false,
    analytics: settings.hasAnalytics && !isPreview,
    playground: settings.hasPlayground ?? settings.kind !== "air-gapped",
    ...(settings.allowed?.isEmpty === false ? {} : { send: false as const }),
  });
}
