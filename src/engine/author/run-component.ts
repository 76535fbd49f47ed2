import { type ContentElement, type ContentNode, element, type PropValue } from "../content.ts";
import { type DecodeContext, decodeNodes, decodeValue } from "./decode-output.ts";
import { encodeFields } from "./encode-input.ts";
import type { EvaluationBudget } from "./evaluation-budget.ts";
import { AuthorCodeFailed, UndefinedName } from "./evaluation-errors.ts";
import { linkProgram, type Program } from "./link-program.ts";
import type { Outcome, Sandbox } from "./sandbox.ts";
import { usedCode } from "./used-code.ts";
import type { CodeFile, ComponentAddress, Fields } from "./values.ts";

/** Uses the sandbox to run the components and expressions in a document that need JavaScript. */
export class ComponentRunner {
  private readonly programs = new Map<string, Program>();

  constructor(
    private readonly sandbox: Sandbox,
    private readonly budget: EvaluationBudget,
    private readonly onTag: (name: string) => void,
    /**
     * Whether programs contain only the code that their component uses, because other code could be for other
     * readers.
     */
    private readonly isPruned = false,
  ) {}

  /**
   * Renders a component: as an island if the component is interactive or uses browser globals or `user`, and
   * otherwise as static content. Throws `AuthorCodeFailed` or `UndefinedName` if the component fails without
   * using browser globals. Throws `NeedsJavaScript` for props that contain functions, `CodeSyntaxError` for
   * invalid code, and `TooMuchWork` if the content exceeds the budget.
   */
  render(address: ComponentAddress, props: Fields): ContentNode[] {
    const { program, path } = this.program(address);
    const slots: ContentNode[][] = [];
    const given = encodeFields(props, slots);
    const outcome = this.run(program, path, "nodes", given);
    const isIsland = outcome.interactive || outcome.browser || outcome.reader;
    if (outcome.error !== undefined && !outcome.browser) throw failure(outcome);

    const used = new Set<number>();
    const place = (slot: number, content: ContentNode[]) => {
      used.add(slot);
      return isIsland ? [slotElement(slot, content)] : content;
    };

    const nodes = decodeNodes(outcome.result, {
      slots,
      snippets: program.snippets,
      budget: this.budget,
      place,
      onTag: this.onTag,
    });

    if (!isIsland) return nodes;

    // The island's script would contain the content for all audiences.
    if (program.tags.has("Visibility"))
      throw new AuthorCodeFailed(
        "It runs in the browser, so it can't contain <Visibility>. Put <Visibility> around it.",
      );

    this.sandbox.addIslandScript(program);
    const unused = slots.flatMap((content, slot) =>
      used.has(slot) ? [] : [slotElement(slot, content, true)],
    );

    return [
      element("Island", { code: program.hash, component: path, data: JSON.stringify(given) }, [
        ...nodes,
        ...unused,
      ]),
    ];
  }

  /**
   * Calls a function and returns its result as the value of an attribute. Calls `onFunction` if the value
   * contains functions, which are left out, or depends on the reader. Throws the same errors as `render`, and
   * `AuthorCodeFailed` or `UndefinedName` even if the function fails because it uses browser globals.
   */
  value(address: ComponentAddress, props: Fields, onFunction: () => void): PropValue {
    const { program, path } = this.program(address);
    const slots: ContentNode[][] = [];
    const outcome = this.run(program, path, "value", encodeFields(props, slots));
    if (outcome.error !== undefined) throw failure(outcome);
    if (outcome.functions || outcome.reader) onFunction();

    const { budget, onTag } = this;
    const around: DecodeContext = {
      slots,
      snippets: program.snippets,
      budget,
      place: (_slot, content) => content,
      onTag,
    };

    return decodeValue(outcome.result, around);
  }

  /** Runs a program in the sandbox. Errors of the author's code are in the outcome. */
  private run(program: Program, path: string, kind: "nodes" | "value", props: unknown): Outcome {
    return this.sandbox.run({
      program,
      path,
      kind,
      input: JSON.stringify({ props }),
    });
  }

  /** Returns the program of a component's file, which is compiled once. Throws `CodeSyntaxError`. */
  private program({ file, path }: ComponentAddress): { program: Program; path: string } {
    const [name = ""] = path.split(".");
    const whole = file.exports.has(name) ? file : alsoExporting(file, name);
    const entry = this.isPruned ? usedCode(whole, name) : whole;
    const key = `${entry.path}\0${entry.source}`;
    const program =
      this.programs.get(key) ?? linkProgram(entry, (...source) => this.sandbox.compile(...source));
    this.programs.set(key, program);
    return { program, path };
  }
}

/** Returns the file with an export of `name`, which can be any name in the file's scope. */
function alsoExporting(file: CodeFile, name: string): CodeFile {
  return {
    path: file.path,
    source: `${file.source}\nexport { ${name} };`,
    exports: file.exports,
    tags: file.tags,
    packages: file.packages,
    imports: () => file.imports(),
    outer: (tag) => file.outer(tag),
  };
}

/** Wraps content that the page passed to an island. The island's script moves the content to its position. */
function slotElement(slot: number, content: ContentNode[], hidden = false): ContentElement {
  return element("octavo-slot", { "data-slot": slot, ...(hidden ? { hidden: true } : {}) }, content);
}

/**
 * Returns the error of a failed outcome: `UndefinedName` if a name isn't defined, and otherwise
 * `AuthorCodeFailed`.
 */
function failure({ error, undefinedName }: Outcome): Error {
  const message = String(error);
  const name = undefinedName ? /^'?([\p{ID_Continue}$]+)'? is not defined/u.exec(message)?.[1] : undefined;
  return name ? new UndefinedName(name) : new AuthorCodeFailed(message);
}
