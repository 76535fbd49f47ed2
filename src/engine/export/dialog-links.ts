/** Creates the links of a page to the files and endpoints of search, assistant and analytics, and to the operator file. */

import { assistantFeedbackPath, assistantPath, eventsPath, feedbackPath, searchPath } from "../../layout/site-layout.ts";
import type { Integrations } from "../config/schema.ts";
import type { PageView, ScopeName, SearchLinks } from "../render/page-view.ts";
import { type DeploymentKind, operatorPath } from "../site/features.ts";
import { ancestors, isPage, type NavPage } from "../site/resolve-navigation.ts";
import type { AssetNames } from "./assets.ts";
import { type AddFile, type ExportTarget, hasAssistant } from "./export-target.ts";
import type { PageUrls } from "./page-urls.ts";
import { languageFolder } from "./search-files.ts";

interface DialogContext {
  language: string;
  /** Placeholder text of the search field. */
  prompt?: string;
  target: ExportTarget;
  assets: AssetNames;
  urls: PageUrls;
  position: NavPage | undefined;
  integrations: Integrations | undefined;
}

type DialogLinks = Pick<PageView, "search" | "assistant" | "dialogMessages" | "analytics" | "operator">;

export function dialogLinks({ language, prompt, target, assets, urls, position, integrations }: DialogContext): DialogLinks {
  const { kind, readers } = target;
  const file = (path: string) => urls.file(path);
  const { analytics } = assets;
  const services = assets.integrations && file(assets.integrations);
  const { search, assistant, words } = assets.dialogs;
  return {
    dialogMessages: file(words.get(language)!),
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
          },
        }
      : {}),
    ...(analytics
      ? {
          analytics: {
            script: file(analytics),
            events: file(eventsPath),
            feedback: file(feedbackPath),
            ...(integrations?.cookies ? { consent: integrations.cookies } : {}),
          },
        }
      : {}),
    // A preview for the author has no operator file.
    ...(readers === "author" ? {} : { operator: { file: file(operatorPath), kind, ...(services ? { services } : {}) } }),
  };
}

/** The version and the product of a page, for the search. Each is set only if the site has several. */
function scopeOf(position: NavPage | undefined): SearchLinks["scope"] {
  const scope: SearchLinks["scope"] = {};
  for (const node of position ? ancestors(position.parent) : []) {
    const { kind, label, name } = node.division;
    if (kind !== "version" && kind !== "product") continue;
    const others = node.parent?.children.filter((child) => !isPage(child) && child.division.kind === kind && !child.division.hidden);
    if ((others?.length ?? 0) > 1) scope[kind] = { name: label, label: name ?? label } satisfies ScopeName;
  }
  return scope;
}

/** The operator file of each deployment kind with its default features. Hosts can serve a different version of this file. */
const operatorFiles: Record<DeploymentKind, string> = {
  cloud: `// The features of this site. The service that hosts it sends its own copy of this file.
octavoConfig = {
  "search": true,
  "assistant": true,
  "analytics": true,
  "playground": true
};
`,
  "client-hosted": `// The features of this site. Edit this file to turn them on or off. You don't need to rebuild the pages.
octavoConfig = {
  // Search. Needs no server. true or false.
  "search": true,
  // Assistant. Needs a server that answers at _octavo/assistant on this host, such as octavo bundle-server. true or false.
  "assistant": false,
  // "services": load the analytics services named in docs.json. true: also send page views and searches to _octavo/events
  // and feedback to _octavo/feedback on this host, which needs a server that answers there. false: no analytics.
  "analytics": "services",
  // API playground. true or false.
  "playground": true
};
`,
  "air-gapped": `// The features of this site. Edit this file to turn them on or off. You don't need to rebuild the pages.
octavoConfig = {
  // "local": search the files of this site, without a server. false: no search.
  "search": false,
  // API playground. Sending requests needs a server that forwards them, such as octavo bundle-server. true or false.
  "playground": false
};
`,
};

export function addOperatorFile({ kind, readers }: ExportTarget, add: AddFile): void {
  if (readers !== "author") add(operatorPath, () => operatorFiles[kind], "anyone");
}
