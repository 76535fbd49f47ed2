/** Which file answers an address: clean addresses, redirects and the page for unknown ones. */
import { firstRedirect, openRedirects, type Redirects } from "../engine/site/redirects.ts";

export interface SiteSource {
  has(path: string): boolean;
  read(path: string): Promise<Uint8Array | undefined>;
}

/** What the export says of redirects and unknown addresses, in `_octavo/redirects.json`. */
export interface RedirectTable {
  redirects: Redirects;
  notFound: "home" | "page";
}

export function readRedirectTable(json: Uint8Array | undefined): RedirectTable {
  const listed = JSON.parse(new TextDecoder().decode(json)) as {
    redirects: { source: string; destination: string; status: number }[];
    notFound: "home" | "page";
  };
  return {
    redirects: openRedirects(listed.redirects.map(({ status, ...redirect }) => ({ ...redirect, permanent: status === 308 }))),
    notFound: listed.notFound,
  };
}

export type Answer = { status: 200 | 404; path: string; type: string } | { status: 302 | 307 | 308; location: string };

const types: Record<string, string> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  xml: "application/xml; charset=utf-8",
  yaml: "application/yaml; charset=utf-8",
  yml: "application/yaml; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  ico: "image/x-icon",
  mp4: "video/mp4",
  webm: "video/webm",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  woff: "font/woff",
  woff2: "font/woff2",
  ttf: "font/ttf",
  eot: "application/vnd.ms-fontobject",
  pdf: "application/pdf",
  zip: "application/zip",
};

export function typeOf(path: string): string {
  return types[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ""] ?? "application/octet-stream";
}

/** `table`: the redirects that the export wrote; `acceptsMarkdown`: the reader asked for text rather than HTML. */
export function answer(pathname: string, source: SiteSource, table: RedirectTable, acceptsMarkdown = false): Answer {
  let path: string;
  try {
    path = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, "");
  } catch {
    return { status: 404, path: "404.html", type: types.html! };
  }
  const found = (file: string): Answer => ({ status: 200, path: file, type: typeOf(file) });
  const redirect = firstRedirect(`/${path}`, table.redirects);
  if (redirect) return { status: redirect.permanent ? 308 : 307, location: redirect.destination };
  if (acceptsMarkdown && source.has(`${path || "index"}.md`)) return found(`${path || "index"}.md`);
  if (source.has(`${path || "index"}.html`)) return found(`${path || "index"}.html`);
  if (path && source.has(path)) return found(path);
  if (table.notFound === "home" && source.has("index.html") && !/\.\w+$/.test(path)) return { status: 302, location: "/" };
  return { status: 404, path: "404.html", type: types.html! };
}
