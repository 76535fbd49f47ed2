/**
 * Caches the compiled pages of a build. If there is a store, the pages and texts derived from them are kept for later builds. Only page
 * bodies up to a limited total size are then kept in memory.
 */

import type { Files } from "../../base/files.ts";
import type { Problem } from "../../base/problem.ts";
import type { Frontmatter } from "../config/frontmatter.ts";
import { hashOf } from "../hash-of.ts";
import type { HighlightedCode } from "../html/render-context.ts";
import type { PageBody, PageSummary } from "./site-page.ts";

/** Maximum total size of the page bodies that a build with a store keeps in memory, in bytes. Further bodies are read from the store. */
const bodiesInMemory_bytes = 32_000_000;

/** Storage for cache entries by name, for example a folder. */
export interface PageStore {
  read(name: string): string | undefined;
  /** Reads an entry in UTF-8. The result is valid until the next call to any method. */
  readBytes(name: string): Buffer | undefined;
  /** Reads the first `count` lines of an entry, without line breaks. Undefined unless the entry has more than `count` lines. */
  readLines(name: string, count: number): string[] | undefined;
  write(name: string, entry: string): void;
}

/** Hashes of dependencies, by the path of a file or the name of any other dependency; `null` for missing dependencies. */
export type Dependencies = Record<string, string | null>;

export interface CompiledPage {
  frontmatter: Frontmatter;
  title: string;
  summary: PageSummary;
  body: PageBody;
  problems: Problem[];
  /** Dependencies of the page, except the page's own file. */
  dependencies: Dependencies;
  /** Scripts of the page's islands, by id. */
  islandScripts: Record<string, string>;
}

/** A page or fragment without its body, which `PageCache.body` reads, and its dependencies. */
export type Cached<T> = Omit<T, "body" | "dependencies">;

/** Parts of a body in the order of their lines in an entry. */
const bodyParts = ["description", "lead", "html", "aside", "markdown", "reference"] as const;

/** The parts of a body in UTF-8, outside the heap. As strings, some would use two bytes per character. */
type EncodedBody = Record<keyof PageBody, Buffer>;

/** Number of lines of an entry before the parts of the body. */
const headLines_count = 3;

/**
 * Cache of compiled pages. An entry has ten lines. The first three are its version, its dependencies as JSON, and everything else except
 * the body as JSON. The others are the six parts of the body as JSON strings, and the highlighted code for the next compilation. A build
 * that finds an unchanged page reads only the first three lines.
 */
export class PageCache {
  private readonly store: PageStore | undefined;
  private readonly files: Files;
  private readonly fileHashes: Map<string, string | null>;
  private readonly versions = new Map<string, string>();
  private readonly bodies = new Map<string, EncodedBody>();
  private bodyBytes = 0;
  private readonly code = new Map<string, string>();
  /** Derived texts, for a build without a store. */
  private readonly texts = new Map<string, string>();

  /** `hashes`: hashes of files that were already read. */
  constructor(files: Files, store: PageStore | undefined, hashes: ReadonlyMap<string, string>) {
    this.files = files;
    this.store = store;
    this.fileHashes = new Map(hashes);
  }

  /**
   * Returns a cached page or fragment without its body. Undefined if there is no valid entry, if a dependency has changed, or if the entry
   * was added with a different `key` (a hash of the source and the settings).
   */
  find<T extends { dependencies: Dependencies } = CompiledPage>(
    name: string,
    key: string,
    hashOfDependency: (dependency: string) => string | null,
  ): Cached<T> | undefined {
    const [version, dependencies, summary] = this.store?.readLines(name, headLines_count) ?? [];
    if (!version?.startsWith(`${key} `) || dependencies === undefined || summary === undefined) return undefined;
    try {
      const hashes = JSON.parse(dependencies) as Dependencies;
      if (!Object.entries(hashes).every(([dependency, hash]) => hashOfDependency(dependency) === hash)) return undefined;
      const cached = JSON.parse(summary) as Cached<T>;
      this.versions.set(name, version);
      return cached;
    } catch {
      return undefined;
    }
  }

