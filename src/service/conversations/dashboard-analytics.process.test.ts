/** Analytics of questions in the dashboard: filters, counts by day, and groups of unanswered questions. */

import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Member, newMember } from "../../../test/service/dashboard.ts";
import { onEachDatabase } from "../../../test/service/databases.ts";
import { deploy, docs } from "../../../test/service/deploying.ts";
import { openPlatform } from "../../../test/service/platform.ts";
import { importAll, type Recorded, recorded } from "../../../test/service/recorded.ts";
import { newOrganization, type TestOrganization, type TestService } from "../../../test/service/service.ts";
import { stayOnOneDay } from "../../../test/shared/current-day.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { ulidPrefixes, ulidTime } from "../../base/ulid.ts";
import { endpoints } from "../app/endpoints.ts";
import { addQuestionTerms } from "./add-question-terms.ts";
import { findMessages } from "./find-conversations.ts";

const day_ms = 86_400_000;
await stayOnOneDay();
const now = Date.now();
const day = (time: number) => new Date(time).toISOString().slice(0, 10);
const pick = <T>(list: readonly T[]): T => list[randomInt(list.length)]!;

const words = ["webhook", "invoice", "proxy", "token", "theme", "zebra"] as const;
const pages = [
  "https://docs.example.com/start",
  "https://docs.example.com/guides/deploy.html",
  null,
] as const;

