/** Creates the options of a page's contextual menu. */

import type { Access } from "../../base/access.ts";
import { basePathOf } from "../../base/base-path.ts";
import type { IconValue } from "../config/icon-schema.ts";
import type { PageMenuSettings } from "../config/layout-schema.ts";
import type { ContextualOption, PageView } from "../frame/page-view.ts";
import { type IconOptions, icon } from "../html/icons.ts";
import { messagesOf } from "../i18n/locales.ts";
import { fill } from "../i18n/messages.ts";
import { markdownFile } from "../paths.ts";
import { canonicalUrl, originOf } from "../plan/absolute-urls.ts";
import { type ExportTarget, hasAssistant, hasMcp } from "../plan/export-target.ts";
import type { PageUrls } from "../plan/page-urls.ts";
import { specDownload } from "../plan/spec-download.ts";
import type { Site } from "../site/build-site.ts";
import type { Page } from "../site/page.ts";
import { pageMarkdown } from "../site/pages/page-markdown.ts";
import { mcpEntries, mcpOption, mcpUrl } from "./mcp-options.ts";

/** External assistants that accept a question in their URL. */
const assistants: Record<string, { name: string; icon: string; base: string; parameter: string }> = {
  chatgpt: { name: "ChatGPT", icon: "message", base: "https://chatgpt.com/", parameter: "q" },
  claude: { name: "Claude", icon: "message", base: "https://claude.ai/new", parameter: "q" },
  perplexity: {
    name: "Perplexity",
    icon: "magnifying-glass",
    base: "https://www.perplexity.ai/search",
    parameter: "q",
  },
  grok: { name: "Grok", icon: "message", base: "https://grok.com/", parameter: "q" },
  aistudio: {
    name: "Google AI Studio",
    icon: "message",
    base: "https://aistudio.google.com/prompts/new_chat",
    parameter: "prompt",
  },
  devin: { name: "Devin", icon: "message", base: "https://app.devin.ai/", parameter: "prompt" },
};

/** Maximum length of a page's Markdown in a URL, in characters. */
const pageText_chars = 4_000;

interface ContextualContext {
  site: Site;
  target: ExportTarget;
  access: Access;
}

/**
 * Returns the entries and the place of the page's menu. The settings of the page replace those of the site.
 * Without either, there are no entries.
 */
export function contextualOptions(
  page: Page,
  { site, target, access }: ContextualContext,
  urls: PageUrls,
): PageView["contextual"] {
  const settings = page.frontmatter.contextual ?? site.config.settings.contextual;
  const placement = settings?.display ?? "header";
  const messages = messagesOf(site.languageOf(page.route)).site;
  const url = canonicalUrl(page, { site, target });
  const root = originOf(site, target) ?? "";
  const basePath = basePathOf(target.origin);
  const markdown = urls.file(markdownFile(page.route));
  const options = (settings?.options ?? []).flatMap((option): ContextualOption[] => {
    if (typeof option === "object")
      return customOption(option, { page, site, url, root, basePath, access }, urls);

    if (option === "copy")
      return [
        {
          id: "copy",
          title: messages.copyPage,
          description: messages.copyPageHint,
          copies: "",
          ...iconOf("copy"),
        },
      ];

    if (option === "view")
      return [
        {
          id: "view",
          title: messages.viewMarkdown,
          description: messages.viewMarkdownHint,
          href: markdown,
          ...iconOf("file-lines"),
        },
      ];

    if (option === "download-spec") {
      const path = page.reference && specDownload(site, target);
      return path === undefined
        ? []
        : [
            {
              id: "download-spec",
              title: messages.downloadSpec,
              href: urls.file(path),
              ...iconOf("download"),
            },
          ];
    }

    if (option === "assistant")
      return hasAssistant(target)
        ? [
            {
              id: "assistant",
              feature: "assistant",
              title: messages.askAssistant,
              description: messages.askAssistantHint,
              ...iconOf("sparkles"),
            },
          ]
        : [];

    if (option === "download-pdf")
      return [{ id: option, title: messages.savePdf, description: messages.savePdfHint, ...iconOf("print") }];

    if (mcpEntries.has(option))
      return hasMcp(target) && url !== undefined
        ? mcpOption(option, mcpUrl(url, basePath, access), site, messages)
        : [];

    const assistant = assistants[option];

    // External assistants can read public pages only.
    if (!assistant || url === undefined || target.kind === "air-gapped" || access !== "anyone") return [];
    const question = new URLSearchParams({
      [assistant.parameter]: `Read ${url.replace(/\/$/, "/index")}.md so I can ask questions about it.`,
    });

    return [
      {
        id: option,
        title: fill(messages.openIn, { name: assistant.name }),
        description: messages.openInHint,
        href: `${assistant.base}?${question}`,
        external: true,
        ...iconOf(assistant.icon),
      },
    ];
  });

  return { options, placement };
}

type Custom = Exclude<PageMenuSettings["options"][number], string>;

interface CustomContext {
  page: Page;
  site: Site;
  /** Canonical URL of the page. Undefined if it's unknown. */
  url: string | undefined;
  /** URL of the site. Empty if it's unknown. */
  root: string;
  basePath: string;
  access: Access;
}

function customOption(
  option: Custom,
  { page, site, url, root, basePath, access }: CustomContext,
  urls: PageUrls,
): ContextualOption[] {
  const withUrls = (text: string) =>
    text.replace(/\$(page|path|mcp)\b/g, (_, name: string) =>
      name === "page"
        ? pageMarkdown(page, site, root).slice(0, pageText_chars).toWellFormed()
        : name === "path"
          ? `/${page.route}`
          : mcpUrl(url, basePath, access),
    );

  const address =
    typeof option.href === "string"
      ? option.href.replace(/\$(page|path|mcp)\b/g, (match) => encodeURIComponent(withUrls(match)))
      : `${option.href.base}${option.href.query?.length ? `?${new URLSearchParams(option.href.query.map(({ key, value }) => [key, withUrls(value)]))}` : ""}`;

  return [
    {
      id: "custom",
      title: option.title,
      ...(option.description ? { description: option.description } : {}),
      ...urls.link(address),
      ...ownIcon(option.icon, site),
    },
  ];
}

function ownIcon(value: IconValue | undefined, { config }: Site): { icon?: string } {
  if (value === undefined) return {};
  const {
    name,
    style,
    library = config.settings.icons?.library,
  } = typeof value === "string" ? { name: value } : value;
  return iconOf(name, { ...(library ? { library } : {}), ...(style ? { type: style } : {}) });
}

function iconOf(name: string, options: IconOptions = {}): { icon?: string } {
  const svg = icon(name, options);
  return svg ? { icon: svg } : {};
}
