/** The resources of a site's MCP server: pages as Markdown, and skills for agents. */

import { mayRead } from "../../base/access.ts";
import { pathBelow } from "../../base/base-path.ts";
import { parseUrl, percentDecoded } from "../../base/url.ts";
import { encodePath } from "../../engine/paths.ts";
import { accessOf, fileAt } from "../../host/manifest-files.ts";
import type { McpCall } from "./mcp-call.ts";

/** A resource in a list. */
interface Resource {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType: "text/markdown";
}

const skillsFolder = ".well-known/agent-skills/";
const indexFile = /^(?!\.well-known\/)(?:.*\/)?llms(?:-\d+)?\.txt$/;
/** Matches a line of llms.txt: a link to a page's Markdown, and a description. */
const pageLine = /^- \[(.+)\]\((\S+)\.md\)(?:: (.*))?$/gm;

/**
 * Returns a part of the list: the pages of one index of the site, such as llms.txt or `guides/llms.txt`. The
 * indexes list only pages that are public and aren't hidden. The first part also has the skills that the
 * reader may read. `cursor`: number of the part. Undefined if there is no such part.
 */
export async function listResources(
  { visit, site: requested, docs }: McpCall,
  cursor: number,
): Promise<{ resources: Resource[]; nextCursor?: string } | undefined> {
  const { site, origin } = requested;
  const paths = Object.keys(site.manifest.files);
  const isReadable = (path: string) => mayRead(accessOf(site, path), visit.reader);
  const indexes = paths.filter((path) => indexFile.test(path) && isReadable(path)).sort();
  const index = indexes[cursor];
  if (index === undefined && cursor > 0) return undefined;

  const text = index === undefined ? "" : await docs.text(requested, index);
  const pages = [...text.matchAll(pageLine)].flatMap(([, title, url, description]): Resource[] => {
    const path = listedPath(`${url}.md`, visit.basePath);
    if (path === undefined || !fileAt(site.manifest, path) || !isReadable(path)) return [];
    return [
      {
        uri: `${origin}/${encodePath(path)}`,
        name: path.slice(0, -".md".length),
        title: title!,
        ...(description ? { description } : {}),
        mimeType: "text/markdown",
      },
    ];
  });

  const skills = cursor > 0 ? [] : paths.filter((path) => isSkill(path) && isReadable(path));
  return {
    resources: [
      ...skills.map((path): Resource => {
        const name = path.slice(skillsFolder.length, -"/SKILL.md".length);
        return { uri: `${origin}/${encodePath(path)}`, name: `skills/${name}`, mimeType: "text/markdown" };
      }),
      ...pages,
    ],
    ...(cursor + 1 < indexes.length ? { nextCursor: String(cursor + 1) } : {}),
  };
}

/** Returns the text of a resource. Undefined if there is none at the URI, or the reader may not read it. */
export async function readResource(
  { visit, site: requested, docs }: McpCall,
  uri: string,
): Promise<string | undefined> {
  const { site, origin } = requested;
  const path = pathOf(uri, origin);
  if (path === undefined || !path.endsWith(".md")) return undefined;
  if (!path.startsWith(skillsFolder)) return (await docs.page(requested, visit.reader, path))?.content;
  if (!fileAt(site.manifest, path) || !mayRead(accessOf(site, path), visit.reader)) return undefined;
  return docs.text(requested, path);
}

function isSkill(path: string): boolean {
  return path.startsWith(skillsFolder) && path.endsWith("/SKILL.md");
}

/** Returns the path of a URL of the site, without the leading slash. Undefined for other URLs. */
function pathOf(url: string, origin: string): string | undefined {
  return url.startsWith(`${origin}/`) ? percentDecoded(url.slice(origin.length + 1)) : undefined;
}

/** Returns the path of a URL in an index. The URL can have another host name of the site. */
function listedPath(url: string, basePath: string): string | undefined {
  const pathname = parseUrl(url, "http://site.invalid")?.pathname;
  const path = pathname && pathBelow(percentDecoded(pathname), basePath);
  return path?.slice(1);
}
