/**
 * Runs author code in QuickJS, with limits on time, memory and the size of the result. Keeps the compiled
 * code of a build.
 */

import type { QuickJSContext, QuickJSRuntime, QuickJSWASMModule } from "quickjs-emscripten-core";
import { waitText } from "../../base/wait-text.ts";
import type { Clock } from "../clock.ts";
import type { Program } from "./link-program.ts";
import { platformGlobals } from "./sandbox-globals.ts";
import { sandboxRuntime } from "./sandbox-runtime.ts";
import { compileModule, minifyScript, stripTypes } from "./transpile.ts";

/** Timeout of a run in milliseconds. */
const component_ms = 1_000;
/** Maximum memory of a run in bytes. */
const component_bytes = 64 * 1024 * 1024;

/** A component or function to run. */
export interface Run {
  program: Program;
  /** Dotted path of the component or function in the program's exports. */
  path: string;
  /** `nodes` renders a component, `value` calls a function. */
  kind: "nodes" | "value";
  /** JSON of `{ props, user }`, encoded by encode-input.ts. */
  input: string;
}

/** The outcome of a run. All of its values are untrusted. */
export interface Outcome {
  /** The result, which decode-output.ts decodes. Absent if the run failed. */
  result?: unknown;
  error?: string;
  /** Whether the run failed with a `ReferenceError`, such as for an undefined name. */
  undefinedName?: boolean;
  /**
   * Whether the code used state, refs, effects, the current time or randomness, or its output contains
   * functions such as event handlers.
   */
  interactive?: boolean;
  /** Whether the result contained functions, which are left out. */
  functions?: boolean;
  /** Whether the code used one of `browserNames`. */
  browser?: boolean;
  /** Whether the code used `user`, which is empty during a build. */
  reader?: boolean;
}

/** Maximum stack size of QuickJS in bytes. QuickJS must fail before the stack of this process overflows. */
const stack_bytes = 48 * 1024;

/** Maximum length of a run's result, in characters. */
const result_chars = 8_000_000;

/**
 * A WebAssembly instance of QuickJS. The sandboxes of a process share one instance, since it keeps no state
 * between runs.
 */
interface Interpreter {
  quickjs: QuickJSWASMModule;
  isBroken: boolean;
}

let shared: Promise<Interpreter> | undefined;

/** Returns the shared interpreter. Loads it with the first call, and replaces it if author code broke it. */
async function workingInterpreter(): Promise<Interpreter> {
  if (shared === undefined || (await shared).isBroken) shared = loadInterpreter();
  return shared;
}

async function loadInterpreter(): Promise<Interpreter> {
  const { newQuickJSWASMModuleFromVariant } = await import("quickjs-emscripten-core");
  const variant = import("@jitl/quickjs-wasmfile-release-sync");
  return { quickjs: await newQuickJSWASMModuleFromVariant(variant), isBroken: false };
}

/**
 * Runs author code in QuickJS, isolated from this process: each run has a new context, no host objects, and
 * limited time, memory and stack. If code breaks the interpreter, all further runs fail until the interpreter
 * is replaced.
 */
export class Sandbox {
  private readonly compiled = new Map<string, string>();
  private readonly scripts = new Map<string, string>();
  /** Whether a run failed because the interpreter isn't loaded. */
  private isMissed = false;
  /**
   * Number of runs that exceeded a limit, or weren't possible after such a run. Another build can complete
   * them, for example on a faster machine.
   */
  failures_count = 0;

  constructor(
    private readonly clock: Clock,
    private interpreter?: Interpreter,
  ) {}

  /** Loads the interpreter if it isn't loaded, and replaces it if author code broke it. */
  async ready(): Promise<void> {
    if (this.interpreter?.isBroken !== false) this.interpreter = await workingInterpreter();
  }

