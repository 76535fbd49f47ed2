/** Tests which names the code of pages and snippets can use, and what imports give. */

import { expect, test } from "vitest";
import { briefly, buildPage, buildSiteFrom, type Sources, siteOf } from "../../../test/engine/build.ts";

const body = (html: string) => /<div class="o-body mdx-content">([\s\S]*?)<\/div><\/article>/.exec(html)![1]!;
const words = (html: string) =>
  body(html)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();

const names: [name: string, mdx: string, beside: Sources, shown: string, found: string[]][] = [
  [
    "a snippet with a lowercase name",
    'import setup from "/snippets/setup.mdx";\n\n<setup />',
    { "snippets/setup.mdx": "Set **up**." },
    "Set up .",
    [],
  ],
  [
    "the name of an HTML element",
    'import details from "./snippets/d.md";\n\n<details />',
    { "snippets/d.md": "Own details." },
    "Own details.",
    [],
  ],
  [
    "a name with a part in lowercase",
    'import waterPlant from "/snippets/w.mdx";\n\nInline <waterPlant n="7" /> text.',
    { "snippets/w.mdx": "has {n}" },
    "Inline has 7 text.",
    [],
  ],
  [
    "an HTML element with the name of a value",
    "export const section = 7;\n\n<section>In {section}</section>",
    {},
    "In 7",
    [],
  ],
  [
    "a lowercase snippet in a file of code",
    'import { A } from "/snippets/a.jsx";\n\n<A />',
    {
      "snippets/a.jsx": 'import note from "./note.mdx";\nexport const A = () => <div><note /></div>;',
      "snippets/note.mdx": "Noted.",
    },
    "Noted.",
    [],
  ],
  [
    "a component that only the page imports",
    'import { A } from "/snippets/a.jsx";\nimport { B } from "/snippets/b.jsx";\n\n<A /><A long={true} />',
    {
      "snippets/a.jsx":
        'export const A = ({ long }) => { if (long) { const out = []; out.push(<B key="1" />); return out; } return <p><B /></p>; };',
      "snippets/b.jsx": "export const B = () => <b>Both</b>;",
    },
    "Both Both",
    [],
  ],
  [
    "a component that a file exports which the page imports",
    'import { Other } from "/snippets/b.jsx";\nimport { A } from "/snippets/a.jsx";\n\n<A /><Other />',
    {
      "snippets/a.jsx": "export const A = () => <p><B>one</B></p>;",
      "snippets/b.jsx":
        "export const B = ({ children }) => <b>{children} two</b>; export const Other = () => <i>other</i>;",
    },
    "one two other",
    [],
  ],
  [
    "a snippet that only the page imports",
    'import Note from "/snippets/note.mdx";\nimport { A } from "/snippets/a.jsx";\n\n<A loop={false} /><A loop={true} />',
    {
      "snippets/a.jsx":
        "export const A = ({ loop }) => { if (loop) return [1].map(() => <Note />); return <Note />; };",
      "snippets/note.mdx": "Noted.",
    },
    "Noted. Noted.",
    [],
  ],
  [
    "a component that the page defines",
    'import { A } from "/snippets/a.jsx";\n\nexport const Own = () => <b>Own</b>;\n\n<A />',
    { "snippets/a.jsx": "export const A = () => <p><Own /></p>;" },
    "Own",
    [],
  ],
  [
    "a component that is nowhere",
    'import { A, C } from "/snippets/a.jsx";\n\nexport const Own = () => <Gone>own text</Gone>;\n\n<Own />\n\n<A /><C />',
    {
      "snippets/a.jsx":
        "export const A = () => (\n  <ul>{[1, 2].map((n) => <li><Lost n={n} /></li>)}</ul>\n);\nexport const C = () =>\n  <Gone>text</Gone>;",
    },
    "own text text",
    [
      "unknown-component index.mdx:3",
      "unknown-component snippets/a.jsx:2",
      "unknown-component snippets/a.jsx:5",
    ],
  ],
  [
    "a component in an expression",
    "{[1].map(() => <Nowhere>text</Nowhere>)}",
    {},
    "text",
    ["unknown-component index.mdx:1"],
  ],
  [
    "a built-in component from a package",
    'import { Card, Columns as Grid } from "@vendor/components";\nimport Tabs from "@theme/Tabs";\n\n<Tabs><Tab title="One">\n\n<Card title="Small">$5</Card>\n\n</Tab></Tabs>',
    {},
    "One One Small $5",
    ["package-import index.mdx:1", "package-import index.mdx:2"],
  ],
  [
    "another name from a package",
    'import { Bug } from "icons-react";\n\nPress <Bug size={2} /> or <Bug>this</Bug>.',
    {},
    "Press or this.",
    ["package-import index.mdx:1"],
  ],
  [
    "a package in a file of code",
    'import { Prices } from "/snippets/p.jsx";\n\n<Prices n={1} /><Prices n={2} />',
    {
      "snippets/p.jsx":
        'import { Card } from "@vendor/components";\nimport Star from "icons";\nexport const Prices = ({ n }) => { if (n > 1) return [n].map((x) => <Card title="Large">{x}<Star /></Card>); return <Card title="Small">{n}<Star /></Card>; };',
    },
    "Small 1 Large 2",
    ["package-import snippets/p.jsx:1", "package-import snippets/p.jsx:2"],
  ],
  [
    "React",
    'import { useMemo } from "react";\n\nexport const A = () => { const a = useMemo(() => 7); return <b>{a}</b>; };\n\n<A />',
    {},
    "7",
    [],
  ],
  [
    "JSON",
    'import data from "./data.json";\n\nVersion {data.version}, {data.list[1]}, {data["a-b"]}.',
    { "data.json": '{"version":"1.2.3","list":[1,2],"a-b":3,"class":4}' },
    "Version 1.2.3, 2, 3.",
    [],
  ],
  [
    "a name in JSON",
    'import { version } from "/data.json";\n\n{version}',
    { "data.json": '{"version":"1.2.3"}' },
    "1.2.3",
    [],
  ],
  [
    "a list in JSON",
    'import data from "/data.json";\n\n{data.map((x) => <b>{x}</b>)}',
    { "data.json": "[1, 2]\n" },
    "1 2",
    [],
  ],
  [
    "invalid JSON",
    'import data from "/data.json";\n\nA {data.a} B',
    { "data.json": '{"a": }' },
    "A B",
    ["code-syntax data.json:1"],
  ],
  [
    "the text of a file",
    'import code from "./a.py?raw";\n\n<pre>{code}</pre>',
    { "a.py": "print(1)\n" },
    "print(1)",
    [],
  ],
  [
    "the URL of a file",
    'import logo from "./logo.svg";\n\n<img src={logo} alt="x" />',
    { "logo.svg": "<svg/>" },
    "",
    [],
  ],
  [
    "the content of a missing component",
    'import { A } from "./gone.jsx";\n\n<A>\n\nStill **here**.\n\n</A>',
    {},
    "`./gone.jsx` couldn't be imported. Still here .",
    ["missing-import index.mdx:1"],
  ],
  [
    "the content of a component that fails",
    'export const A = ({ children }) => { throw new Error("Oops"); };\n\n<A>\n\nStill **here**.\n\n</A>',
    {},
    "`A` failed: Oops Still here .",
    ["component-failed index.mdx:3"],
  ],
  [
    "a missing file",
    'import A from "./gone.mdx";\n\n<A />',
    {},
    "`./gone.mdx` couldn't be imported.",
    ["missing-import index.mdx:1"],
  ],
];
names.push(
  [
    "components of the page, in a snippet",
    'import { Inner } from "/inner.jsx";\nimport A from "/snippets/a.mdx";\n\nexport const Local = () => <i>local</i>;\n\n<A />',
    {
      "inner.jsx": "export const Inner = () => <i>inner</i>; export const Card = () => <i>own</i>;",
      "snippets/a.mdx": 'A <Inner /> <Local /> <Card title="card" /> <None>none</None>',
    },
    "A inner local card none",
    ["unknown-component snippets/a.mdx:1"],
  ],
  ["an unknown element", "Text <setup>inside</setup>", {}, "Text inside", ["unknown-component index.mdx:1"]],
  [
    "an unknown element in a file of code",
    'import { A } from "/a.jsx";\n\n<A />',
    { "a.jsx": "export const A = () => <div>text <setup /></div>;" },
    "text",
    ["unknown-component a.jsx:1"],
  ],
  ["elements in capitals", "One<BR/>two <KBD>three</KBD>", {}, "One two three", []],
  ["a component in capitals", "export const HR = () => <i>rule</i>;\n\n<HR />", {}, "rule", []],
);

