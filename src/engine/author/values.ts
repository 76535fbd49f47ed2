/** Types of values, scopes and files in evaluated author code. */

import type { Function as FunctionNode } from "acorn";
import type { ContentElement, ContentNode, Props } from "../content.ts";

/** A value in evaluated code. */
export type Value =
  | undefined
  | null
  | boolean
  | number
  | string
  | Closure
  | Snippet
  | Missing
  | ContentElement
  | Value[]
  | Fields;

export interface Fields {
  [key: string]: Value;
}

/** A function that author code defines. */
export class Closure {
  constructor(
    readonly node: FunctionNode,
    readonly scope: VariableScope,
  ) {}
}

/** An imported Markdown file (`.mdx` or `.md`), used as a component. */
export class Snippet {
  constructor(readonly expand: (props: Props, children: ContentNode[]) => ContentNode[]) {}
}

/**
 * The value of an import that failed, such as one whose file or export doesn't exist. The problem is reported
 * separately.
 */
export class Missing {
  constructor(readonly message: string) {}
}

/** The names that are visible at a position in code. */
export interface VariableScope {
  has(name: string): boolean;
  /** Returns the value of a name. Only call this if `has` returns true for the name. */
  lookup(name: string): Value;
  /** Returns the address of the top-level declaration that a name refers to. Undefined if there is none. */
  locate(name: string): ComponentAddress | undefined;
}

/**
 * The address of a component: a file, and a dotted path that starts with a top-level name of that file or
 * with `default`. An empty path is the namespace of the file.
 */
export interface ComponentAddress {
  file: CodeFile;
  path: string;
}

/** A file of author code with the data that is needed to run it. */
export interface CodeFile {
  readonly path: string;
  readonly source: string;
  /** The names that the file exports, without `export *`. */
  readonly exports: ReadonlySet<string>;
  /** Component names of the JSX tags in the file. */
  readonly tags: ReadonlySet<string>;
  /** Imports by specifier, without packages. Undefined for imports that failed. */
  imports(): ReadonlyMap<string, Imported | undefined>;
  /** Imports from packages that the sandbox doesn't provide, by specifier. */
  readonly packages: ReadonlyMap<string, readonly PackageImport[]>;
  /**
   * Returns a component that the file uses but doesn't define or import, from the document that imports the
   * file.
   */
  outer(name: string): ComponentAddress | Snippet | undefined;
}

/** An import from a package, which is ignored. */
export interface PackageImport {
  /** The exported name, or `default`. */
  imported: string;
  /** The name in the file that imports it. */
  local: string;
  /**
   * What is used instead: the name of a built-in component, or of an unknown one, which only shows its
   * content; or a snippet for an icon. Undefined for imports that aren't components.
   */
  component?: string | Snippet;
}

/** A resolved import. `snippet` is the default export if the imported file is a snippet. */
export interface Imported {
  code: CodeFile & Exporter;
  snippet?: Snippet;
}

/** Provides the exports of a file. */
export interface Exporter {
  hasExport(name: string): boolean;
  exported(name: string): Value;
  locateExport(name: string): ComponentAddress | undefined;
}
