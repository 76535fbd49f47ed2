/**
 * SVG files and diagrams load nothing from other hosts when they are opened from disk or from a host that
 * sends no policy.
 */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectBrowser } from "../../../test/browser/chromium.ts";
import { buildSiteFrom, siteOf, temporaryFolder, writeFiles } from "../../../test/engine/build.ts";
import { typeOf } from "../../host/content-type.ts";

const work = temporaryFolder();
const servers: Server[] = [];
let browser: Browser;
let origin: string;
let elsewhere: string;
let asked: string[] = [];

/** Mermaid draws a diagram with an image after the image has been loaded. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);
const xhtml = 'xmlns="http://www.w3.org/1999/xhtml"';

/** Contents of an SVG file that load something from a host, by name. */
const contents: Record<string, (host: string) => string> = {
  image: (host) => `<image href="${host}/a.png" width="9" height="9"/>`,
  xlink: (host) => `<image xlink:href='${host}/a.png' width="9" height="9"/>`,
  "blanks around the equals sign": (host) => `<image href = "${host}/a.png" width="9" height="9"/>`,
  "numeric references": (host) =>
    `<image href="${host.replace("h", "&#104;").replace(":", "&#x3a;")}/a.png" width="9" height="9"/>`,
  "a tab in the URL": (host) => `<image href="ht&#9;tp${host.slice(4)}/a.png" width="9" height="9"/>`,
  backslashes: (host) => `<image href="${host.replaceAll("/", "\\")}/a.png" width="9" height="9"/>`,
  prefix: (host) =>
    `<s:image xmlns:s="http://www.w3.org/2000/svg" href="${host}/a.png" width="9" height="9"/>`,
  feImage: (host) =>
    `<filter id="f"><feImage href="${host}/a.png"/></filter><rect filter="url(#f)" width="9" height="9"/>`,
  animation: (host) =>
    `<image href="data:," width="9" height="9"><set attributeName="href" to="${host}/a.png"/></image>`,
  script: (host) => `<script href="${host}/a.js"/>`,
  "text of a script": (host) => `<script>new Image().src = "${host}/a.png"</script>`,
  "event handler": (host) =>
    `<image href="data:," width="9" height="9" onerror="new Image().src = '${host}/a.png'"/>`,
  import: (host) => `<style>@import "${host}/a.css";</style>`,
  "import in CDATA": (host) => `<style><![CDATA[/*</style>*/@import url(${host}/a.css);]]></style >`,
  "import around a comment": (host) => `<style>@im<!-- a -->port "${host}/a.css";</style>`,
  "import after a child": (host) => `<style><g/>@import "${host}/a.css";</style>`,
  "import in data": (host) => `<style>@import "data:text/css,@import '${host}/a.css'";</style>`,
  "escapes in a style sheet": (host) =>
    `<style>@import "\\68 ttp\\3a ${host.slice(5).replaceAll("/", "\\2f ")}/a.css";</style>`,
  "a line break in a style sheet": (host) => `<style>@import "ht\\\ntp${host.slice(4)}/a.css";</style>`,
  "an escaped tab in a style sheet": (host) => `<style>@import "ht\\9 tp${host.slice(4)}/a.css";</style>`,
  font: (host) =>
    `<style>@font-face { font-family: A; src: url(${host}/a.woff2) } text { font-family: A }</style><text y="9">A</text>`,
  HTML: (host) => `<foreignObject width="99" height="99"><img ${xhtml} src="${host}/a.png"/></foreignObject>`,
  "source set": (host) =>
    `<foreignObject width="99" height="99"><img ${xhtml} srcset="/b.png 3x, ${host}/a.png 1x"/></foreignObject>`,
  "style attribute": (host) =>
    `<foreignObject width="99" height="99"><p ${xhtml} style="background: url(&apos;${host}/a.png&apos;)">A</p></foreignObject>`,
  "image set": (host) =>
    `<foreignObject width="99" height="99"><p ${xhtml} style='background: image-set("${host}/a.png" 1x)'>A</p></foreignObject>`,
  frame: (host) =>
    `<foreignObject width="99" height="99"><iframe ${xhtml} src="${host}/a.html"/></foreignObject>`,
  "frame with data": (host) =>
    `<foreignObject width="99" height="99"><iframe ${xhtml} src="data:text/html,&lt;img src=${host}/a.png>"/></foreignObject>`,
  "frame with a document": (host) =>
    `<foreignObject width="99" height="99"><iframe ${xhtml} srcdoc="&lt;img src=${host}/a.png>"/></foreignObject>`,
  link: (host) => `<link ${xhtml} rel="stylesheet" href="${host}/a.css"/>`,
};

/** Documents that load something from a host, by name. */
const documents: Record<string, (host: string) => string> = {
  ...Object.fromEntries(
    Object.entries(contents).map(([name, content]) => [name, (host: string) => svg(content(host))]),
  ),
  instruction: (host) => svg("", `<?xml-stylesheet type="text/css" href="${host}/a.css"?>`),
  entity: (host) => svg('<image href="&x;"/>', `<!DOCTYPE svg [<!ENTITY x "${host}/a.png">]>`),
  "entity with an element": (host) =>
    svg("&x;", `<!DOCTYPE svg [<!ENTITY x "&#60;image href='${host}/a.png'/>">]>`),
  "default attribute": (host) =>
    svg("<image/>", `<!DOCTYPE svg [<!ATTLIST image href CDATA "${host}/a.png">]>`),
};

