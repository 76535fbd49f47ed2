/** Checks that the generated pages of our documentation are up to date. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { generatedDocs } from "../scripts/generate-docs.js";
import { problemCodes } from "../src/base/problem-codes.ts";
import { loadCommands } from "../src/cli/run.ts";
import { components } from "../src/engine/components/components.ts";
import { buildSite } from "../src/engine/site/build-site.ts";
import { docsFolderFiles } from "../src/io/docs-folder-files.ts";
import { briefly, buildSiteFrom, siteOf } from "./engine/build.ts";

const root = path.resolve(import.meta.dirname, "..");
const docs = path.join(root, "docs");
const read = (file: string) => readFileSync(path.join(docs, file), "utf8");

describe("derived pages", async () => {
  const generated: Record<string, string> = await generatedDocs();

  test.each(Object.keys(generated))("%s is up to date (npm run docs:generate)", (file) => {
    expect(read(file)).toBe(generated[file]);
  });

  test("every problem has a page, and every page a problem", () => {
    const pages = readdirSync(path.join(docs, "problems")).map((file) => file.replace(".mdx", ""));
    expect(pages.filter((page) => page !== "index").sort()).toEqual(Object.keys(problemCodes).sort());
  });

  test("every problem has a place in the navigation", () => {
    const navigation = read("navigation.json");
    expect(Object.keys(problemCodes).filter((code) => !navigation.includes(`"problems/${code}"`))).toEqual(
      [],
    );
  });

  test("every problem is reported somewhere", () => {
    const source = (readdirSync(path.join(root, "src"), { recursive: true }) as string[])
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|problem-codes/.test(file))
      .map((file) => readFileSync(path.join(root, "src", file), "utf8"))
      .join("\n");
    expect(Object.keys(problemCodes).filter((code) => !source.includes(`"${code}"`))).toEqual([]);
  });
});

test("our documentation has no problems", { timeout: 120_000 }, async () => {
  const { problems } = await buildSite(docsFolderFiles(docs).files, { generator: "test", clock: Date.now });
  expect(briefly(problems)).toEqual([]);
});

const commands = (await loadCommands()).map((command) => command.name);

describe("written pages", () => {
  test.each(commands)("the command %s has a page", (name) => {
    expect(existsSync(path.join(docs, "commands", `${name}.mdx`))).toBe(true);
  });

  /** Aliases of components, and components that only the product generates. */
  const unlisted =
    /^(?:Aside|Cards|CardGrid|Caution|Critical|Error|Hint|Important|Link|LinkCard|Success|TabItem|Island|ProblemBox|Undocumented|Mermaid|Latex|MDX|SnippetGroup|Variation|FileTree|Param|Banner)$/;
  const pages = readdirSync(path.join(docs, "components")).map((file) => read(`components/${file}`));

  const help = path.join(root, "src/cli/help");
  test.each(readdirSync(help))("the help in %s is part of a page", (file) => {
    const name = file.replace(".txt", "");
    const page = read(`commands/${name === "octavo" ? "index" : name}.mdx`);
    const lines = readFileSync(path.join(help, file), "utf8").split("\n");
    expect(lines.filter((line) => !page.includes(line))).toEqual([]);
  });

  test.each(Object.keys(components).filter((name) => !unlisted.test(name)))(
    "the component %s is shown live",
    (name) => {
      expect(
        pages.some((page) =>
          new RegExp(`^\\s*(?:[-*] )?.*<${name.replace(".", "\\.")}[\\s>/]`, "m").test(withoutFences(page)),
        ),
      ).toBe(true);
    },
  );

  function withoutFences(page: string): string {
    return page.replace(/^([ \t]*)(`{3,}|~{3,})[\s\S]*?^\1\2/gm, "");
  }
});

test("the selectors for authors' style sheets are part of the pages", async () => {
  const components =
    '<Accordion title="A">a</Accordion><AccordionGroup><Accordion title="B">b</Accordion></AccordionGroup><Note>a</Note><Card title="C">a</Card>' +
    '<Columns cols={2}><Tile title="T" href="/next">a</Tile></Columns><Expandable title="E">a</Expandable><ParamField path="p">a</ParamField>' +
    '<Frame>![a](/a.png)</Frame><Steps><Step title="S">a</Step></Steps><Tabs><Tab title="T">a</Tab></Tabs><Tooltip tip="t">a</Tooltip>' +
    '<Update label="U">a</Update>\n\n```mermaid\nflowchart LR\n  A --> B\n```\n\n<CodeGroup>\n\n```js a\n1\n```\n\n</CodeGroup>\n\n## First\n\ntext';
  const page = (rest: string, text = "") => `---\ntitle: A\n${rest}---\n${text}`;
  const site = await buildSiteFrom(
    siteOf(
      {
        "before.mdx": page(""),
        "index.mdx": page("related: [before, next]\n", components),
        "next.mdx": page('openapi: "GET /a"\n'),
        "openapi.yaml":
          "openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\npaths: { /a: { get: { responses: { 200: { description: OK } } } } }\n",
      },
      {
        banner: { content: "News" },
        contextual: { options: ["copy"] },
        feedback: { thumbsRating: true },
        footer: { socials: { github: "https://github.com/acme" } },
        navbar: {
          links: [{ label: "Blog", href: "https://example.com" }],
          primary: { type: "button", label: "Go", href: "https://example.com" },
        },
        navigation: {
          global: { anchors: [{ anchor: "Forum", href: "https://example.com" }] },
          tabs: [{ tab: "Guides", groups: [{ group: "Start", pages: ["before", "index", "next"] }] }],
        },
      },
    ),
    { kind: "cloud" },
  );
  const html = ["index.html", "next.html"].map((file) => site.read(file)).join();
  const [, table = ""] = read("organize/appearance.mdx").split("| Selector | Part of the page |");
  const selectors = [...table.split("\n\n")[0]!.matchAll(/`([#.])([\w-]+)`/g)];
  expect(selectors.length).toBeGreaterThan(40);
  const missing = selectors.filter(([, kind, name]) =>
    kind === "#" ? !html.includes(`id="${name}"`) : !new RegExp(`class="(?:[^"]* )?${name}[ "]`).test(html),
  );
  expect(missing.map(([text]) => text)).toEqual([]);
});
