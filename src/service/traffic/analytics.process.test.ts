/** Counts of views, visitors and searches, feedback, and their API. */

import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../../../test/service/ask-assistant.ts";
import { onEachDatabase } from "../../../test/service/databases.ts";
import { docs, visit } from "../../../test/service/deploying.ts";
import { openPlatform } from "../../../test/service/platform.ts";
import { newOrganization, type RunningService, type TestService } from "../../../test/service/service.ts";
import { newReader, newSite, type TestSite, trusting } from "../../../test/service/test-sites.ts";
import { until } from "../../../test/service/until.ts";
import { stayOnOneDay } from "../../../test/shared/current-day.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { sharedService, startService } from "../../../test/shared/service.ts";
import { firstUlidAt, ulidTime } from "../../base/ulid.ts";
import { importConversations } from "../conversations/contract.ts";
import type { Scope } from "../core/scope.ts";
import { feedbackByPage, listFeedback, setFeedbackStatus } from "../feedback/feedback.ts";
import { deleteProject } from "../projects/contract.ts";
import { sweepSearches } from "../searches/searches.ts";
import { searchesByDay, searchesWithoutResults, topSearches } from "../searches/top-searches.ts";
import { referrers, trafficByDay, viewsByPage, visitorsByPage } from "./traffic.ts";
import { sweepTraffic } from "./write-traffic.ts";

await stayOnOneDay();

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const sendEvents = (site: TestSite, events: unknown[], headers: Record<string, string>, port = site.port) =>
  ask({
    port,
    host: `${site.organization.subdomain}.localhost:${port}`,
    path: "/_octavo/events",
    headers,
    body: { events },
  });
const view = (path: string, referrer?: string) => ({
  type: "view",
  path,
  ...(referrer === undefined ? {} : { referrer }),
});
const postFeedback = (site: TestSite, body: object, headers: Record<string, string> = newReader()) =>
  ask({ ...site, path: "/_octavo/feedback", headers, body });
const analyticsOf = async ({ organization }: TestSite, what: string, query = "") =>
  (await organization.ask(`/v1/analytics/${organization.projectId}/${what}${query}`)).json;
/** Polls for up to 15 seconds, because views are only written every few seconds. */
const eventually = (condition: () => Promise<boolean>) => until(condition, 15_000);
const day = (offset = 0) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

const pages = docs("Acme keeps widgets in order.", {
  "guides/install.mdx": "---\ntitle: Install\n---\n\nInstall widgets.\n",
  "guides/über.mdx": "---\ntitle: Über\n---\n\nOf letters.\n",
  "public/raw.html": "<h1>raw</h1>",
});

