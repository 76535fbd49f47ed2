import type { Function as FunctionNode } from "acorn";
import type { ContentElement, ContentNode, Props } from "../content.ts";

/** A value of evaluated code. Only own properties of objects are read. */
export type Value = undefined | null | boolean | number | string | Closure | Snippet | Missing | ContentElement | Value[] | Fields;

export interface Fields {
  [key: string]: Value;
}

/** A function of author code. */
export class Closure {
  constructor(
    readonly node: FunctionNode,
    readonly scope: VariableScope,
  ) {}
}

/** An imported `.mdx` file, used as a component. */
export class Snippet {
  constructor(readonly expand: (props: Props, children: ContentNode[]) => ContentNode[]) {}
}

/** The value of an import that does not exist, which is reported at the import. */
export class Missing {
  constructor(readonly message: string) {}
}

/** The names that are visible to code at one position. */
export interface VariableScope {
  has(name: string): boolean;
  /** The value of a name that the scope has. */
  lookup(name: string): Value;
  /** The address of a top-level name of a file; undefined for names inside a function. */
  locate(name: string): ComponentAddress | undefined;
}

/** The address of a component in the sandbox: a file, and a dotted path that starts with a name of that file. */
export interface ComponentAddress {
  file: CodeFile;
  path: string;
}

/** A file of author code, with the data that is needed to run it. */
export interface CodeFile {
  readonly path: string;
  readonly source: string;
  /** The names that the file itself exports. */
  readonly exports: ReadonlySet<string>;
  /** The capitalised names of its tags. */
  readonly tags: ReadonlySet<string>;
  /** Imports by specifier; undefined for missing ones. */
  imports(): ReadonlyMap<string, Imported | undefined>;
}

/** A resolved import: code, and for a snippet also its content as default export. */
export interface Imported {
  code: CodeFile & Exporter;
  snippet?: Snippet;
}

/** Values of a file's exports. */
export interface Exporter {
  hasExport(name: string): boolean;
  exported(name: string): Value;
  locateExport(name: string): ComponentAddress | undefined;
}
