import { buildSync } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectBrowser } from "../../../test/browser/chromium.ts";
import { type ContentElement, type ContentNode, element, type Props } from "../content.ts";
import { open, place, sandbox } from "./document-code.fixture.ts";

const islandsScript = buildSync({
  entryPoints: ["src/browser/islands.ts"],
  bundle: true,
  write: false,
  format: "iife",
  minify: true,
}).outputFiles[0]!.text;

let browser: Browser;
beforeAll(async () => {
  browser = await connectBrowser();
}, 30_000);
afterAll(() => browser.close());

function html(nodes: ContentNode[]): string {
  return nodes.map((node) => (typeof node === "string" ? node : tag(node))).join("");
}

function tag({ name, props, children }: ContentElement): string {
  const quote = (value: unknown) => `"${String(value).replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`;
  if (name === "Island")
    return `<octavo-island data-code=${quote(props.code)} data-component=${quote(props.component)} data-props=${quote(props.data)}>${html(children)}</octavo-island>`;
  return `<${name}${Object.entries(props)
    .map(([key, value]) => ` ${key}=${quote(value)}`)
    .join("")}>${html(children)}</${name}>`;
}

/**
 * Opens a page with component `A` in a browser. `logged`: types of the page's console messages, and
 * `uncaught` for each exception.
 */
async function visit(
  esm: string,
  props: Props = {},
  children: ContentNode[] = [],
): Promise<{ page: Page; first: string; logged: string[] }> {
  const nodes = open(esm).code.component("A", props, children, place);
  const page = await browser.newPage();
  const logged: string[] = [];
  page.on("console", (message) => logged.push(message.type()));
  page.on("pageerror", () => logged.push("uncaught"));
  await page.setContent(`<main>${html(nodes)}</main>`);
  const first = await page.innerHTML("octavo-island");
  await page.addScriptTag({ content: islandsScript });
  await page.addScriptTag({
    content: sandbox.browserScripts().get((nodes[0] as ContentElement).props.code as string) ?? "",
  });
  return { page, first, logged };
}

describe("an island in the browser", { timeout: 30_000 }, () => {
  test("shows its initial HTML until the reader interacts with it", async () => {
    const { page, first, logged } = await visit(
      "const Label = ({ n }) => <b>{n}</b>; export const A = ({ start }) => { const [n, set] = useState(start); return <button className='c' style={{ color: 'red' }} onClick={() => set(n + 1)}><Label n={n}/></button>; };",
      { start: 4 },
    );
    expect(first).toContain("<b>4</b>");
    expect(await page.innerHTML("octavo-island")).toBe(
      '<button class="c" style="color: red;"><b>4</b></button>',
    );
    await page.click("button");
    await page.click("button");
    expect(await page.innerText("b")).toBe("6");
    expect(logged).toEqual([]);
  });

  test("can hide and show content of the page", async () => {
    const { page, first } = await visit(
      "export const A = ({ children }) => { const [open, set] = useState(false); return <div><button onClick={() => set(!open)}>more</button>{open && children}</div>; };",
      {},
      [element("p", { id: "inside" }, ["text"])],
    );
    expect(first).toContain('hidden="true"');
    expect(await page.locator("#inside").count()).toBe(0);
    for (const expected of [1, 0, 1]) {
      await page.click("button");
      expect(await page.locator("#inside").count()).toBe(expected);
    }
    expect(await page.innerText("#inside")).toBe("text");
  });

  test("can use the browser's globals", async () => {
    const { page, first } = await visit("export const A = () => <b>{window.document.nodeType}</b>;");
    expect(first).toBe("");
    expect(await page.innerHTML("octavo-island")).toBe("<b>9</b>");
  });

  test("renders built-in components in a simple form", async () => {
    const { page } = await visit(
      "export const A = () => { useEffect(() => {}); return <Card title='T'><Tree.File/></Card>; };",
    );
    expect(await page.innerHTML("octavo-island")).toBe(
      '<div class="o-card"><strong>T</strong><div class="o-tree-file"></div></div>',
    );
  });

  test.each([
    [
      "in the first render",
      "export const A = ({ children }) => { useState(); if (typeof window !== 'undefined') throw new Error('x'); return <p>{children}</p>; };",
    ],
    [
      "in an effect",
      "export const A = ({ children }) => { useEffect(() => { throw new Error('x') }, []); return <p>{children}</p>; };",
    ],
    [
      "in a later render",
      "export const A = ({ children }) => { const [n, set] = useState(0); useEffect(() => set(1), []); if (n) throw new Error('x'); return <p>{children}</p>; };",
    ],
    [
      "while its script is loaded",
      "const x = window.nothing.more; export const A = ({ children }) => <p>{x}{children}</p>;",
    ],
  ])("keeps its initial HTML and logs one warning if it fails %s", async (_when, esm) => {
    const { page, first, logged } = await visit(esm, {}, [element("i", {}, ["kept"])]);
    await expect.poll(() => logged).toEqual(["warning"]);
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    expect(await page.innerHTML("octavo-island")).toBe(first);
    expect(logged).toEqual(["warning"]);
  });
});
