/**
 * A site contains only the parts of Mermaid that its diagrams need, and a page loads only those of its own.
 * Tested from disk.
 */

import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { useChromium } from "../../../test/browser/chromium.ts";
import { buildSiteFrom, siteOf, temporaryFolder, writeFiles } from "../../../test/engine/build.ts";

const { open } = useChromium();
const folder = temporaryFolder();

/** Diagrams by part of Mermaid. */
const types: Record<string, string> = {
  flowchart: "graph TD\n  A --> B",
  "flowchart-v2": "flowchart LR\n  A[Write] --> B{Check} --> C((Publish))",
  "flowchart-elk": "flowchart-elk LR\n  A --> B",
  swimlane: "swimlane-beta\n  A --> B",
  er: "erDiagram\n  CUSTOMER ||--o{ ORDER : places",
  gitGraph: "gitGraph\n  commit\n  branch next\n  commit",
  gantt: "gantt\n  dateFormat YYYY-MM-DD\n  section Work\n  Write :a, 2026-01-01, 3d",
  info: "info",
  pie: 'pie\n  "Docs" : 40\n  "Code" : 60',
  quadrantChart: "quadrantChart\n  x-axis Low --> High\n  y-axis Low --> High\n  A: [0.3, 0.6]",
  xychart: "xychart-beta\n  x-axis [jan, feb]\n  bar [5, 6]",
  requirement:
    "requirementDiagram\n  requirement req {\n    id: 1\n    text: Works\n    risk: high\n    verifymethod: test\n  }",
  sequence: "sequenceDiagram\n  Alice->>Bob: Hello",
  class: "classDiagram\n  Animal <|-- Duck",
  classDiagram: "classDiagram-v2\n  Animal <|-- Duck",
  stateDiagram: "stateDiagram-v2\n  [*] --> Live",
  journey: "journey\n  title Day\n  section Work\n  Write: 5: Me",
  timeline: "timeline\n  2025 : First\n  2026 : Second",
  mindmap: "mindmap\n  root\n    Leaf\n    Other",
  kanban: "kanban\n  Todo\n    task[Write]@{ priority: 'High' }",
  sankey: "sankey-beta\n\nA,B,10\nB,C,5",
  packet: 'packet-beta\n0-15: "Source"\n16-31: "Target"',
  radar: "radar-beta\n  axis a, b, c\n  curve one{1, 2, 3}",
  block: "block-beta\n  a b c",
  treeView: "treeView-beta\n  root\n    file",
  architecture: "architecture-beta\n  group api(cloud)[API]\n  service db(database)[Database] in api",
  ishikawa: "ishikawa-beta\n  Problem\n    Cause",
  venn: "venn-beta\n  set A\n  set B\n  union A,B",
  treemap: 'treemap-beta\n"Root"\n  "Leaf": 10',
  c4: 'C4Context\n  Person(a, "A")\n  System(b, "B")\n  Rel(a, b, "Uses")',
};

const fence = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\``;

/**
 * Builds a site into a folder. Returns the URLs of its pages and the names of its diagram scripts, with their
 * sizes.
 */
async function write(name: string, pages: Record<string, string>) {
  const site = await buildSiteFrom(siteOf(pages));
  const out = path.join(folder, name);
  writeFiles(out, Object.fromEntries(site.paths.map((file) => [file, site.bytes(file)])));
  const scripts = readdirSync(path.join(out, "_octavo")).filter((file) => file.startsWith("mermaid"));
  const sizes = Object.fromEntries(
    scripts.map((file) => [file, statSync(path.join(out, "_octavo", file)).size]),
  );
  const scriptsOf = (page: string) =>
    readFileSync(path.join(out, page), "utf8").match(/(?<=_octavo\/)mermaid[\w-]*\.js/g) ?? [];
  return {
    site,
    urlOf: (page: string) => pathToFileURL(path.join(out, page)).href,
    scripts,
    sizes,
    scriptsOf,
  };
}

