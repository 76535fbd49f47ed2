/** Reads a file of author code: its imports, its exports and their values. */

import type * as acorn from "acorn";
import { problem, type Report, type SourcePosition } from "../../base/problem.ts";
import type { Evaluator } from "./evaluate.ts";
import { AuthorCodeFailed, NeedsJavaScript } from "./evaluation-errors.ts";
import { componentNames, type JsxName, jsxName } from "./javascript-syntax.ts";
import { LocalScope } from "./local-scope.ts";
import { componentOfPackage } from "./package-components.ts";
import {
  Closure,
  type CodeFile,
  type ComponentAddress,
  type Exporter,
  type Imported,
  Missing,
  type PackageImport,
  Snippet,
  type Value,
  type VariableScope,
} from "./values.ts";

/** A top-level statement of a file, with the position at which its problems are reported. */
export interface TopStatement {
  node: acorn.Program["body"][number];
  place: SourcePosition;
}

/**
 * A top-level name or an export of a file: its value, and the address that the sandbox uses to find the
 * value.
 */
interface Binding {
  read(): Value;
  locate(): ComponentAddress | undefined;
}

/** Packages that the sandbox provides. Author code can also use their hooks without an import. */
const providedPackages: ReadonlySet<string> = new Set(["react", "preact", "preact/hooks", "preact/compat"]);

export function isProvided(specifier: string): boolean {
  return providedPackages.has(specifier);
}

/** Finds the files that a module imports. */
export interface ModuleFiles {
  load(specifier: string, place: SourcePosition): Imported | undefined;
  /** Whether a specifier is the name of a package, and not of a file. */
  isPackage(specifier: string): boolean;
  /** The names of the built-in components. */
  builtIns: ReadonlySet<string>;
}

/**
 * A file of author code, or the import and export blocks of a document. Values are computed when they are
 * first used.
 */
export class Module implements VariableScope, CodeFile, Exporter {
  readonly path: string;
  readonly source: string;
  private readonly statements: readonly TopStatement[];
  private readonly bindings = new Map<string, Binding>();
  private readonly exportTable = new Map<string, Binding>();
  /** Specifiers of imports, with the position of the first import. */
  private readonly specifiers = new Map<string, SourcePosition>();
  readonly packages = new Map<string, PackageImport[]>();
  private readonly starExports: string[] = [];

  constructor(
    file: { path: string; source: string; statements: TopStatement[] },
    /** Names that the code can use without defining them. */
    private readonly around: VariableScope,
    private readonly evaluator: Evaluator,
    private readonly files: ModuleFiles,
    private readonly report: Report,
  ) {
    this.path = file.path;
    this.source = file.source;
    this.statements = file.statements;
    for (const { node, place } of file.statements) this.declare(node, place);
  }

  get tags(): ReadonlySet<string> {
    return componentNames(this.statements.map(({ node }) => node));
  }

  get exports(): ReadonlySet<string> {
    return new Set(this.exportTable.keys());
  }

  has(name: string): boolean {
    return this.bindings.has(name) || this.around.has(name);
  }

  lookup(name: string): Value {
    const binding = this.bindings.get(name);
    return binding ? binding.read() : this.around.lookup(name);
  }

  locate(name: string): ComponentAddress | undefined {
    const binding = this.bindings.get(name);
    return binding ? binding.locate() : this.around.locate(name);
  }

  /** Whether the code defines or imports a name. */
  hasOwn(name: string): boolean {
    return this.bindings.has(name);
  }

  /** Whether a name is imported from a package, and the import is ignored. */
  isFromPackage(name: string): boolean {
    return [...this.packages.values()].some((names) => names.some(({ local }) => local === name));
  }

  outer(name: string): ComponentAddress | Snippet | undefined {
    if (this.bindings.has(name) || !this.around.has(name)) return undefined;
    const address = this.around.locate(name);
    if (address) return address;
    const value = this.around.lookup(name);
    return value instanceof Snippet ? value : undefined;
  }

  /** Returns the position of the first tag with this name. Undefined if there is none. */
  placeOfTag(name: string): SourcePosition | undefined {
    for (const { node, place } of this.statements) {
      const tag = findTag(node, name);
      if (!tag) continue;
      if (place.line === undefined || !tag.loc || !node.loc) return { file: place.file };
      return {
        file: place.file,
        line: place.line + tag.loc.start.line - node.loc.start.line,
        column: tag.loc.start.column + 1,
      };
    }
    return undefined;
  }

  hasExport(name: string): boolean {
    return this.exportTable.has(name) || this.starExporter(name) !== undefined;
  }

  exported(name: string): Value {
    const binding = this.exportTable.get(name);
    return binding ? binding.read() : this.starExporter(name)?.exported(name);
  }

