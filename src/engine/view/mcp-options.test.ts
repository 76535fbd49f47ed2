/** Options of the page menu that connect a tool to the MCP server of the site, and those that copy and print. */

import { describe, expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../test/engine/build.ts";
import { filesFrom } from "../../base/files.ts";
import { buildSite } from "../site/build-site.ts";
import { checkMcpOptions } from "./mcp-options.ts";

const all = ["mcp", "add-mcp", "cursor", "vscode", "windsurf", "devin-desktop", "devin-mcp"];
const hosted = { kind: "cloud", links: "clean", origin: "https://docs.acme.example" } as const;

const menuOf = async (options: unknown[], target: object = hosted, mdx = "Text.") => {
  const site = await buildSiteFrom(
    siteOf({ "index.mdx": mdx }, { name: "Acme Docs", contextual: { options } }),
    target,
  );
  return /<div id="page-context-menu"[\s\S]*?<\/details><\/div>/.exec(site.read("index.html"))?.[0] ?? "";
};

const decoded = (text: string) => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/** The texts that the entries of a menu copy. */
const copies = (menu: string) =>
  [...menu.matchAll(/<li[^>]*><button[^>]* data-copy(?:="([^"]*)")?/g)].map(([, text]) =>
    decoded(text ?? ""),
  );

describe("on a hosted site", () => {
  test.each([
    ["https://docs.acme.example", "https://docs.acme.example/mcp"],
    ["https://acme.example/product/docs", "https://acme.example/product/docs/mcp"],
  ])("mcp and add-mcp copy the server's URL, at %s", async (origin, url) => {
    const menu = await menuOf(["copy", "mcp", "add-mcp"], { ...hosted, origin });
    expect(copies(menu)).toEqual(["", url, `npx add-mcp ${url}`]);
  });

  test("cursor and vscode open the app with the server's name and URL", async () => {
    const menu = await menuOf(["copy", "cursor", "vscode"]);
    const [cursor, code] = [...menu.matchAll(/href="((?:cursor|vscode):[^"]*)"/g)].map(([, href]) =>
      decoded(href!),
    );
    const { host, pathname, searchParams } = new URL(cursor!);
    expect([host, pathname, searchParams.get("name")]).toEqual([
      "anysphere.cursor-deeplink",
      "/mcp/install",
      "acme-docs",
    ]);
    const config = Buffer.from(searchParams.get("config")!, "base64").toString();
    expect(JSON.parse(config)).toEqual({ url: "https://docs.acme.example/mcp" });
    expect(JSON.parse(decodeURIComponent(code!.replace("vscode:mcp/install?", "")))).toEqual({
      name: "acme-docs",
      type: "http",
      url: "https://docs.acme.example/mcp",
    });
  });

  test("windsurf, devin-desktop and devin-mcp copy settings", async () => {
    const [, ...settings] = copies(await menuOf(["copy", "windsurf", "devin-desktop", "devin-mcp"]));
    const url = "https://docs.acme.example/mcp";
    expect(settings.map((text) => JSON.parse(text).mcpServers["acme-docs"])).toEqual([
      { serverUrl: url },
      { url },
      { url },
    ]);
  });

  test("on restricted pages, the URL asks readers to sign in", async () => {
    const restricted = await buildSiteFrom(
      siteOf({ "index.mdx": "---\ngroups: [staff]\n---\nText." }, { contextual: { options: all } }),
      { ...hosted, readers: "signed-in" },
    );
    const html = decoded(restricted.read("index.html"));
    expect(html).toContain("npx add-mcp https://docs.acme.example/mcp?sign-in");
    expect(html.match(/docs\.acme\.example\/mcp(?!\?sign-in)/)).toBeNull();
  });

  test("previews and sites without a URL have no such entries", async () => {
    for (const target of [
      { ...hosted, readers: "author" },
      { kind: "cloud", links: "clean" },
    ])
      expect(await menuOf(["copy", "view", ...all], target)).not.toMatch(/mcp/i);
  });
});

test("a static site leaves them out and says so once", async () => {
  const files = siteOf(
    { "index.mdx": "Text.", "other.mdx": '---\ncontextual:\n  options: ["cursor", "mcp"]\n---\nText.' },
    { contextual: { options: ["copy", "view", "mcp", "vscode"] } },
  );
  expect((await buildSiteFrom(files)).read("index.html")).not.toMatch(/vscode|\/mcp/);
  const { site } = await buildSite(filesFrom(files), { generator: "test", clock: Date.now });
  const check = (kind: "client-hosted" | "air-gapped" | "cloud") =>
    checkMcpOptions(site, { kind, links: "html" });
  for (const kind of ["client-hosted", "air-gapped"] as const)
    expect(check(kind)).toMatchObject([
      {
        code: "no-effect",
        message: "The page menu leaves out mcp, vscode, cursor, because static sites have no MCP server",
      },
    ]);
  expect(check("cloud")).toEqual([]);
});

test("download-pdf prints the page on every kind of site", async () => {
  for (const kind of ["cloud", "client-hosted", "air-gapped"])
    expect(await menuOf(["copy", "download-pdf"], { kind })).toContain("data-print");
});
