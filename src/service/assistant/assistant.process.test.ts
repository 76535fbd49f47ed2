/** The assistant without a model, on the site and in the API: access, answers and stored rows. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, bodyOf } from "../../../test/service/ask-assistant.ts";
import { onEachDatabase } from "../../../test/service/databases.ts";
import { send } from "../../../test/service/service.ts";
import {
  newReader,
  newSite,
  rowOf,
  rowsOf,
  type TestSite,
  trusting,
  twoProducts,
} from "../../../test/service/test-sites.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { messagesOf } from "../../engine/i18n/locales.ts";
import { endpoints } from "../app/endpoints.ts";

onEachDatabase("the assistant without a model", (start) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await newSite(await start());
  });
  afterAll(() => site.service.stop());

  const asReader = (text: string, more: object = {}) =>
    ask({ ...site, headers: newReader(), body: bodyOf(text, more) });

  test("a question on the site is answered from its pages, and is one row with all fields", async () => {
    const before = Date.now();
    const answer = await asReader("How do I install Acme?", { currentPath: "/guides/billing?x=1#y" });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "x-vercel-ai-ui-message-stream": "v1",
    });
    const types = answer.events.map(({ type }) => type as string);
    expect([...new Set(types)]).toEqual([
      "start",
      "text-start",
      "text-delta",
      "text-end",
      "source-url",
      "finish",
    ]);
    expect(answer).toMatchObject({
      isDone: true,
      resolutionStatus: "answered",
      responseType: "answer",
      answerKind: "quote",
    });
    expect(answer.text).toMatch(/^\*\*Install: With one command\*\*\n/);
    expect(answer.text).toContain("npm install acme");
    expect(answer.text).toContain("[1]");
    expect(answer.sources[0]).toEqual({
      title: "Install: With one command",
      url: `${site.origin}/guides/install#with-one-command`,
    });
    const { json } = await site.organization.ask(
      `/v1/analytics/${site.organization.projectId}/assistant/threads/${answer.threadId}`,
    );
    expect(json.messages).toHaveLength(2);
    await site.service.runJobs();
    const row = await rowOf(site, answer.turnId);
    expect(row).toEqual({
      id: answer.turnId,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      query: "How do I install Acme?",
      response: answer.text,
      responseType: "answer",
      sources: answer.sources,
      resolutionStatus: "answered",
      queryCategory: "Start",
      pageUrl: `${site.origin}/guides/billing`,
      conversationId: answer.threadId,
    });
    expect(Date.parse(row.timestamp)).toBeGreaterThanOrEqual(before);
  });

  test("without a clear answer, related sections are linked, and a covered question counts as answered", async () => {
    const answer = await asReader("Can I remove widgets by mail?");
    expect(answer).toMatchObject({ resolutionStatus: "answered", answerKind: "related", isDone: true });
    expect(answer.sources.length).toBeGreaterThan(0);
    expect(answer.text).toContain("These sections may help:");
    expect(answer.text).toContain(`](${site.origin}/guides/billing`);
    expect(await rowOf(site, answer.turnId)).toMatchObject({
      resolutionStatus: "answered",
      sources: answer.sources,
      response: answer.text,
    });
  });

  test("a question that the documentation doesn't answer gets a text without sources", async () => {
    const answer = await asReader("Which planets orbit Betelgeuse beyond the heliosphere?");
    expect(answer).toMatchObject({
      resolutionStatus: "unanswered",
      answerKind: "none",
      sources: [],
      isDone: true,
    });
    expect(answer.text).not.toBe("");
    expect(await rowOf(site, answer.turnId)).toMatchObject({
      resolutionStatus: "unanswered",
      sources: [],
      response: answer.text,
    });
  });

  test("a question that fits two products is answered by asking which one, and then for the chosen one", async () => {
    const own = await newSite(site.service, twoProducts);
    const question = "How do I back up my data?";
    const asReaderOf = (text: string, more: object = {}) =>
      ask({ ...own, headers: newReader(), body: bodyOf(text, more) });
    const first = await asReaderOf(question);
    expect(first).toMatchObject({
      answerKind: "question",
      responseType: "clarifying_question",
      resolutionStatus: "answered",
      isDone: true,
    });
    expect(first.text).toMatch(/^Which product do you mean: /);
    expect([...first.choices!].sort()).toEqual(["Acme Cloud", "Acme Server"]);
    expect([...first.sources].sort((a, b) => a.url.localeCompare(b.url))).toEqual([
      { title: "Acme Cloud: Back up your data", url: `${own.origin}/cloud/backup` },
      { title: "Acme Server: Back up your data", url: `${own.origin}/server/backup` },
    ]);
    expect(await rowOf(own, first.turnId)).toMatchObject({
      responseType: "clarifying_question",
      response: first.text,
    });
    const second = await asReaderOf(`${question} (Acme Server)`, { threadId: first.threadId });
    expect(second).toMatchObject({
      answerKind: "quote",
      responseType: "answer",
      choices: undefined,
      threadId: first.threadId,
    });
    expect(second.text).toContain("`acme backup`");
    // A reader on a page of a product means that product.
    expect((await asReaderOf(question, { currentProduct: "Acme Server" })).text).toContain("`acme backup`");
  });

  test("without an answer, the reader's language is that of the page", async () => {
    expect(
      (await asReader("Welche Planeten umkreisen Beteigeuze?", { filter: { language: "de" } })).text,
    ).toBe(messagesOf("de").answer.notCovered);
  });

  test("questions of a conversation share its thread and the page where it began", async () => {
    const first = await asReader("How do I install Acme?", { currentPath: "/guides/install" });
    const second = await asReader("And how do I remove it?", {
      threadId: first.threadId,
      currentPath: "/guides/billing",
    });
    expect(second.threadId).toBe(first.threadId);
    expect(second.turnId).not.toBe(first.turnId);
    const rows = (await rowsOf(site)).filter(
      (row: { conversationId: string }) => row.conversationId === first.threadId,
    );
    expect(rows.map(({ pageUrl }: { pageUrl: string }) => pageUrl)).toEqual(
      Array(2).fill(`${site.origin}/guides/install`),
    );
  });

  test.each([
    ["https://evil.example/x", null],
    ["//evil.example/x", null],
    ["javascript:alert(1)", null],
    ["", null],
    ["guides/install", "/guides/install"],
    ["/guides/../guides/install?token=secret", "/guides/install"],
  ])("the page %j is recorded as %j", async (currentPath, path) => {
    const answer = await asReader("How do I install Acme?", { currentPath });
    expect((await rowOf(site, answer.turnId)).pageUrl).toBe(path && site.origin + path);
  });

  describe("bodies", () => {
    const part = (text: string) => ({ type: "text", text });
    const message = (text: string, more: object = {}) => ({
      id: "m",
      role: "user",
      parts: [part(text)],
      ...more,
    });
    test.each([
      ["no messages", {}],
      ["no message", { messages: [] }],
      ["a message of the assistant at the end", { messages: [message("x", { role: "assistant" })] }],
      ["an empty text", { messages: [message("  \n ")] }],
      ["10,001 characters", { messages: [message("x".repeat(10_001))] }],
      [
        "12,000 characters in two parts",
        { messages: [{ ...message(""), parts: [part("x".repeat(6_000)), part("y".repeat(6_000))] }] },
      ],
      ["51 messages", { messages: Array(51).fill(message("x")) }],
      ["a path of 201 characters", { messages: [message("x")], currentPath: "/".repeat(201) }],
      ["a thread that is not a ULID", { messages: [message("x")], threadId: "1" }],
      ["a NUL character", { messages: [message("a\u0000b")] }],
    ])("%s: 400", async (_name, body) => {
      const onSite = await ask({ ...site, headers: newReader(), body });
      expect(onSite.status).toBe(400);
      expect(onSite.json.error).toBe("Invalid request body");
      const path = `/v1/assistant/${site.organization.subdomain}/message`;
      const headers = { authorization: `Bearer ${site.key}`, "content-type": "application/json" };
      const byApi = await send({
        port: site.port,
        path,
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      expect([byApi.status, byApi.json]).toEqual([400, onSite.json]);
    });

    test("a text of 9,999 characters, 50 messages and a path of 200 characters are accepted", async () => {
      const messages = [...Array(49).fill(message("before")), message("x ".repeat(5_000).trim())];
      expect(
        (await ask({ ...site, headers: newReader(), body: { messages, currentPath: `/${"a".repeat(199)}` } }))
          .status,
      ).toBe(200);
    });

    test("more than 64 KB get 413, another content type 415, another method 405", async () => {
      expect(
        (
          await ask({
            ...site,
            headers: newReader(),
            body: { messages: Array(8).fill(message("x".repeat(10_000))) },
          })
        ).status,
      ).toBe(413);
      expect((await ask({ ...site, headers: { ...newReader(), "content-type": "text/plain" } })).status).toBe(
        415,
      );
      const put = await send({
        port: site.port,
        path: "/_octavo/assistant",
        method: "PUT",
        host: `${site.host}:${site.port}`,
      });
      expect([put.status, put.headers.allow]).toEqual([405, "POST"]);
    });
  });

  test("cross-origin requests are refused", async () => {
    const status = async (headers: Record<string, string>) =>
      (await ask({ ...site, headers: { ...newReader(), ...headers } })).status;
    expect(await status({ origin: "http://evil.example" })).toBe(403);
    expect(await status({ origin: "null" })).toBe(403);
    expect(await status({ "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await status({ "sec-fetch-site": "same-site" })).toBe(403);
    expect(await status({ "sec-fetch-site": "same-origin" })).toBe(200);
  });

  describe("by the API", () => {
    const path = (domain: string) => `/v1/assistant/${domain}/message`;
    const byKey = (
      key: string,
      domain = site.organization.subdomain,
      body: object = bodyOf("How do I install Acme?", { fp: "anonymous" }),
    ) => ask({ port: site.port, path: path(domain), headers: { authorization: `Bearer ${key}` }, body });

    test("the site is found by its subdomain, default host or domain", async () => {
      const { organization, service, host } = site;
      await service.operator(endpoints.addOperatorDomain, {
        params: { projectId: organization.projectId },
        body: { domain: `docs.${organization.subdomain}.example` },
      });
      for (const domain of [
        organization.subdomain,
        host,
        `docs.${organization.subdomain}.example`,
        organization.subdomain.toUpperCase(),
      ]) {
        const answer = await byKey(site.key, domain);
        expect({ domain, status: answer.status }).toEqual({ domain, status: 200 });
        expect(answer.headers["ratelimit-limit"]).toBe("10000");
        expect(answer.sources[0]!.url).toMatch(
          domain === host
            ? `${site.origin}/`
            : `http://docs.${organization.subdomain}.example:${site.port}/guides/install`,
        );
      }
      await organization.client(endpoints.removeDomain, {
        params: { projectId: organization.projectId, domain: `docs.${organization.subdomain}.example` },
      });
    });

    test("an admin key gets 403, an unknown key 401, another project's key 404, an unknown site 404", async () => {
      const other = await newSite(site.service);
      expect((await byKey(site.organization.key)).status).toBe(403);
      expect((await byKey("oct_pub_unknown")).status).toBe(401);
      expect((await byKey(other.key)).status).toBe(404);
      expect((await byKey(site.key, "nowhere")).status).toBe(404);
      expect((await byKey(site.key, other.host)).status).toBe(404);
    });

    test("a conversation of the site can't be continued by the API", async () => {
      const onSite = await asReader("How do I install Acme?");
      const byApi = await byKey(site.key, undefined, bodyOf("And remove?", { threadId: onSite.threadId }));
      expect(byApi.status).toBe(200);
      expect(byApi.threadId).not.toBe(onSite.threadId);
    });
  });

  test("another project's conversation can't be continued", async () => {
    const other = await newSite(site.service);
    const theirs = await ask({ ...other, headers: newReader(), text: "How do I install Acme?" });
    const own = await asReader("How do I install Acme?", { threadId: theirs.threadId });
    expect(own.threadId).not.toBe(theirs.threadId);
    expect(await rowsOf(other)).toHaveLength(1);
  });

  test("a retry replaces the message, with the same id and time", async () => {
    const first = await asReader("How do I install Acme?");
    const messages = [
      { id: "second", role: "user", parts: [{ type: "text", text: "Which planets orbit Betelgeuse?" }] },
    ];
    const once = await ask({ ...site, headers: newReader(), body: { messages, threadId: first.threadId } });
    const feedback = { turnId: once.turnId, helpful: false };
    expect(
      (await ask({ ...site, path: "/_octavo/assistant/feedback", headers: newReader(), body: feedback }))
        .status,
    ).toBe(204);
    const again = await ask({
      ...site,
      headers: newReader(),
      body: {
        messages: [{ ...messages[0], parts: [{ type: "text", text: "When do invoices arrive?" }] }],
        threadId: first.threadId,
      },
    });
    expect(again.turnId).toBe(once.turnId);
    expect(again.threadId).toBe(first.threadId);
    const rows = (await rowsOf(site)).filter(
      (row: { conversationId: string }) => row.conversationId === first.threadId,
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({
      id: once.turnId,
      query: "When do invoices arrive?",
      response: again.text,
      resolutionStatus: "answered",
    });
  });

  describe("recorded answers", () => {
    test("visitors and assistant keys can't forge them", async () => {
      const count = (await rowsOf(site)).length;
      const forged = JSON.stringify({
        id: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        query: "x",
        response: "y",
        timestamp: "1970-01-01T00:00:00Z",
      });
      const headers = { "content-type": "application/json", ...newReader() };
      for (const path of [
        "/_octavo/conversations",
        "/_octavo/assistant/turns",
        `/v1/analytics/${site.organization.projectId}/assistant`,
      ]) {
        const onSite = await send({
          port: site.port,
          path,
          method: "POST",
          host: `${site.host}:${site.port}`,
          headers,
          body: forged,
        });
        expect([403, 404, 405]).toContain(onSite.status);
      }
      const path = `/v1/analytics/${site.organization.projectId}/assistant/import`;
      const imported = { "content-type": "application/x-ndjson", authorization: `Bearer ${site.key}` };
      expect(
        (await send({ port: site.port, path, method: "POST", headers: imported, body: forged })).status,
      ).toBe(403);
      const extra = {
        id: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        timestamp: "1970-01-01T00:00:00Z",
        response: "forged",
        projectId: "x",
      };
      const answer = await asReader("How do I install Acme?", extra);
      expect(await rowsOf(site)).toHaveLength(count + 1);
      const row = await rowOf(site, answer.turnId);
      expect(Math.abs(Date.parse(row.timestamp) - Date.now())).toBeLessThan(60_000);
      expect(row.response).not.toContain("forged");
    });

    test("feedback is accepted for answers of this site only", async () => {
      const other = await newSite(site.service);
      const theirs = await ask({ ...other, headers: newReader() });
      const give = (turnId: string, more: object = {}) =>
        ask({
          ...site,
          path: "/_octavo/assistant/feedback",
          headers: newReader(),
          body: { turnId, helpful: true, ...more },
        });
      expect((await give(theirs.turnId)).status).toBe(404);
      expect((await give("01ARZ3NDEKTSV4RRFFQ69G5FAV")).status).toBe(404);
      const own = await asReader("How do I install Acme?");
      expect((await give(own.turnId, { comment: "Good" })).status).toBe(204);
      expect((await give(own.turnId, { comment: "x".repeat(2_001) })).status).toBe(400);
    });
  });

  test("a deleted message doesn't appear in later scans", async () => {
    const answer = await asReader("How do I install Acme? My key is hunter2.");
    const { organization } = site;
    const path = `/v1/analytics/${organization.projectId}/assistant/${answer.turnId}`;
    expect((await organization.ask(path, { method: "DELETE" })).status).toBe(204);
    expect((await organization.ask(path, { method: "DELETE" })).status).toBe(404);
    expect(await rowOf(site, answer.turnId)).toBeUndefined();
  });

  test("if a project disables it, requests are refused and pages hide it", async () => {
    const { organization, service } = site;
    const there = (method: string) =>
      send({
        port: service.port,
        path: "/_octavo/assistant",
        method,
        host: `${site.host}:${site.port}`,
        headers: newReader(),
      });
    expect((await there("GET")).status).toBe(204);
    const params = { projectId: organization.projectId };
    const changed = await organization.client(endpoints.changeProject, {
      params,
      body: { assistant: { enabled: false } },
    });
    expect(changed.assistant).toEqual({ enabled: false, model: null });
    expect((await there("GET")).status).toBe(404);
    expect((await asReader("How do I install Acme?")).status).toBe(404);
    await organization.client(endpoints.changeProject, { params, body: { assistant: { enabled: true } } });
    expect((await asReader("How do I install Acme?")).status).toBe(200);
  });

  test("a visitor can ask 20 questions a minute, and pages are still served", { retry: 1 }, async () => {
    const other = await newSite(site.service);
    const reader = newReader();
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask({ ...other, headers: reader })));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(refused).toHaveLength(10);
    for (const { headers, json } of refused) {
      expect(Number(headers["retry-after"])).toBeGreaterThan(0);
      expect(json.error).toBe("Too many requests");
    }
    expect((await ask({ ...other, headers: newReader() })).status).toBe(200);
    expect((await send({ port: site.port, path: "/", host: `${other.host}:${site.port}` })).status).toBe(200);
    expect(await rowsOf(other)).toHaveLength(21);
  });
});

describe("kinds of deployments", () => {
  test.each([
    [{ OCTAVO_KIND: "air-gapped", OCTAVO_ASSISTANT: "true", OCTAVO_SEARCH: "true" }, 404, 404],
    [{ OCTAVO_KIND: "client-hosted" }, 404, 200],
    [{ OCTAVO_KIND: "client-hosted", OCTAVO_ASSISTANT: "true", OCTAVO_SEARCH: "false" }, 200, 404],
    [{ OCTAVO_ASSISTANT: "false" }, 404, 200],
  ])("%j: the assistant gets %i, MCP %i", async (env, assistant, mcp) => {
    const site = await newSite(await openTestService({ env: { ...trusting, ...env } }));
    expect((await ask({ ...site })).status).toBe(assistant);
    const body = { jsonrpc: "2.0", id: 1, method: "ping" };
    expect((await ask({ ...site, path: "/mcp", body })).status).toBe(mcp);
    await site.service.stop();
  });
});