test.each(names)("%s", async (_, mdx, beside, shown, found) => {
  const { html, problems } = await buildPage(mdx, beside);
  expect(words(html)).toBe(shown);
  expect(briefly(problems)).toEqual(found);
  if (mdx.includes("logo")) expect(html).toMatch('src="logo.svg"');
});

test.each([
  [
    "a built-in component with a different name",
    'import { Accordion as Acc } from "@x/components";\n\n<Acc title="Title">Text</Acc>',
    /<details[^>]*>[\s\S]*Title[\s\S]*Text/,
  ],
  [
    "a namespace",
    'import * as Ui from "@x/components";\n\n<Ui.Note>Text</Ui.Note>',
    /class="o-callout callout o-callout-note"[\s\S]*Text/,
  ],
  [
    "a default import of a path",
    'import Tabz from "@theme/Tabs";\n\n<Tabz><Tab title="Title">Text</Tab></Tabz>',
    /role="tab"[^>]*>Title[\s\S]*Text/,
  ],
  [
    "components of a file that needs JavaScript",
    'import { A } from "/a.jsx";\n\n<A />',
    /<details[^>]*>[\s\S]*n 1[\s\S]*class="o-callout callout o-callout-note"[\s\S]*<svg class="o-icon"/,
  ],
  [
    "icons of Lucide",
    'import { Bug } from "lucide-react";\n\nText <Bug size={20} />',
    /Text <span class="o-ico"><svg class="o-icon"[^>]*width:20px/,
  ],
  [
    "icons of Font Awesome",
    'import { FaRegClock } from "react-icons/fa";\n\nText <FaRegClock />',
    /Text <span class="o-ico"><svg/,
  ],
  [
    "icons of Heroicons",
    'import { CheckIcon } from "@heroicons/react/24/solid";\n\nText <CheckIcon />',
    /Text <span class="o-ico"><svg/,
  ],
  [
    "a component with the name of an icon",
    'import { Info } from "lucide-react";\n\n<Info>Text</Info>',
    /o-callout-info"[\s\S]*Text/,
  ],
  [
    "a restriction with a different name",
    'import { Visibility as V } from "x";\n\n<V for="signed-in">Secret</V>\n\nText',
    /^(?!.*Secret).*Text/s,
  ],
])("imports from packages are replaced: %s", async (_, mdx, shown) => {
  const code =
    'import { Accordion as Acc } from "@x/c";\nimport * as Ui from "@x/c";\nimport { Bug } from "lucide-react";\nexport const A = () => <>{[1].map((n) => <Acc title={`n ${n}`}><Ui.Note>a</Ui.Note><Bug /></Acc>)}</>;';
  const { html, problems } = await buildPage(mdx, { "a.jsx": code });
  expect(body(html)).toMatch(shown);
  expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(["package-import"]));
});

