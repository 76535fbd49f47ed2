/** Search and pages in the API, and recorded searches. */

import { DefaultChatTransport, readUIMessageStream, type UIMessage } from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../../../test/service/ask-assistant.ts";
import { deploy, docs, visit } from "../../../test/service/deploying.ts";
import { send } from "../../../test/service/service.ts";
import { newReader, newSite, type TestSite } from "../../../test/service/test-sites.ts";
import { until } from "../../../test/service/until.ts";
import { sharedService } from "../../../test/shared/service.ts";

const files = docs(
  "Acme keeps widgets in order.",
  {
    "guides/install.mdx":
      "---\ntitle: Install\n---\n\n## With one command\n\nInstall widgets with `npm install acme`.\n\n## Remove\n\nRemove widgets with care.\n",
    "v2/install.mdx": "---\ntitle: Install\n---\n\n## With version two\n\nInstall widgets of version two.\n",
    "hidden.mdx": "---\ntitle: Hidden\nhidden: true\n---\n\n## Hidden widgets\n\nHidden-canary widgets.\n",
    "public/raw.html": "<h1>raw</h1>",
  },
  {
    navigation: {
      versions: [
        { version: "v1", groups: [{ group: "Setup", pages: ["index", "guides/install"] }] },
        { version: "v2", groups: [{ group: "Second", pages: ["v2/install"] }] },
      ],
    },
  },
);

let site: TestSite;
beforeAll(async () => {
  site = await newSite(await sharedService(), files);
});
afterAll(async () => {
  await site.service.stop();
});

const byKey = (kind: "search" | "page", body: object, domain = site.organization.subdomain, key = site.key) =>
  send({
    port: site.port,
    path: `/v1/${kind}/${domain}`,
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

const searchesOf = async () =>
  (await site.organization.ask(`/v1/analytics/${site.organization.projectId}/searches`)).json.searches;

describe("other paths", () => {
  test.each(["/v2", "/discovery/v1", "/discovery/v2"])("%s", async (base) => {
    const post = (kind: string, body: object) =>
      send({
        port: site.port,
        path: `${base}/${kind}/${site.organization.subdomain}`,
        method: "POST",
        headers: { authorization: `Bearer ${site.key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    expect((await post("search", { query: "install" })).json[0].path).toBe("guides/install");
    expect((await post("page", { path: "guides/install" })).json.content).toContain("npm install acme");
    expect((await post("projects", {})).status).toBe(404);
  });

  test("the AI SDK's client reads an answer and its sources", async () => {
    const transport = new DefaultChatTransport({
      api: `http://localhost:${site.port}/discovery/v2/assistant/${site.organization.subdomain}/message`,
      headers: { Authorization: `Bearer ${site.key}` },
    });
    const question = "How do I install widgets with one command?";
    const stream = await transport.sendMessages({
      trigger: "submit-message",
      chatId: "chat",
      messageId: undefined,
      abortSignal: undefined,
      messages: [{ id: "1", role: "user", parts: [{ type: "text", text: question }] }],
    });
    let answer: UIMessage | undefined;
    for await (const message of readUIMessageStream({ stream })) answer = message;
    expect(answer!.parts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: "text", text: expect.stringContaining("npm install acme") }),
        expect.objectContaining({
          type: "source-url",
          url: `${site.origin}/guides/install#with-one-command`,
        }),
      ]),
    );
    expect(answer!.metadata).toMatchObject({ resolutionStatus: "answered", threadId: expect.any(String) });
  });
});

describe("POST /v1/search/{domain}", () => {
  test("returns sections with content, path and metadata, best first", async () => {
    const { status, headers, json } = await byKey("search", { query: "install widgets with one command" });
    expect([status, headers["ratelimit-limit"]]).toEqual([200, "10000"]);
    expect(json[0]).toEqual({
      content: expect.stringContaining("npm install acme"),
      path: "guides/install",
      metadata: {
        title: "Install",
        headings: ["With one command"],
        breadcrumbs: expect.arrayContaining(["Setup"]),
        anchor: "with-one-command",
        url: `${site.origin}/guides/install#with-one-command`,
        score: expect.any(Number),
      },
    });
    expect(json.map(({ path }: { path: string }) => path)).not.toContain("hidden");
  });

  test("pageSize, scoreThreshold and filters limit the results", async () => {
    const paths = async (body: object) =>
      (await byKey("search", { query: "widgets", ...body })).json.map((hit: { path: string }) => hit.path);
    const all = await paths({});
    expect(all.length).toBeGreaterThan(2);
    expect(await paths({ pageSize: 1 })).toEqual(all.slice(0, 1));
    expect(await paths({ scoreThreshold: 1 })).toHaveLength(0);
    expect(new Set(await paths({ filter: { version: "v2" } }))).toEqual(new Set(["v2/install"]));
    expect(new Set(await paths({ filter: { tag: "second" } }))).toEqual(new Set(["v2/install"]));
    expect(await paths({ filter: { tag: "None" } })).toEqual([]);
  });

  test.each([
    [{}, "query is required"],
    [{ query: "" }, "query must not be empty"],
    [{ query: 1 }, "query must be a string"],
    [{ query: "x", pageSize: 0 }, "pageSize must be an integer between 1 and 50"],
    [{ query: "x", pageSize: 51 }, "pageSize must be an integer between 1 and 50"],
    [{ query: "x", pageSize: 1.5 }, "pageSize must be an integer between 1 and 50"],
    [{ query: "x", scoreThreshold: 1.1 }, "scoreThreshold must be a number between 0 and 1"],
    [{ query: "x", filter: { groups: "a" } }, "filter.groups must be an array"],
  ])("%j: 400", async (body, message) => {
    const { status, json } = await byKey("search", body);
    expect([status, json.details]).toEqual([400, [{ message }]]);
  });

  test("an admin key gets 403, another project's site 404", async () => {
    const other = await newSite(site.service, files);
    expect((await byKey("search", { query: "x" }, undefined, site.organization.key)).status).toBe(403);
    expect((await byKey("search", { query: "x" }, other.organization.subdomain)).status).toBe(404);
    expect((await byKey("page", { path: "index" }, other.organization.subdomain)).status).toBe(404);
  });
});

