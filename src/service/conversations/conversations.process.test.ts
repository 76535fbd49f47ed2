/** Conversations in the API: lists, threads and import. */

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onEachDatabase } from "../../../test/service/databases.ts";
import {
  newOrganization,
  send,
  type TestOrganization,
  type TestService,
} from "../../../test/service/service.ts";
import { firstUlidAt, ulidMaker, ulidTime } from "../../base/ulid.ts";
import { endpoints } from "../app/endpoints.ts";

const listPath = (projectId: string, query = "") => `/v1/analytics/${projectId}/assistant${query}`;

function row(id: string, more: object = {}) {
  return {
    id,
    timestamp: new Date(ulidTime(id)).toISOString(),
    query: `How? ${id}`,
    response: "So.",
    sources: [{ title: "Start", url: "https://docs.example.com/start" }],
    resolutionStatus: "answered",
    queryCategory: null,
    pageUrl: null,
    ...more,
  };
}

function idAt(time: string): string {
  return ulidMaker(() => Date.parse(time), randomBytes)();
}

async function importRows({ ask }: TestOrganization, projectId: string, rows: readonly unknown[]) {
  const body = rows.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  return ask(listPath(projectId, "/import"), {
    method: "POST",
    body,
    headers: { "content-type": "application/x-ndjson" },
  });
}

