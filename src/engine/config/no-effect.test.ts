/** Tests that what is accepted without an effect is reported once, at its position, with what to do. */

import { expect, test } from "vitest";
import { briefly, buildSiteFrom, type Sources, siteOf } from "../../../test/engine/build.ts";

const group = (more: object) => ({ navigation: { groups: [{ group: "Guide", pages: ["index"], ...more }] } });
const cases: [name: string, settings: Record<string, unknown>, page: string, message: string][] = [
  [
    "AsyncAPI in the navigation",
    group({ asyncapi: "a.yaml" }),
    "",
    '"asyncapi" (a.yaml) has no effect on this group',
  ],
  [
    "AsyncAPI as an object",
    group({ asyncapi: { source: "/b.yaml", directory: "x" } }),
    "",
    '"asyncapi" (/b.yaml) has no effect on this group',
  ],
  [
    "GraphQL",
    { navigation: { tabs: [{ tab: "T", pages: ["index"], graphql: "schema.graphql" }] } },
    "",
    '"graphql" (schema.graphql) has no effect on this tab',
  ],
  [
    "an SDK",
    group({ sdk: { format: "typedoc", source: "t.json" } }),
    "",
    '"sdk" (typedoc: t.json) has no effect on this group',
  ],
  [
    "a linked navigation",
    group({ sourceRef: "acme/other" }),
    "",
    '"sourceRef" (acme/other) has no effect on this group',
  ],
  ["a key of another level", group({ align: "end" }), "", '"align" has no effect on a group'],
  ["thumbnails", { thumbnails: { appearance: "dark" } }, "", "thumbnails has no effect"],
  ["AsyncAPI in api", { api: { asyncapi: ["a.yaml"] } }, "", "api.asyncapi has no effect"],
  ["an integration", { integrations: { hotjar: { hjid: "1" } } }, "", "integrations.hotjar has no effect"],
  [
    "a class that loads a file",
    {},
    "<div className=\"p-4 bg-[url('/a.png')]\">x</div>",
    "The class bg-[url('/a.png')] has no effect",
  ],
  ["AsyncAPI on a page", {}, "---\nasyncapi: a.yaml plants\n---\n", "asyncapi has no effect"],
  ["GraphQL on a page", {}, "---\ngraphql: Query.plants\n---\n", "graphql has no effect"],
  ["an SDK on a page", {}, "---\nsdk: { symbol: Lamp }\n---\n", "sdk has no effect"],
  [
    "another spelling of a key",
    {},
    "---\nsidebar_title: A\n---\n",
    "sidebar_title has no effect. Did you mean sidebarTitle?",
  ],
  ["variations", {}, '<Variation id="a">Text.</Variation>', "<Variation> has no effect"],
  ["twoslash", {}, "```ts title twoslash\nconst a = 1;\n```", "twoslash has no effect"],
  [
    "buttons of an image",
    {},
    '<img src="https://example.com/a.png" actions={true} />',
    "actions has no effect",
  ],
];
test.each(cases)("%s", async (_, settings, page, message) => {
  const { problems, paths } = await buildSiteFrom(
    siteOf({ "index.mdx": `${page}\n\nText.\n` } as Sources, settings),
  );
  expect(problems.map(({ code, message }) => [code, message])).toEqual([
    ["no-effect", expect.stringMatching(message.replace(/[()?.[\]]/g, "\\$&"))],
  ]);
  expect(problems[0]!.line).toBeGreaterThan(0);
  expect(paths).toContain("index.html");
});

test("keys with an effect aren't reported, and a link in the header can have the type button", async () => {
  const settings = {
    navbar: {
      links: [{ type: "button", label: "Try it", href: "https://example.com" }],
      primary: { type: "button", label: "App", href: "https://example.com" },
    },
  };
  const { problems, read } = await buildSiteFrom(
    siteOf({ "index.mdx": "---\ntags: [a]\nauthor: Ada\ndate: 2026-01-01\n---\n\nText." }, settings),
  );
  expect(problems).toEqual([]);
  expect(read("index.html")).toMatch("Try it");
  const wrong = await buildSiteFrom(
    siteOf({ "index.mdx": "Text." }, { navbar: { links: [{ type: "big", label: "A", href: "/" }] } }),
  );
  expect(briefly(wrong.problems)).toEqual([expect.stringMatching("config-value docs.json")]);
});

test.each([
  ['<Card titel="T">x</Card>', "<Card> has no prop titel", "Did you mean title?"],
  [
    '<Card title="T" foo="a">x</Card>',
    "<Card> has no prop foo",
    "Remove it, or put its text between the tags.",
  ],
  [
    '<Steps><Step title="A" number={3}>x</Step></Steps>',
    "<Step> has no prop number",
    "Did you mean stepNumber?",
  ],
  ['<Frame captions="a">x</Frame>', "<Frame> has no prop captions", "Did you mean caption?"],
  ['- <Badge colour="red">x</Badge>', "<Badge> has no prop colour", "Did you mean color?"],
])("a prop that a component doesn't have is reported: %s", async (mdx, message, hint) => {
  const { problems } = await buildSiteFrom(siteOf({ "index.mdx": `${mdx}\n\n${mdx}` }));
  expect(problems.map((found) => [found.code, found.message, found.hint])).toEqual([
    [
      "component-prop",
      message,
      expect.stringMatching(hint.startsWith("Did you mean stepNumber") ? /./ : hint),
    ],
  ]);
});

