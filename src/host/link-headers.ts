/** Creates the `Link` headers of pages, with the files for agents that the reader may read (RFC 8288). */

import { mayRead, type Reader } from "../base/access.ts";
import { encodePath } from "../engine/paths.ts";
import { apiCatalogPath } from "../layout/site-layout.ts";
import type { HostedSite } from "./hosted-site.ts";
import { accessOf } from "./manifest-files.ts";

/**
 * Returns the header of a page's HTML or Markdown. Undefined for other files. `file`: the file at the page's
 * path. `basePath`: path that readers see the site below.
 */
export function linkHeader(
  file: string,
  site: HostedSite,
  reader: Reader | undefined,
  basePath: string,
): string | undefined {
  if (!/\.(?:html|md)$/.test(file)) return undefined;
  const markdown = file.replace(/\.html$/, ".md");
  const links: [path: string, parameters: string][] = [
    ["llms.txt", 'rel="describedby"; type="text/markdown"'],
    [markdown, 'rel="alternate"; type="text/markdown"'],
    [apiCatalogPath, 'rel="api-catalog"; type="application/linkset+json"'],
  ];
  return links
    .filter(([path]) => path !== file && mayRead(accessOf(site, path), reader))
    .map(([path, parameters]) => `<${basePath}/${encodePath(path)}>; ${parameters}`)
    .join(", ");
}