onEachDatabase("conversations", (start) => {
  let service: TestService;
  let organization: TestOrganization;
  let ids: string[];

  beforeAll(async () => {
    service = await start();
    organization = await newOrganization(service);
    const next = ulidMaker(() => Date.parse("2026-03-01T12:00:00Z"), randomBytes);
    ids = Array.from({ length: 250 }, next);
    const answer = await importRows(
      organization,
      organization.projectId,
      ids.map((id) => row(id)),
    );
    expect(answer.json).toEqual({ added: 250, existing: 0, failed: 0, errors: [] });
    ids.reverse();
  });
  afterAll(() => service.stop());

  const list = (query: string, projectId = organization.projectId) =>
    organization.ask(listPath(projectId, query));

  describe("limit", () => {
    test.each([
      ["", 100],
      ["?limit=1", 1],
      ["?limit=1000", 250],
    ])("%s gives %i rows", async (query, count) => {
      const { status, json } = await list(query);
      expect([status, json.conversations.length]).toEqual([200, count]);
    });

    test.each([
      "0",
      "-1",
      "1001",
      "1.5",
      "10.0",
      "abc",
      "1e3",
      "0x10",
      "%2B5",
      "%2010",
      "",
      "NaN",
      "Infinity",
      "%D9%A1%D9%A0",
      "9007199254740993",
      "1000.0000000000001",
      "00010",
    ])("limit=%s is refused", async (value) => {
      const { status, json } = await list(`?limit=${value}`);
      expect(status).toBe(400);
      expect(json.details).toEqual([{ message: "limit must be an integer between 1 and 1000" }]);
    });

    test.each(["limit=1&limit=2", "limit[]=1", "limit=1,2", "cursor=a&cursor=b"])(
      "%s is refused",
      async (query) => {
        const { status, json } = await list(`?${query}`);
        expect(status).toBe(400);
        expect(json.details[0].message).toMatch(/ can be specified only once$/);
      },
    );
  });

  describe("dates", () => {
    test.each([
      "2024-02-30",
      "2023-02-29",
      "2024-13-01",
      "2024-00-10",
      "2024-1-1",
      "2024/01/01",
      "20240230",
      "2024010",
      "2024-0101",
      "2024-01-01T1200",
      "2024",
      "1",
      "2024-W01-1",
      "Jan%201%202024",
      "10000-01-01",
      "0000-01-01",
      "-000001-01-01",
      "",
      "null",
      "2024-01-01T24:00:00Z",
      "2024-01-01T10:00:60Z",
      "2024-01-01T00:00:00%2B25:00",
      "x".repeat(7_000),
    ])("%s is refused", async (value) => {
      for (const name of ["dateFrom", "dateTo"]) {
        const { status, json } = await list(`?${name}=${value}`);
        expect(status).toBe(400);
        expect(json.details[0].message).toMatch(new RegExp(`^${name} `));
      }
    });

    test.each([
      ["2024-02-29", 250],
      ["2026-03-01T12:00:00Z", 250],
      ["2026-03-01T12:00Z", 250],
      ["2026-03-01T14:00:00%2B02:00", 250],
      ["2026-03-01T12:00:00-00:00", 250],
      ["2026-03-01T12:00:00.000999999Z", 250],
      ["2026-03-01T12:00:00.001Z", 0],
      ["2026-03-01t12:00:00z", 250],
      ["2026-03-01T12:00:00", 250],
      ["2026-03-01T12:00:01", 0],
      ["1969-12-31", 250],
      ["0001-01-01", 250],
      ["20260301T120000Z", 250],
      ["20260301T120000.001", 0],
      ["20260301", 250],
      ["20260302", 0],
      ["2026-03-01T12", 250],
      ["2026-03-01T13", 0],
      ["2026-03-01T12Z", 250],
      ["20260301T12", 250],
      ["2026-03-01T10:00:00-0200", 250],
      ["2026-03-01T10-02", 250],
      ["20260301T1001-0200", 0],
    ])("dateFrom=%s gives %i rows", async (value, count) => {
      const { status, json } = await list(`?limit=1000&dateFrom=${value}`);
      expect([status, json.conversations?.length]).toEqual([200, count]);
    });

    test("dateTo=1969-12-31 is before everything", async () => {
      const { status, json } = await list("?dateTo=1969-12-31");
      expect([status, json.conversations]).toEqual([200, []]);
    });

    test.each([
      ["DATEFROM=2026-01-01", 'Unknown parameter "DATEFROM". Did you mean dateFrom?'],
      ["datefrom=2026-01-01&limit=5", 'Unknown parameter "datefrom". Did you mean dateFrom?'],
      ["from=2026-01-01", 'Unknown parameter "from". Valid parameters: dateFrom, dateTo, limit, cursor'],
    ])("%s is refused, and the error has the right name", async (query, message) => {
      const { status, json } = await list(`?${query}`);
      expect([status, json.error, json.details]).toEqual([400, "Invalid query parameters", [{ message }]]);
    });

    test("a raw plus sign gets an error that explains the encoding", async () => {
      const { status, json } = await list("?dateFrom=2026-03-01T12:00:00+02:00");
      expect(status).toBe(400);
      expect(json.details[0].message).toContain("%2B");
    });

    test("the upper bound excludes its instant, the lower one includes it", async () => {
      const other = await newOrganization(service);
      const times = ["2025-06-01T23:59:59.999Z", "2025-06-02T00:00:00.000Z", "2025-06-02T00:00:00.001Z"];
      await importRows(
        other,
        other.projectId,
        times.map((time) => row(idAt(time))),
      );
      const timesOf = async (query: string) =>
        (await other.ask(listPath(other.projectId, query))).json.conversations.map(
          ({ timestamp }: { timestamp: string }) => timestamp,
        );
      expect(await timesOf("?dateTo=2025-06-02")).toEqual([times[0]]);
      expect(await timesOf("?dateFrom=2025-06-02")).toEqual([times[2], times[1]]);
    });

    test.each([
      "?dateFrom=2026-03-02&dateTo=2026-03-02",
      "?dateFrom=2026-03-02&dateTo=2026-03-01",
      "?dateFrom=2090-01-01&dateTo=2091-01-01",
    ])("%s is empty", async (query) => {
      const { status, json } = await list(query);
      expect([status, json]).toEqual([200, { conversations: [], nextCursor: null, hasMore: false }]);
    });
  });

  describe("cursors", () => {
    test("a scan returns every row once, newest first, for any page size", async () => {
      for (const limit of [1000, 100, 125, 7]) {
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const { json } = await list(`?limit=${limit}${cursor === null ? "" : `&cursor=${cursor}`}`);
          seen.push(...json.conversations.map(({ id }: { id: string }) => id));
          expect(json.hasMore).toBe(json.nextCursor !== null);
          cursor = json.nextCursor;
        } while (cursor !== null);
        expect(seen).toEqual(ids);
      }
    });

    test("the lowest, the highest and a lower-case cursor are accepted", async () => {
      expect((await list(`?cursor=${"0".repeat(26)}`)).json).toEqual({
        conversations: [],
        nextCursor: null,
        hasMore: false,
      });
      expect((await list(`?cursor=7${"Z".repeat(25)}`)).json).toEqual((await list("")).json);
      expect((await list(`?cursor=${ids[10]!.toLowerCase()}`)).json).toEqual(
        (await list(`?cursor=${ids[10]}`)).json,
      );
    });

    test.each([
      `8${"Z".repeat(25)}`,
      "Z".repeat(26),
      `0${"I".repeat(25)}`,
      `0${"L".repeat(25)}`,
      `0${"U".repeat(25)}`,
      "0".repeat(25),
      "0".repeat(27),
      "",
      "%00",
      "%F0%9F%98%80",
      "'%20or%201=1--",
    ])("cursor=%s is refused", async (cursor) => {
      const { status, json } = await list(`?cursor=${cursor}`);
      expect([status, json.details]).toEqual([
        400,
        [{ message: "cursor must be a `nextCursor` from an earlier response" }],
      ]);
    });

    test("another project's cursor is accepted and returns own rows only", async () => {
      const other = await newOrganization(service);
      await importRows(other, other.projectId, [
        row(idAt("2026-03-01T11:00:00Z")),
        row(idAt("2026-03-01T13:00:00Z")),
      ]);
      const { json } = await other.ask(listPath(other.projectId, `?cursor=${ids[0]}`));
      expect(json.conversations.map(({ timestamp }: { timestamp: string }) => timestamp)).toEqual([
        "2026-03-01T11:00:00.000Z",
      ]);
    });

    test("a cursor is accepted without its row and with changed filters", async () => {
      const position = firstUlidAt(Date.parse("2026-03-01T12:00:00.001Z"));
      const { json } = await list(`?cursor=${position}&limit=3&dateFrom=2026-01-01`);
      expect(json.conversations.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 3));
    });

    test("rows added during a scan cause no duplicates or gaps", async () => {
      const other = await newOrganization(service);
      const makeOld = ulidMaker(() => Date.parse("2026-05-01T00:00:00Z"), randomBytes);
      const old = Array.from({ length: 60 }, makeOld);
      await importRows(
        other,
        other.projectId,
        old.map((id) => row(id)),
      );
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const { json } = await other.ask(
          listPath(other.projectId, `?limit=7${cursor === null ? "" : `&cursor=${cursor}`}`),
        );
        seen.push(...json.conversations.map(({ id }: { id: string }) => id));
        cursor = json.nextCursor;
        await importRows(other, other.projectId, [row(ulidMaker(Date.now, randomBytes)())]);
      } while (cursor !== null);
      expect(seen).toEqual(old.toReversed());
    });
  });

  test("an item has the documented fields", async () => {
    const { json } = await list("?limit=1");
    expect(json.conversations[0]).toEqual({ ...row(ids[0]!), conversationId: ids[0] });
    expect(json.conversations[0].timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test("unknown and foreign projects get the same error", async () => {
    const other = await newOrganization(service);
    const bodies = await Promise.all(
      [
        other.projectId,
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "x",
        "x".repeat(300),
        "%2E%2E%2F",
        "%00",
        "%F0%9F%98%80",
      ].map((id) => organization.ask(listPath(id, "?limit=0"))),
    );
    for (const { status, text } of bodies) expect([status, text]).toEqual([404, '{"error":"Not found"}']);
  });

  describe("threads", () => {
    test("any message id returns the whole conversation, oldest first", async () => {
      const other = await newOrganization(service);
      const [first, second] = [idAt("2026-01-01T10:00:00Z"), idAt("2026-01-01T10:05:00Z")];
      await importRows(other, other.projectId, [row(second, { conversationId: first }), row(first)]);
      const thread = (id: string) => other.ask(listPath(other.projectId, `/threads/${id}`));
      const { json } = await thread(second);
      expect(json.threadId).toBe(first);
      expect(
        json.messages.map(({ role, createdAt }: { role: string; createdAt: string }) => [role, createdAt]),
      ).toEqual([
        ["user", "2026-01-01T10:00:00.000Z"],
        ["assistant", "2026-01-01T10:00:00.000Z"],
        ["user", "2026-01-01T10:05:00.000Z"],
        ["assistant", "2026-01-01T10:05:00.000Z"],
      ]);
      expect((await thread(first)).json).toEqual(json);
      expect((await thread("nothing")).status).toBe(400);
      expect((await thread("01ARZ3NDEKTSV4RRFFQ69G5FAV")).status).toBe(404);
    });
  });

  describe("import", () => {
    test("valid lines are stored, invalid ones are reported by number, and repeating the file is harmless", async () => {
      const other = await newOrganization(service);
      const good = idAt("2026-02-01T00:00:00Z");
      const lines = [
        row(good),
        "{",
        "",
        { ...row(good), timestamp: "2026-02-01T00:00:00.001Z" },
        { ...row(good), id: "8ZZZZZZZZZZZZZZZZZZZZZZZZZ" },
        { ...row(good), sources: [{ title: "x" }] },
        "[]",
        { ...row(good), resolutionStatus: "maybe" },
        row(idAt("2026-02-02T00:00:00Z"), {
          query: "a\u0000b\ud800",
          responseType: "clarifying_question",
          queryCategory: "Billing",
          pageUrl: "https://x.test/a",
        }),
      ];
      const { json } = await importRows(other, other.projectId, lines);
      expect(json).toMatchObject({ added: 2, existing: 0, failed: 6 });
      expect(json.errors.map(({ line }: { line: number }) => line)).toEqual([2, 4, 5, 6, 7, 8]);
      expect((await importRows(other, other.projectId, lines)).json).toMatchObject({
        added: 0,
        existing: 2,
        failed: 6,
      });
      const { conversations } = (await other.ask(listPath(other.projectId))).json;
      expect(conversations[0]).toMatchObject({
        query: "ab\ufffd",
        responseType: "clarifying_question",
        queryCategory: "Billing",
        pageUrl: "https://x.test/a",
      });
    });

    test("the same id in two projects is two rows", async () => {
      const [one, two] = [await newOrganization(service), await newOrganization(service)];
      const id = idAt("2026-02-03T00:00:00Z");
      for (const each of [one, two])
        expect((await importRows(each, each.projectId, [row(id)])).json.added).toBe(1);
    });

    test("requires the NDJSON content type and a project of the organization", async () => {
      const json = await organization.ask(listPath(organization.projectId, "/import"), {
        method: "POST",
        body: "{}",
        headers: { "content-type": "application/json" },
      });
      expect(json.status).toBe(415);
      const other = await newOrganization(service);
      expect((await importRows(organization, other.projectId, [])).status).toBe(404);
    });

    test("does not count for the rate limit of analytics", async () => {
      const other = await newOrganization(service);
      const first = await other.ask(listPath(other.projectId));
      await importRows(other, other.projectId, []);
      const second = await other.ask(listPath(other.projectId));
      expect(
        Number(first.headers["ratelimit-remaining"]) - Number(second.headers["ratelimit-remaining"]),
      ).toBe(1);
    });
  });

  test("without a key, no validation errors are shown", async () => {
    const answer = await send({ port: service.port, path: listPath(organization.projectId, "?limit=0") });
    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toMatch(/^Bearer/);
    expect(endpoints.listConversations.rateLimit).toBe("analytics");
  });
});