onEachDatabase("analytics", (start) => {
  let service: TestService;
  let organization: TestOrganization;
  let member: Member;
  let home: string;
  let rows: Recorded[];
  const ndjson = async (query: string): Promise<Recorded[]> => {
    const { text, status } = await member.ask(`${home}/conversations?format=ndjson&${query}`);
    expect(status).toBe(200);
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };

  beforeAll(async () => {
    service = await start();
    organization = await newOrganization(service);
    member = await newMember(service, organization.id, "editor");
    home = `${member.home}/p/${organization.projectId}`;
    rows = Array.from({ length: 600 }, () => {
      // Most questions are recent and some are old. The last word is rare.
      const at = now - Math.floor((randomInt(1_000) / 1_000) ** 3 * 500 * day_ms) - 1;
      const said = words.filter((_, place) => randomInt(place === 5 ? 60 : place + 2) === 0);
      return recorded(at, `How do I set the ${said.join(" and the ")} here?`, {
        resolutionStatus: randomInt(4) ? "answered" : "unanswered",
        queryCategory: pick(["Money", "Start", "Start", null]),
        pageUrl: pick(pages),
      });
    }).sort((a, b) => (a.id < b.id ? 1 : -1));
    await importAll(organization, rows);
    // A different project has similar questions at the same times.
    await importAll(
      await newOrganization(service),
      rows.map((row) => ({ ...row, query: `${row.query} STRANGER` })),
    );
  });
  afterAll(() => service.stop());

  test("any combination of filters gives the same rows as a scan of all rows, newest first", async () => {
    for (let round = 0; round < 60; round++) {
      const some = <T>(value: T) => (randomInt(3) === 0 ? value : undefined);
      const filter = {
        q: some(pick([...words, "webhooks tokens", "Proxies"])),
        status: some(pick(["answered", "unanswered"])),
        category: some(pick(["Money", "Start", "(none)"])),
        page: some(pick(["/start", "guides/deploy/", "https://docs.example.com/start?x=1", "/nowhere"])),
        source: some(pick(["other", "web"])),
        from: some(day(now - randomInt(500) * day_ms)),
        to: some(day(now - randomInt(30) * day_ms)),
      };
      const query = new URLSearchParams({ days: "600" });
      for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, value);
      const wanted = rows.filter((row) => matches(row, filter));
      expect(
        (await ndjson(query.toString())).map(({ id }) => id),
        query.toString(),
      ).toEqual(wanted.map(({ id }) => id));
    }
  });

  test("paging links reach the end of the list and keep the filters", async () => {
    const wanted = rows.filter((row) => row.resolutionStatus === "answered").map(({ id }) => id);
    const seen: string[] = [];
    let next: string | undefined = `${home}/conversations?days=600&status=answered`;
    let count = 0;
    // On a busy machine, a search ends early and returns fewer rows, so there are more pages.
    while (next !== undefined && count++ < 500) {
      const { text }: { text: string } = await member.ask(next);
      seen.push(...[...text.matchAll(/#t-([0-9A-Z]{26})"/g)].map(([, id]) => id!));
      next = /href="([^"]+)">Older/.exec(text)?.[1]?.replaceAll("&amp;", "&");
    }
    expect(seen).toEqual(wanted);
  });

  test("the metric and the chart count questions of the selected days", async () => {
    const { text } = await member.ask(`${home}/conversations?days=7&status=unanswered&category=Start`);
    const wanted = rows.filter((row) =>
      matches(row, { status: "unanswered", category: "Start", from: day(now - 6 * day_ms) }),
    );
    expect(text).toMatch(new RegExp(`Unanswered</span><strong>${wanted.length}</strong>`));
    const drawn = [
      ...text.matchAll(
        /<time datetime="(\d{4}-\d\d-\d\d)">[^<]*<\/time><\/th><td[^>]*><data value="(\d+)".*?<data value="(\d+)"/g,
      ),
    ];
    expect(drawn.map(([, date]) => date)).toEqual(
      Array.from({ length: 7 }, (_, n) => day(now - (6 - n) * day_ms)),
    );
    for (const [, date, answered, unanswered] of drawn)
      expect([Number(answered), Number(unanswered)], date).toEqual([
        0,
        wanted.filter(({ timestamp }) => timestamp.startsWith(date!)).length,
      ]);
  });

  test("empty states suggest what to do", async () => {
    expect((await member.ask(`${home}/conversations?q=elephant`)).text).toContain(
      "No matching conversations",
    );
    expect((await member.ask(`${home}/conversations?from=2001-01-01&to=2001-01-02`)).text).toContain(
      "No questions in this period",
    );
    expect((await member.ask(`${home}/questions?from=2001-01-01&to=2001-01-02`)).text).toContain(
      "No open questions",
    );
    for (const page of ["searches", "traffic", "feedback"])
      expect((await member.ask(`${home}/${page}`)).text).toContain('class="d-empty"');
  });

  test("similar questions are one group, with its messages", async () => {
    const other = await newOrganization(service);
    const viewer = await newMember(service, other.id, "viewer");
    const asked = [
      "How do I rotate an API key?",
      "rotating API keys",
      "Can you please tell me how to ROTATE the api-key??",
      "Wo sind die Rechnungen?",
      "wo ist meine Rechnung",
      "Where is the moon?",
    ];
    const turns = asked.map((query, n) =>
      recorded(now - (n + 1) * 3_600_000, query, { resolutionStatus: "unanswered" }),
    );
    await importAll(other, [...turns, recorded(now - 1, "How do I rotate an API key?")]);
    const path = `${viewer.home}/p/${other.projectId}/questions`;
    const groups = (await viewer.ask(`${path}?format=ndjson`)).text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    expect(
      groups.map(({ question, count, firstAskedAt, lastAskedAt }) => [
        question,
        count,
        firstAskedAt,
        lastAskedAt,
      ]),
    ).toEqual([
      [asked[0], 3, turns[2]!.timestamp, turns[0]!.timestamp],
      [asked[3], 2, turns[4]!.timestamp, turns[3]!.timestamp],
      [asked[5], 1, turns[5]!.timestamp, turns[5]!.timestamp],
    ]);
    const linkTo = (part: RegExp, text: string) => part.exec(text)![1]!.replaceAll("&amp;", "&");
    const group = await viewer.ask(
      linkTo(/href="([^"]*questions\/[0-9A-Z]{26}[^"]*)"/, (await viewer.ask(path)).text),
    );
    const link = linkTo(/href="([^"]*conversations[^"]*group=[^"]*)"/, group.text);
    const list = await viewer.ask(link);
    expect([...list.text.matchAll(/#t-([0-9A-Z]{26})"/g)].map(([, id]) => id)).toEqual(
      turns.slice(0, 3).map(({ id }) => id),
    );
  });

  test("untrusted texts are shown as text, without active links", async () => {
    const hostile = "<img src=x onerror=alert(1)>\"'</script><script>alert(1)</script>";
    const turn = recorded(now - 1_000, hostile, {
      response: hostile,
      queryCategory: hostile,
      pageUrl: `javascript:alert(1)//${hostile}`,
      sources: [
        { title: hostile, url: "javascript:alert(1)" },
        { title: "data", url: "data:text/html,<script>alert(1)</script>" },
      ],
      resolutionStatus: "unanswered",
    });
    const other = await newOrganization(service);
    const admin = await newMember(service, other.id);
    await importAll(other, [turn]);
    const base = `${admin.home}/p/${other.projectId}`;
    for (const page of [
      "/conversations",
      `/conversations/${turn.id}`,
      `/conversations/${turn.id}/messages/${turn.id}/delete`,
      "/questions",
      `/questions/${turn.id}`,
    ]) {
      const { text, status } = await admin.ask(base + page);
      expect(status, page).toBe(200);
      expect(text, page).toContain("&lt;img src=x");
      expect(text, page).not.toContain("<img");
      expect(text, page).not.toContain("<script>alert");
      expect(text, page).not.toMatch(/href="(?:javascript|data):[^,]/);
    }
  });

  test("a conversation's title is its first question, and citations link to the sources below the answer", async () => {
    const other = await newOrganization(service);
    const admin = await newMember(service, other.id);
    const turn = recorded(now - 1_000, `How do I ${"really ".repeat(30)}start?`, {
      response: "Run it [2].",
      sources: ["/a", "/b"].map((path) => ({ title: path, url: `https://docs.example.com${path}` })),
    });
    await importAll(other, [turn]);
    const { text } = await admin.get(`${admin.home}/p/${other.projectId}/conversations/${turn.id}`);
    expect(/<h1>(.*?)<\/h1>/.exec(text)![1]).toMatch(/^How do I really .*…$/);
    const target = /<sup><a href="#([^"]*)">\[2\]/.exec(text)![1]!;
    expect(text).toContain(`<li id="${target}"><a href="https://docs.example.com/b"`);
  });

  test("pages are shown by their title, as a link to the live site; pages of groups and deleted pages by their path", async () => {
    const other = await newOrganization(service);
    const admin = await newMember(service, other.id);
    const site = docs("Hello", {
      "guides/keys.mdx": "---\ntitle: Keys & <b>locks</b>\n---\n\nText",
      "team.mdx": '---\ntitle: Secret plans\ngroups: ["team"]\n---\n\nText',
    });
    await other.client(endpoints.changeProject, {
      params: { projectId: other.projectId },
      body: { signIn: { mode: "password", password: "long enough", groups: [] } },
    });
    await deploy(other, site);
    const asked = (page: string) =>
      recorded(now - 1_000, `About ${page}`, { pageUrl: `https://docs.example.com${page}` });
    await importAll(other, ["/guides/keys?a=1#x", "/team", "/gone"].map(asked));
    const { text } = await admin.get(`${admin.home}/p/${other.projectId}/conversations`);
    const url = `http://${other.subdomain}.localhost:${service.port}`;
    expect(text).toContain(
      `<a href="${url}/guides/keys" rel="noreferrer">Keys &amp; &lt;b>locks&lt;/b></a><code class="d-under">/guides/keys?a=1#x`,
    );
    expect(text).toContain(`<a href="${url}/team" rel="noreferrer">/team</a>`);
    expect(text).toContain(`<code class="d-page-path">/gone</code>`);
    expect(text).not.toContain("Secret plans");
  });

  test("editors can delete a message after confirmation; lists and metrics update", async () => {
    const [turn] = await ndjson("days=600&q=zebra");
    const target = turn ?? rows[0]!;
    const action = `${home}/conversations/${target.id}/messages/${target.id}/delete`;
    const refused = await member.submit(action, { confirm: "yes" });
    expect([refused.status, refused.text.includes(`Type ${target.id.slice(-6)} to confirm`)]).toEqual([
      400,
      true,
    ]);
    const done = await member.submit(action, { confirm: target.id.slice(-6) });
    expect(done.text).toContain("Question and answer deleted.");
    expect((await member.ask(`${home}/conversations/${target.id}`)).status).toBe(404);
    rows = rows.filter(({ id }) => id !== target.id);
    const { text } = await member.ask(`${home}/conversations?days=600`);
    expect(text).toMatch(new RegExp(`Questions</span><strong>${rows.length}</strong>`));
  });
});