describe("POST /v1/page/{domain}", () => {
  test.each([
    "guides/install",
    "/guides/install",
    "guides/install/",
    "guides/install.md",
    "/guides/install#remove",
  ])("%s: the page", async (path) => {
    const { status, json } = await byKey("page", { path });
    expect([status, json.path]).toEqual([200, "guides/install"]);
    expect(json.content).toContain("npm install acme");
  });

  test.each(["", "/", "index"])("%j is the home page", async (path) => {
    expect((await byKey("page", { path })).json).toMatchObject({
      path: "",
      content: expect.stringContaining("in order"),
    });
  });

  test.each([
    "nowhere",
    "../secret",
    "docs.json",
    "_octavo/redirects.json",
    "public/raw",
    "404",
    "__proto__",
    "llms",
  ])("%s: 404", async (path) => {
    expect(await byKey("page", { path })).toMatchObject({ status: 404, json: { error: "Not found" } });
  });
});

describe("recorded searches", () => {
  const sendEvents = (events: unknown[], headers = newReader()) =>
    ask({ ...site, path: "/_octavo/events", headers, body: { events } });

  test("readers' searches and clicks are counted by query, without data about the visitor", async () => {
    expect(
      (
        await sendEvents([
          { type: "search", query: "  install   Widgets ", results_count: 3 },
          { type: "search-click", query: "install widgets", path: "/guides/install" },
          { type: "search-click", query: "install widgets", path: "/not-a-page" },
          { type: "search", query: "   ", results_count: 0 },
        ])
      ).status,
    ).toBe(204);
    expect((await searchesOf()).filter((search: { ctr: number }) => search.ctr > 0)).toEqual([
      {
        searchQuery: "install widgets",
        hits: 1,
        ctr: 1,
        topClickedPage: "/guides/install",
        lastSearchedAt: expect.any(String),
      },
    ]);
  });

  test("searches through the API are counted by query", async () => {
    await byKey("search", { query: "by the api" });
    expect(await searchesOf()).toContainEqual(
      expect.objectContaining({ searchQuery: "by the api", hits: 1, ctr: 0, topClickedPage: null }),
    );
  });

  test.each([
    [[{ type: "search", query: "x", results_count: -1 }]],
    [[{ type: "search", query: "x".repeat(501), results_count: 1 }]],
    [[{ type: "other", query: "x" }]],
    [Array(21).fill({ type: "search", query: "x", results_count: 1 })],
  ])("%j: 400", async (events) => {
    expect((await sendEvents(events)).status).toBe(400);
  });

  test("cross-origin events are refused, and events have a rate limit", async () => {
    expect((await sendEvents([], { ...newReader(), origin: "http://evil.example" })).status).toBe(403);
    const reader = newReader();
    const statuses = await Promise.all(
      Array.from({ length: 70 }, async () => (await sendEvents([], reader)).status),
    );
    expect(statuses.filter((status) => status === 204)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });
});

test("a search finds pages of the live deployment only", async () => {
  const own = await newSite(site.service, docs("Sprockets turn.", {}));
  const found = async () =>
    (
      await send({
        port: site.port,
        path: `/v1/search/${own.organization.subdomain}`,
        method: "POST",
        headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
        body: JSON.stringify({ query: "sprockets" }),
      })
    ).json.length;
  expect(await found()).toBeGreaterThan(0);
  await deploy(own.organization, docs("Cogs turn.", {}));
  await until(async () => (await visit(own.service, own.host)).text.includes("Cogs"));
  expect(await found()).toBe(0);
});
