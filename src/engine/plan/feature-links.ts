/**
 * Creates the links of a page to the files and endpoints of its features (search, assistant and analytics)
 * and to the operator file.
 */

import {
  assistantFeedbackPath,
  assistantPath,
  eventsPath,
  feedbackPath,
  searchPath,
} from "../../layout/site-layout.ts";
import type { DocsJson } from "../config/docs-json-schema.ts";
import type { CodeFeedbackLinks, PageView, ScopeName, SearchLinks } from "../frame/page-view.ts";
import { messagesOf } from "../i18n/locales.ts";
import { operatorPath } from "../site/features.ts";
import { isPage, type NavPage } from "../site/navigation/resolve-navigation.ts";
import type { AssetNames } from "./assets.ts";
import { type ExportTarget, hasAssistant } from "./export-target.ts";
import type { PageUrls } from "./page-urls.ts";
import { supportLink } from "./support-link.ts";

interface FeatureContext {
  language: string;
  /** Placeholder text of the search field. */
  prompt?: string;
  target: ExportTarget;
  assets: AssetNames;
  urls: PageUrls;
  position: NavPage | undefined;
  settings: Pick<DocsJson, "assistant" | "integrations" | "feedback">;
}

type FeatureLinks = Pick<PageView, "search" | "assistant" | "dialogMessages" | "analytics" | "operator">;

export function featureLinks({
  language,
  prompt,
  target,
  assets,
  urls,
  position,
  settings,
}: FeatureContext): FeatureLinks {
  const { integrations, feedback } = settings;
  const { kind, readers } = target;
  const file = (path: string) => urls.file(path);
  const { analytics } = assets;
  const services = assets.integrations && file(assets.integrations);
  const { search, assistant, messages } = assets.dialogs;
  return {
    dialogMessages: file(messages.get(language)!),
    search: {
      script: file(search.script),
      style: file(search.style),
      ...(target.readers === "signed-in" ? { host: file(searchPath) } : { index: languageFolder(language) }),
      ...(prompt === undefined ? {} : { prompt }),
      scope: scopeOf(position),
    },
    ...(hasAssistant(target) && assistant
      ? {
          assistant: {
            script: file(assistant.script),
            style: file(assistant.style),
            message: file(assistantPath),
            ...(integrations?.telemetry?.enabled === false ? {} : { feedback: file(assistantFeedbackPath) }),
            ...supportLink(settings.assistant),
          },
        }
      : {}),
    ...(analytics
      ? {
          analytics: {
            script: file(analytics),
            events: file(eventsPath),
            ...(feedback?.enabled === false || feedback?.thumbsRating === false
              ? {}
              : { feedback: file(feedbackPath) }),
            ...(assets.codeFeedback
              ? { codeFeedback: { endpoint: file(feedbackPath), ...codeFeedbackTexts(language) } }
              : {}),
            ...(integrations?.cookies ? { consent: integrations.cookies } : {}),
          },
        }
      : {}),
    // A preview for the author has no operator file.
    ...(readers === "author"
      ? {}
      : { operator: { file: file(operatorPath), kind, ...(services ? { services } : {}) } }),
  };
}

function codeFeedbackTexts(language: string): Omit<CodeFeedbackLinks, "endpoint"> {
  const { site } = messagesOf(language);
  return {
    open: site.feedbackCode,
    comment: site.feedbackComment,
    send: site.feedbackSend,
    thanks: site.feedbackThanks,
    failed: site.feedbackFailed,
  };
}

/**
 * Returns the version and product of a page, for search. Each is set only if the navigation has several at
 * the same level.
 */
function scopeOf(position: NavPage | undefined): SearchLinks["scope"] {
  const scope: SearchLinks["scope"] = {};
  for (const node of position ? position.parent.chain : []) {
    const { kind, label, name } = node.division;
    if (kind !== "version" && kind !== "product") continue;
    const others = node.parent?.children.filter(
      (child) => !isPage(child) && child.division.kind === kind && !child.division.hidden,
    );
    if ((others?.length ?? 0) > 1) scope[kind] = { name: label, label: name ?? label } satisfies ScopeName;
  }
  return scope;
}

/**
 * Returns the name of the folder for a language. Replaces characters that are invalid in a language code with
 * `-`.
 */
export function languageFolder(language: string): string {
  return language.replace(/[^\w-]+/g, "-");
}