  locateExport(name: string): ComponentAddress | undefined {
    return this.exportTable.get(name)?.locate() ?? this.starExporter(name)?.locateExport(name);
  }

  imports(): ReadonlyMap<string, Imported | undefined> {
    return new Map(
      [...this.specifiers].map(([specifier, place]) => [specifier, this.files.load(specifier, place)]),
    );
  }

  private starExporter(name: string): Exporter | undefined {
    return this.evaluator.budget.deeper(() =>
      this.starExports
        .map((specifier) => this.files.load(specifier, { file: this.path })?.code)
        .find((code) => code?.hasExport(name)),
    );
  }

  private declare(node: TopStatement["node"], place: SourcePosition): void {
    switch (node.type) {
      case "ImportDeclaration":
        return this.declareImports(node, place);
      case "ExportNamedDeclaration":
        return this.declareExports(node, place);
      case "ExportAllDeclaration":
        return this.declareExportAll(node, place);
      case "ExportDefaultDeclaration":
        return this.declareDefault(node.declaration);
      case "VariableDeclaration":
        return node.declarations.forEach((declaration) => this.declareVariable(declaration));
      case "FunctionDeclaration":
        return this.define(node.id.name, () => new Closure(node, this));
      case "ClassDeclaration":
        return this.define(node.id.name, needsJavaScript);
      default:
        return;
    }
  }

  private declareImports(node: acorn.ImportDeclaration, place: SourcePosition): void {
    if (this.ignorePackage(node, place)) return;
    const specifier = this.specifier(node.source, place);
    for (const item of node.specifiers) {
      const name =
        item.type === "ImportSpecifier"
          ? nameOf(item.imported)
          : item.type === "ImportDefaultSpecifier"
            ? "default"
            : "*";
      this.bindings.set(item.local.name, this.importOf(specifier, name, place));
    }
  }

  private declareExports(node: acorn.ExportNamedDeclaration, place: SourcePosition): void {
    if (node.declaration) this.declare(node.declaration, place);
    const names =
      node.declaration?.type === "VariableDeclaration"
        ? node.declaration.declarations.flatMap(({ id }) => namesIn(id))
        : [];
    if (node.declaration && "id" in node.declaration) names.push(node.declaration.id.name);
    for (const name of names) this.exportTable.set(name, this.own(name));
    const specifier = node.source ? this.specifier(node.source, place) : undefined;
    for (const { local, exported } of node.specifiers) {
      const binding =
        specifier === undefined ? this.own(nameOf(local)) : this.importOf(specifier, nameOf(local), place);
      this.exportTable.set(nameOf(exported), binding);
    }
  }

  private declareExportAll(node: acorn.ExportAllDeclaration, place: SourcePosition): void {
    const specifier = this.specifier(node.source, place);
    if (node.exported) this.exportTable.set(nameOf(node.exported), this.importOf(specifier, "*", place));
    else this.starExports.push(specifier);
  }

  private declareDefault(declaration: acorn.ExportDefaultDeclaration["declaration"]): void {
    if ("id" in declaration && declaration.id && declaration.type !== "FunctionExpression") {
      this.declare(declaration as acorn.FunctionDeclaration | acorn.ClassDeclaration, { file: this.path });
    }
    const read = once(() => this.evaluator.evaluate(declaration, this));
    const address: ComponentAddress = { file: this, path: "default" };
    this.exportTable.set("default", {
      read,
      locate: () =>
        declaration.type === "Identifier" ? (this.locate(declaration.name) ?? address) : address,
    });
  }

  private declareVariable({ id, init }: acorn.VariableDeclarator): void {
    const value = () => (init ? this.evaluator.evaluate(init, this) : undefined);
    if (id.type === "Identifier") return this.define(id.name, value);
    const names = once(() => {
      const scope = new LocalScope(this);
      this.evaluator.bind(id, value(), scope);
      return scope;
    });
    for (const name of namesIn(id)) this.define(name, () => names().lookup(name));
  }

  private define(name: string, read: () => Value): void {
    this.bindings.set(name, { read: once(read), locate: () => ({ file: this, path: name }) });
  }

  /** Returns the binding of a name in this module. The name can be declared later in the code. */
  private own(name: string): Binding {
    return { read: () => this.lookup(name), locate: () => this.locate(name) };
  }

  private importOf(specifier: string, name: string, place: SourcePosition): Binding {
    if (isProvided(specifier)) return { read: needsJavaScript, locate: () => undefined };
    const load = () => this.files.load(specifier, place);
    const everything = (): ComponentAddress | undefined => {
      const code = load()?.code;
      return code && { file: code, path: "" };
    };
    if (name === "*") return { read: needsJavaScript, locate: everything };
    return {
      read: once(() => this.readImport(load(), specifier, name, place)),
      locate: once(() => load()?.code.locateExport(name)),
    };
  }

