import { describe, expect, test } from "vitest";
import { type ContentElement, type ContentNode, element, type Props } from "../content.ts";
import { open, place, sandbox, show } from "./document-code.fixture.ts";

/** Renders a component of a document as text. Expects no problems. */
function render(
  esm: string,
  name: string,
  props: Props = {},
  children: ContentNode[] = [],
  files: Record<string, string> = {},
): string {
  const { code, problems } = open(esm, { files });
  const nodes = code.component(name, props, children, place);
  expect(problems).toEqual([]);
  return show(nodes);
}

describe("a template component becomes content", () => {
  test.each<[string, string, Props, string]>([
    [
      "a badge",
      "export const A = ({ version }) => <span className='badge'>v{version}</span>;",
      { version: "2.1" },
      '<span className="badge">v2.1</span>',
    ],
    [
      "a function with a default export of it",
      "export function A({ a = 'x', ...rest }) { return <i {...rest}>{a}</i>; }",
      { id: "n" },
      '<i id="n">x</i>',
    ],
    [
      "constants, conditions and returns",
      "export const A = ({ a }) => { const big = a > 1; if (big) return <b>{a}</b>; else { return <i>{a}</i>; } };",
      { a: 2 },
      "<b>2</b>",
    ],
    [
      "the environment of a build",
      "export const A = () => { const { MODE, X } = import.meta.env; return <i>{String([import.meta.env.DEV, MODE, X, import.meta.env?.PROD])}</i>; };",
      {},
      "<i>false,production,,true</i>",
    ],
    ["nothing", "export const A = ({ show }) => show && <b/>;", {}, ""],
    [
      "a nested default",
      "export const A = ({ link: { href = '/', text } = { text: 'home' } }) => <a href={href}>{text}</a>;",
      {},
      '<a href="/">home</a>',
    ],
    [
      "a component within a component",
      "export const B = ({ children }) => <b>{children}</b>; export const A = () => <B>x<B>y</B></B>;",
      {},
      "<b>x<b>y</b></b>",
    ],
    [
      "a tag in a variable",
      "export const A = ({ level }) => { const H = `h${level}`; return <H>t</H>; };",
      { level: 3 },
      "<h3>t</h3>",
    ],
    [
      "a component in a property",
      "export const I = () => <i/>; export const C = ({ as: As }) => <As/>; export const A = () => <C as={I} />;",
      {},
      "<i></i>",
    ],
    [
      "a component of the platform",
      "export const A = ({ t }) => <Card title={t}><Icon icon='x'/></Card>;",
      { t: "T" },
      '<Card title="T"><Icon icon="x"></Icon></Card>',
    ],
    [
      "JSX in a property",
      "export const A = ({ icon }) => <p>{icon}</p>;",
      { icon: element("svg") },
      "<p><svg></svg></p>",
    ],
    [
      "a helper that is called",
      "const url = (id) => `https://x/${id}`; export const A = ({ id }) => <a href={url(id)}/>;",
      { id: 1 },
      '<a href="https://x/1"></a>',
    ],
    ["a group of components", "export const A = { B: ({ n }) => <b>{n}</b> }; ", {}, "<b></b>"],
  ])("%s", (_what, esm, props, expected) => {
    expect(render(esm, esm.startsWith("export const A = {") ? "A.B" : "A", props)).toBe(expected);
  });
});

