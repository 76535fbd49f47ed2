import { afterEach, describe, expect, test, vi } from "vitest";
import { buildSiteFrom, siteOf } from "../../../test/engine/build.ts";
import { limits } from "../../base/limits.ts";
import { type ContentElement, element } from "../content.ts";
import { MemoryStore } from "../incremental/store.ts";
import { open, place, sandbox, show } from "./document-code.fixture.ts";
import { EvaluationBudget, TooMuchWork } from "./evaluation-budget.ts";
import { type Run, Sandbox } from "./sandbox.ts";

afterEach(() => sandbox.ready());

/** Renders component `A`. Returns its text and problems. */
function render(esm: string): { html: string; problems: string[] } {
  const { code, problems } = open(esm);
  return { html: show(code.component("A", {}, [], place)), problems };
}

describe("author code can't access the build process", () => {
  test.each([
    "(1).constructor.constructor('return process')()",
    "''.constructor.constructor('return process.env')()",
    "(() => {}).constructor('return process')().env.PATH",
    "[].map.constructor('return globalThis.process.pid')()",
    "require('fs').readFileSync('/etc/passwd')",
    "process.env.PATH",
    "import('node:fs')",
    "(<b/>).constructor.constructor('return process')()",
  ])("{%s}", (source) => {
    const { code, problems } = open("");
    const html = show(code.expression(source, place));
    expect(html === "" || html === `{${source}}`).toBe(true);
    expect(html === "" ? [] : problems.length).not.toBe(0);
  });

  test.each([
    "(1).constructor",
    "''.constructor",
    "[].constructor",
    "({}).constructor",
    "({}).__proto__",
    "({}).toString",
    "'x'['constructor']",
    "[]['__proto__']",
  ])("{%s} is empty, since only own properties can be read", (source) => {
    expect(open("").code.expression(source, place)).toEqual([]);
  });

  test("prototypes can't be set, neither by the evaluator nor by the sandbox", () => {
    const { code } = open("");
    for (const source of [
      '{ __proto__: { polluted: 1 }, "a": 1 }',
      '{ ["__proto__"]: { polluted: 1 }, a: 1 }',
      '({ ...JSON.parse(\'{"__proto__": {"polluted": 1}, "a": 1}\') })',
    ]) {
      const value = code.attribute(source, place) as object;
      expect(Object.getOwnPropertyNames(value)).toEqual(["a"]);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test("components don't share global state", () => {
    render(
      "export const A = () => { globalThis.seen = 1; Array.prototype.map = () => ['taken']; return <b/>; };",
    );
    expect(render("export const A = () => <b>{typeof seen}{[1].map((x) => x)}</b>;").html).toBe(
      "<b>undefined1</b>",
    );
  });

  test("forged output of the sandbox is dropped", () => {
    const forge = (json: string) =>
      `export const A = () => { JSON.parse = () => { throw 1 }; let first = true; Object.prototype.toJSON = function () { if (!first) return this; first = false; return ${json}; }; return <b/>; };`;
    for (const json of [
      '"x"',
      "1",
      "null",
      "[1,2]",
      '{"result": 5}',
      '{"result": [{"tag": 7}, {"tag": "a b"}, {"slot": "x"}, {"slot": 99}, {"snippet": 99}, null, [1]]}',
      '{"result": [{"tag": "b", "props": 5, "children": 9}]}',
    ]) {
      const { html } = render(forge(json));
      expect(["", "<b></b>"]).toContain(html);
    }
  });

  test("invalid tag names are rejected", () => {
    expect(render("export const A = () => { const T = 'b onload=x'; return <T/>; };").html).toContain(
      "ProblemBox",
    );
    expect(render("export const A = () => { const T = ['b>', '<i'].join(''); return <T/>; };").html).toBe("");
  });

  test("getters and proxies run only inside the sandbox", () => {
    expect(render("export const A = () => <b>{({ get x() { return 'got'; } }).x}</b>;").html).toBe(
      "<b>got</b>",
    );
    expect(
      render("export const A = () => <b a={new Proxy({}, { ownKeys() { throw new Error('trap') } })}/>;")
        .problems,
    ).toEqual(["component-failed"]);
  });
});

/** Timeout of a test. It is far above the limits under test, since the machine can be busy. */
const timeout_ms = 30_000;

test("a component that was stopped on a busy machine runs again in the next build", async () => {
  const slow =
    "export const A = () => { let n = 0; for (let i = 0; i < 1e5; i++) n += 1; return <b>{`${n} rounds`}</b>; };";
  const files = siteOf({ "index.mdx": `${slow}\n\n<A />\n` });
  const store = new MemoryStore(true);
  let now = 0;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => (now += 900));
  const stopped = await buildSiteFrom(files, {}, store).finally(() => clock.mockRestore());
  expect(stopped.problems).toMatchObject([{ code: "component-failed" }]);
  const next = await buildSiteFrom(files, {}, store);
  expect(next.problems).toEqual([]);
  expect(next.read("index.html")).toContain("100000 rounds");
});

describe("excessive work is stopped", { timeout: timeout_ms }, () => {
  test.each([
    ["an endless loop", "export const A = () => { while (true); };"],
    ["an endless loop in the file", "while (true); export const A = () => [].map();"],
    ["a slow pattern", "export const A = () => /(a+)+$/.test('a'.repeat(50) + 'b') && 'x';"],
    [
      "a memory bomb",
      "export const A = () => { const l = []; while (true) l.push('x'.repeat(1e5) + l.length); };",
    ],
    ["a filled array", "export const A = () => new Array(1e9).fill('x');"],
    ["a spread text", "export const A = () => [...'x'.repeat(1e9)];"],
    ["an endless text", "export const A = () => { let s = 'x'; while (true) s += s; };"],
    ["endless recursion", "const f = (n) => [n].map(f); export const A = () => f(0);"],
    ["endless components", "const B = () => [].concat(<B/>); export const A = () => [<B/>].map((x) => x);"],
    [
      "an endless promise",
      "export const A = () => { const f = () => Promise.resolve().then(f); f(); while (true) { try { while (true); } catch {} } };",
    ],
    [
      "an endless conversion",
      "export const A = () => <b a={{ toJSON() { while (true); } }}>{{ toString() { while (true); } }}</b>;",
    ],
  ])("%s", (_what, esm) => {
    const { html, problems } = render(esm);
    expect(html).toContain("ProblemBox");
    expect(problems).toEqual(["component-failed"]);
  });

  test.each([
    ["JSON.parse('['.repeat(2e5))"],
    ["new Function('['.repeat(2e5))"],
    ["eval('('.repeat(2e5))"],
    ["new RegExp('('.repeat(2e5))"],
    ["(() => { let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; return JSON.stringify(o); })()"],
    ["(() => { let o = []; for (let i = 0; i < 1e5; i++) o = [o]; return o.flat(Infinity); })()"],
    ["(() => { let o = <i/>; for (let i = 0; i < 1e5; i++) o = <i>{o}</i>; return o; })()"],
  ])("deep nesting that code creates: %s", async (source) => {
    expect(render(`export const A = () => ${source};`).problems).toEqual(["component-failed"]);
    await sandbox.ready();
    expect(render("export const A = () => [1].map((n) => <b>{n}</b>);").html).toBe("<b>1</b>");
  });

  test.each([
    ["brackets", "[".repeat(10_000) + "]".repeat(10_000)],
    ["parentheses", `${"(".repeat(10_000)}1${")".repeat(10_000)}`],
    ["tags", "<b>".repeat(10_000) + "</b>".repeat(10_000)],
    ["operators", `${"!".repeat(10_000)}1`],
    ["sums", `${"1+".repeat(10_000)}1`],
    ["conditions", `${"1?".repeat(5_000)}1${":1".repeat(5_000)}`],
  ])("deep nesting in the source: %s", (_what, source) => {
    const { code, problems } = open("");
    expect(code.expression(source, place)).toEqual([`{${source}}`]);
    expect(problems).toEqual(["too-much-work"]);
    const exported = open(`export const A = () => ${source};`);
    if (exported.code.has("A")) exported.code.component("A", {}, [], place);
    expect(exported.problems).toEqual(["too-much-work"]);
  });

  test.each([
    [
      "templates that double",
      `const x0 = 'x'; ${doubling((now, before) => `const ${now} = \`\${${before}}\${${before}}\`;`)} export const A = () => <b>{x40}</b>;`,
    ],
    [
      "templates that grow to millions of characters",
      `const x0 = 'x'; ${doubling((now, before) => `const ${now} = \`\${${before}}\${${before}}\`;`)} export const A = () => <b>{x23}</b>;`,
    ],
    [
      "elements that double",
      `const x0 = <b/>; ${doubling((now, before) => `const ${now} = <i>{${before}}{${before}}</i>;`)} export const A = () => x40;`,
    ],
    [
      "fragments that double",
      `const x0 = 'x'; ${doubling((now, before) => `const ${now} = <>{${before}}<b/>{${before}}</>;`)} export const A = () => x40;`,
    ],
    [
      "arrays that double",
      `const x0 = ['x']; ${doubling((now, before) => `const ${now} = [${before}, ${before}];`)} export const A = () => <b>{x40}</b>;`,
    ],
    [
      "spread arrays that double",
      `const x0 = ['x']; ${doubling((now, before) => `const ${now} = [...${before}, ...${before}];`)} export const A = () => <b>{x40}</b>;`,
    ],
    [
      "properties that double",
      `const x0 = 'x'; ${doubling((now, before) => `const ${now} = { a: ${before}, b: ${before} };`)} export const A = () => <Card data={x40} />;`,
    ],
    [
      "components that double",
      `const X0 = () => 'x'; ${doubling((now, before) => `const ${now} = () => <p><${before}/><${before}/></p>;`, "X")} export const A = () => <X40/>;`,
    ],
    ["a component of itself", "export const A = () => <A/>;"],
  ])("%s are stopped", (_what, esm) => {
    expect(render(esm).problems).toEqual(["too-much-work"]);
  });

  test.each([
    [
      "more memory than the sandbox has",
      "export const A = () => <b>{new Uint8Array(1e8).length}</b>;",
      "component-failed",
    ],
    ["a huge text", "export const A = () => 'x'.repeat(2e7);", "component-failed"],
    ["very many elements", "export const A = () => Array.from({ length: 600000 }, () => <b/>);", undefined],
    [
      "a slot placed very often",
      "export const A = ({ children }) => Array.from({ length: 1000 }, () => children);",
      "too-much-work",
    ],
  ])("%s", (_what, esm, expected) => {
    const { code, problems } = open(esm);
    const nodes = code.component(
      "A",
      {},
      [
        element(
          "div",
          {},
          Array.from({ length: 1_000 }, () => element("i")),
        ),
      ],
      place,
    );
    expect(problems.length).toBe(1);
    if (expected) expect(problems).toEqual([expected]);
    expect((nodes[0] as ContentElement).name).toBe("ProblemBox");
  });

  test("the interpreter still works after deeply nested data", () => {
    render(
      "export const A = () => { let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; return JSON.stringify(o); };",
    );
    expect(render("export const A = () => [1].map((n) => n);").html).toBe("1");
  });

  test("a broken interpreter is not used again, and `ready` replaces it", async () => {
    const quickjs = {
      newRuntime: () => {
        throw new RangeError("Maximum call stack size exceeded");
      },
    };
    const broken = new Sandbox(Date.now, { quickjs: quickjs as never, isBroken: false });
    const run: Run = {
      program: { source: "() => ({ A: () => 'fine' })", hash: "", snippets: [], tags: new Set() },
      path: "A",
      kind: "nodes",
      input: '{"props":{"fields":{}},"user":{"fields":{}}}',
    };
    expect(broken.run(run).error).toContain("too much memory");
    expect(broken.run(run).error).toContain("earlier component");
    await broken.ready();
    expect(broken.run(run).result).toEqual(["fine"]);
  });

  test("the nesting depth is limited", () => {
    const budget = new EvaluationBudget(0);
    const down = (levels: number): number => (levels === 0 ? 0 : budget.deeper(() => down(levels - 1) + 1));
    expect(down(limits.nesting_levels)).toBe(limits.nesting_levels);
    expect(() => down(limits.nesting_levels + 1)).toThrow(TooMuchWork);
    expect(down(limits.nesting_levels)).toBe(limits.nesting_levels);
  });
});

/**
 * Forty declarations, each of which doubles the previous one, so that the last one contains the first one
 * 2^40 times.
 */
function doubling(line: (now: string, before: string) => string, name = "x"): string {
  return Array.from({ length: 40 }, (_, index) => line(`${name}${index + 1}`, `${name}${index}`)).join(" ");
}
