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
  /** Reads the head of an entry: its first `headLines_count` lines, without line breaks. Undefined if the entry has fewer lines. */
  readHead(name: string): string[] | undefined;
  /** Discards the copy of an entry's head, so that the next build reads it from the entry. */
  discardHead(name: string): void;
  /** Writes an entry: a text, or the bytes of its parts. */
  write(name: string, entry: string | readonly Uint8Array[]): void;
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

/** Returns a key that identifies the state of a dependency. Null if the dependency is missing. */
export type HashOfDependency = (dependency: string) => string | null;

/** A page or fragment without its body, which `PageCache.encodedBody` reads, and its dependencies. */
export type Cached<T> = Omit<T, "body" | "dependencies">;

/** Parts of a body in the order of their lines in an entry. */
const bodyParts = ["description", "lead", "html", "aside", "markdown", "reference", "toc"] as const;

/** The parts of a body in UTF-8. They are outside the heap. As strings, some would use two bytes per character. */
export type EncodedBody = Readonly<Record<keyof PageBody, Buffer>>;

/** Number of lines of an entry that a build reads to find an unchanged page. */
export const headLines_count = 3;

/** An entry doesn't have the body that belongs to its head, for example because another build has replaced it. A new build succeeds. */
export class StaleEntryError extends Error {
  constructor(name: string) {
    super(`Another build changed the cached page ${name}. Start the build again.`);
  }
}

/**
 * Cache of compiled pages. An entry has four lines: its version, its dependencies as JSON, everything else except the body as JSON, and the
 * sizes in bytes of the texts that follow. These are the parts of the body, and the highlighted code for the next compilation.
 */
export class PageCache {
  private readonly store: PageStore | undefined;
  private readonly files: Files;
  private readonly fileHashes: Map<string, string | null>;
  private readonly versions = new Map<string, string>();
  private readonly bodies = new Map<string, EncodedBody>();
  private bodyBytes = 0;
  /** The body that was read last from the store. Several files of a page are usually generated in succession. */
  private lastRead: { name: string; body: EncodedBody } | undefined;
  private readonly code = new Map<string, string>();
  /** Derived texts, for a build without a store. */
  private readonly texts = new Map<string, Buffer>();

  /** `hashes`: hashes of files that were already read. */
  constructor(files: Files, store: PageStore | undefined, hashes: ReadonlyMap<string, string>) {
    this.files = files;
    this.store = store;
    this.fileHashes = new Map(hashes);
  }

  /** Whether later builds can read the entries. */
  get isStored(): boolean {
    return this.store !== undefined;
  }

