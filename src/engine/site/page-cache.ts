/** Caches compiled pages between builds, and keeps the bodies of pages in memory up to a limit. */

import { createHash } from "node:crypto";
import type { Files } from "../../base/files.ts";
import type { Problem } from "../../base/problem.ts";
import type { Frontmatter } from "../config/frontmatter.ts";
import type { HighlightedCode } from "../html/render-context.ts";
import type { PageBody, PageSummary } from "./site-page.ts";

/** Size of page bodies in memory, in bytes, above which a build with a store adds no more of them. The others are read from the store. */
const bodiesInMemory_bytes = 100_000_000;

/** Storage for cache entries by name, for example a folder. */
export interface PageStore {
  read(file: string): string | undefined;
  write(file: string, entry: string): void;
}

/** Hashes of dependencies, by the path of a file or the name of any other dependency; `null` for missing dependencies. */
export type Dependencies = Record<string, string | null>;

export interface CompiledPage {
  frontmatter: Frontmatter;
  title: string;
  summary: PageSummary;
  body: PageBody;
  problems: Problem[];
  /** Dependencies of the page except its file. */
  dependencies: Dependencies;
  /** Scripts of the page's islands, by id. */
  islandScripts: Record<string, string>;
}

export function hashOf(...parts: (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(String(part.length)).update(":").update(part);
  return hash.digest("hex").slice(0, 32);
}

/** Name of the entry with the highlighted code of a page. The entry is read only if the page is compiled again. */
function codeEntry(file: string): string {
  return `${file}\u0000code`;
}

export class PageCache {
  private readonly store: PageStore | undefined;
  private readonly files: Files;
  private readonly fileHashes = new Map<string, string | null>();
  /** Bodies in UTF-8, outside the heap. As strings they would use two bytes per character, because they contain `siteUrlMark` (U+E000). */
  private readonly bodies = new Map<string, Record<keyof PageBody, Buffer>>();
  private bodyBytes = 0;

  constructor(files: Files, store: PageStore | undefined) {
    this.files = files;
    this.store = store;
  }

  /** A cached page or fragment, if its dependencies are unchanged and it was stored with the same `key` (a hash of the source and the settings). */
  find<T extends { dependencies: Dependencies } = CompiledPage>(
    name: string,
    key: string,
    hashOfDependency: (dependency: string) => string | null,
  ): T | undefined {
    const entry = this.store?.read(name);
    if (!entry?.startsWith(`${key}\n`)) return undefined;
    try {
      const cached = JSON.parse(entry.slice(key.length + 1)) as T;
      return Object.entries(cached.dependencies).every(([dependency, hash]) => hashOfDependency(dependency) === hash) ? cached : undefined;
    } catch {
      return undefined;
    }
  }

  write(name: string, key: string, cached: { dependencies: Dependencies }): void {
    this.store?.write(name, `${key}\n${JSON.stringify(cached)}`);
  }

  /** Highlighted code blocks of an earlier compilation of a page. */
  highlightedCode(file: string, key: string): HighlightedCode {
    const entry = this.store?.read(codeEntry(file));
    if (!entry?.startsWith(`${key}\n`)) return {};
    try {
      return JSON.parse(entry.slice(key.length + 1)) as HighlightedCode;
    } catch {
      return {};
    }
  }

  writeHighlightedCode(file: string, key: string, code: HighlightedCode): void {
    if (Object.keys(code).length) this.store?.write(codeEntry(file), `${key}\n${JSON.stringify(code)}`);
  }

  hashOfFile(path: string): string | null {
    let hash = this.fileHashes.get(path);
    if (hash === undefined) {
      const bytes = this.files.read(path);
      hash = bytes ? hashOf(bytes) : null;
      this.fileHashes.set(path, hash);
    }
    return hash;
  }

  /** Keeps a body in memory. If there is a store and the limit is reached, `body` reads it from the store instead. */
  addBody(name: string, body: PageBody): void {
    if (this.store && this.bodyBytes > bodiesInMemory_bytes) return;
    const buffers = {
      description: Buffer.from(body.description),
      lead: Buffer.from(body.lead),
      html: Buffer.from(body.html),
      aside: Buffer.from(body.aside),
      markdown: Buffer.from(body.markdown),
      reference: Buffer.from(body.reference),
    };
    for (const part of Object.values(buffers)) this.bodyBytes += part.length;
    this.bodies.set(name, buffers);
  }

  body(name: string): PageBody {
    const buffers = this.bodies.get(name);
    // Getters, because callers usually read one or two parts.
    if (buffers)
      return {
        get description() {
          return buffers.description.toString();
        },
        get lead() {
          return buffers.lead.toString();
        },
        get html() {
          return buffers.html.toString();
        },
        get aside() {
          return buffers.aside.toString();
        },
        get markdown() {
          return buffers.markdown.toString();
        },
        get reference() {
          return buffers.reference.toString();
        },
      };
    const entry = this.store?.read(name);
    if (!entry) throw new Error(`The compiled page ${name} vanished from the cache during the build`);
    return (JSON.parse(entry.slice(entry.indexOf("\n") + 1)) as CompiledPage).body;
  }
}
