import type { Function as FunctionNode } from "acorn";
import type { ContentElement, ContentNode, Props } from "../content.ts";

/** What evaluated code may hold. Objects are read by their own properties only. */
export type Value = undefined | null | boolean | number | string | Closure | Snippet | Missing | ContentElement | Value[] | Fields;

export interface Fields {
  [key: string]: Value;
}

/** A function that the author wrote. */
export class Closure {
  constructor(
    readonly node: FunctionNode,
    readonly scope: Scope,
  ) {}
}

/** An imported `.mdx` file, used as a component. */
export class Snippet {
  constructor(readonly expand: (props: Props, children: ContentNode[]) => ContentNode[]) {}
}

/** Stands for an import that does not exist; it is reported where it is imported. */
export class Missing {
  constructor(readonly message: string) {}
}

/** The names that code can see at one place. */
export interface Scope {
  has(name: string): boolean;
  /** The value of a name that the scope has. */
  lookup(name: string): Value;
  /** Where a name stands at the top of a file; undefined for names inside of a function. */
  locate(name: string): Address | undefined;
}

/** Where the sandbox finds a component: a file, and a dotted path that begins with a name of that file. */
export interface Address {
  file: CodeFile;
  path: string;
}

/** A file of author code, as far as running it needs to know. */
export interface CodeFile {
  readonly path: string;
  readonly source: string;
  /** The names that the file itself exports. */
  readonly exports: ReadonlySet<string>;
  /** The capitalised names of its tags. */
  readonly tags: ReadonlySet<string>;
  /** Each import specifier and what it leads to; undefined for what does not exist. */
  imports(): ReadonlyMap<string, Imported | undefined>;
}

/** What an import leads to: code, and for a snippet also its content as default export. */
export interface Imported {
  code: CodeFile & Exporter;
  snippet?: Snippet;
}

/** Gives the values of what a file exports. */
export interface Exporter {
  hasExport(name: string): boolean;
  exported(name: string): Value;
  locateExport(name: string): Address | undefined;
}
