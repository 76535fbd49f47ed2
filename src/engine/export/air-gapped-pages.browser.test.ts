/**
 * Pages of air-gapped sites load nothing from other hosts, even if content from other hosts gets past the code
 * that replaces it: each page contains a content security policy, for http and for pages from disk.
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectBrowser } from "../../../test/browser/chromium.ts";
import { type BuiltSite, buildSiteFrom, siteOf } from "../../../test/engine/build.ts";
import { typeOf } from "../../host/content-type.ts";

const work = mkdtempSync(path.join(tmpdir(), "octavo-air-gapped-"));
let browser: Browser;
let built: BuiltSite;
let origin: string;
let elsewhere: string;
let servers: Server[] = [];
/** Paths that the other host was asked for. */
let asked: string[] = [];

/** HTML that loads something from another host in many ways. `own.js` is a script of the site. */
const planted = (host: string) => `
<img src="${host}/img.png"><picture><source srcset="${host}/source.png"><img src="x.png"></picture>
<script src="${host}/script.js"></script><script type="module" src="${host}/module.js"></script>
<link rel="stylesheet" href="${host}/sheet.css"><link rel="icon" href="${host}/icon.png"><link rel="manifest" href="${host}/manifest.json">
<link rel="preload" as="image" href="${host}/preload.png"><link rel="modulepreload" href="${host}/preload.js"><link rel="prefetch" href="${host}/prefetch.js">
<style>@import "${host}/import.css"; @font-face { font-family: Other; src: url(${host}/font.woff2) } #planted { font-family: Other; background: url(${host}/background.png) }</style>
<p id="planted" style="border-image: url(${host}/style.png) 1">Planted</p>
<iframe src="${host}/frame.html"></iframe><object data="${host}/object.svg"></object><embed src="${host}/embed.svg">
<video src="${host}/video.mp4" poster="${host}/poster.png"></video><audio src="${host}/audio.mp3"></audio>
<svg><image href="${host}/image.svg"/><use href="${host}/use.svg#a"/><rect fill="url(${host}/fill.svg#a)"/></svg>
<table background="${host}/table.png"><tr><td>Cell</td></tr></table><input type="image" src="${host}/input.png">
<img src="x.png" onerror="fetch('${host}/handler')">
<script src="own.js"></script>
<base href="${host}/"><img src="based.png">`;
/** SVG that loads something from another host in many ways, with other spellings of the same. */
const plantedSvg = (host: string) => {
  const entity = `&#104;${host.slice(1)}`;
  return `<?xml-stylesheet href="${host}/instruction.css"?>
<!DOCTYPE svg [<!ENTITY host "${host}"><!ATTLIST use href CDATA "${host}/default.svg#a">]>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:s="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="99" height="99">
<image href="${host}/image.png" width="9" height="9"/><image xlink:href = '${host}/xlink.png' width="9" height="9"/>
<image href="${entity}/reference.png" width="9" height="9"/><image href="&host;/entity.png" width="9" height="9"/>
<s:image href="${host}/prefix.png" width="9" height="9"/><style/><image href="${host}/empty.png" width="9" height="9"/>
<style><![CDATA[@import "${host}/cdata.css";]]></style><style><g></g>@import url(${host}/child.css);</style>
<style>.a { background: url(${host}/url.png) } .b { background: image-set("${host}/set.png" 1x) }</style>
<filter id="f"><feImage href="${host}/fe.png"/></filter><rect width="9" height="9" filter="url(#f)"/>
<foreignObject width="99" height="99"><div xmlns="http://www.w3.org/1999/xhtml" class="a" style="border-image: url(${host}/style.png) 1">A
<p class="b">B</p><img src="${host}/html.png"/><textarea><img src="${host}/textarea.png"/></textarea><iframe src="data:text/html,&lt;img src=${host}/frame.png>"/></div></foreignObject>
<image width="9" height="9"><set attributeName="href" to="${host}/set-href.png"/></image>
<script href="${host}/script.js"/><script>fetch("${host}/fetch")</script><rect onload="fetch('${host}/handler')" width="9" height="9"/>
</svg>`;
};
const ownScript = (host: string) => `
const at = "${host}";
for (const send of [
  () => fetch(at + "/fetch"), () => navigator.sendBeacon(at + "/beacon", "x"), () => new EventSource(at + "/events"),
  () => new WebSocket(at.replace("http", "ws") + "/socket"), () => { const r = new XMLHttpRequest(); r.open("GET", at + "/xhr"); r.send(); },
  () => { new Image().src = at + "/image.png"; }, () => import(at + "/import.js"), () => new Worker(URL.createObjectURL(new Blob(["importScripts('" + at + "/worker.js')"]))),
  () => document.head.append(Object.assign(document.createElement("script"), { src: at + "/late.js" })),
  () => { const form = Object.assign(document.createElement("form"), { action: at + "/form", method: "post", target: "sent" }); document.body.append(Object.assign(document.createElement("iframe"), { name: "sent" }), form); form.submit(); },
]) try { Promise.resolve(send()).catch(() => {}); } catch {}
document.documentElement.dataset.planted = "done";
`;

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function write(folder: string, name: string, text: string | Uint8Array): void {
  mkdirSync(path.dirname(path.join(work, folder, name)), { recursive: true });
  writeFileSync(path.join(work, folder, name), text);
}