  private readImport(
    imported: Imported | undefined,
    specifier: string,
    name: string,
    place: SourcePosition,
  ): Value {
    if (!imported) return new Missing(`\`${specifier}\` couldn't be imported.`);
    if (name === "default" && imported.snippet) return imported.snippet;
    if (imported.code.hasExport(name)) return imported.code.exported(name);

    const message =
      name === "default"
        ? `\`${specifier}\` has no default export`
        : `\`${specifier}\` doesn't export \`${name}\``;

    const known = [...imported.code.exports].filter((other) => other !== "default");
    this.report(
      problem(
        "missing-export",
        place,
        message,
        known.length > 0 ? `It exports ${known.join(", ")}.` : undefined,
      ),
    );

    return new Missing(`${message}.`);
  }

  /** Ignores an import from a package, and reports it. Returns false for other imports. */
  private ignorePackage(node: acorn.ImportDeclaration, place: SourcePosition): boolean {
    const specifier = String(node.source.value);
    if (isProvided(specifier) || !this.files.isPackage(specifier)) return false;

    const names = node.specifiers.flatMap((item): PackageImport[] => {
      const local = item.local.name;
      if (item.type === "ImportNamespaceSpecifier") return this.importNamespace(specifier, local);
      const imported = item.type === "ImportSpecifier" ? nameOf(item.imported) : "default";
      const component = componentOfPackage(specifier, imported, local, this.files.builtIns);
      if (component !== undefined && component !== local)
        this.bindings.set(local, { read: () => component, locate: () => undefined });
      return [{ imported, local, ...(component === undefined ? {} : { component }) }];
    });

    this.packages.set(specifier, [...(this.packages.get(specifier) ?? []), ...names]);
    const hint =
      "Packages can't be imported, except React and Preact. Built-in components need no import. Copy other code into the folder.";
    this.report(
      problem("package-import", place, `The import from the package ${specifier} is ignored`, hint),
    );

    return true;
  }

  /**
   * Defines a name whose members are the built-in components. Code that runs in the sandbox gets the members
   * that it uses.
   */
  private importNamespace(specifier: string, local: string): PackageImport[] {
    const members = Object.fromEntries([...this.files.builtIns].map((name) => [name, name]));
    this.bindings.set(local, { read: () => members, locate: () => undefined });
    const used = new Set([...this.source.matchAll(/\.([A-Z]\w*)/g)].map(([, name]) => name!));
    return [...used].flatMap((imported) => {
      const component = componentOfPackage(specifier, imported, imported, this.files.builtIns);
      return component === undefined ? [] : [{ imported, local, component }];
    });
  }

  private specifier(source: acorn.Literal, place: SourcePosition): string {
    const specifier = String(source.value);
    if (!isProvided(specifier) && !this.specifiers.has(specifier)) this.specifiers.set(specifier, place);
    return specifier;
  }
}

/** Returns the first opening tag with this name in a syntax tree. */
function findTag(tree: unknown, name: string): acorn.Node | undefined {
  if (typeof tree !== "object" || tree === null) return undefined;
  const node = tree as { type?: string; name?: JsxName };
  if (node.type === "JSXOpeningElement" && jsxName(node.name!) === name) return tree as acorn.Node;
  for (const value of Object.values(tree)) {
    const found = findTag(value, name);
    if (found) return found;
  }
  return undefined;
}

function needsJavaScript(): never {
  throw new NeedsJavaScript();
}

function nameOf(node: acorn.Identifier | acorn.Literal): string {
  return node.type === "Identifier" ? node.name : String(node.value);
}

function namesIn(pattern: acorn.Pattern): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "AssignmentPattern":
      return namesIn(pattern.left);
    case "RestElement":
      return namesIn(pattern.argument);
    case "ArrayPattern":
      return pattern.elements.flatMap((item) => (item ? namesIn(item) : []));
    case "ObjectPattern":
      return pattern.properties.flatMap((property) =>
        namesIn(property.type === "RestElement" ? property.argument : property.value),
      );
    default:
      return [];
  }
}

/** Memoizes `work`. The returned function throws `AuthorCodeFailed` if the value depends on itself. */
function once<T>(work: () => T): () => T {
  let state: { value: T } | "busy" | undefined;
  return () => {
    if (state === "busy") throw new AuthorCodeFailed("A name refers to itself.");
    if (state) return state.value;
    state = "busy";
    try {
      state = { value: work() };
      return state.value;
    } finally {
      if (state === "busy") state = undefined;
    }
  };
}
