/** Resources and server card of a site below a path, and of a large site. */

import { expect, test } from "vitest";
import { type Sources, siteOf } from "../../../test/engine/build.ts";
import { MemoryDirectory } from "../../../test/host/host.ts";
import { FileCache } from "../../host/file-cache.ts";
import { SiteSearches } from "../../host/site-search.ts";
import { TablesOfSites } from "../../host/site-tables.ts";
import { SiteDocs } from "../assistant/site-docs.ts";
import { serverCard } from "./mcp.ts";
import type { McpCall } from "./mcp-call.ts";
import { listResources, readResource } from "./mcp-resources.ts";

const origin = "https://acme.dev/docs";

async function callOf(files: Sources, built = origin): Promise<McpCall> {
  const directory = new MemoryDirectory();
  await directory.publish("acme.dev", files, { origin: built });
  const cache = new FileCache(directory);
  const options = { files: cache, tables: new TablesOfSites(cache), searches: new SiteSearches(cache) };
  const docs = new SiteDocs({ ...options, service: {} } as never);
  const visit = { host: "acme.dev", basePath: "/docs", reader: undefined };
  return { visit, docs, site: { site: directory.sites.get("acme.dev")!, origin } } as unknown as McpCall;
}

test("below a path, URIs start with the path", async () => {
  const call = await callOf(siteOf({ "index.mdx": "Home.", "guides/a b.mdx": "Text." }));
  const { resources } = (await listResources(call, 0))!;
  expect(resources.map(({ uri }) => uri)).toEqual([`${origin}/index.md`, `${origin}/guides/a%20b.md`]);
  expect(await readResource(call, `${origin}/guides/a%20b.md`)).toContain("Text.");
  for (const uri of ["https://acme.dev/guides/a%20b.md", `${origin}x/index.md`, "/docs/index.md", "index.md"])
    expect(await readResource(call, uri), uri).toBeUndefined();
});

test("URLs of another host name of the site in llms.txt become URIs of the requested one", async () => {
  const call = await callOf(siteOf({ "index.mdx": "Home." }), "https://other.dev/docs");
  expect((await listResources(call, 0))!.resources.map(({ uri }) => uri)).toEqual([`${origin}/index.md`]);
});

test("each page of a large site is in one part", async () => {
  const routes = Array.from({ length: 300 }, (_, n) => `${n % 2 ? "guides" : "api"}/page-${n}`);
  const page = `---\ndescription: ${"Describes plants. ".repeat(17)}\n---\n`;
  const call = await callOf(siteOf(Object.fromEntries(routes.map((route) => [`${route}.mdx`, page]))));
  const names: string[] = [];
  for (let cursor = 0, parts = 0; ; parts++) {
    const { resources, nextCursor } = (await listResources(call, cursor))!;
    names.push(...resources.map(({ name }) => name));
    if (nextCursor === undefined) break;
    expect(parts).toBeLessThan(10);
    cursor = Number(nextCursor);
  }
  expect(names.sort()).toEqual(routes.sort());
});

test("the card of a site below a path has the URL below the path", async () => {
  expect(serverCard(await callOf(siteOf({ "index.mdx": "Home." })))).toMatchObject({
    name: "dev.acme/docs-docs",
    websiteUrl: `${origin}/`,
    remotes: [{ type: "streamable-http", url: `${origin}/mcp` }],
  });
});
