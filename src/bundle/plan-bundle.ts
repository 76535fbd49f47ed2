/** Compares two bundles: what readers notice when the later one goes live. */

import { percentDecoded } from "../base/url.ts";
import { frameIds } from "../engine/frame/frame-ids.ts";
import { hashOf } from "../engine/hash-of.ts";
import type { Change } from "../engine/openapi/changes/change.ts";
import { compareDocuments } from "../engine/openapi/changes/compare-documents.ts";
import { looksLikeDocument, readDocument } from "../engine/openapi/document/api-document.ts";
import { idsIn } from "../engine/reference/page-ids.ts";
import { type RedirectTable, readRedirectTable, resolvePath, targetOf } from "../host/resolve-path.ts";
import { isReserved, redirectTablePath } from "../layout/site-layout.ts";
import { filesOfBundle, type ReadFile } from "./read-bundle.ts";

export interface BundlePlan {
  /** Paths of pages, sorted. */
  added: string[];
  changed: string[];
  /** Pages that only the earlier bundle has, with the path or URL that their URL redirects to. */
  moved: { path: string; to: string }[];
  /** Pages that only the earlier bundle has, and whose URL leads nowhere. */
  gone: string[];
  /** Headings and fields that pages no longer have, by the page's path. */
  anchors: { path: string; ids: string[] }[];
  /** Changes of the OpenAPI documents that both bundles have. */
  apis: { file: string; changes: Change[] }[];
  /** Paths in the access log that only the earlier bundle answers, with the number of requests. */
  requests: { path: string; count: number }[];
}

export interface PlannedSite {
  /** Hash of each file. */
  files: Map<string, string>;
  table: RedirectTable;
  /** Ids on pages, by the path of their file. */
  ids: Map<string, readonly string[]>;
  documents: Map<string, string>;
}

/** `log`: text of an access log. Throws an Error or a `BadBundle` if a bundle can't be read. */
export async function planBundle(earlier: string, later: string, log = ""): Promise<BundlePlan> {
  return planSites(await readSite(filesOfBundle(earlier)), await readSite(filesOfBundle(later)), log);
}

/** Compares the files of two sites. */
export async function planSites(before: PlannedSite, after: PlannedSite, log = ""): Promise<BundlePlan> {
  const [old, current] = [pagesOf(before), pagesOf(after)];
  const missing = [...old.keys()].filter((path) => !current.has(path));
  const targets = missing.map((path) => ({ path, to: leadsTo(path, after) }));
  const kept = [...old.keys()].filter((path) => current.has(path));

  return {
    added: [...current.keys()].filter((path) => !old.has(path)),
    changed: kept.filter((path) => old.get(path) !== current.get(path)),
    moved: targets.filter((target): target is { path: string; to: string } => target.to !== undefined),
    gone: targets.flatMap(({ path, to }) => (to === undefined ? [path] : [])),
    anchors: kept.flatMap((path) => lostAnchors(path, before, after)),
    apis: await changedApis(before, after),
    requests: lostRequests(log, before, after),
  };
}

/** Returns the paths of redirects that lead to a page or another site before, but not after. */
export function brokenRedirects(before: PlannedSite, after: PlannedSite): string[] {
  return [...before.table.redirects.exact.keys()].filter(
    (path) => leadsTo(path, before) !== undefined && leadsTo(path, after) === undefined,
  );
}

/** `origin`: URL of the site, which its Markdown contains and which makes no difference. */
export async function readSite(files: AsyncIterable<ReadFile>, origin = ""): Promise<PlannedSite> {
  const site: Omit<PlannedSite, "table"> = { files: new Map(), ids: new Map(), documents: new Map() };
  let table: Uint8Array | undefined;
  for await (const { name, bytes } of files) {
    if (name === redirectTablePath) table = bytes;
    const text = () => new TextDecoder().decode(bytes);
    const isMarkdown = origin !== "" && name.endsWith(".md");
    site.files.set(name, hashOf(isMarkdown ? text().replaceAll(origin, "") : bytes));
    if (isReserved(name)) continue;
    if (name.endsWith(".html")) site.ids.set(name, anchorsOf(text()));
    else if (/\.(?:json|ya?ml)$/i.test(name) && looksLikeDocument(name, text()))
      site.documents.set(name, text());
  }
  return { ...site, table: readRedirectTable(table) };
}

const parts: ReadonlySet<string> = new Set(frameIds);
/** Ids that only Octavo uses. See `frameIds`. */
const ownId = /^o[A-Z]/;

/** Returns the ids in the content of a page, and the fragments that its script redirects. */
function anchorsOf(html: string): string[] {
  const moved = /<script[^>]* id="oMoved"[^>]*>([^<]*)/.exec(html)?.[1];
  const fragments = moved === undefined ? [] : Object.keys(JSON.parse(moved) as object);
  const ids = idsIn(/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? "");
  return [
    ...ids.filter((id) => !parts.has(id.replace(/^o-/, "")) && !ownId.test(id)),
    ...fragments.map((fragment) => percentDecoded(fragment.slice(1))),
  ];
}

/** Returns the hashes of the pages' Markdown, by path, sorted. Other HTML files aren't pages. */
function pagesOf({ files }: PlannedSite): Map<string, string> {
  const pages = [...files.keys()].flatMap((file) => {
    if (!file.endsWith(".html") || isReserved(file)) return [];
    const route = file.slice(0, -".html".length);
    const markdown = files.get(`${route}.md`);
    return markdown === undefined ? [] : [[route === "index" ? "/" : `/${route}`, markdown] as const];
  });
  return new Map(pages.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns where a path leads to, if there is a page or another site. */
function leadsTo(path: string, { files, table }: PlannedSite): string | undefined {
  const found = resolvePath(path, files, table);
  if (!("location" in found)) return found.status === 200 ? path : undefined;
  return found.at !== undefined || targetOf(found.location, files, table) !== "" ? found.location : undefined;
}

function lostAnchors(path: string, before: PlannedSite, after: PlannedSite): BundlePlan["anchors"] {
  const file = path === "/" ? "index.html" : `${path.slice(1)}.html`;
  const left = new Set(after.ids.get(file));
  const ids = (before.ids.get(file) ?? []).filter((id) => !left.has(id));
  return ids.length ? [{ path, ids }] : [];
}

async function changedApis(before: PlannedSite, after: PlannedSite): Promise<BundlePlan["apis"]> {
  const apis: BundlePlan["apis"] = [];
  for (const [file, text] of after.documents) {
    const known = before.documents.get(file);
    if (known === undefined || known === text) continue;
    const [earlier, later] = [
      await readDocument(file, known, { isChecked: false }),
      await readDocument(file, text, { isChecked: false }),
    ];
    const changes =
      earlier.document && later.document ? compareDocuments(earlier.document, later.document) : [];
    if (changes.length) apis.push({ file, changes });
  }
  return apis;
}

/** Counts requests in the common or combined log format that only the earlier site answers. */
function lostRequests(log: string, before: PlannedSite, after: PlannedSite): BundlePlan["requests"] {
  const counts = new Map<string, number>();
  for (const [, target] of log.matchAll(/"(?:GET|HEAD) (\/[^\s"?#]*)[^\s"]* HTTP\/[\d.]+"/g)) {
    const path = percentDecoded(target!);
    counts.set(path, (counts.get(path) ?? 0) + 1);
  }

  return [...counts]
    .filter(([path]) => leadsTo(path, before) !== undefined && leadsTo(path, after) === undefined)
    .map(([path, count]) => ({ path, count }))
    .sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1));
}
