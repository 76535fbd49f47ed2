/** Creates the options of the page menu that connect a tool to the site's MCP server. */

import type { Access } from "../../base/access.ts";
import { type Problem, problem } from "../../base/problem.ts";
import { parseUrl } from "../../base/url.ts";
import type { ContextualOption } from "../frame/page-view.ts";
import { slugOf } from "../html/anchor-ids.ts";
import { icon } from "../html/icons.ts";
import { fill, type SiteMessages } from "../i18n/messages.ts";
import { type ExportTarget, hasMcp } from "../plan/export-target.ts";
import type { Site } from "../site/build-site.ts";

/** Apps whose links install an MCP server, with the link for a server's name and URL. */
const links: Record<string, { name: string; href(name: string, url: string): string }> = {
  cursor: {
    name: "Cursor",
    href: (name, url) =>
      `cursor://anysphere.cursor-deeplink/mcp/install?${new URLSearchParams({
        name,
        config: Buffer.from(JSON.stringify({ url })).toString("base64"),
      })}`,
  },
  vscode: {
    name: "VS Code",
    href: (name, url) =>
      `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: "http", url }))}`,
  },
};

/** Apps without such links, with the key of a server's URL in their settings. */
const settingsOf: Record<string, { name: string; urlKey: string }> = {
  windsurf: { name: "Windsurf", urlKey: "serverUrl" },
  "devin-desktop": { name: "Devin Desktop", urlKey: "url" },
  "devin-mcp": { name: "Devin", urlKey: "url" },
};

/** The options in docs.json that need an MCP server. */
export const mcpEntries: ReadonlySet<string> = new Set([
  "mcp",
  "add-mcp",
  ...Object.keys(links),
  ...Object.keys(settingsOf),
]);

/** Returns one problem for the options that a static site leaves out, or none. */
export function checkMcpOptions({ config, pages }: Site, target: ExportTarget): Problem[] {
  if (hasMcp(target)) return [];
  const settings = [
    config.settings.contextual,
    ...[...pages.values()].map((page) => page.frontmatter.contextual),
  ];
  const options = settings.flatMap((menu) => menu?.options ?? []);
  const names = new Set(options.filter((option) => typeof option === "string" && mcpEntries.has(option)));
  if (names.size === 0) return [];
  const message = `The page menu leaves out ${[...names].join(", ")}, because static sites have no MCP server`;
  return [problem("no-effect", { file: "docs.json" }, message, "Deploy the site to an Octavo service.")];
}

/**
 * Returns the URL of the MCP server of a site, for a page with this access. From restricted pages, clients
 * ask the reader to sign in. `url`: canonical URL of one of its pages. If it's undefined, the result has no
 * host.
 */
export function mcpUrl(url: string | undefined, basePath: string, access: Access): string {
  const query = access === "anyone" ? "" : "?sign-in";
  return `${(url && parseUrl(url)?.origin) ?? ""}${basePath}/mcp${query}`;
}

export function mcpOption(
  id: string,
  url: string,
  { config }: Site,
  messages: SiteMessages,
): ContextualOption[] {
  const svg = icon(id === "mcp" || id === "add-mcp" ? "plug" : "code", {});
  // Turning off search also turns off the MCP server.
  const base = { id, feature: "search" as const, ...(svg ? { icon: svg } : {}) };
  const server = slugOf(config.settings.name) || "docs";
  const link = links[id];
  const settings = settingsOf[id];

  if (link)
    return [
      {
        ...base,
        title: fill(messages.connectTo, { name: link.name }),
        description: fill(messages.connectToHint, { name: link.name }),
        href: link.href(server, url),
        opensApp: true,
      },
    ];

  if (settings)
    return [
      {
        ...base,
        title: fill(messages.copyMcpSettings, { name: settings.name }),
        description: fill(messages.copyMcpSettingsHint, { name: settings.name }),
        copies: JSON.stringify({ mcpServers: { [server]: { [settings.urlKey]: url } } }, null, 2),
      },
    ];

  return [
    id === "mcp"
      ? { ...base, title: messages.copyMcpUrl, description: messages.copyMcpUrlHint, copies: url }
      : {
          ...base,
          title: messages.copyMcpCommand,
          description: messages.copyMcpCommandHint,
          copies: `npx add-mcp ${url}`,
        },
  ];
}
