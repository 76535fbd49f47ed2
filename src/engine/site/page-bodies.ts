/**
 * Stores the compiled pages of a site. Their bodies aren't in memory at the same time, unless the build has
 * no cache.
 */

import type { Problem } from "../../base/problem.ts";
import type { Frontmatter } from "../config/frontmatter.ts";
import { hashOf } from "../hash-of.ts";
import {
  type Dependencies,
  type HashOfDependency,
  recall,
  remember,
  versionOf,
} from "../incremental/memo.ts";
import type { Store } from "../incremental/store.ts";
import type { HtmlPart, PageBody, RecordedPart, RecordedParts } from "../page/body.ts";
import type { PageSummary } from "./page.ts";

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

/** A page or fragment without its body and its dependencies. `PageBodies.encodedBody` reads the body. */
export type WithoutBody<T> = Omit<T, "body" | "dependencies">;

/** Parts of a body in the order of their bytes in the store. */
const bodyParts = ["description", "lead", "html", "aside", "markdown", "reference", "toc", "holes"] as const;

/**
 * The parts of a body in UTF-8. They are outside the heap. As strings, some would use two bytes per
 * character.
 */
export type EncodedBody = Readonly<Record<keyof PageBody, Buffer>>;

/** A part of a body with holes. */
export interface EncodedPart extends RecordedPart {
  text: Buffer;
}

export class PageBodies {
  readonly store: Store;
  private readonly versions = new Map<string, string>();
  /** Bodies that aren't in the store. */
  private readonly unstored = new Map<string, EncodedBody>();
  /** The body that was read last. Several files of a page are usually generated in succession. */
  private last: { name: string; body: EncodedBody } | undefined;
  private lastRecorded: { name: string; parts: RecordedParts } | undefined;

  constructor(store: Store) {
    this.store = store;
  }

  /**
   * Returns a page or fragment from an earlier build, without its body. Undefined if there is none, if a
   * dependency has changed, or if it was added with a different `key` (a hash of the source and the
   * settings).
   */
  find<T extends { dependencies: Dependencies } = CompiledPage>(
    name: string,
    key: string,
    hashOfDependency: HashOfDependency | undefined,
  ): WithoutBody<T> | undefined {
    const found = recall<WithoutBody<T>>(this.store, name, key, hashOfDependency ?? (() => null));
    if (!found || !this.store.has(bodyName(name), found.version)) return undefined;
    this.versions.set(name, found.version);
    return found.result;
  }

  /** Adds a page or fragment to this build and, unless `isKept` is false, to the store. */
  add<T extends { dependencies: Dependencies; body: PageBody }>(
    name: string,
    key: string,
    compiled: T,
    isKept = true,
  ): WithoutBody<T> {
    const { body, dependencies, ...rest } = compiled;
    const json = JSON.stringify(rest);
    const parts = bodyParts.map((part) => Buffer.from(body[part]));
    const version = isKept ? versionOf(key, dependencies) : hashOf(key, ...parts);
    this.versions.set(name, version);
    if (isKept) {
      const sizes = Buffer.from(`${parts.map(({ length }) => length).join(" ")}\n`);
      this.store.keep(bodyName(name), version, [sizes, ...parts]);
      if (this.store.isLasting) remember(this.store, name, key, dependencies, json);
    } else this.unstored.set(name, encodedBody(parts));
    // Parsed again, because its strings can be slices that keep the whole source of the page in memory.
    return JSON.parse(json) as WithoutBody<T>;
  }

  /** Returns a hash of everything that the body of a page or fragment depends on. */
  version(name: string): string {
    return this.versions.get(name)!;
  }

  /** Returns a part of a body as text. */
  bodyPart(name: string, part: keyof PageBody): string {
    return this.encodedBody(name)[part].toString();
  }

  /** Returns a part with its holes. */
  htmlPart(name: string, part: HtmlPart): EncodedPart {
    const body = this.encodedBody(name);
    if (this.lastRecorded?.name !== name)
      this.lastRecorded = { name, parts: JSON.parse(body.holes.toString()) as RecordedParts };
    return { text: body[part], ...this.lastRecorded.parts[part] };
  }

  /** Returns the body of a page or fragment of this build in UTF-8. */
  encodedBody(name: string): EncodedBody {
    const unstored = this.unstored.get(name);
    if (unstored) return unstored;
    if (this.last?.name === name) return this.last.body;
    const body = bodyIn(this.store.get(bodyName(name), this.version(name))!);
    this.last = { name, body };
    return body;
  }
}

function bodyName(name: string): string {
  return `body\n${name}`;
}

function encodedBody(parts: readonly Buffer[]): EncodedBody {
  return Object.fromEntries(bodyParts.map((part, index) => [part, parts[index]!])) as Record<
    keyof PageBody,
    Buffer
  >;
}

/** Divides a stored body into its parts. The sizes of the parts are on its first line. */
function bodyIn(stored: Buffer): EncodedBody {
  const start = stored.indexOf(10) + 1;
  const sizes = stored.toString("latin1", 0, start - 1).split(" ");
  let at = start;
  return encodedBody(sizes.map((size) => stored.subarray(at, (at += Number(size)))));
}