function svg(content: string, before = ""): string {
  return `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="99" height="99">${content}</svg>`;
}

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const fileOf = (name: string) => `${name.replaceAll(" ", "-")}.svg`;

beforeAll(async () => {
  browser = await connectBrowser();
  elsewhere = await listen(
    createServer((request, response) => {
      asked.push(request.url!);
      response
        .writeHead(200, { "access-control-allow-origin": "*" })
        .end(request.url === "/a.png" ? png : "");
    }),
  );
  origin = await listen(
    createServer((request, response) => {
      const name = decodeURI(request.url!);
      try {
        const bytes = readFileSync(path.join(work, name));
        response.writeHead(200, { "content-type": typeOf(name) }).end(bytes);
      } catch {
        response.writeHead(404).end();
      }
    }),
  );

  const files = Object.fromEntries(
    Object.entries(documents).map(([name, document]) => [fileOf(name), document(elsewhere)]),
  );
  const built = await buildSiteFrom({ ...siteOf({ "index.mdx": "Text" }), ...files }, { kind: "air-gapped" });
  for (const folder of ["cleaned", "written"]) mkdirSync(path.join(work, folder));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(path.join(work, "cleaned", name), built.bytes(name));
    writeFileSync(path.join(work, "written", name), text);
  }
});

afterAll(async () => {
  await browser?.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Opens a document, and returns the paths that the other host was asked for. */
async function askedBy(url: string): Promise<string[]> {
  asked = [];
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "load" });
  await page.waitForLoadState("networkidle");
  await context.close();
  return asked;
}

const places = { http: () => origin, disk: () => pathToFileURL(work).href };

describe.each(Object.entries(places))("over %s", (_, place) => {
  test.each(Object.keys(documents))("%s in an SVG file", async (name) => {
    expect(await askedBy(`${place()}/cleaned/${fileOf(name)}`)).toEqual([]);
    expect(await askedBy(`${place()}/written/${fileOf(name)}`)).not.toEqual([]);
  });
});

/** Diagrams that load something from a host, by name. */
const diagrams: Record<string, (host: string) => string> = {
  "image shape": (host) => `flowchart LR\n  A@{ img: "${host}/a.png", label: "A", w: 60, h: 60 } --> B`,
  "image in a label": (host) => `flowchart LR\n  A["<img src='${host}/a.png'>"] --> B`,
  "style in a label": (host) => `flowchart LR\n  A["<p style='background: url(${host}/a.png)'>A</p>"] --> B`,
  "theme CSS": (host) =>
    `%%{init: {"themeCSS": ".node rect { background: url(${host}/a.png) } @import '${host}/a.css';"}}%%\nflowchart LR\n  A --> B`,
  "theme variable": (host) =>
    `%%{init: {"themeVariables": {"primaryColor": "url(${host}/a.svg#b)"}}}%%\nflowchart LR\n  A --> B`,
  "font family": (host) =>
    `%%{init: {"fontFamily": "A; background-image: url(${host}/a.png)"}}%%\nflowchart LR\n  A --> B`,
  frontmatter: (host) =>
    `---\nconfig:\n  themeCSS: ".node { background: url(${host}/a.png) }"\n---\nflowchart LR\n  A --> B`,
  link: (host) => `flowchart LR\n  A --> B\n  click A "${host}/a"`,
  message: (host) => `sequenceDiagram\n  A->>B: <img src="${host}/a.png">`,
  "image of a person": (host) =>
    `C4Context\n  Person(a, "A", "B", $sprite="${host}/a.png")\n  System(b, "B", "<img src='${host}/a.png'>")\n  Rel(a, b, "Uses")`,
};

describe.each(["client-hosted", "air-gapped"] as const)(
  "diagrams of an exported site (%s) from disk",
  (kind) => {
    const folder = path.join(work, kind);
    const pages: Record<string, string> = {};

    beforeAll(async () => {
      for (const [name, source] of Object.entries(diagrams))
        pages[`${name.replaceAll(" ", "-")}.mdx`] =
          `\`\`\`mermaid\n${source(elsewhere)}\n\`\`\`\n\n\`\`\`mermaid\ngraph TD\n  C --> D\n\`\`\``;
      const built = await buildSiteFrom(siteOf({ "index.mdx": "Text", ...pages }), { kind, links: "html" });
      writeFiles(folder, Object.fromEntries(built.paths.map((file) => [file, built.bytes(file)])));
    });

    test.each(Object.keys(diagrams))("%s", async (name) => {
      asked = [];
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(pathToFileURL(path.join(folder, `${name.replaceAll(" ", "-")}.html`)).href);
      // The next diagram is drawn after this one.
      await page.waitForSelector(".o-diagram-drawn > #o-diagram-1");
      await page.waitForLoadState("networkidle");
      await context.close();
      expect(asked).toEqual([]);
    });
  },
);