onEachDatabase("counting", (start) => {
  let service: TestService;
  let site: TestSite;
  beforeAll(async () => {
    service = await start();
    site = await newSite(service, pages);
  });
  afterAll(() => service.stop());

  test("views and visitors are counted by page, separately for people and AI agents", async () => {
    const one = { ...newReader(), "user-agent": firefox };
    const two = { ...newReader(), "user-agent": firefox };
    const otherBrowser = { ...one, "user-agent": firefox.replace("140", "141") };
    for (const [path, reader] of [
      ["/", one],
      ["/", one],
      ["/guides/install", one],
      ["/guides/install/?from=mail#top", two],
      ["guides/install.html", otherBrowser],
      ["/guides/%C3%BCber", two],
    ] as const)
      expect((await sendEvents(site, [view(path)], reader)).status).toBe(204);
    const agent = {
      ...newReader(),
      "user-agent": "Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)",
    };
    for (const path of ["/", "/guides/install", "/guides/install.md", "/llms.txt"])
      expect((await visit(service, site.host, path, agent)).status).toBe(200);
    await eventually(async () => (await analyticsOf(site, "views")).totals.total === 10);
    expect(await analyticsOf(site, "views")).toEqual({
      totals: { human: 6, ai: 4, total: 10 },
      views: [
        { path: "/guides/install", human: 3, ai: 2, total: 5 },
        { path: "/", human: 2, ai: 1, total: 3 },
        { path: "/guides/über", human: 1, ai: 0, total: 1 },
        { path: "/llms.txt", human: 0, ai: 1, total: 1 },
      ],
      nextCursor: null,
      hasMore: false,
    });
    expect(await analyticsOf(site, "visitors")).toEqual({
      totals: { human: 3, ai: 1, total: 4 },
      visitors: [
        { path: "/guides/install", human: 3, ai: 1, total: 4 },
        { path: "/", human: 1, ai: 1, total: 2 },
        { path: "/guides/über", human: 1, ai: 0, total: 1 },
        { path: "/llms.txt", human: 0, ai: 1, total: 1 },
      ],
      nextCursor: null,
      hasMore: false,
    });
    // A visitor who returns on the same day counts once.
    await sendEvents(site, [view("/")], one);
    await eventually(async () => (await analyticsOf(site, "views")).totals.total === 11);
    expect((await analyticsOf(site, "visitors")).totals).toEqual({ human: 3, ai: 1, total: 4 });
  });

  test("limit and offset select pages of the list", async () => {
    const first = await analyticsOf(site, "views", "?limit=1");
    expect([
      first.views.map(({ path }: { path: string }) => path),
      first.hasMore,
      first.totals.total,
    ]).toEqual([["/guides/install"], true, 11]);
    const last = await analyticsOf(site, "views", "?limit=2&offset=2");
    expect([last.views.map(({ path }: { path: string }) => path), last.hasMore]).toEqual([
      ["/guides/über", "/llms.txt"],
      false,
    ]);
    expect((await analyticsOf(site, "visitors", "?offset=1000000")).visitors).toEqual([]);
  });

  test.each<[string, number]>([
    ["", 11],
    [`?dateFrom=${day()}`, 11],
    [`?dateFrom=${day()}&dateTo=${day(1)}`, 11],
    [`?dateFrom=${day(-90)}`, 11],
    [`?dateTo=${day()}`, 0],
    [`?dateFrom=${day(1)}`, 0],
    [`?dateFrom=${day()}&dateTo=${day()}`, 0],
    [`?dateFrom=${day(1)}&dateTo=${day(-1)}`, 0],
    // A range within a day includes the whole day.
    [`?dateFrom=${day()}T00:00:01Z&dateTo=${day()}T00:00:02Z`, 11],
  ])("range %s contains %i views", async (query, count) => {
    const views = await analyticsOf(site, "views", query);
    expect(views.totals.total).toBe(count);
    expect(views.views.reduce((sum: number, { total }: { total: number }) => sum + total, 0)).toBe(count);
  });

  test("unknown paths, other files, cross-origin requests and invalid events aren't counted", async () => {
    const before = (await analyticsOf(site, "views")).totals.total;
    for (let batch = 0; batch < 5; batch++)
      await sendEvents(
        site,
        Array.from({ length: 20 }, (_, place) => view(`/made-up-${batch}-${place}`)),
        { ...newReader(), "user-agent": firefox },
      );
    const odd = [
      "/public/raw",
      "/public/raw.html",
      "/404",
      "/docs.json",
      "/_octavo/redirects.json",
      "/%ff",
      "//",
      "/../guides/install",
      "__proto__",
    ];
    for (const path of odd)
      expect((await sendEvents(site, [view(path)], { ...newReader(), "user-agent": firefox })).status).toBe(
        204,
      );
    // Only the first view in a request is counted.
    await sendEvents(site, [view("/"), view("/guides/install"), view("/")], {
      ...newReader(),
      "user-agent": firefox,
    });
    await eventually(async () => (await analyticsOf(site, "views")).totals.total > before);
    // "//" is the home page.
    const after = await analyticsOf(site, "views");
    expect(after.totals.total).toBeLessThanOrEqual(before + 2);
    expect(after.views.map(({ path }: { path: string }) => path).sort()).toEqual([
      "/",
      "/guides/install",
      "/guides/über",
      "/llms.txt",
    ]);
    const reader = { ...newReader(), "user-agent": firefox };
    expect((await sendEvents(site, [view("/")], { ...reader, origin: "http://evil.example" })).status).toBe(
      403,
    );
    expect((await sendEvents(site, [{ type: "view" }], reader)).status).toBe(400);
    expect((await sendEvents(site, [view("x".repeat(1_001))], reader)).status).toBe(400);
  });

  test("a reason and a comment can be added to a rating, and the API lists them", async () => {
    const reader = newReader();
    const thumb = await postFeedback(site, { path: "/guides/install", helpful: false }, reader);
    expect(thumb.status).toBe(201);
    expect((await analyticsOf(site, "feedback")).feedback).toEqual([
      {
        id: thumb.json.id,
        path: "/guides/install",
        comment: null,
        createdAt: expect.any(String),
        source: "thumbs_only",
        status: "pending",
      },
    ]);
    const more = {
      id: thumb.json.id,
      path: "/guides/install",
      helpful: false,
      reason: "unclear",
      comment: " Too short. ",
      contact: "r@example.com",
    };
    expect((await postFeedback(site, { ...more, reason: "spam" }, reader)).status).toBe(400);
    expect((await postFeedback(site, more, reader)).status).toBe(204);
    await postFeedback(site, { path: "/", helpful: true, reason: "unclear" });
    const code = {
      path: "/guides/install/",
      code: "npm i acme",
      filename: "shell",
      lang: "bash",
      comment: "Fails",
    };
    expect((await postFeedback(site, code)).status).toBe(201);
    const { feedback, nextCursor, hasMore } = await analyticsOf(site, "feedback");
    expect(feedback).toEqual([
      expect.objectContaining({
        source: "code_snippet",
        path: "/guides/install",
        code: "npm i acme",
        filename: "shell",
        lang: "bash",
        comment: "Fails",
      }),
      expect.objectContaining({ source: "thumbs_only", path: "/" }),
      expect.objectContaining({
        source: "contextual",
        helpful: false,
        reason: "unclear",
        comment: "Too short.",
        contact: "r@example.com",
        path: "/guides/install",
      }),
    ]);
    expect([nextCursor, hasMore]).toEqual([null, false]);
    expect(await analyticsOf(site, "feedback/by-page")).toEqual({
      feedback: [
        { path: "/guides/install", thumbsUp: 0, thumbsDown: 1, code: 1, total: 2 },
        { path: "/", thumbsUp: 1, thumbsDown: 0, code: 0, total: 1 },
      ],
      nextCursor: null,
      hasMore: false,
    });
    expect((await analyticsOf(site, "feedback/by-page", "?limit=1")).hasMore).toBe(true);
    expect((await analyticsOf(site, "feedback/by-page", "?source=code_snippet")).feedback).toEqual([
      { path: "/guides/install", thumbsUp: 0, thumbsDown: 0, code: 1, total: 1 },
    ]);
    expect(
      (await analyticsOf(site, "feedback", "?status=pending,resolved&source=contextual")).feedback,
    ).toHaveLength(1);
    expect((await analyticsOf(site, "feedback", "?status=resolved,dismissed")).feedback).toEqual([]);
    expect((await analyticsOf(site, "feedback", `?dateTo=${day()}`)).feedback).toEqual([]);
  });

  test("pages of feedback are consistent while rows are added", async () => {
    const all = (await analyticsOf(site, "feedback")).feedback.map(({ id }: { id: string }) => id);
    const read: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await analyticsOf(
        site,
        "feedback",
        `?limit=1${cursor === null ? "" : `&cursor=${cursor}`}`,
      );
      read.push(...page.feedback.map(({ id }: { id: string }) => id));
      cursor = page.nextCursor;
      if (read.length === 1) await postFeedback(site, { path: "/", helpful: true });
    } while (cursor !== null);
    expect(read).toEqual(all);
  });

  test.each<[string, object]>([
    ["a page that does not exist", { path: "/nowhere", helpful: true }],
    ["no rating", { path: "/" }],
    ["a contact that is not an email", { path: "/", helpful: true, contact: "somebody" }],
    ["a comment that is too long", { path: "/", helpful: true, comment: "x".repeat(2_001) }],
    ["a rating that is not a boolean", { path: "/", helpful: "yes" }],
  ])("%s: 400", async (_, body) => {
    expect((await postFeedback(site, body)).status).toBe(400);
  });

  test("feedback can't be changed with another id or path, and has a rate limit", async () => {
    const { id } = (await postFeedback(site, { path: "/", helpful: true })).json;
    const unknown = `${id.slice(0, 25)}${id.endsWith("0") ? "1" : "0"}`;
    expect((await postFeedback(site, { id: unknown, path: "/", helpful: false })).status).toBe(404);
    expect((await postFeedback(site, { id, path: "/guides/install", helpful: false })).status).toBe(404);
    const reader = newReader();
    const statuses: number[] = [];
    for (let place = 0; place < 25; place++)
      statuses.push((await postFeedback(site, { path: "/nowhere", helpful: true }, reader)).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    expect(
      (
        await postFeedback(
          site,
          { path: "/", helpful: true },
          { ...newReader(), origin: "http://evil.example" },
        )
      ).status,
    ).toBe(403);
  });

  test("searches are listed by count, with the pages that were opened", async () => {
    const own = await newSite(service, pages);
    const search = (query: string, results_count: number) => ({ type: "search", query, results_count });
    const click = (query: string, path: string) => ({ type: "search-click", query, path });
    await sendEvents(
      own,
      [search("Widgets", 2), search("widgets ", 2), click("widgets", "/guides/install"), search("nope", 0)],
      newReader(),
    );
    await sendEvents(
      own,
      [search("widgets", 2), click("WIDGETS", "/"), click("widgets", "/"), click("widgets", "/nowhere")],
      newReader(),
    );
    await sendEvents(own, [search("zebra", 0), search("apple", 1)], newReader());
    const all = await analyticsOf(own, "searches");
    expect(all).toEqual({
      searches: [
        { searchQuery: "widgets", hits: 3, ctr: 1, topClickedPage: "/", lastSearchedAt: expect.any(String) },
        { searchQuery: "apple", hits: 1, ctr: 0, topClickedPage: null, lastSearchedAt: expect.any(String) },
        { searchQuery: "nope", hits: 1, ctr: 0, topClickedPage: null, lastSearchedAt: expect.any(String) },
        { searchQuery: "zebra", hits: 1, ctr: 0, topClickedPage: null, lastSearchedAt: expect.any(String) },
      ],
      totalSearches: 6,
      nextCursor: null,
      hasMore: false,
    });
    const read: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await analyticsOf(
        own,
        "searches",
        `?limit=1${cursor === null ? "" : `&cursor=${cursor}`}`,
      );
      expect(page.totalSearches).toBe(6);
      read.push(...page.searches.map(({ searchQuery }: { searchQuery: string }) => searchQuery));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(read).toEqual(["widgets", "apple", "nope", "zebra"]);
    expect(await analyticsOf(own, "searches", `?dateTo=${day()}`)).toEqual({
      searches: [],
      totalSearches: 0,
      nextCursor: null,
      hasMore: false,
    });
    for (const cursor of ["", "%20", "abc", "!!", "x".repeat(1_201)])
      expect(
        (await own.organization.ask(`/v1/analytics/${own.organization.projectId}/searches?cursor=${cursor}`))
          .status,
      ).toBe(400);
  });

  test("questions are counted by source", async () => {
    const own = await newSite(service);
    await ask({ ...own, headers: newReader() });
    const byKey = {
      ...own,
      host: undefined as never,
      path: `/v1/assistant/${own.organization.subdomain}/message`,
    };
    await ask({ ...byKey, headers: { authorization: `Bearer ${own.key}` } });
    const id = "01JB0000000000000000000000";
    const { client, projectId } = own.organization;
    const imported = {
      id,
      timestamp: new Date(ulidTime(id)).toISOString(),
      query: "q",
      response: "r",
      sources: [],
    };
    const line = JSON.stringify({
      ...imported,
      resolutionStatus: "answered",
      queryCategory: null,
      pageUrl: null,
    });
    expect(await client(importConversations, { params: { projectId }, body: line as never })).toMatchObject({
      added: 1,
    });
    expect(await analyticsOf(own, "assistant/caller-stats")).toEqual({ web: 1, api: 1, other: 1, total: 3 });
    expect(await analyticsOf(own, "assistant/caller-stats", `?dateFrom=${day()}`)).toEqual({
      web: 1,
      api: 1,
      other: 0,
      total: 2,
    });
  });

  test("questions are counted by source from an exact time to an exact time", async () => {
    const own = await newSite(service);
    const times = [
      "01T23:59",
      "02T00:00",
      "02T11:00",
      "02T12:00",
      "03T00:00",
      "03T15:00",
      "04T09:00",
      "05T00:00",
    ].map((time) => `2025-03-${time}:00.000Z`);
    const { client, projectId } = own.organization;
    const lines = times.map((timestamp) => {
      const id = firstUlidAt(Date.parse(timestamp));
      const message = { id, timestamp, query: "q", response: "r", sources: [], resolutionStatus: "answered" };
      return JSON.stringify({ ...message, queryCategory: null, pageUrl: null });
    });
    expect(
      await client(importConversations, { params: { projectId }, body: lines.join("\n") as never }),
    ).toMatchObject({ added: 8 });
    for (const from of [undefined, "1900-01-01", "2025-03-01T23:59:30Z", ...times])
      for (const to of [undefined, "2025-03-02T11:30:00Z", "9999-12-31", ...times]) {
        const query = new URLSearchParams({ ...(from && { dateFrom: from }), ...(to && { dateTo: to }) });
        const isIn = (time: string) =>
          (!from || Date.parse(time) >= Date.parse(from)) && (!to || Date.parse(time) < Date.parse(to));
        const other = times.filter(isIn).length;
        expect([from, to, await analyticsOf(own, "assistant/caller-stats", `?${query}`)]).toEqual([
          from,
          to,
          { web: 0, api: 0, other, total: other },
        ]);
      }
  });

  test("invalid parameters are reported, and foreign projects are not found", async () => {
    const { ask: asks, projectId } = site.organization;
    for (const [what, query, message] of [
      ["views", "limit=251", "limit must be an integer between 1 and 250"],
      ["views", "limit=0", "limit must be an integer between 1 and 250"],
      ["views", "offset=-1", "offset must be an integer between 0 and 1000000"],
      ["views", "limit=1,2", "limit can be specified only once"],
      ["visitors", "dateFrom=yesterday", "dateFrom must be a date (YYYY-MM-DD) or an ISO 8601 date-time"],
      ["feedback", "limit=101", "limit must be an integer between 1 and 100"],
      ["feedback", "source=mail", "source must be one of code_snippet, contextual, agent, thumbs_only"],
      [
        "feedback",
        "status=open",
        "status must be one or more of pending, in_progress, resolved, dismissed, separated by commas",
      ],
      [
        "feedback",
        "status=pending,",
        "status must be one or more of pending, in_progress, resolved, dismissed, separated by commas",
      ],
      ["feedback", "cursor=abc", "cursor must be a `nextCursor` from an earlier response"],
      ["feedback/by-page", "limit=1.5", "limit must be an integer between 1 and 100"],
      ["searches", "limit=", "limit must be an integer between 1 and 100"],
      [
        "assistant/caller-stats",
        "dateTo=2026-13-01",
        "dateTo must be a date (YYYY-MM-DD) or an ISO 8601 date-time",
      ],
    ] as const) {
      const { status, json } = await asks(`/v1/analytics/${projectId}/${what}?${query}`);
      expect([what, query, status, json.details]).toEqual([what, query, 400, [{ message }]]);
    }
    const stranger = await newOrganization(service);
    for (const what of [
      "views",
      "visitors",
      "feedback",
      "feedback/by-page",
      "searches",
      "assistant/caller-stats",
    ])
      expect([what, (await stranger.ask(`/v1/analytics/${projectId}/${what}`)).status]).toEqual([what, 404]);
  });
});

