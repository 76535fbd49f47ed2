/** Evaluates the code of an MDX page: its imports, its exports, and the expressions in its text. */

import type * as acorn from "acorn";
import { problem, type Report, type SourcePosition } from "../../base/problem.ts";
import { type ContentNode, isComponentName, type Props, type PropValue } from "../content.ts";
import { isKnownElement } from "../element-names.ts";
import { Module, type TopStatement } from "./code-module.ts";
import { fromChildren, fromProp, problemBox, toProp, valueToContent } from "./convert-values.ts";
import { DocumentNames } from "./document-names.ts";
import { addressOf, Evaluator, isSnippet } from "./evaluate.ts";
import { EvaluationBudget, TooMuchWork } from "./evaluation-budget.ts";
import { AuthorCodeFailed, NeedsJavaScript, UndefinedName } from "./evaluation-errors.ts";
import {
  asList,
  CodeSyntaxError,
  componentNames,
  identifierNames,
  NestedTooDeeply,
  parseBraces,
  parseModule,
} from "./javascript-syntax.ts";
import { LocalScope } from "./local-scope.ts";
import { readerFields } from "./reader-text.ts";
import { ComponentRunner } from "./run-component.ts";
import type { Sandbox } from "./sandbox.ts";
import { isTypeScript } from "./transpile.ts";
import {
  Closure,
  type CodeFile,
  type ComponentAddress,
  type Fields,
  type Imported,
  Snippet,
  type Value,
  type VariableScope,
} from "./values.ts";

/**
 * A resolved import: a code file, or a snippet (an `.mdx` or `.md` file), whose content is its default
 * export.
 */
export type LoadedImport =
  | { kind: "code"; file: string; source: string }
  | { kind: "snippet"; code: DocumentCode; expand(props: Props, children: ContentNode[]): ContentNode[] };

/** Evaluates the code of a document. Reports errors as problems. */
export interface DocumentCode {
  /**
   * Whether a name is defined or imported in the document, is a prop that was passed to it, or is `props`,
   * `children` or `user`.
   */
  has(name: string): boolean;
  /** Whether a name is that of an imported Markdown file. */
  isSnippet(name: string): boolean;
  /** Whether a name is imported from a package, and the import is ignored. */
  isFromPackage(name: string): boolean;
  /** Evaluates `{…}` in text. If the code fails, returns its source with the braces. */
  expression(source: string, place: SourcePosition): ContentNode[];
  /**
   * Evaluates the expression of an attribute: `attr={…}`. Undefined if the code fails. Leaves out functions
   * in the value and calls `onFunction`.
   */
  attribute(source: string, place: SourcePosition, onFunction?: () => void): PropValue;
  /**
   * Evaluates `{...x}`. `source` includes the dots. Empty if the code fails. Leaves out functions in the
   * value and calls `onFunction`.
   */
  spread(source: string, place: SourcePosition, onFunction?: () => void): Props;
  /**
   * Expands `<Name …>` or `<Name.Part …>`. `has` must accept `Name`. If the component fails, returns a
   * `ProblemBox`.
   */
  component(name: string, props: Props, children: ContentNode[], place: SourcePosition): ContentNode[];
  /**
   * Renders an element with functions as attributes, which runs in the browser. `attributes`: source of the
   * attributes. Undefined if it fails.
   */
  live(
    name: string,
    attributes: string,
    children: ContentNode[],
    place: SourcePosition,
  ): ContentNode[] | undefined;
  /** Exports of this document, for documents that import it. */
  readonly exports: Module;
}

export interface DocumentCodeOptions {
  file: string;
  /** The import and export blocks, and the line of the file at which each one starts. */
  esm: { source: string; line: number }[];
  /** Props and children that the including document passed. */
  props: Props;
  children: ContentNode[];
  /** Resolves an import in the file `from`. Undefined if no file is found. */
  load(specifier: string, from: string): LoadedImport | undefined;
  /** Whether an import in the file `from` is from a package. Default: no import is. */
  isPackage?(specifier: string, from: string): boolean;
  /** The names of the built-in components. If absent, unknown components aren't reported. */
  builtIns?: ReadonlySet<string>;
  /**
   * For a snippet: returns the code of its page, whose components the snippet can use unless they have the
   * name of a built-in one.
   */
  page?(): DocumentCode | undefined;
  /** Length of the document's text. Default: 0. */
  text_chars?: number;
  /** Whether the document or its page has content for certain readers. Default: false. */
  hasConditions?: boolean;
  report: Report;
  sandbox: Sandbox;
}

