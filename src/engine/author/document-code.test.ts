import { describe, expect, test } from "vitest";
import type { Problem } from "../../base/problem.ts";
import { element } from "../content.ts";
import { open, place, sandbox, show } from "./document-code.fixture.ts";
import { openDocumentCode } from "./document-code.ts";

describe("an expression in text", () => {
  const esm =
    'export const site = { name: "Octavo", parts: ["a", "b"], deep: { n: 2 } }; export const n = 3; export const no = null;';
  test.each([
    ["/* a comment */", ""],
    ["", ""],
    ['"text"', "text"],
    ["1 + 2 * 3", "7"],
    ["n % 2 === 1 ? 'odd' : 'even'", "odd"],
    ["`${site.name} has ${n}`", "Octavo has 3"],
    ["site.parts", "ab"],
    ["site.parts.length", "2"],
    ["site.parts[1]", "b"],
    ["site?.missing?.more", ""],
    ["no ?? 'none'", "none"],
    ["true && 'shown'", "shown"],
    ["false", ""],
    ["n, site.name", "Octavo"],
    ["<b>{n}</b>", "<b>3</b>"],
    ["<><i/>x</>", "<i></i>x"],
    ["<Card title={site.name} icon='x' big />", '<Card title="Octavo" icon="x" big=true></Card>'],
    ["<Tree.File name='a' />", '<Tree.File name="a"></Tree.File>'],
    [
      "<p className='x' style={{ maxWidth: '2em' }}>a &amp; b</p>",
      '<p className="x" style={"maxWidth":"2em"}>a & b</p>',
    ],
    ["<p>\n  one\n  two <b>three</b>\n</p>", "<p>one two <b>three</b></p>"],
    ["<p key='k' {...{ id: 'a' }} />", '<p id="a"></p>'],
    ["(() => 'called')()", "called"],
    // The evaluator doesn't support these expressions, so the sandbox runs them.
    ["site.parts.map((part) => <li key={part}>{part}</li>)", "<li>a</li><li>b</li>"],
    ["'a-b'.split('-').join('+')", "a+b"],
    ["Math.max(1, n)", "3"],
    ["[3, 1, 2].sort().map((x) => x * 2).join()", "2,4,6"],
    ["JSON.stringify(site.deep)", '{"n":2}'],
    ["<Card>{site.parts.map((part) => <b>{part}</b>)}</Card>", "<Card><b>a</b><b>b</b></Card>"],
  ])("{%s} gives %s", (source, expected) => {
    const { code, problems } = open(esm);
    expect(show(code.expression(source, place))).toBe(expected);
    expect(problems).toEqual([]);
  });
});

describe("braces whose code can't be evaluated are shown as text", () => {
  test.each([
    "name",
    "a, b",
    "{variable}",
    "user_id",
    "missing.path",
    "foo()",
    "items.map(x => x)",
    "<Card title={nothing} />",
  ])("{%s}", (source) => {
    const { code, problems } = open("");
    expect(code.expression(source, place)).toEqual([`{${source}}`]);
    expect(problems).toEqual(["undefined-name"]);
  });

  test.each([
    ["{ a: 1 }", "expression-failed"],
    ["fetch('https://example.com/a')", "expression-failed"],
    ["(() => fetch('https://example.com/a').then((answer) => answer.status))()", "expression-failed"],
    ["eval('1 + 1')", "expression-failed"],
    ["[1].map(() => eval('1 + 1'))", "expression-failed"],
    ["new Function('return 1')()", "expression-failed"],
    ["user.profile.name.toUpperCase()", "expression-failed"],
    ["1 +", "code-syntax"],
    ["1], [2", "code-syntax"],
    ["1]; [2", "code-syntax"],
    ["...[1]", "code-syntax"],
  ])("{%s} reports %s", (source, problem) => {
    const { code, problems } = open("");
    expect(code.expression(source, place)).toEqual([`{${source}}`]);
    expect(problems).toEqual([problem]);
  });

  test.each([
    ["(() => { throw 1 })()", "The code threw 1"],
    ["(() => { throw '' })()", 'The code threw ""'],
    ["(() => { throw undefined })()", "The code threw undefined"],
    ["(() => { throw null })()", "The code threw null"],
    [
      "(() => { throw { toString: 1, message: { a: 2 } } })()",
      'The code threw {"toString":1,"message":{"a":2}}',
    ],
    ["(() => { const a = {}; a.a = a; throw a })()", "The code threw a value that can't be shown"],
    ["(() => { throw new Error() })()", "The code threw an error without a message"],
    ["(() => { throw new Error('Sold out') })()", "Sold out"],
  ])("{%s} is reported with what was thrown", (source, message) => {
    const found: Problem[] = [];
    const code = openDocumentCode({
      file: "a.mdx",
      esm: [],
      props: {},
      children: [],
      load: () => undefined,
      report: (problem) => found.push(problem),
      sandbox,
    });
    code.expression(source, place);
    expect(found.map((problem) => problem.message)).toEqual([message]);
  });

  test("an error is reported once, at its position", () => {
    const found: Problem[] = [];
    const code = openDocumentCode({
      file: "a.mdx",
      esm: [
        { source: "export const a = 1;", line: 4 },
        { source: "export const = 2;", line: 7 },
      ],
      props: {},
      children: [],
      load: () => undefined,
      report: (problem) => found.push(problem),
      sandbox,
    });
    code.expression("1 +\n\n+", { file: "a.mdx", line: 20 });
    code.expression("1 +\n\n+", { file: "a.mdx", line: 20 });
    expect(found.map(({ code, line }) => `${code} ${line}`)).toEqual(["code-syntax 7", "code-syntax 23"]);
    expect(code.expression("a", place)).toEqual(["1"]);
  });
});