test("the script of an island never contains a restriction, whatever its name is", async () => {
  const code =
    'import { Visibility as V } from "x";\nexport const A = () => { const [n, set] = useState(0); return <button onClick={() => set(n + 1)}><V for="signed-in">Secret</V></button>; };';
  const { site } = await buildPage('import { A } from "/a.jsx";\n\n<A />', { "a.jsx": code });
  expect(
    site.paths.filter(
      (path) => path.startsWith("_octavo/") && path.endsWith(".js") && site.read(path).includes("Secret"),
    ),
  ).toEqual([]);
});

test("a missing import doesn't affect code that doesn't use it", async () => {
  const { html, problems } = await buildPage(
    'import x from "./missing.json";\n\nexport const list = ["a", "b"];\n\n{list.map((item) => <i>{item}</i>)}',
  );
  expect(words(html)).toBe("a b");
  expect(briefly(problems)).toEqual(["missing-import index.mdx:1"]);
});

test("readers see no error box for an import from a package", async () => {
  const { html } = await buildPage('import { Bug } from "icons-react";\n\n<Bug />');
  expect(html).not.toMatch(/o-problem|couldn/);
});

test.each([
  ["a page next to the page", "[x](./near)", "../guides/near.html"],
  ["an image next to the page", "![x](./near.png)", "../guides/near.png"],
  ["a page next to the snippet", "[x](./far)", "../snippets/far.html"],
  ["both", "[x](./both)", "../guides/both.html"],
  ["a link of the content between the tags", "", "../guides/near.html"],
])("relative links in a snippet: %s", async (_, link, href) => {
  const between = link ? "" : "[x](./near)";
  const site = await buildSiteFrom(
    siteOf(
      {
        "guides/page.mdx": `import S from "/snippets/s.mdx";\n\n<S>${between}</S>`,
        "guides/near.mdx": "Near.",
        "guides/near.png": "x",
        "guides/both.mdx": "Near.",
        "snippets/s.mdx": link || "{children}",
        "snippets/far.mdx": "Far.",
        "snippets/both.mdx": "Far.",
        "snippets/near.mdx": "Wrong.",
      },
      {
        navigation: {
          pages: [
            "guides/page",
            "guides/near",
            "guides/both",
            "snippets/far",
            "snippets/both",
            "snippets/near",
          ],
        },
      },
    ),
  );
  expect(site.read("guides/page.html")).toMatch(new RegExp(`(?:href|src)="${href}"`));
  expect(site.problems).toEqual([]);
});