describe("a component that needs JavaScript becomes static content", () => {
  test.each<[string, string, Props, string]>([
    [
      "a list over exported data",
      "export const data = [{ n: 'a' }, { n: 'b' }]; export const A = () => <ul>{data.map((d) => <li key={d.n}>{d.n}</li>)}</ul>;",
      {},
      "<ul><li>a</li><li>b</li></ul>",
    ],
    [
      "regular expressions",
      "export const A = ({ t }) => <b>{t.match(/\\d+/)[0]}</b>;",
      { t: "a12b" },
      "<b>12</b>",
    ],
    [
      "platform components",
      "export const A = ({ l }) => <Columns cols={2}>{l.map((t) => <Card title={t} icon={<Icon icon={t} />} />)}</Columns>;",
      { l: ["x"] },
      '<Columns cols=2><Card title="x" icon={"name":"","props":{},"children":[{"name":"Icon","props":{"icon":"x"},"children":[]}]}></Card></Columns>',
    ],
    [
      "parts of platform components",
      "export const A = () => <Tree>{['a'].map((n) => <Tree.File name={n} />)}</Tree>;",
      {},
      '<Tree><Tree.File name="a"></Tree.File></Tree>',
    ],
    [
      "helpers that are not exported",
      "const up = (s) => s.toUpperCase(); const B = ({ s }) => <b>{up(s)}</b>; export const A = () => <p><B s='x'/></p>;",
      {},
      "<p><b>X</b></p>",
    ],
    [
      "loops, mutation and try",
      "export const A = () => { let s = ''; for (let i = 0; i < 3; i++) s += i; try { null.x } catch { s += '!' } return s; };",
      {},
      "012!",
    ],
    [
      "memo, context and ids",
      "const C = React.createContext('d'); const In = () => <b>{useContext(C)}</b>; export const A = React.memo(() => <C.Provider value='v'><In/><i id={useId()}/></C.Provider>);",
      {},
      '<b>v</b><i id="id-1"></i>',
    ],
    [
      "context in components that need no JavaScript",
      "const C = React.createContext('d'); const In = () => <b>{useContext(C)}</b>; export const A = () => <C.Provider value='v'><In/></C.Provider>;",
      {},
      "<b>v</b>",
    ],
    [
      "context through children",
      "const C = React.createContext('d'); const useC = () => React.useContext(C); const In = () => { const v = useC(); return <b>{v}</b>; }; const Out = ({ children }) => <C.Provider value='v'>{children}</C.Provider>; export const A = () => <Out><p><In/></p></Out>;",
      {},
      "<p><b>v</b></p>",
    ],
    [
      "a style object",
      "export const A = ({ w }) => <p style={{ width: Math.min(w, 5) }}/>;",
      { w: 9 },
      '<p style={"width":5}></p>',
    ],
  ])("%s", (_what, esm, props, expected) => {
    expect(render(esm, "A", props)).toBe(expected);
  });

  test("children pass through the sandbox unchanged", () => {
    const inner = element("p", {}, ["text"]);
    const { code } = open(
      "export const A = ({ children, n }) => <div>{Array.from({ length: n }, (_, i) => <b>{i}</b>)}{children}</div>;",
    );
    const [div] = code.component("A", { n: 1 }, [inner, "tail"], place) as ContentElement[];
    expect(show([div!])).toBe("<div><b>0</b><p>text</p>tail</div>");
    expect(div!.children[1]).toBe(inner);
  });

  test("output is reproducible, since time and randomness are fixed", () => {
    const esm =
      "export const A = () => <b>{Math.random()} {Date.now()} {new Date().getFullYear()} {String(new Date(0).getTime())}</b>;";
    expect(render(esm, "A")).toBe(render(esm, "A"));
    expect(render(esm, "A")).toContain("1767225600000 2026 0");
  });
});