beforeAll(async () => {
  browser = await connectBrowser();
  elsewhere = await listen(
    createServer((request, response) => {
      asked.push(request.url!);
      response.writeHead(200, { "access-control-allow-origin": "*" }).end();
    }),
  );

  const page = "Text\n\n<Tabs><Tab title='One'>First</Tab><Tab title='Two'>Second</Tab></Tabs>\n";
  const html = '<!DOCTYPE html>\n<!-- <head> --><html lang="en"><head><title>Own</title></head><body>';
  built = await buildSiteFrom(
    {
      ...siteOf(
        { "index.mdx": page, "guide/start.mdx": page },
        {
          redirects: [{ source: "/old", destination: "/guide/start" }],
        },
      ),
      "own.html": `${html}${planted(elsewhere)}</body></html>`,
      "drawing.svg": plantedSvg(elsewhere),
      "old.htm": planted(elsewhere),
      "bare.html": `\uFEFF${planted(elsewhere)}`,
    },
    { kind: "air-gapped", links: "html" },
  );

  for (const name of built.paths) {
    const bytes = built.bytes(name);
    write("site", name, bytes);
    const isPage = name === "index.html" || name === "guide/start.html";
    const text = isPage ? built.read(name).replace("</body>", `${planted(elsewhere)}</body>`) : bytes;
    write("planted", name, text);
    write("without", name, typeof text === "string" ? withoutPolicy(text) : text);
  }
  write("without", "drawing.svg", plantedSvg(elsewhere));
  for (const folder of ["planted", "without"])
    for (const at of ["own.js", "guide/own.js"]) write(folder, at, ownScript(elsewhere));

  origin = await listen(
    createServer((request, response) => {
      const name = decodeURI(request.url!.replace(/[?#].*$/s, ""));
      try {
        const bytes = readFileSync(path.join(work, name));
        response.writeHead(200, { "content-type": typeOf(name) }).end(bytes);
      } catch {
        response.writeHead(404).end();
      }
    }),
  );
});
afterAll(async () => {
  await browser?.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
  rmSync(work, { recursive: true, force: true });
});

function withoutPolicy(html: string): string {
  return html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/i, "");
}

/** Opens a page with planted content, and returns the paths that the other host was asked for. */
async function askedBy(url: string, isMarked = true): Promise<string[]> {
  asked = [];
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "load" });
  if (isMarked) await page.waitForFunction("document.documentElement.dataset.planted === 'done'");
  // A request that the browser sends after all others.
  await page.evaluate("new Promise((resolve) => setTimeout(resolve, 0))");
  await page.waitForLoadState("networkidle");
  await context.close();
  return asked;
}

const places = { http: () => origin, disk: () => pathToFileURL(work).href };

describe.each(Object.entries(places))("over %s", (_, place) => {
  test.each(["index.html", "guide/start.html"])("%s with planted content", async (name) => {
    expect(await askedBy(`${place()}/planted/${name}`)).toEqual([]);
    // Without the policy, the same page loads them.
    expect((await askedBy(`${place()}/without/${name}`)).length).toBeGreaterThan(20);
  });

  test.each(["own.html", "old.htm", "bare.html"])("%s, an HTML file of the folder", async (name) => {
    expect(await askedBy(`${place()}/planted/${name}`)).toEqual([]);
  });

  test("an SVG file of the folder", async () => {
    expect(await askedBy(`${place()}/planted/drawing.svg`, false)).toEqual([]);
    const paths = await askedBy(`${place()}/without/drawing.svg`, false);
    expect(new Set(paths).size, paths.join(" ")).toBeGreaterThan(15);
  });
});

test("every HTML file has the policy, before anything that loads", () => {
  const files = built.paths.filter((name) => name.endsWith(".html"));
  expect(files).toEqual(expect.arrayContaining(["404.html", "bare.html", "old.html", "own.html"]));
  for (const name of files) {
    const start = built.read(name).slice(0, 700);
    const policy = start.indexOf('<meta http-equiv="Content-Security-Policy"');
    expect([name, policy >= 0]).toEqual([name, true]);
    expect([name, start.slice(0, policy).match(/<(?:link|script|style|img)/)]).toEqual([name, null]);
  }
});

test("files with other encodings keep their bytes after the policy", async () => {
  const latin = Uint8Array.from(
    [...'<!doctype html><meta charset="iso-8859-1">caf'].map((c) => c.charCodeAt(0)).concat(0xe9),
  );
  const site = await buildSiteFrom(
    { ...siteOf({ "index.mdx": "Text" }), "latin.html": latin },
    { kind: "air-gapped" },
  );
  const bytes = site.bytes("latin.html");
  expect(Buffer.from(bytes).toString("latin1")).toMatch(
    /^<!doctype html><meta http-equiv="Content-Security-Policy" content="[^"<>]+"><meta charset="iso-8859-1">caf\xe9$/,
  );
});

test("pages of other sites have no policy", async () => {
  const site = await buildSiteFrom(siteOf({ "index.mdx": "Text" }), { kind: "client-hosted" });
  expect(site.read("index.html")).not.toContain("Content-Security-Policy");
});