  /** Adds a page or fragment to this build and, unless `isKept` is false, to the store. */
  add<T extends { dependencies: Dependencies; body: PageBody }>(name: string, key: string, compiled: T, isKept = true): Cached<T> {
    const { body, dependencies, ...rest } = compiled;
    const hashes = JSON.stringify(dependencies);
    const summary = JSON.stringify(rest);
    const version = `${key} ${hashOf(hashes, isKept ? "" : JSON.stringify(body))}`;
    this.versions.set(name, version);
    const store = isKept ? this.store : undefined;
    const parts = () => bodyParts.map((part) => JSON.stringify(body[part]));
    store?.write(name, [version, hashes, summary, ...parts(), this.code.get(name) ?? ""].join("\n"));
    this.code.delete(name);
    if (!store || this.bodyBytes < bodiesInMemory_bytes) this.keepBody(name, encodedBody(body));
    // Parsed again, because its strings can be slices that keep the whole source of the page in memory.
    return JSON.parse(summary) as Cached<T>;
  }

  /** Returns the highlighted code blocks from an earlier compilation of a page with the same `settingsKey`. Empty if there are none. */
  highlightedCode(name: string, settingsKey: string): HighlightedCode {
    const line = this.store?.read(name)?.split("\n")[headLines_count + bodyParts.length];
    if (!line?.startsWith(`${settingsKey} `)) return {};
    try {
      return JSON.parse(line.slice(settingsKey.length + 1)) as HighlightedCode;
    } catch {
      return {};
    }
  }

  /** Keeps the highlighted code blocks of a page, which `add` then writes with the page. */
  keepHighlightedCode(name: string, settingsKey: string, code: HighlightedCode): void {
    if (this.store) this.code.set(name, `${settingsKey} ${JSON.stringify(code)}`);
  }

  /** Returns a text that is computed from other entries: the cached text for the same `key`, or else the result of `make`. */
  derived(name: string, key: string, make: () => string): string {
    const entry = this.store ? this.store.read(name) : this.texts.get(name);
    if (entry?.startsWith(`${key}\n`)) return entry.slice(key.length + 1);
    const text = make();
    if (this.store) this.store.write(name, `${key}\n${text}`);
    else this.texts.set(name, `${key}\n${text}`);
    return text;
  }

  /** Like `derived`, but returns the text in UTF-8. The result is valid until the next call to any method. */
  derivedBytes(name: string, key: string, make: () => string): Uint8Array {
    const entry = this.store?.readBytes(name);
    const start = Buffer.from(`${key}\n`);
    if (entry?.subarray(0, start.length).equals(start)) return entry.subarray(start.length);
    return Buffer.from(this.derived(name, key, make));
  }

  /** Returns the hash of a file in the documentation folder. Null if the file is missing. */
  hashOfFile(path: string): string | null {
    let hash = this.fileHashes.get(path);
    if (hash === undefined) {
      const bytes = this.files.read(path);
      hash = bytes ? hashOf(bytes) : null;
      this.fileHashes.set(path, hash);
    }
    return hash;
  }

  /** Returns a hash of everything that the body of a page or fragment depends on. */
  version(name: string): string {
    return this.versions.get(name)!;
  }

  /** Returns the body of a page or fragment of this build. Throws if another build has replaced the entry in the store. */
  body(name: string): PageBody {
    const part = this.partsOf(name);
    // Getters, because callers usually read one or two parts.
    return {
      get description() {
        return part(0);
      },
      get lead() {
        return part(1);
      },
      get html() {
        return part(2);
      },
      get aside() {
        return part(3);
      },
      get markdown() {
        return part(4);
      },
      get reference() {
        return part(5);
      },
    };
  }

  /** Returns a function that reads a part of a body by its index. */
  private partsOf(name: string): (index: number) => string {
    const kept = this.bodies.get(name);
    if (kept) return (index) => kept[bodyParts[index]!].toString();
    const lines = this.store?.read(name)?.split("\n") ?? [];
    if (lines[0] !== this.versions.get(name)) throw new Error(`Another build changed the cached page ${name}. Start the build again.`);
    const parsed = (index: number) => JSON.parse(lines[headLines_count + index]!) as string;
    if (this.bodyBytes >= bodiesInMemory_bytes) return parsed;
    const body = Object.fromEntries(bodyParts.map((part, index) => [part, parsed(index)])) as Record<keyof PageBody, string>;
    this.keepBody(name, encodedBody(body));
    return (index) => body[bodyParts[index]!];
  }

  private keepBody(name: string, body: EncodedBody): void {
    for (const part of Object.values(body)) this.bodyBytes += part.length;
    this.bodies.set(name, body);
  }
}

function encodedBody(body: PageBody): EncodedBody {
  return Object.fromEntries(bodyParts.map((part) => [part, Buffer.from(body[part])])) as EncodedBody;
}