describe("imports", () => {
  const files = {
    "/badge.mdx":
      "export const VersionBadge = ({ version }) => <code>{version}</code>; export const list = ['a']; export const Listed = () => list.map((x) => <i>{x}</i>);",
    "/parts.jsx":
      "import { url } from './url.js'; export const Link = ({ id }) => <a href={url + id}>{id}</a>; export default () => <hr/>; const x = 1; export { x as renamed };",
    "./url.js": "export const url = '/u/'; export const upper = (s) => s.toUpperCase();",
    "/typed.tsx":
      "import type { ReactNode } from 'react'; import { useMemo } from 'react';\ninterface P { n: number; children?: ReactNode }\nexport const Typed = ({ n }: P) => <b>{n as number}</b>;\nexport function Twice<T extends string>({ t }: { t: T }) { const s = useMemo(() => t.repeat(2), [t]); return <b>{s}</b>; }",
    "/all.js": "export * from './url.js'; export { Link } from '/parts.jsx';",
    "/computes.jsx":
      "import { upper } from '/all.js'; import Snip, { list } from '/badge.mdx'; export const Up = ({ t }) => <><b>{upper(t)}{list.length}</b><Snip a={t}>in</Snip></>;",
  };
  test.each<[string, string, string, Props, string]>([
    [
      "a component of a snippet",
      "import { VersionBadge } from '/badge.mdx';",
      "VersionBadge",
      { version: "1" },
      "<code>1</code>",
    ],
    [
      "a snippet uses its own constants",
      "import { Listed } from '/badge.mdx'; export const list = [];",
      "Listed",
      {},
      "<i>a</i>",
    ],
    ["a snippet itself", "import Snip from '/badge.mdx';", "Snip", { a: 1 }, "<section a=1></section>"],
    [
      "a file that imports a file",
      "import { Link } from '/parts.jsx';",
      "Link",
      { id: "7" },
      '<a href="/u/7">7</a>',
    ],
    ["a default export", "import Rule from '/parts.jsx';", "Rule", {}, "<hr></hr>"],
    [
      "an import under another name",
      "import { Link as Go } from '/parts.jsx';",
      "Go",
      { id: "7" },
      '<a href="/u/7">7</a>',
    ],
    [
      "everything under one name",
      "import * as Parts from '/parts.jsx';",
      "Parts.Link",
      { id: "7" },
      '<a href="/u/7">7</a>',
    ],
    ["TypeScript", "import { Typed } from '/typed.tsx';", "Typed", { n: 1 }, "<b>1</b>"],
    ["TypeScript that computes", "import { Twice } from '/typed.tsx';", "Twice", { t: "a" }, "<b>aa</b>"],
    ["a re-export", "import { Link } from '/all.js';", "Link", { id: "7" }, '<a href="/u/7">7</a>'],
    [
      "code and a snippet, from code that computes",
      "import { Up } from '/computes.jsx';",
      "Up",
      { t: "a" },
      '<b>A1</b><section a="a">in</section>',
    ],
  ])("%s", (_what, esm, name, props, expected) => {
    expect(render(esm, name, props, [], files)).toBe(expected);
  });

  test("values of other files", () => {
    const { code } = open("import { renamed } from '/parts.jsx'; import { url } from '/all.js';", { files });
    expect(code.expression("url + renamed", place)).toEqual(["/u/1"]);
  });

  test.each([
    ["import { A } from '/nowhere.jsx';", ["missing-import"], "<ProblemBox"],
    ["import { A } from 'lodash';", ["missing-import"], "<ProblemBox"],
    ["import { A } from '/parts.jsx';", ["missing-export"], "<ProblemBox"],
    ["import A from './url.js';", ["missing-export"], "<ProblemBox"],
    ["import { A } from '/broken.jsx';", ["code-syntax"], "<ProblemBox"],
    ["import { A } from '/broken.tsx';", ["code-syntax"], "<ProblemBox"],
    ["import { A } from '/circle.jsx';", ["component-failed"], "<ProblemBox"],
  ])("%s reports %s", (esm, expected, start) => {
    const more = {
      ...files,
      "/broken.jsx": "export const A = (",
      "/broken.tsx": "export const A: = 1",
      "/circle.jsx": "export { A } from '/circle.jsx'; export const B = 1;",
    };
    const { code, problems } = open(esm, { files: more });
    expect(code.has("A")).toBe(true);
    expect(show(code.component("A", {}, [], place)).startsWith(start)).toBe(true);
    expect(problems).toEqual(expected);
  });
});