/** Opens a page from disk and expects its diagrams to be drawn. */
const expectDrawn = (url: string, count = 1) =>
  open(url, async (page) => {
    await expect.poll(() => page.locator(".o-diagram-drawn > svg").count()).toBe(count);
    expect(await page.locator("pre.o-mermaid:visible").count()).toBe(0);
  });

test("a site without diagrams has no script for them", async () => {
  const { scripts } = await write("none", { "index.mdx": "Text" });
  expect(scripts).toEqual([]);
});

test("a site with flowcharts has one script, without other types of diagrams and without the ELK layout", async () => {
  const { scripts, sizes, urlOf } = await write("flowcharts", {
    "index.mdx": "Text",
    "a.mdx": fence(types["flowchart-v2"]!),
    "b.mdx": fence(types.flowchart!),
  });
  expect(scripts).toHaveLength(1);
  expect(sizes[scripts[0]!]).toBeLessThan(780_000);
  await expectDrawn(urlOf("a.html"));
  await expectDrawn(urlOf("b.html"));
});

test.each([
  ["the ELK layout", '%%{init: {"layout": "elk"}}%%\nflowchart LR\n  A --> B', "mermaid-elk.js"],
  [
    "a variant of it in frontmatter",
    "---\nconfig:\n  layout: elk.stress\n---\nflowchart LR\n  A --> B",
    "mermaid-elk.js",
  ],
  [
    "ELK as the renderer",
    '%%{init: {"flowchart": {"defaultRenderer": "elk"}}}%%\nflowchart LR\n  A --> B',
    "mermaid-elk.js",
  ],
  ["another layout of Mermaid", "---\nconfig:\n  layout: swimlane\n---\nflowchart LR\n  A --> B", undefined],
  ["frontmatter", "---\ntitle: Steps\n---\nflowchart LR\n  A --> B", undefined],
  ["properties of nodes", "flowchart LR\n  A@{ shape: rounded, label: Start } --> B", undefined],
  ["formulas", 'flowchart LR\n  A["$$x^2$$"] --> B', undefined],
])("a diagram with %s is drawn", async (name, source, script) => {
  const { scripts, urlOf } = await write(name, { "index.mdx": fence(source) });
  expect(scripts.includes("mermaid-elk.js")).toBe(script !== undefined);
  await expectDrawn(urlOf("index.html"));
});

test("diagrams that a component of the author shows are drawn, also those in its content", async () => {
  const component =
    "export const Toggle = ({ children }) => { const [open, set] = useState(true); return <div><button onClick={() => set(!open)}>Toggle</button><div hidden={!open}>{children}</div></div>; };";
  const { urlOf } = await write("components", {
    "index.mdx": `${component}\n\n<Toggle>\n\n${fence(types.pie!)}\n\n</Toggle>`,
    "other.mdx": `export const Chart = ({ source }) => <Mermaid chart={source} />;\n\n<Chart source={"sequenceDiagram\\n  A->>B: Hi"} />`,
  });
  await expectDrawn(urlOf("index.html"));
  await expectDrawn(urlOf("other.html"));
});

describe("types of diagrams", async () => {
  const pages = Object.fromEntries(
    Object.entries(types).map(([type, source]) => [`${type}.mdx`, fence(source)]),
  );
  const built = await write("types", { "index.mdx": "Text", ...pages });

  test.each(Object.keys(types))("%s is drawn with the scripts of its page", async (type) => {
    expect(built.site.problems.filter(({ file }) => file === `${type}.mdx`)).toEqual([]);
    await expectDrawn(built.urlOf(`${type}.html`));
  });

  test("a page loads only the scripts of its diagrams", () => {
    const size = (page: string) =>
      built.scriptsOf(page).reduce((total, file) => total + built.sizes[file]!, 0);
    expect(built.scriptsOf("index.html")).toEqual([]);
    expect(size("flowchart-v2.html")).toBeLessThan(780_000);
    expect(size("sequence.html")).toBeLessThan(780_000);
    expect(size("pie.html")).toBeGreaterThan(1_000_000);
  });
});
