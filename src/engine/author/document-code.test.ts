import { describe, expect, test } from "vitest";
import { type Problem } from "../../base/problem.ts";
import { type ContentNode, element, type Props } from "../content.ts";
import { type DocumentCode, type Loaded, openDocumentCode } from "./document-code.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";

const place = { file: "page.mdx", line: 10 };
const sandbox: Sandbox = await createSandbox();

interface Opened {
  code: DocumentCode;
  problems: string[];
}

/** Opens a document; its files are code, or snippets when they end in `.mdx`. */
function open(esm: string, given: { files?: Record<string, string>; props?: Props; children?: ContentNode[]; user?: Props } = {}): Opened {
  const problems: string[] = [];
  const report = (problem: Problem) => problems.push(problem.code);
  const load = (specifier: string): Loaded | undefined => {
    const source = given.files?.[specifier];
    if (source === undefined) return undefined;
    if (!specifier.endsWith(".mdx")) return { kind: "code", file: specifier, source };
    const snippet = openDocumentCode({ file: specifier, esm: [{ source, line: 1 }], props: {}, children: [], load, report, sandbox });
    return { kind: "snippet", code: snippet, expand: (props, children) => [element("section", props, children)] };
  };
  const { props = {}, children = [], user } = given;
  return { code: openDocumentCode({ file: "page.mdx", esm: esm ? [{ source: esm, line: 1 }] : [], props, children, load, report, sandbox, user }), problems };
}

/** Content in a short notation: `<b class="x">text</b>`; properties as JSON. */
function show(nodes: ContentNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === "string") return node;
      const props = Object.entries(node.props).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
      return `<${node.name}${props.join("")}>${show(node.children)}</${node.name}>`;
    })
    .join("");
}

describe("an expression in text", () => {
  const esm = 'export const site = { name: "Octavo", parts: ["a", "b"], deep: { n: 2 } }; export const n = 3; export const no = null;';
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
    ["<p className='x' style={{ maxWidth: '2em' }}>a &amp; b</p>", '<p className="x" style={"maxWidth":"2em"}>a & b</p>'],
    ["<p>\n  one\n  two <b>three</b>\n</p>", "<p>one two <b>three</b></p>"],
    ["<p key='k' {...{ id: 'a' }} />", '<p id="a"></p>'],
    // What the evaluator leaves to the sandbox.
    ["site.parts.map((part) => <li key={part}>{part}</li>)", "<li>a</li><li>b</li>"],
    ["'a-b'.split('-').join('+')", "a+b"],
    ["Math.max(1, n)", "3"],
    ["[3, 1, 2].sort().map((x) => x * 2).join()", "2,4,6"],
    ["(() => 'called')()", "called"],
    ["JSON.stringify(site.deep)", '{"n":2}'],
    ["<Card>{site.parts.map((part) => <b>{part}</b>)}</Card>", "<Card><b>a</b><b>b</b></Card>"],
  ])("{%s} gives %s", (source, expected) => {
    const { code, problems } = open(esm);
    expect(show(code.expression(source, place))).toBe(expected);
    expect(problems).toEqual([]);
  });
});