describe("counted views by User-Agent", () => {
  const people = [
    firefox,
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Linux; Android 13; CUBOT X70) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Mobile Safari/537.36",
    "Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; id) Presto/2.12.423 Version/12.16",
  ];
  const ofAi = [
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
    "Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)",
    "Mozilla/5.0 (compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
    "Claude-User (claude-code/2.0; +https://support.anthropic.com/)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)",
    "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
    "Mozilla/5.0 (compatible; MistralAI-User/1.0; +https://docs.mistral.ai/robots)",
    "CCBot/2.0 (https://commoncrawl.org/faq/)",
    "GitHubCopilotChat/0.35",
  ];
  const neither = [
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/138.0.0.0 Safari/537.36",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
    "curl/8.5.0",
    "python-requests/2.32",
    "",
  ];
  const rows = (agents: string[], kind: string) => agents.map((agent) => ({ agent, kind }));
  const kinds = [...rows(people, "human"), ...rows(ofAi, "ai"), ...rows(neither, "none")].map(
    (row, place) => ({ ...row, place }),
  );
  let service: TestService;
  let site: TestSite;
  let counted: { path: string; human: number; ai: number }[];
  beforeAll(async () => {
    service = await sharedService();
    site = await newSite(
      service,
      docs("Home", Object.fromEntries(kinds.map(({ place }) => [`page-${place}.mdx`, `Page ${place}`]))),
    );
    // Each visitor requests a page and sends the event that its script would send.
    for (const { agent, place } of kinds) {
      const headers = { ...newReader(), "user-agent": agent };
      expect((await visit(service, site.host, `/page-${place}`, headers)).status).toBe(200);
      expect((await sendEvents(site, [view(`/page-${place}`)], headers)).status).toBe(204);
    }
    await eventually(async () => (await analyticsOf(site, "views")).totals.total > 0);
    await eventually(async () => {
      counted = (await analyticsOf(site, "views", "?limit=250")).views;
      return counted.length >= people.length + ofAi.length;
    });
  }, 60_000);
  afterAll(() => service.stop());

  test.each(kinds)("$agent: $kind", ({ kind, place }) => {
    const row = counted.find(({ path }) => path === `/page-${place}`);
    expect(row && { human: row.human, ai: row.ai }).toEqual(
      kind === "none" ? undefined : { human: kind === "human" ? 1 : 0, ai: kind === "ai" ? 1 : 0 },
    );
  });

  test("requests of unknown pages, of other files and with a trailing slash aren't counted", async () => {
    const agent = { ...newReader(), "user-agent": "GPTBot/1.2" };
    const before = (await analyticsOf(site, "views")).totals.total;
    await visit(service, site.host, "/nowhere", agent);
    await visit(service, site.host, "/_octavo/redirects.json", agent);
    await visit(service, site.host, "/page-0/", agent);
    await visit(service, site.host, "/", agent);
    await eventually(async () => (await analyticsOf(site, "views")).totals.total > before);
    expect((await analyticsOf(site, "views")).totals.total).toBe(before + 1);
  });
});