describe("an interactive component becomes an island", () => {
  const counter =
    "export const Counter = ({ start = 0, children }) => { const [n, setN] = useState(start); return <button onClick={() => setN(n + 1)}>{n}{children}</button>; };";

  /** Renders a component and returns its island. */
  function island(esm: string, name: string, props: Props = {}, children: ContentNode[] = []) {
    const { code, problems } = open(esm);
    const [node] = code.component(name, props, children, place) as ContentElement[];
    expect(problems).toEqual([]);
    expect(node!.name).toBe("Island");
    return { ...node!, html: show(node!.children), data: JSON.parse(node!.props.data as string) };
  }

  test("with its initial HTML, its props and its code", () => {
    const { props, html, data } = island(counter, "Counter", { start: 5 });
    expect(html).toBe("<button>5</button>");
    expect(props.component).toBe("Counter");
    expect(data).toEqual({ fields: { start: 5 } });
    const script = sandbox.browserScripts().get(props.code as string)!;
    expect(script).toMatch(/^octavoIslands\.add\("[0-9a-f]{16}",/);
    expect(island(counter, "Counter", { start: 6 }).props.code).toBe(props.code);
  });

  test("whose children are in slots, which are hidden if the component doesn't show them", () => {
    const { html, data } = island(counter, "Counter", {}, [element("b", {}, ["in"])]);
    expect(html).toBe("<button>0<octavo-slot data-slot=0><b>in</b></octavo-slot></button>");
    expect(data).toEqual({ fields: { children: { slot: 0 } } });
    const closed = island(
      "export const Fold = ({ children }) => { const [open] = useState(false); return <div>{open && children}</div>; };",
      "Fold",
      {},
      ["later"],
    );
    expect(closed.html).toBe("<div></div>");
    const hidden = island(
      "export const Fold = ({ children }) => { const [open] = useState(false); return <div>{open && children}</div>; };",
      "Fold",
      {},
      [element("b")],
    );
    expect(hidden.html).toBe("<div></div><octavo-slot data-slot=0 hidden=true><b></b></octavo-slot>");
  });

  test.each([
    ["a handler", "export const A = () => <a onClick={() => {}}>x</a>;", "<a>x</a>"],
    [
      "an effect",
      "export const A = () => { useEffect(() => { document.title = 'x' }, []); return <b/>; };",
      "<b></b>",
    ],
    [
      "hooks by import",
      "import React, { useState } from 'react'; export const A = () => { const [a] = useState(1); const [b] = React.useState(() => 2); return <React.Fragment>{a}{b}</React.Fragment>; };",
      "12",
    ],
    [
      "a reducer",
      "export const A = () => { const [s] = useReducer((s) => s, { n: 1 }); return <b>{s.n}</b>; };",
      "<b>1</b>",
    ],
    [
      "a check for `window`",
      "export const A = () => <b>{typeof window === 'undefined' ? 'server' : 'browser'}</b>;",
      "<b>server</b>",
    ],
    ["use of `window`, without initial HTML", "export const A = () => <b>{window.location.href}</b>;", ""],
    ["the clock", "export const A = () => <b>{new Date().getFullYear()}</b>;", "<b>2026</b>"],
  ])("because of %s", (_why, esm, html) => {
    expect(island(esm, "A").html).toBe(html);
  });

  test("while the template around it stays static content", () => {
    const { code } = open(
      `${counter} export const Page = () => <section><h2>t</h2><Counter start={1} /></section>;`,
    );
    expect(show(code.component("Page", {}, [], place))).toMatch(
      /^<section><h2>t<\/h2><Island .*><button>1<\/button><\/Island><\/section>$/,
    );
  });

  test("together with a component that passes an event handler to it", () => {
    const { code } = open(
      "const Button = ({ go }) => <button onClick={go}/>; export const A = () => <p><Button go={() => {}} /></p>;",
    );
    expect(show(code.component("A", {}, [], place))).toMatch(
      /^<Island .*"A".*><p><button><\/button><\/p><\/Island>$/,
    );
  });
});

describe("a component that fails is replaced with a problem box", () => {
  test.each([
    ["export const A = () => { throw new Error('no luck') };", "`A` failed: no luck"],
    ["export const A = () => <b>{missing}</b>;", "`A` failed: `missing` isn't defined."],
    ["export const A = ({ a }) => <b>{a.b.c}</b>;", "`A` failed: Can't read `b` of undefined."],
    ["export const A = 5;", "`A` failed: `A` isn't a component."],
    ["export const A = () => ({ a: 1 });", "`A` failed: Objects can't be shown as text."],
    ["export const A = A;", "`A` failed: A name refers to itself."],
  ])("%s", (esm, message) => {
    const { code, problems } = open(esm);
    expect(code.component("A", {}, [], place)).toEqual([element("ProblemBox", { message })]);
    expect(problems).toEqual(["component-failed"]);
  });

  test("while the content around it remains", () => {
    const { code } = open("const Bad = () => { throw 1 }; export const A = () => <p>before <Bad/></p>;");
    expect(show(code.component("A", {}, [], place))).toBe(
      '<p>before <ProblemBox message="`Bad` failed: The code threw 1"></ProblemBox></p>',
    );
  });
});
