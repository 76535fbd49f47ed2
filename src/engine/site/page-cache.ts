/** Compiled pages kept between builds, and bodies kept out of memory when there are many. */
import { createHash } from "node:crypto";
import type { Files } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import type { Problem } from "../../base/problem.ts";
import type { Frontmatter } from "../config/frontmatter.ts";
import type { PaintedCode } from "../html/render-context.ts";
import type { PageBody, PageSummary } from "./site-page.ts";

/** Where compiled pages are kept: a folder, or nothing. One entry for each file of the site. */
export interface PageStore {
  read(file: string): string | undefined;
  write(file: string, entry: string): void;
}

/** Files by path; other things by names that only their maker understands. */
export type Dependencies = Record<string, string | null>;

export interface CompiledPage {
  frontmatter: Frontmatter;
  title: string;
  summary: PageSummary;
  body: PageBody;
  problems: Problem[];
  /** What the page was made from beside its own file, with its hash; `null` for what was looked for and not there. */
  dependencies: Dependencies;
  /** Scripts of the page's live components, by id. */
  islandScripts: Record<string, string>;
}

export function hashOf(...parts: (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(String(part.length)).update(":").update(part);
  return hash.digest("hex").slice(0, 32);
}

/** A page's code lies in an entry of its own, which is read only when the page is compiled anew. */
function codeEntry(file: string): string {
  return `${file}\u0000code`;
}

export class PageCache {
  private readonly store: PageStore | undefined;
  private readonly files: Files;
  private readonly fileHashes = new Map<string, string | null>();
  /** As bytes: text with a mark would take two for each letter, and the collector would look at it again and again. */
  private readonly bodies = new Map<string, Record<keyof PageBody, Buffer>>();
  private heldBytes = 0;

  constructor(files: Files, store: PageStore | undefined) {
    this.files = files;
    this.store = store;
  }

  /** What was compiled before, if it would come out the same: `key` covers its source and the site's settings. */
  find<T extends { dependencies: Dependencies } = CompiledPage>(
    name: string,
    key: string,
    hashOfDependency: (dependency: string) => string | null,
  ): T | undefined {
    const entry = this.store?.read(name);
    if (!entry?.startsWith(`${key}\n`)) return undefined;
    try {
      const made = JSON.parse(entry.slice(key.length + 1)) as T;
      return Object.entries(made.dependencies).every(([dependency, hash]) => hashOfDependency(dependency) === hash) ? made : undefined;
    } catch {
      return undefined;
    }
  }

  keep(name: string, key: string, made: { dependencies: Dependencies }): void {
    this.store?.write(name, `${key}\n${JSON.stringify(made)}`);
  }

  /** The code blocks of a page as they were painted before, whatever else of it changed since. */
  paintedCode(file: string, key: string): PaintedCode {
    const entry = this.store?.read(codeEntry(file));
    if (!entry?.startsWith(`${key}\n`)) return {};
    try {
      return JSON.parse(entry.slice(key.length + 1)) as PaintedCode;
    } catch {
      return {};
    }
  }

  keepPaintedCode(file: string, key: string, made: PaintedCode): void {
    if (Object.keys(made).length) this.store?.write(codeEntry(file), `${key}\n${JSON.stringify(made)}`);
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

  /** Bodies stay in memory up to a limit; beyond it they are read again from the store. */
  holdBody(name: string, body: PageBody): void {
    if (this.store && this.heldBytes > limits.bodiesInMemory_bytes) return;
    const held = {
      description: Buffer.from(body.description),
      lead: Buffer.from(body.lead),
      html: Buffer.from(body.html),
      aside: Buffer.from(body.aside),
      markdown: Buffer.from(body.markdown),
      reference: Buffer.from(body.reference),
    };
    for (const part of Object.values(held)) this.heldBytes += part.length;
    this.bodies.set(name, held);
  }

  body(name: string): PageBody {
    const held = this.bodies.get(name);
    // Who asks wants one or two of them.
    if (held)
      return {
        get description() {
          return held.description.toString();
        },
        get lead() {
          return held.lead.toString();
        },
        get html() {
          return held.html.toString();
        },
        get aside() {
          return held.aside.toString();
        },
        get markdown() {
          return held.markdown.toString();
        },
        get reference() {
          return held.reference.toString();
        },
      };
    const entry = this.store?.read(name);
    if (!entry) throw new Error(`The compiled page ${name} vanished from the cache during the build`);
    return (JSON.parse(entry.slice(entry.indexOf("\n") + 1)) as CompiledPage).body;
  }
}
