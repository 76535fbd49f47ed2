/** Search, assistant and counting of a page: which of them it has by the kind of its deployment, and where their parts are found. */
import type { Integrations } from "../config/schema.ts";
import type { PageView, ScopeName, SearchLinks } from "../render/page-view.ts";
import type { DeploymentKind } from "../site/features.ts";
import { ancestors, isPage, type NavPage } from "../site/navigation.ts";
import type { Addresses } from "./addresses.ts";
import type { AssetNames } from "./assets.ts";
import { languageFolder } from "./search-files.ts";
import { type Add, type ExportTarget, hasAssistant } from "./target.ts";

/** The one file of a bundle that its operator may replace. */
export const operatorPath = "octavo.config.js";

interface AskingContext {
  language: string;
  /** Text in the empty field of the search. */
  prompt?: string;
  target: ExportTarget;
  assets: AssetNames;
  addresses: Addresses;
  position: NavPage | undefined;
  integrations: Integrations | undefined;
}

type AskingView = Pick<PageView, "search" | "assistant" | "askingWords" | "counting" | "operator">;

export function askingView({ language, prompt, target, assets, addresses, position, integrations }: AskingContext): AskingView {
  const { kind } = target;
  const file = (path: string) => addresses.file(path);
  const { analytics } = assets;
  const services = assets.integrations && file(assets.integrations);
  const { search, assistant, words } = assets.asking;
  return {
    askingWords: file(words.get(language)!),
    search: {
      script: file(search.script),
      style: file(search.style),
      ...(target.readers === "signed-in" ? { host: file("_octavo/search") } : { index: languageFolder(language) }),
      ...(prompt === undefined ? {} : { prompt }),
      scope: scopeOf(position),
    },
    ...(hasAssistant(target) && assistant
      ? {
          assistant: {
            script: file(assistant.script),
            style: file(assistant.style),
            message: file("_octavo/assistant"),
            ...(integrations?.telemetry?.enabled === false ? {} : { feedback: file("_octavo/assistant/feedback") }),
          },
        }
      : {}),
    ...(analytics
      ? {
          counting: {
            script: file(analytics),
            events: file("_octavo/events"),
            feedback: file("_octavo/feedback"),
            ...(integrations?.cookies ? { consent: integrations.cookies } : {}),
          },
        }
      : {}),
    ...(kind === "cloud" ? {} : { operator: { file: file(operatorPath), kind, ...(services ? { services } : {}) } }),
  };
}

/** The version and the product of a page, where a reader has a choice. */
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

/** What an operator may switch, with what holds without the file. */
const operatorFiles: Record<Exclude<DeploymentKind, "cloud">, string> = {
  "client-hosted": `// What this site offers where it runs. Replace this file to change it: the pages stay as they are.
octavoConfig = {
  // The search, which needs no server: true or false.
  "search": true,
  // The assistant answers at _octavo/assistant of this host, where something must listen: true or false.
  "assistant": false,
  // "services": those that docs.json names for counting visits are loaded. true: also, visits and searches are told to
  // _octavo/events and feedback to _octavo/feedback of this host, where something must listen. false: neither.
  "analytics": "services"
};
`,
  "air-gapped": `// What this site offers where it runs. Replace this file to change it: the pages stay as they are.
octavoConfig = {
  // "local": readers search in files of this site, and nothing is asked of any server. false: no search.
  "search": false,
  // The request playground of API pages: true or false.
  "playground": false
};
`,
};

export function addOperatorFile({ kind }: ExportTarget, add: Add): void {
  if (kind !== "cloud") add(operatorPath, () => operatorFiles[kind], "anyone");
}