/** Opens the code of a document. Evaluation is lazy: names are evaluated when they are used. */
export function openDocumentCode(options: DocumentCodeOptions): DocumentCode {
  return new OpenDocument(options);
}

/** Functions that an expression in text can't use, with the reason and what to do. */
const notText = {
  fetch:
    "`fetch` returns a promise, which can't be shown as text. Load the data in a component with `useState` and `useEffect`.",
  eval: "`eval` isn't supported in text. Write its code in the braces.",
  Function: "`Function` isn't supported in text. Write its code in the braces.",
};

class OpenDocument implements DocumentCode {
  readonly exports: Module;
  private readonly budget: EvaluationBudget;
  private readonly evaluator: Evaluator;
  private readonly runner: ComponentRunner;
  private readonly globals: LocalScope;
  /**
   * Props and children that were passed to the document, by name. Excludes props that a top-level name of the
   * document or `user` shadows.
   */
  private readonly given: Fields;
  private readonly scope: LocalScope;
  private readonly loaded = new Map<string, Imported | undefined>();
  private readonly files = new Map<string, Module>();
  private readonly reported = new Set<string>();
  /** Position of the code that is being evaluated. */
  private place: SourcePosition;

  constructor(private readonly options: DocumentCodeOptions) {
    this.place = { file: options.file };
    this.budget = new EvaluationBudget(options.text_chars ?? 0);
    this.globals = new LocalScope(undefined, { user: readerFields });

    this.runner = new ComponentRunner(
      options.sandbox,
      this.budget,
      (name) => this.checkTag(name),
      options.hasConditions,
    );

    this.evaluator = new Evaluator(this.budget, {
      render: (name, address, props) => this.renderInSandbox(name, address, props),
      failed: (name, message) => this.componentFailed(name, message),
      onTag: (name) => this.checkTag(name),
    });

    this.exports = this.openModule(options.file, this.readBlocks(), this.around());
    const props = fromFields(options.props);
    const children = fromChildren(options.children);
    const passed = Object.fromEntries(Object.entries(props).filter(([name]) => !this.exports.has(name)));
    this.given = { ...passed, children };
    this.scope = new LocalScope(this.exports, { ...this.given, props: { ...props, children } });
  }

  /** Returns the names that the document can use without defining them. */
  private around(): VariableScope {
    const page = this.options.page?.();
    if (!page) return this.globals;
    return new DocumentNames(
      this.globals,
      () => page.exports,
      (name) => isComponentName(name) && !this.options.builtIns?.has(name),
    );
  }

  has(name: string): boolean {
    return this.scope.has(name);
  }

  isSnippet(name: string): boolean {
    if (!this.exports.hasOwn(name)) return false;
    return this.attempt(this.place, false, () => {
      try {
        return isSnippet(name, this.exports);
      } catch (error) {
        if (error instanceof NeedsJavaScript) return false;
        throw error;
      }
    });
  }

  isFromPackage(name: string): boolean {
    return this.exports.isFromPackage(name);
  }

  expression(source: string, place: SourcePosition): ContentNode[] {
    return this.attempt(place, [`{${source}}`], () => {
      const items = parseBraces(source);
      try {
        const values = this.values(items, (item) => this.evaluator.child(item, this.scope));
        return valueToContent(values.at(-1), this.budget);
      } catch (error) {
        if (!(error instanceof NeedsJavaScript)) throw error;
        this.requireText(source, identifierNames(items));
        return this.runner.render(...this.asFunction(source, items));
      }
    });
  }

  /**
   * Throws `AuthorCodeFailed` for an expression without elements that uses a function whose result can't be
   * shown as text. In elements, event handlers can use these functions.
   */
  private requireText(source: string, names: ReadonlySet<string>): void {
    if (source.includes("<")) return;
    for (const [name, message] of Object.entries(notText))
      if (names.has(name) && !this.exports.has(name)) throw new AuthorCodeFailed(message);
  }

  attribute(source: string, place: SourcePosition, onFunction = () => {}): PropValue {
    return this.attempt<PropValue>(place, undefined, () => this.braces(source, onFunction));
  }

  spread(source: string, place: SourcePosition, onFunction = () => {}): Props {
    return this.attempt<Props>(place, {}, () => {
      const value = this.braces(`{${source}}`, onFunction);
      if (value === undefined)
        throw new AuthorCodeFailed("The value of a spread attribute must be an object.");
      return value as Props;
    });
  }