describe("props and children of a snippet", () => {
  const given = {
    props: { word: "x", title: "T", icon: element("svg") },
    children: ["in ", element("b", {}, ["side"])],
  };
  test.each([
    ["word", "x"],
    ["props.word", "x"],
    ["props.nothing", ""],
    ["children", "in <b>side</b>"],
    ["props.children", "in <b>side</b>"],
    ["icon", "<svg></svg>"],
    ["title", "own"],
    ["word.toUpperCase()", "X"],
    ["props.word.repeat(2)", "xx"],
    ["[1].map(() => <p>{children}</p>)", "<p>in <b>side</b></p>"],
  ])("{%s} gives %s", (source, expected) => {
    const { code, problems } = open('export const title = "own";', given);
    expect(show(code.expression(source, place))).toBe(expected);
    expect(problems).toEqual([]);
  });

  test.each([
    ["user.name", '<span data-reader="name"></span>'],
    ["user?.org?.plan", '<span data-reader="org.plan"></span>'],
    ['user.org["plan name"]', '<span data-reader="org.plan name"></span>'],
    ['user.teams[0] ?? "no team"', '<span data-reader="teams.0">no team</span>'],
    ["(user.name || ('you'))", '<span data-reader="name">you</span>'],
    ["<b>{user.name ?? 'you'}</b>", '<b><span data-reader="name">you</span></b>'],
  ])("{%s} is text that depends on the reader", (source, expected) => {
    const { code, problems } = open("");
    expect(show(code.expression(source, place))).toBe(expected);
    expect(problems).toEqual([]);
  });

  test.each([
    'user.plan === "pro" ? "Pro" : "Free"',
    "`Hello ${user.name ?? 'you'}`",
    "user.teams?.map((team) => <b>{team}</b>)",
    "'plan' in user ? 'member' : ''",
    "Object.keys(user).length",
    'user["a.b"] ?? "dots"',
    "<a href={'/' + user.id}>{title}</a>",
    "<Greeting />",
  ])("{%s} is an island, because only the browser knows the reader", (source) => {
    const { code, problems } = open(
      'export const title = "own"; export const Greeting = () => user.plan ? "Member" : "Guest";',
    );
    const [node] = code.expression(source, place);
    expect(node).toMatchObject({ name: "Island" });
    expect(problems).toEqual([]);
  });

  test("a name `user` of the document isn't the reader", () => {
    const { code } = open('export const user = { name: "Ada" };');
    expect(code.expression("user.name", place)).toEqual(["Ada"]);
    const names = open('export const list = [{ name: "Bob" }];').code;
    expect(show(names.expression("list.map((user) => <i>{user.name}</i>)", place))).toBe("<i>Bob</i>");
  });
});

describe("attributes", () => {
  test.each([
    ["3", 3],
    ["-1.5", -1.5],
    ["true", true],
    ["null", null],
    ["'text'", "text"],
    ["[1, 'a']", [1, "a"]],
    ["{ maxWidth: 10, a: { b: [] } }", { maxWidth: 10, a: { b: [] } }],
    ["<b>x</b>", element("b", {}, ["x"])],
    ["[1, 2].map((n) => n * 2)", [2, 4]],
    ["({ list: 'a,b'.split(',') })", { list: ["a", "b"] }],
  ])("attr={%s}", (source, expected) => {
    const { code, problems } = open("");
    expect(code.attribute(source, place)).toEqual(expected);
    expect(problems).toEqual([]);
  });

  test.each([
    ["nothing", "undefined-name"],
    ["{ name: 'script', props: {}, children: [] }", "expression-failed"],
    ["[1].map(() => ({ name: 'script', props: {}, children: [] }))", "expression-failed"],
  ])("attr={%s} is omitted and reported as %s", (source, problem) => {
    const { code, problems } = open("");
    expect(code.attribute(source, place)).toBeUndefined();
    expect(problems).toEqual([problem]);
  });

  test.each([
    ["...{ a: 1 }", { a: 1 }],
    ["...more", { b: 2 }],
    ["...Object.fromEntries([['c', 3]])", { c: 3 }],
  ])("{%s}", (source, expected) => {
    expect(open("export const more = { b: 2 };").code.spread(source, place)).toEqual(expected);
  });
});

test("an exported null takes precedence over the same name in a re-exported file", () => {
  const files = {
    "./a.js": 'export const value = null; export * from "./b.js";',
    "./b.js": 'export const value = "b";',
  };
  const { code } = open('import { value } from "./a.js";', { files });
  expect(show(code.expression("value === null ? 'null' : value", place))).toBe("null");
});