function matches(
  row: Recorded,
  filter: Partial<
    Record<"q" | "status" | "category" | "page" | "source" | "from" | "to", string | undefined>
  >,
) {
  const { q, status, category, page, source, from, to } = filter;
  const wanted =
    q === "webhooks tokens"
      ? ["webhook", "token"]
      : q === undefined
        ? []
        : [q.toLowerCase().replace("proxies", "proxy")];
  const path = row.pageUrl?.replace("https://docs.example.com", "").replace(".html", "") ?? "";
  const asked = page
    ?.replace("https://docs.example.com", "")
    .replace("?x=1", "")
    .replace(/\/$/, "")
    .replace(/^(?!\/)/, "/");
  const date = row.timestamp.slice(0, 10);
  const last = to ?? day(now);
  return (
    wanted.every((word) => row.query.includes(word)) &&
    (status === undefined || row.resolutionStatus === status) &&
    (category === undefined || (row.queryCategory ?? "(none)") === category) &&
    (asked === undefined || path === asked) &&
    (source === undefined || source === "other") &&
    date >= (from ?? day(Date.parse(last) - 599 * day_ms)) &&
    date <= last
  );
}

test("daily counts match the rows after random writes", { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-counts-"));
  const { service, close } = await openPlatform({
    databaseUrl: await createDatabase(),
    storage: `file:${folder}`,
    folder,
  });
  try {
    const { db } = service;
    await sql`insert into organizations (id, name, plan) values ('o', 'o', 'pro')`.execute(db);
    await sql`insert into projects (id, organization_id, name, subdomain, source) values ('p', 'o', 'p', 'p', '{}'), ('q', 'o', 'q', 'q', '{}')`.execute(
      db,
    );
    const ids: [string, string][] = [];
    const any = (list: string) =>
      sql.raw(`(array[${list}])[1 + floor(random() * ${list.split(",").length})::int]`);
    const values = () =>
      sql`${any("'answered','unanswered'")}, ${any("'web','api','other'")}, ${any("'A','B',null")}, ${any("'k1','k2',null")}, random() < 0.8`;
    for (let round = 0; round < 300; round++) {
      const [kind, one] = [randomInt(10), ids[randomInt(ids.length || 1)]];
      if (kind < 4 || !one) {
        for (let n = randomInt(1, 6); n > 0; n--) {
          const [project, id] = [pick(["p", "q"]), recorded(now - randomInt(5) * day_ms, "").id];
          ids.push([project, id]);
          await sql`insert into conversations (project_id, id, thread_id, query, response, sources, resolution_status, caller, query_category, question_key, is_finished)
            select ${project}, ${id}, ${id}, 'q', 'r', '[]', ${values()}`.execute(db);
        }
      } else if (kind < 6)
        await sql`update conversations set (resolution_status, caller, query_category, question_key, is_finished) = (select ${values()})
          where project_id = ${one[0]} and id >= ${one[1]}`.execute(db);
      else if (kind < 8)
        await sql`delete from conversations where project_id = ${one[0]} and id = ${one[1]}`.execute(db);
      else if (kind < 9)
        await sql`update conversations set query_category = 'C' where project_id = ${one[0]} and id < ${one[1]}`.execute(
          db,
        );
      else await addQuestionTerms(service);
    }
    expect(await counted()).toEqual(await recounted());
    await sql`delete from projects where id = 'q'`.execute(db);
    expect(await counted()).toEqual(await recounted());
    await sql`delete from organizations`.execute(db);
    expect(await counted()).toEqual([[], []]);

    async function counted() {
      const days =
        await sql<object>`select project_id, day, query_category, resolution_status, caller, count from conversation_days order by 1, 2, 3, 4, 5`.execute(
          db,
        );
      const groups =
        await sql<object>`select project_id, day, question_key, count from unanswered_days order by 1, 2, 3`.execute(
          db,
        );
      return [days.rows, groups.rows];
    }
    async function recounted() {
      const days =
        await sql<object>`select project_id, ulid_day(id) as day, coalesce(query_category, '') collate "C" as query_category, resolution_status, caller, count(*) as count
        from conversations where is_finished group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`.execute(db);
      const groups = await sql<object>`select project_id, ulid_day(id) as day, question_key, count(*) as count
        from conversations where is_finished and resolution_status = 'unanswered' and question_key is not null group by 1, 2, 3 order by 1, 2, 3`.execute(
        db,
      );
      expect(days.rows.length).toBeGreaterThan(0);
      return [days.rows, groups.rows];
    }
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a search by rating continues after rated messages that don't match the other filters", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-rated-"));
  const { service, close } = await openPlatform({
    databaseUrl: await createDatabase(),
    storage: `file:${folder}`,
    folder,
  });
  const { db } = service;
  await sql`insert into organizations (id, name, plan) values ('o', 'o', 'pro')`.execute(db);
  await sql`insert into projects (id, organization_id, name, subdomain, source) values ('p', 'o', 'p', 'p', '{}')`.execute(
    db,
  );
  // One search reads at most 2,000 rated messages. The only match is older.
  const ids = Array.from({ length: 2_001 }, (_, n) => recorded(now - n * 1_000, "").id);
  const oldest = ids.at(-1)!;
  await sql`insert into conversations (project_id, id, thread_id, query, response, sources, resolution_status, caller, query_category)
    select 'p', id, id, 'q', 'r', '[]', 'answered', 'web', case when id = ${oldest} then 'B' else 'A' end from unnest(${ids}::text[]) as id`.execute(
    db,
  );
  await sql`insert into message_feedback (project_id, message_id, helpful) select 'p', id, false from unnest(${ids}::text[]) as id`.execute(
    db,
  );
  const scope = { organizationId: "o", plan: "pro", actor: "service" } as const;
  const filters = { rating: "down", category: "B" } as const;
  const first = await findMessages(service, scope, "p", filters, { cursor: undefined, limit: 50 });
  expect(first).toEqual({ rows: [], next: ids[1_999] });
  const second = await findMessages(service, scope, "p", filters, { cursor: first.next, limit: 50 });
  expect([second.rows.map(({ id, helpful }) => [id, helpful]), second.next]).toEqual([
    [[oldest, false]],
    undefined,
  ]);
  await close();
  rmSync(folder, { recursive: true, force: true });
});

test("the database computes the day of an id from its time", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-days-"));
  const { service, close } = await openPlatform({
    databaseUrl: await createDatabase(),
    storage: `file:${folder}`,
    folder,
  });
  for (const time of [0, day_ms - 1, day_ms, now, Date.UTC(9999, 11, 31, 23, 59, 59, 999)]) {
    const { id } = recorded(time, "");
    const { rows } = await sql<{ day: number }>`select ulid_day(${id}) as day`.execute(service.db);
    expect(rows[0]!.day).toBe(Math.floor(ulidTime(id) / day_ms));
  }
  await close();
  rmSync(folder, { recursive: true, force: true });
});

test("prefixes of ids exclude the upper bound, so that a continued search doesn't repeat one", () => {
  const id = (start: string, fill = "0") => start.padEnd(26, fill);
  expect(ulidPrefixes(id("01AB3"), id("01AC"), 4)).toEqual(["01AB"]);
  expect(ulidPrefixes(id("01AB3"), id("01AC0", "1"), 4)).toEqual(["01AC", "01AB"]);
  expect(ulidPrefixes(id("01ABY"), id("01AC2", "1"), 5)).toEqual([
    "01AC2",
    "01AC1",
    "01AC0",
    "01ABZ",
    "01ABY",
  ]);
  expect(ulidPrefixes(id("01AC"), id("01AC"), 4)).toEqual([]);
});