  live(
    name: string,
    attributes: string,
    children: ContentNode[],
    place: SourcePosition,
  ): ContentNode[] | undefined {
    return this.attempt<ContentNode[] | undefined>(place, undefined, () => {
      const content = fromChildren(children);
      const source =
        content === undefined ? `<${name} ${attributes} />` : `<${name} ${attributes}>{$children}</${name}>`;
      const [address, props] = this.asFunction(source, parseBraces(source), { $children: content });
      return this.runner.render(address, props);
    });
  }

  component(name: string, props: Props, children: ContentNode[], place: SourcePosition): ContentNode[] {
    const fields = fromFields(props);
    const content = fromChildren(children);
    if (content !== undefined) fields.children = content;

    const [root = "", ...path] = name.split(".");
    const read = () =>
      path.reduce((value, key) => this.evaluator.member(value, key), this.scope.lookup(root));
    return this.attempt(place, [problemBox(`\`${name}\` couldn't be shown.`), ...children], () => {
      try {
        return this.evaluator.component(name, read, addressOf(name, this.scope), fields);
      } catch (error) {
        if (error instanceof AuthorCodeFailed || error instanceof UndefinedName)
          return [...this.componentFailed(name, error.message), ...children];
        if (error instanceof NeedsJavaScript)
          return [...this.componentFailed(name, "It needs JavaScript, which can't run here."), ...children];
        throw error;
      }
    });
  }

  private braces(source: string, onFunction: () => void): PropValue {
    const items = parseBraces(source);
    try {
      const value = this.values(items).at(-1);
      if (value instanceof Closure) return void onFunction();
      return toProp(value, this.budget);
    } catch (error) {
      if (!(error instanceof NeedsJavaScript)) throw error;
      return this.runner.value(...this.asFunction(source, items), onFunction);
    }
  }

  private values(
    items: ReturnType<typeof parseBraces>,
    evaluate = (item: acorn.Node) => this.evaluator.evaluate(item, this.scope),
  ): Value[] {
    return items.map((item) => {
      if (item?.type === "SpreadElement") throw new CodeSyntaxError("Unexpected `...`");
      return item ? evaluate(item) : undefined;
    });
  }

  /**
   * Adds an exported function that returns an expression's value to a copy of the document's code. Returns
   * the function's address and its props: the passed values that the expression uses.
   */
  private asFunction(source: string, items: unknown[], more: Fields = {}): [ComponentAddress, Fields] {
    const names = identifierNames(items);
    const given = Object.fromEntries(
      Object.entries({ ...this.given, ...more }).filter(([name]) => names.has(name)),
    );

    const props =
      names.has("props") && !this.exports.has("props")
        ? { ...given, props: this.scope.lookup("props") }
        : given;

    const parameters = Object.keys(props).join(", ");
    const file: CodeFile = {
      path: this.exports.path,
      source: `${this.exports.source}\nexport const Expression = ({ ${parameters} }) => ${asList(source)}.at(-1);`,
      exports: new Set([...this.exports.exports, "Expression"]),
      tags: new Set([...this.exports.tags, ...componentNames(items)]),
      packages: this.exports.packages,
      imports: () => this.exports.imports(),
      outer: (name) => this.exports.outer(name),
    };

    return [{ file, path: "Expression" }, props];
  }

  private renderInSandbox(name: string, address: ComponentAddress, props: Fields): ContentNode[] {
    try {
      return this.runner.render(address, props);
    } catch (error) {
      if (error instanceof AuthorCodeFailed || error instanceof UndefinedName)
        return [...this.componentFailed(name, error.message), ...valueToContent(props.children, this.budget)];
      throw error;
    }
  }

  private componentFailed(name: string, message: string): ContentNode[] {
    this.report("component-failed", this.place, `\`${name}\` failed: ${message}`);
    return [problemBox(`\`${name}\` failed: ${message}`)];
  }

  /** Runs `work`. If the author's code fails, reports the error and returns `fallback`. */
  private attempt<T>(place: SourcePosition, fallback: T, work: () => T): T {
    this.place = place;
    try {
      return work();
    } catch (error) {
      this.reportError(error, place);
      return fallback;
    }
  }

  private reportError(error: unknown, place: SourcePosition): void {
    if (error instanceof UndefinedName) {
      this.report(
        "undefined-name",
        place,
        error.message,
        "Put it in backticks, or define it in the document.",
      );
    } else if (error instanceof AuthorCodeFailed) this.report("expression-failed", place, error.message);
    else if (error instanceof CodeSyntaxError) {
      const line = place.line === undefined ? error.line : place.line + error.line - 1;
      this.report("code-syntax", { file: place.file, line, column: error.column }, error.message);
    } else if (error instanceof TooMuchWork || error instanceof NestedTooDeeply)
      this.report("too-much-work", place, error.message);
    else if (error instanceof RangeError)
      this.report("too-much-work", place, "The code is nested too deeply.");
    else throw error;
  }

