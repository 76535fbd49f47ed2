import type * as acorn from "acorn";
import { problem, type Report, type SourcePosition } from "../../base/problem.ts";
import type { Evaluator } from "./evaluate.ts";
import { Failed, NeedsJavaScript } from "./evaluation-errors.ts";
import { componentNames } from "./javascript-syntax.ts";
import { LocalScope } from "./local-scope.ts";
import {
  Closure,
  type CodeFile,
  type ComponentAddress,
  type Exporter,
  type Imported,
  Missing,
  type Value,
  type VariableScope,
} from "./values.ts";

/** A top-level statement of a file, with the position at which its problems are reported. */
export interface TopStatement {
  node: acorn.Program["body"][number];
  place: SourcePosition;
}

/** A top-level name or an export of a file: its value, and the address that the sandbox uses to find the value. */
interface Binding {
  read(): Value;
  locate(): ComponentAddress | undefined;
}

/** Packages that the sandbox provides. Author code can also use their hooks without an import. */
const providedPackages: ReadonlySet<string> = new Set(["react", "preact", "preact/hooks", "preact/compat"]);

export function isProvided(specifier: string): boolean {
  return providedPackages.has(specifier);
}

/** A file of author code, or the import and export blocks of a document. Values are computed when they are first used. */
export class Module implements VariableScope, CodeFile, Exporter {
  readonly path: string;
  readonly source: string;
  private readonly statements: readonly TopStatement[];
  private readonly bindings = new Map<string, Binding>();
  private readonly exportTable = new Map<string, Binding>();
  private readonly specifiers = new Set<string>();
  private readonly starExports: string[] = [];

  constructor(
    file: { path: string; source: string; statements: TopStatement[] },
    private readonly globals: VariableScope,
    private readonly evaluator: Evaluator,
    private readonly load: (specifier: string, place: SourcePosition) => Imported | undefined,
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
    return this.bindings.has(name) || this.globals.has(name);
  }

  lookup(name: string): Value {
    const binding = this.bindings.get(name);
    return binding ? binding.read() : this.globals.lookup(name);
  }

  locate(name: string): ComponentAddress | undefined {
    return this.bindings.get(name)?.locate();
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
    return new Map([...this.specifiers].map((specifier) => [specifier, this.load(specifier, { file: this.path })]));
  }

  private starExporter(name: string): Exporter | undefined {
    return this.evaluator.budget.deeper(() =>
      this.starExports.map((specifier) => this.load(specifier, { file: this.path })?.code).find((code) => code?.hasExport(name)),
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
    const specifier = this.specifier(node.source);
    for (const item of node.specifiers) {
      const name = item.type === "ImportSpecifier" ? nameOf(item.imported) : item.type === "ImportDefaultSpecifier" ? "default" : "*";
      this.bindings.set(item.local.name, this.importOf(specifier, name, place));
    }
  }

  private declareExports(node: acorn.ExportNamedDeclaration, place: SourcePosition): void {
    if (node.declaration) this.declare(node.declaration, place);
    const names = node.declaration?.type === "VariableDeclaration" ? node.declaration.declarations.flatMap(({ id }) => namesIn(id)) : [];
    if (node.declaration && "id" in node.declaration) names.push(node.declaration.id.name);
    for (const name of names) this.exportTable.set(name, this.own(name));
    const specifier = node.source ? this.specifier(node.source) : undefined;
    for (const { local, exported } of node.specifiers) {
      const binding = specifier === undefined ? this.own(nameOf(local)) : this.importOf(specifier, nameOf(local), place);
      this.exportTable.set(nameOf(exported), binding);
    }
  }

  private declareExportAll(node: acorn.ExportAllDeclaration, place: SourcePosition): void {
    const specifier = this.specifier(node.source);
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
      locate: () => (declaration.type === "Identifier" ? (this.locate(declaration.name) ?? address) : address),
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
    const load = () => this.load(specifier, place);
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

  private readImport(imported: Imported | undefined, specifier: string, name: string, place: SourcePosition): Value {
    if (!imported) return new Missing(`\`${specifier}\` couldn't be imported.`);
    if (name === "default" && imported.snippet) return imported.snippet;
    if (imported.code.hasExport(name)) return imported.code.exported(name);
    const message = name === "default" ? `\`${specifier}\` has no default export` : `\`${specifier}\` doesn't export \`${name}\``;
    const known = [...imported.code.exports].filter((other) => other !== "default");
    this.report(problem("missing-export", place, message, known.length > 0 ? `It exports ${known.join(", ")}.` : undefined));
    return new Missing(`${message}.`);
  }

  private specifier(source: acorn.Literal): string {
    const specifier = String(source.value);
    if (!isProvided(specifier)) this.specifiers.add(specifier);
    return specifier;
  }
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
      return pattern.properties.flatMap((property) => namesIn(property.type === "RestElement" ? property.argument : property.value));
    default:
      return [];
  }
}

/** Memoizes `work`. The returned function throws `Failed` if the value depends on itself. */
function once<T>(work: () => T): () => T {
  let state: { value: T } | "busy" | undefined;
  return () => {
    if (state === "busy") throw new Failed("A name refers to itself.");
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