test.each([
  ["an arrow function", "<button onClick={() => alert(1)}>Press **me**</button>"],
  [
    "a function of the page",
    "export const press = () => { for (;;) alert(1); };\n\n<button onClick={press}>Press **me**</button>",
  ],
  [
    "several handlers",
    '<div className="a" onMouseEnter={(e) => { e.currentTarget.style.opacity = "1"; }} onMouseLeave={(e) => { e.currentTarget.style.opacity = "0"; }}>Press **me**</div>',
  ],
  ["spread attributes", "<button {...{ title: `a`, onClick: () => alert(1) }}>Press **me**</button>"],
  [
    "a prop of the author's component",
    'import { B } from "/snippets/b.jsx";\n\n<B act={() => alert(1)}>Press **me**</B>',
  ],
  [
    "a class",
    "export class B extends React.Component {\n  state = { word: 'Press' };\n  render() {\n    return <span>{this.state.word} <b>{this.props.text}</b></span>;\n  }\n}\n\n<B text=\"me\" />",
  ],
  ["in a component", '<Card title="A">\n<button onClick={() => alert(1)}>Press **me**</button>\n</Card>'],
  [
    "with other values",
    'export const label = 7;\n\n<button id={`b-${label}`} {...{ title: "x" }} onClick={() => alert(label)}>Press **me**</button>',
  ],
])("an element with a function runs in the browser: %s", async (_, mdx) => {
  const { html, problems, site } = await buildPage(mdx, {
    "snippets/b.jsx": "export const B = ({ act, children }) => <button onClick={act}>{children}</button>;",
  });
  expect(problems).toEqual([]);
  expect(html).toMatch("<octavo-island");
  expect(words(html)).toMatch("Press me");
  expect(site.paths.filter((path) => path.startsWith("_octavo/islands/"))).toHaveLength(1);
  expect(site.read("index.md")).toMatch("Press **me**");
});

test.each([
  ['<Card title="A" onClick={() => alert(1)}>Text.</Card>', "onClick has no effect on <Card>"],
  ['<button onclick="alert(1)">Text.</button>', "onclick has no effect on <button>"],
  ['<Card {...{ title: "A", onClick: () => alert(1) }}>Text.</Card>', "A function has no effect on <Card>"],
])("a handler without effect is reported: %s", async (mdx, message) => {
  const { html, problems } = await buildPage(mdx);
  expect(problems.map(({ code, message }) => [code, message])).toEqual([["no-effect", message]]);
  expect(words(html)).toMatch("Text.");
});

test("the limit of a page grows with its text", async () => {
  const uses = Array.from(
    { length: 2_000 },
    (_, n) => `<Row name="row${n}">\n  The text of row ${n}.\n</Row>`,
  ).join("\n\n");
  const row =
    "export const Row = ({ name, children }) => {\n  const id = `row-${name}`;\n  return <section id={id}><header><div><p><b>{name}</b></p></div></header>{children && <div><div>{children}</div></div>}</section>;\n};";
  const cpu = process.cpuUsage();
  const { html, problems } = await buildPage(`import { Row } from "/snippets/row.mdx";\n\n${uses}`, {
    "snippets/row.mdx": row,
  });
  const { user, system } = process.cpuUsage(cpu);
  expect(problems).toEqual([]);
  expect(html.match(/The text of row \d+\./g)).toHaveLength(2_000);
  expect((user + system) / 1e6).toBeLessThan(6);
});

test("a page that is still too large gives one error", async () => {
  const mdx =
    'export const A = ({ n }) => <>{n}{n}{n}{n}{n}{n}{n}{n}</>;\n\nexport const B = () => <A n={<A n={<A n={<A n={<A n={<A n={<A n="x" />} />} />} />} />} />} />;\n\n<B />\n\n<B />\n\n<B />';
  const { problems } = await buildPage(mdx);
  expect(briefly(problems)).toEqual(["too-much-work index.mdx:5"]);
});