describe("several processes and stored data", () => {
  let databaseUrl: string;
  let first: RunningService;
  let second: RunningService;
  let site: TestSite;
  let database: pg.Client;
  beforeAll(async () => {
    databaseUrl = await createDatabase();
    first = await startService({
      databaseUrl,
      secret: "shared of this test, long enough to be one",
      env: trusting,
    });
    second = await startService({
      databaseUrl,
      secret: "shared of this test, long enough to be one",
      storage: `file:${first.dataFolder}/objects`,
      role: "web",
      env: trusting,
    });
    site = await newSite(first, pages);
    await until(async () => (await visit(second, site.host)).status === 200);
    database = new pg.Client(databaseUrl);
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
    for (const service of [second, first]) if (service.process.exitCode === null) await service.stop();
  });

  test("views of processes add up, and a visitor of both counts once", async () => {
    const reader = { "x-forwarded-for": "203.0.113.77", "user-agent": `${firefox} canary-of-the-agent` };
    for (let round = 0; round < 5; round++)
      for (const { port } of [first, second])
        await sendEvents(site, [view("/", "https://news.example/story?id=1")], reader, port);
    await eventually(async () => (await analyticsOf(site, "views")).totals.human === 10);
    expect((await analyticsOf(site, "visitors")).totals).toEqual({ human: 1, ai: 0, total: 1 });
    const { rows } = await database.query("select host, views from referrers");
    expect(rows).toEqual([{ host: "news.example", views: 10 }]);
  });

  test("no table contains the IP address or the User-Agent of a visitor", async () => {
    const { rows: columns } = await database.query(
      `select table_name as table, column_name as column, udt_name as type from information_schema.columns
       where table_schema = 'public'`,
    );
    expect(columns.length).toBeGreaterThan(100);
    for (const { table, column, type } of columns) {
      const text = type === "bytea" ? `encode("${column}", 'escape')` : `"${column}"::text`;
      const { rows } = await database.query(
        `select 1 from "${table}" where ${text} ~ '203.0.113.77|canary-of-the-agent|cb00714d' limit 1`,
      );
      expect([table, column, rows.length]).toEqual([table, column, 0]);
    }
  });

  test("concurrent views are all counted, without deadlocks", async () => {
    const before = (await analyticsOf(site, "views")).totals.human;
    const paths = ["/", "/guides/install", "/guides/über"];
    await Promise.all(
      Array.from({ length: 200 }, (_, place) =>
        sendEvents(
          site,
          [view(paths[place % 3]!)],
          { ...newReader(), "user-agent": firefox },
          place % 2 ? first.port : second.port,
        ),
      ),
    );
    await eventually(async () => (await analyticsOf(site, "views")).totals.human === before + 200);
    expect((await analyticsOf(site, "visitors")).totals.human).toBe(201);
    expect(first.output() + second.output()).not.toMatch(/deadlock|views wait/);
  });

  test("buffered views are written when a process stops", async () => {
    const before = (await analyticsOf(site, "views")).totals.human;
    await sendEvents(site, [view("/")], { ...newReader(), "user-agent": firefox }, second.port);
    expect(await second.stop()).toBe(0);
    expect((await analyticsOf(site, "views")).totals.human).toBe(before + 1);
  });

  test("with the scope of another organization, functions return and change nothing", async () => {
    await sendEvents(site, [{ type: "search", query: "widgets", results_count: 0 }], newReader());
    const { id } = (await postFeedback(site, { path: "/", helpful: true })).json;
    const stranger = await newOrganization(first);
    const { service: platform, close } = await openPlatform({
      databaseUrl,
      storage: `file:${first.dataFolder}/objects`,
      folder: first.dataFolder,
    });
    const asked = async ({ id: organizationId }: { id: string }) => {
      const scope: Scope = { organizationId, plan: "enterprise", actor: "test" };
      const range = { dateFrom: undefined, dateTo: undefined };
      const { projectId } = site.organization;
      const filter = { ...range, source: undefined, status: undefined, limit: 10 };
      return [
        (await viewsByPage(platform, scope, projectId, { ...range, limit: 10, offset: 0 })).totals.total,
        (await visitorsByPage(platform, scope, projectId, { ...range, limit: 10, offset: 0 })).rows.length,
        (await trafficByDay(platform, scope, projectId, range)).length,
        (await referrers(platform, scope, projectId, { ...range, limit: 10 })).length,
        (await listFeedback(platform, scope, projectId, { ...filter, cursor: undefined })).rows.length,
        (await feedbackByPage(platform, scope, projectId, filter)).rows.length,
        (await topSearches(platform, scope, projectId, { ...range, limit: 10, cursor: undefined }))
          .totalSearches,
        (await topSearches(platform, scope, projectId, { ...range, limit: 10, cursor: undefined })).searches
          .length,
        (await searchesWithoutResults(platform, scope, projectId, { ...range, limit: 10 })).length,
        (await searchesByDay(platform, scope, projectId, range)).length,
        await setFeedbackStatus(platform, scope, projectId, id, "resolved").then(
          () => 1,
          () => 0,
        ),
      ];
    };
    try {
      expect(await asked(stranger)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
      expect(await asked(site.organization)).not.toContain(0);
      expect((await analyticsOf(site, "feedback", "?status=resolved")).feedback).toHaveLength(1);
    } finally {
      await close();
    }
  });

  test("salts and marks of visitors are deleted after their day, and counts after 400 days", async () => {
    const total = (await analyticsOf(site, "visitors")).totals.human;
    const count = async (table: string) => (await database.query(`select from ${table}`)).rowCount;
    const { service: platform, close } = await openPlatform({
      databaseUrl,
      storage: `file:${first.dataFolder}/objects`,
      folder: first.dataFolder,
    });
    try {
      await sweepTraffic(platform);
      expect([await count("visitor_salts"), await count("visitor_marks")]).not.toContain(0);
      await database.query("update visitor_marks set day = day - 1");
      await database.query("update visitor_salts set day = day - 1");
      await sweepTraffic(platform);
      expect([await count("visitor_salts"), await count("visitor_marks")]).toEqual([0, 0]);
      expect((await analyticsOf(site, "visitors")).totals.human).toBe(total);
      // Counts are deleted after 400 days.
      await database.query("update site_traffic set day = day - 401");
      await database.query("update page_traffic set first_day = first_day - 401 - span_days");
      await sweepTraffic(platform);
      expect([await count("site_traffic"), await count("page_traffic")]).toEqual([0, 0]);
    } finally {
      await close();
    }
  });

  test("invented queries count for the day, are limited per day, and are deleted before frequent ones", {
    timeout: 120_000,
  }, async () => {
    let sent = 0;
    const search = (query: string) => ({ type: "search", query, results_count: 0 });
    const flood = async (count: number) => {
      while (sent < count)
        await sendEvents(
          site,
          Array.from({ length: 20 }, () => search(`made up ${sent++}`)),
          newReader(),
        );
    };
    const listed = async () => {
      const list: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await analyticsOf(
          site,
          "searches",
          `?limit=100${cursor === null ? "" : `&cursor=${cursor}`}`,
        );
        list.push(...page.searches.map(({ searchQuery }: { searchQuery: string }) => searchQuery));
        cursor = page.nextCursor;
      } while (cursor !== null);
      return list;
    };
    await sendEvents(
      site,
      [search("often"), search("often"), { type: "search-click", query: "made up 1", path: "/" }],
      newReader(),
    );
    await flood(4_100);
    // The total includes the earlier searches.
    expect((await analyticsOf(site, "searches")).totalSearches).toBe(4_103);
    // A request can have up to 20 events.
    expect((await listed()).length).toBeLessThan(4_020);
    const { service: platform, close } = await openPlatform({
      databaseUrl,
      storage: `file:${first.dataFolder}/objects`,
      folder: first.dataFolder,
    });
    await sweepSearches(platform).finally(close);
    const left = await listed();
    expect([left.length, left[0], left.includes("made up 0")]).toEqual([3_000, "often", false]);
    expect((await database.query("select from search_clicks")).rowCount).toBe(0);
    // The sweep deleted rare queries, so new ones are accepted again.
    await sendEvents(site, [search("new")], newReader());
    expect(await listed()).toContain("new");
  });

  test("a deleted project leaves no rows", async () => {
    await sendEvents(site, [view("/", "https://news.example/")], { ...newReader(), "user-agent": firefox });
    await sendEvents(
      site,
      [
        { type: "search", query: "x", results_count: 1 },
        { type: "search-click", query: "x", path: "/" },
      ],
      newReader(),
    );
    await postFeedback(site, { path: "/", helpful: true });
    await eventually(async () => (await analyticsOf(site, "views")).totals.human === 1);
    const tables = [
      "page_traffic",
      "site_traffic",
      "referrers",
      "visitor_marks",
      "feedback",
      "search_days",
      "search_queries",
      "search_clicks",
    ];
    const counts = async () => {
      const list: (number | null)[] = [];
      for (const table of tables) list.push((await database.query(`select from ${table}`)).rowCount);
      return list;
    };
    expect(await counts()).not.toContain(0);
    // Buffered views of a deleted project are discarded.
    await sendEvents(site, [view("/")], { ...newReader(), "user-agent": firefox });
    await first.operator(deleteProject, { params: { projectId: site.organization.projectId } });
    expect(await counts()).toEqual(tables.map(() => 0));
    await first.stop();
    expect(await counts()).toEqual(tables.map(() => 0));
    expect(first.output()).not.toMatch(/views wait/);
  });
});