  /**
   * Returns a cached page or fragment without its body. Undefined if there is no valid entry, if a dependency has changed, or if the entry
   * was added with a different `key` (a hash of the source and the settings).
   */
  find<T extends { dependencies: Dependencies } = CompiledPage>(
    name: string,
    key: string,
    hashOfDependency: HashOfDependency | undefined,
  ): Cached<T> | undefined {
    const [version, dependencies, summary] = this.store?.readHead(name) ?? [];
    if (!version?.startsWith(`${key} `) || dependencies === undefined || summary === undefined) return undefined;
    try {
      const hashes = JSON.parse(dependencies) as Dependencies;
      if (!Object.entries(hashes).every(([dependency, hash]) => hashOfDependency?.(dependency) === hash)) return undefined;
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
    const encoded = bodyParts.map((part) => Buffer.from(body[part]));
    const version = `${key} ${hashOf(hashes, ...(isKept ? [] : encoded))}`;
    this.versions.set(name, version);
    const store = isKept ? this.store : undefined;
    const isHeld = !store || this.bodyBytes < bodiesInMemory_bytes;
    if (store) {
      const texts = [...encoded, Buffer.from(this.code.get(name) ?? "")];
      const lines = [version, hashes, summary, texts.map(({ length }) => length).join(" ")];
      store.write(name, [Buffer.from(`${lines.join("\n")}\n`), ...texts]);
    }
    this.code.delete(name);
    if (this.lastRead?.name === name) this.lastRead = undefined;
    if (isHeld) this.holdBody(name, encodedBody(encoded), sizeOf(encoded));
    // Parsed again, because its strings can be slices that keep the whole source of the page in memory.
    return JSON.parse(summary) as Cached<T>;
  }

  /** Returns the highlighted code blocks from an earlier compilation of a page with the same `settingsKey`. Empty if there are none. */
  highlightedCode(name: string, settingsKey: string): HighlightedCode {
    const text = textsOf(this.store?.readBytes(name))?.texts.at(-1)?.toString();
    if (!text?.startsWith(`${settingsKey} `)) return {};
    try {
      return JSON.parse(text.slice(settingsKey.length + 1)) as HighlightedCode;
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
    return this.derivedBytes(name, key, () => Buffer.from(make())).toString();
  }

  /** Like `derived`, but for texts in UTF-8. The result is valid until the next call to any method. */
  derivedBytes(name: string, key: string, make: () => Buffer): Buffer {
    const kept = this.keptBytes(name, key);
    if (kept) return kept;
    const text = make();
    if (this.store) this.keep(name, key, text);
    else this.texts.set(name, Buffer.concat([startOf(key), text]));
    return text;
  }

  /** Returns a derived text from this or an earlier build. Undefined if there is none with this `key`. */
  kept(name: string, key: string): string | undefined {
    return this.keptBytes(name, key)?.toString();
  }

  /** Stores a derived text for later builds, if there is a store. */
  keep(name: string, key: string, text: Buffer): void {
    this.store?.write(name, [startOf(key), text]);
  }

  private keptBytes(name: string, key: string): Buffer | undefined {
    const start = startOf(key);
    const entry = this.store ? this.store.readBytes(name) : this.texts.get(name);
    return entry?.subarray(0, start.length).equals(start) ? entry.subarray(start.length) : undefined;
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

  /** Returns a part of a body that `encodedBody` returns, as text. */
  bodyPart(name: string, part: keyof PageBody): string {
    return this.encodedBody(name)[part].toString();
  }

  /** Returns the body of a page or fragment of this build in UTF-8. Throws a StaleEntryError if the entry in the store has changed. */
  encodedBody(name: string): EncodedBody {
    const held = this.bodies.get(name);
    if (held) return held;
    if (this.lastRead?.name === name) return this.lastRead.body;
    const bytes = Buffer.from(this.store?.readBytes(name) ?? "");
    const entry = textsOf(bytes);
    if (!entry || entry.version !== this.versions.get(name)) {
      // The next build reads a changed entry, and compiles the page of a damaged one.
      if (entry) this.store?.discardHead(name);
      else this.store?.write(name, "");
      throw new StaleEntryError(name);
    }
    const body = encodedBody(entry.texts);
    // The parts keep the whole entry in memory.
    if (this.bodyBytes < bodiesInMemory_bytes) this.holdBody(name, body, bytes.length);
    else this.lastRead = { name, body };
    return body;
  }

  private holdBody(name: string, body: EncodedBody, bytes: number): void {
    this.bodyBytes += bytes;
    this.bodies.set(name, body);
  }
}

/** Returns the first line of a derived text's entry. */
function startOf(key: string): Buffer {
  return Buffer.from(`${key}\n`);
}

function sizeOf(texts: readonly Buffer[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** Returns the body whose parts are the first of `texts`, in the order of `bodyParts`. */
function encodedBody(texts: readonly Buffer[]): EncodedBody {
  return Object.fromEntries(bodyParts.map((part, index) => [part, texts[index]!])) as Record<keyof PageBody, Buffer>;
}

/** Divides an entry into its version and texts. Undefined if the entry is missing or damaged. */
function textsOf(entry: Buffer | undefined): { version: string; texts: Buffer[] } | undefined {
  if (!entry) return undefined;
  const versionEnd = entry.indexOf(10);
  let start = 0;
  for (let line = 0; line < headLines_count; line++) start = entry.indexOf(10, start) + 1 || Number.POSITIVE_INFINITY;
  const sizesEnd = entry.indexOf(10, start);
  if (sizesEnd < 0) return undefined;
  const sizes = entry.toString("latin1", start, sizesEnd).split(" ").map(Number);
  let at = sizesEnd + 1;
  const texts = sizes.map((size) => entry.subarray(at, (at += size)));
  return at === entry.length ? { version: entry.toString("latin1", 0, versionEnd), texts } : undefined;
}