test.each([
  '<Card id="a" class="b" className="c" style={{ color: "red" }} data-x="1" aria-label="d" title="T">x</Card>',
  '<Tabs sync={false}><Tab title="A" icon="star">x</Tab></Tabs>',
  '<ParamField query="a" type="string" required default="b" placeholder="c">x</ParamField>',
  'export const Card = ({ any }) => <i>{any}</i>;\n\n<Card any="thing" />',
])("other props are accepted: %s", async (mdx) => {
  expect((await buildSiteFrom(siteOf({ "index.mdx": mdx }))).problems).toEqual([]);
});

test.each([
  ["slug: /other", "slug has no effect. Rename the file, or add a redirect to docs.json"],
  [
    "sidebar_position: 3",
    "sidebar_position has no effect. The order of pages is set by the navigation in docs.json",
  ],
  ["redirect_from: [/a]", "redirect_from has no effect. Rename the file, or add a redirect to docs.json"],
])("a key of other platforms is reported: %s", async (line, message) => {
  const { problems } = await buildSiteFrom(siteOf({ "index.mdx": `---\n${line}\n---\nText.` }));
  expect(problems.map((found) => `${found.code} ${found.line} ${found.message}`)).toEqual([
    `no-effect 2 ${message}`,
  ]);
});

test("a paid icon is replaced by a similar free one, and reported", async () => {
  const site = await buildSiteFrom(
    siteOf({ "index.mdx": '<Icon icon="gear-complex" /> <Icon icon="gear" />' }),
  );
  const [paid, free] = [
    ...site.read("index.html").matchAll(/<span class="o-ico">(<svg[\s\S]*?<\/svg>)/g),
  ].map(([, svg]) => svg);
  expect(paid).toBe(free);
  expect(site.problems.map(({ code, message }) => [code, message])).toEqual([
    ["unknown-icon", 'Font Awesome has no free icon "gear-complex", so "gear" is shown'],
  ]);
});

test.each([
  ["flowchart LR\n  A --> B", undefined],
  ["---\ntitle: T\n---\n%% comment\n%%{init: {}}%%\nsequenceDiagram\n  A->>B: x", undefined],
  ["stateDiagram-v2\n  [*] --> A", undefined],
  ["xychart-beta\n  x-axis [a]", undefined],
  ["flowchat LR\n  A --> B", 'Mermaid has no diagram type "flowchat"'],
  ["[A] --> B", "The diagram doesn't start with its type"],
  ["flowchart TD\n  A[(a]--> B", 'Mermaid can\'t read line 2 of the diagram, at "]"'],
  ["flowchart LR\n  subgraph a\n  A --> B", "Mermaid can't read line 4 of the diagram"],
  ['pie\n  "a" 1', "Mermaid can't read line 2 of the diagram"],
  ["classDiagram\n  class A", undefined],
  ["treeView-beta\n  a", undefined],
])("the diagram %j gives the problem %s", async (diagram, message) => {
  const site = await buildSiteFrom(siteOf({ "index.mdx": `Text.\n\n\`\`\`mermaid\n${diagram}\n\`\`\`\n` }));
  expect(site.problems.map((found) => [found.code, found.line, found.message])).toEqual(
    message ? [["diagram-invalid", 3, message]] : [],
  );
  expect(site.read("index.html")).toContain(
    diagram.split("\n").at(-1)!.replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
  );
});

test("icons that the navigation can't show are reported", async () => {
  const icons = [
    "rocket",
    "/images/own.svg",
    { name: "bell", library: "lucide" },
    "<svg viewBox='0 0 1 1'/>",
    "rokcet",
    "/images/no.svg",
    "/a.png",
  ];
  const site = await buildSiteFrom(
    siteOf(
      {
        "index.mdx":
          '---\ntitle: A\nicon: nothing-like-it\n---\n<Card title=\'A\' icon=\'<svg viewBox="0 -6 9 9"><g fill="none"><path d="m0-6h3"/></g></svg>\'>B</Card>\n',
        "images/own.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
      },
      {
        navbar: { links: icons.map((icon) => ({ label: "A", href: "https://example.com", icon })) },
        navigation: {
          groups: [
            { group: "G", icon: "unknown-mark", pages: [{ group: "H", icon: "star", pages: ["index"] }] },
          ],
        },
      },
    ),
  );
  expect(site.problems.map(({ code, file, message }) => `${code} ${file}: ${message}`)).toEqual([
    'unknown-icon docs.json: Icon not found: "unknown-mark"',
    'unknown-icon docs.json: Icon not found: "rokcet"',
    "unknown-icon docs.json: The icon /images/no.svg isn't shown",
    "unknown-icon docs.json: The icon /a.png isn't shown",
    'unknown-icon index.mdx: Icon not found: "nothing-like-it"',
  ]);
});