  /**
   * Does work that calls `run`. The interpreter is loaded only if the work needs it, and the work is then
   * done a second time. Replaces an interpreter that earlier work broke.
   */
  async use<T>(work: () => T): Promise<Awaited<T>> {
    if (this.interpreter) await this.ready();
    const result = await work();
    if (this.interpreter || !this.isMissed) return result;
    await this.ready();
    return await work();
  }

  /**
   * Runs a component or function. Never throws: if the run fails or exceeds a limit, the outcome has an
   * `error`.
   */
  run(run: Run): Outcome {
    const { interpreter } = this;
    if (!interpreter) {
      this.isMissed = true;
      return { error: "The sandbox isn't loaded." };
    }

    if (interpreter.isBroken) {
      this.failures_count++;
      return { error: "An earlier component on this page crashed the sandbox." };
    }

    let runtime: QuickJSRuntime | undefined;
    try {
      runtime = interpreter.quickjs.newRuntime();
      const started_ms = this.clock();
      const late = () => this.clock() - started_ms > component_ms;
      runtime.setMemoryLimit(component_bytes);
      runtime.setMaxStackSize(stack_bytes);
      runtime.setInterruptHandler(late);
      const context = runtime.newContext();
      const text = evaluate(context, run);
      if (text === undefined) this.failures_count++;
      const outcome = text === undefined ? { error: late() ? tooSlow : tooBig } : readOutcome(text);
      context.dispose();
      runtime.dispose();
      return outcome;
    } catch {
      // An exception can leave the stack of the interpreter in an undefined state, so the interpreter is not
      // used again.
      interpreter.isBroken = true;
      this.failures_count++;
      return { error: tooBig };
    }
  }

  /** Compiles author code to a CommonJS module. Memoized. Throws `CodeSyntaxError`. */
  compile(path: string, source: string): string {
    return this.memoized(`js\0${path}\0${source}`, () => compileModule(path, source));
  }

  /** Removes types from TypeScript. Memoized. Throws `CodeSyntaxError`. */
  stripTypes(path: string, source: string): string {
    return this.memoized(`types\0${path}\0${source}`, () => stripTypes(path, source));
  }

  /** Adds the script that runs a program's islands in the browser to the result of `browserScripts`. */
  addIslandScript({ hash, source }: Program): void {
    if (!this.scripts.has(hash))
      this.scripts.set(hash, minifyScript(`octavoIslands.add("${hash}", ${source});`));
  }

  /** Scripts of all islands added so far, by the program's hash, which is the island's `code` property. */
  browserScripts(): ReadonlyMap<string, string> {
    return this.scripts;
  }

  private memoized(key: string, compile: () => string): string {
    const known = this.compiled.get(key);
    if (known !== undefined) return known;
    const result = compile();
    this.compiled.set(key, result);
    return result;
  }
}

const tooSlow = `It ran for more than ${waitText(component_ms / 1_000)}.`;
const tooBig = "It used too much memory or was nested too deeply.";

/**
 * Returns the outcome of a run as untrusted JSON; undefined if the run was interrupted or exceeded a limit.
 */
function evaluate(context: QuickJSContext, { program, path, kind, input }: Run): string | undefined {
  const [pathText, kindText, inputText] = [path, kind, input].map((text) => JSON.stringify(text));
  const result = context.evalCode(
    `${platformGlobals(program.source)}${sandboxRuntime}(${program.source}, ${pathText}, ${kindText}, ${inputText})`,
  );

  if (result.error) {
    result.error.dispose();
    return undefined;
  }

  const { value } = result;
  const isText = context.typeof(value) === "string";
  const length = isText ? context.getProp(value, "length").consume((handle) => context.getNumber(handle)) : 0;
  const text = isText && length <= result_chars ? context.getString(value) : undefined;
  value.dispose();

  return text;
}

function readOutcome(text: string): Outcome {
  const outcome: unknown = JSON.parse(text);
  return typeof outcome === "object" && outcome !== null ? outcome : {};
}