  /**
   * Reports a problem, unless it has already been reported. Removes the period at the end of the message,
   * which is only needed where the message is shown on the page.
   */
  private report(
    code: Parameters<typeof problem>[0],
    place: SourcePosition,
    message: string,
    hint?: string,
  ): void {
    // Once a document has exceeded its limits, all of its further code does.
    const key = code === "too-much-work" ? code : `${code}:${place.file}:${place.line}:${message}`;
    if (this.reported.has(key)) return;
    this.reported.add(key);
    this.options.report(problem(code, place, message.replace(/\.$/, ""), hint));
  }

  private readBlocks(): { source: string; statements: TopStatement[] } {
    const { file, esm } = this.options;
    const read = esm.flatMap(({ source, line }) => {
      const statements = this.attempt<TopStatement[] | undefined>({ file, line }, undefined, () =>
        topStatements(file, source, line),
      );
      return statements ? [{ source, statements }] : [];
    });
    return {
      source: read.map(({ source }) => source).join("\n"),
      statements: read.flatMap(({ statements }) => statements),
    };
  }

  private openModule(
    path: string,
    code: { source: string; statements: TopStatement[] },
    around: VariableScope,
  ): Module {
    const files = {
      load: (specifier: string, place: SourcePosition) => this.load(specifier, path, place),
      isPackage: (specifier: string) => this.options.isPackage?.(specifier, path) ?? false,
      builtIns: this.options.builtIns ?? new Set<string>(),
    };
    return new Module({ path, ...code }, around, this.evaluator, files, this.options.report);
  }

  /** Reports an element whose name is neither that of a built-in component nor that of an HTML element. */
  private checkTag(name: string): void {
    const { builtIns } = this.options;
    if (
      !builtIns ||
      (isComponentName(name) ? builtIns.has(name) : name === "" || /[-:.]/.test(name) || isKnownElement(name))
    )
      return;

    const modules = [this.exports, ...this.files.values()];
    if (modules.some((module) => module.isFromPackage(name.split(".")[0]!))) return;
    const places = modules.flatMap((module) =>
      module.has(name.split(".")[0]!) ? [] : (module.placeOfTag(name) ?? []),
    );

    for (const place of places.length ? places : [this.place])
      this.report(
        "unknown-component",
        place,
        `There is no ${isComponentName(name) ? "component" : "element"} <${name}>`,
        "Import it in the file that uses it, or in the page.",
      );
  }

  private load(specifier: string, from: string, place: SourcePosition): Imported | undefined {
    const key = `${from}\0${specifier}`;
    if (!this.loaded.has(key)) this.loaded.set(key, this.open(specifier, from, place));
    return this.loaded.get(key);
  }

  private open(specifier: string, from: string, place: SourcePosition): Imported | undefined {
    const loaded = this.options.load(specifier, from);
    if (loaded?.kind === "snippet")
      return {
        code: loaded.code.exports,
        snippet: new Snippet((props, children) => loaded.expand(props, children)),
      };
    if (loaded) return this.openFile(loaded.file, loaded.source);
    this.report("missing-import", place, `File not found: ${specifier}`);
    return undefined;
  }

  private openFile(file: string, source: string): Imported | undefined {
    const known = this.files.get(file);
    if (known) return { code: known };
    const before = this.place;

    const module = this.attempt<Module | undefined>({ file, line: 1 }, undefined, () => {
      const plain = isTypeScript(file) ? this.options.sandbox.stripTypes(file, source) : source;
      const statements = topStatements(file, plain, isTypeScript(file) ? undefined : 1);
      return this.openModule(
        file,
        { source, statements },
        new DocumentNames(this.globals, () => this.exports),
      );
    });

    this.place = before;
    if (!module) return undefined;
    this.files.set(file, module);

    return { code: module };
  }
}

/**
 * Parses top-level statements. `line`: line of the file where the source starts. Undefined if positions in
 * the source don't correspond to positions in the file.
 */
function topStatements(file: string, source: string, line: number | undefined): TopStatement[] {
  return parseModule(source).body.map((node) => ({
    node,
    place:
      line === undefined || !node.loc
        ? { file }
        : { file, line: line + node.loc.start.line - 1, column: node.loc.start.column + 1 },
  }));
}

function fromFields(props: Props): Fields {
  return Object.fromEntries(Object.entries(props).map(([name, value]) => [name, fromProp(value)]));
}
