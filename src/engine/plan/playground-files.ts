/**
 * Adds the files that playgrounds load (one per page, and the documents' components in parts that pages
 * share) and the proxy's table of origins.
 */

import type { Access } from "../../base/access.ts";
import { byCodeUnit } from "../../base/files.ts";
import { proxyTablePath } from "../../layout/site-layout.ts";
import type { ApiDocument } from "../openapi/document/api-document.ts";
import { scriptText } from "../openapi/nodes/json-text.ts";
import { referencesIn } from "../openapi/nodes/walk-references.ts";
import type { Site } from "../site/build-site.ts";
import { hostOnly } from "./audiences.ts";
import type { AddFile } from "./export-target.ts";
import { withoutExamples } from "./operation-excerpt.ts";
import { serverOrigins } from "./playground-origins.ts";
import type { Playgrounds } from "./playgrounds.ts";

/** Maximum total length of the components in a file, in characters. A longer component has its own file. */
const componentsPart_chars = 32_000;

export function addPlaygroundFiles(site: Site, playgrounds: Playgrounds, add: AddFile): void {
  const byFolder = new Map<string, { document: ApiDocument; access: Access; references: Set<string> }>();
  const targets: Record<string, string[]> = {};
  for (const page of site.pages.values()) {
    const playground = playgrounds.of(page);
    if (!playground) continue;
    const { operation, components, access, data, servers } = playground;
    add(operation, () => `octavoOperation(${inScript(data)})\n`, access);
    const shared = byFolder.get(components) ?? {
      document: page.reference!.document,
      access,
      references: new Set(),
    };
    byFolder.set(components, shared);
    for (const ref of referencesIn(data.root)) shared.references.add(ref);
    // Other playgrounds send no requests, or send them without the proxy.
    if (data.settings.mode === "interactive" && data.settings.proxy)
      targets[operation] = serverOrigins(servers);
  }

  for (const [folder, { document, access, references }] of byFolder)
    addComponents(document, folder, references, (path, make) => add(path, make, access));
  if (byFolder.size) add(proxyTablePath, () => `${JSON.stringify(targets)}\n`, hostOnly);
}

/**
 * Adds files with all reachable components. Components are sorted by pointer, so that a browser can find the
 * file that contains a node.
 */
function addComponents(
  document: ApiDocument,
  folder: string,
  references: ReadonlySet<string>,
  add: (path: string, make: () => string) => void,
): void {
  const reached = new Map<string, string>();
  const waiting = [...references];
  for (const ref of waiting) {
    const node = reached.has(ref) ? undefined : document.refs.at(ref);
    if (!node) continue;
    const value = withoutExamples(node.value, ref.startsWith("#/components/responses/"));
    reached.set(ref, inScript(value));
    waiting.push(...referencesIn(value));
  }

  const firstPointers: string[] = [];
  let part: string[] = [];
  let size = 0;
  const flush = () => {
    const number = firstPointers.length - 1;
    const entries = part;
    if (entries.length)
      add(`${folder}${number}.js`, () => `octavoComponents(${number},{${entries.join(",\n")}})\n`);
    part = [];
    size = 0;
  };

  for (const [ref, text] of [...reached].sort(([a], [b]) => byCodeUnit(a, b))) {
    if (part.length && size + text.length > componentsPart_chars) flush();
    if (part.length === 0) firstPointers.push(ref);
    part.push(`${inScript(ref)}:${text}`);
    size += text.length;
  }

  flush();
  add(`${folder}index.js`, () => `octavoChunks(${inScript(firstPointers)})\n`);
}

/** Writes a value as a literal that is safe in a script. `__proto__` stays an ordinary key. */
function inScript(value: unknown): string {
  return scriptText(value)
    .replace(/</g, "\\u003c")
    .replace(/\u2028/g, "\\u2028")
    .replace(/\u2029/g, "\\u2029")
    .replace(/(?<!\\)"__proto__":/g, '["__proto__"]:');
}
