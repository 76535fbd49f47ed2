/**
 * npm run bench -- --dashboard [--rows 1000000] Response time of every dashboard page and of every list
 * endpoint of the API, in an organization with `--rows` conversations, ten times as many page views and twice
 * as many searches. The service also has a tenth of `--rows` other organizations, users and sessions.
 */

import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import pg from "pg";
import { ulidMaker } from "../src/base/ulid.ts";
import { endpoints } from "../src/service/app/endpoints.ts";
import { dashboardRoutes } from "../src/service/app/routes.ts";
import { questionTerms } from "../src/service/conversations/stored-question-terms.ts";
import type { Endpoint } from "../src/service/core/endpoint.ts";
import { type Member, newMember } from "../test/service/dashboard.ts";
import { deploy, docs } from "../test/service/deploying.ts";
import { startPostgres } from "../test/service/postgres.ts";
import { newOrganization, startService, type TestOrganization } from "../test/service/service.ts";

const goal_ms = 150;
const requests_count = 30;
const days_count = 400;
const sitePages_count = 500;
const queries_count = 500;
/** Number of rows that are inserted with one SQL statement. */
const batch_count = 25_000;

/** Query strings to measure in addition to the page without a query. */
const queries: Record<string, string[]> = {
  showConversations: [
    "days=365",
    "days=365&status=unanswered",
    "days=365&category=Theme+3&source=api&status=unanswered",
    "days=365&q=WORD0",
    "days=365&q=WORD2999",
    "days=365&q=elephant",
    "days=365&q=a",
    "days=365&page=/",
    "days=365&q=WORD0+WORD1+WORD2&page=/page-499&category=Theme+19&status=unanswered",
    "days=365&page=/page-499",
    "days=365&rating=down",
    "days=365&before=DEEP",
  ],
  showQuestions: ["days=7", "days=90", "days=365", "days=365&skip=100"],
  showSearches: ["days=365", "days=365&show=without-results"],
  showTraffic: ["days=365", "days=365&skip=200", "days=365&show=visitors", "days=365&show=referrers"],
  showOrganizations: ["q=o", "q=organization+9", "after=01ARZ3NDEKTSV4RRFFQ69G5FAV+x"],
  showSignIns: ["after=01ARZ3NDEKTSV4RRFFQ69G5FAV+1700000000000000"],
  showAuditLog: ["actor=x"],
  showFeedback: ["days=365", "days=365&show=pages", "days=365&status=pending&source=contextual"],
};

export async function benchDashboard(rows: number): Promise<void> {
  const postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  const service = await startService({ databaseUrl, env: { OCTAVO_ANALYTICS_LIMIT: "1000000" } });
  const client = new pg.Client(databaseUrl);
  try {
    await client.connect();
    const organization = await newOrganization(service);
    const admin = await newMember(service, organization.id, "admin");
    const deployment = await deploy(organization, docs("Hello"));
    const began = performance.now();
    const words = vocabulary();
    await fillConversations(client, organization, rows, words);
    await fillCounts(client, organization, rows);
    await fillPlatform(client, rows / 10);
    await client.query("update users set is_operator = true");
    await client.query("vacuum analyze");
    const { rows: size } = await client.query<{ size: string }>(
      "select pg_size_pretty(pg_database_size(current_database())) as size",
    );
    console.log(`Node ${process.versions.node}, ${availableParallelism()} cores, PostgreSQL`);
    console.log(
      `${rows} conversations, ${rows * 10} page views, ${rows * 2} searches: ${size[0]!.size}, written in ${Math.round((performance.now() - began) / 1_000)} s`,
    );
    console.log(`${requests_count} requests to each page, one at a time; times in ms\n`);
    const middle = await client.query<{ id: string }>(
      "select id from conversations order by id offset $1 limit 1",
      [rows >> 1],
    );
    const id = middle.rows[0]!.id;
    const params: Record<string, string> = {
      organizationId: organization.id,
      projectId: organization.projectId,
      keyId: organization.keyId,
      deploymentId: deployment.id,
      threadId: id,
      turnId: id,
    };
    const fill = (text: string) =>
      text.replace("DEEP", id).replace(/WORD(\d+)/g, (_all, place: string) => words[Number(place)]!);
    const measurement = new Measurement();
    await measurePages(measurement, admin, params, fill);
    await measureLists(measurement, organization, params, fill);
    measurement.end();
  } finally {
    await client.end();
    await service.stop();
    await postgres.stop();
  }
}

/** Prints a table with the response times of requests. */
class Measurement {
  private slowest = { name: "", p95: 0 };

  constructor() {
    console.log("| request | status | KB | p50 | p95 | max |\n| --- | --- | --- | --- | --- | --- |");
  }

  async add(label: string, ask: () => Promise<{ status: number; body: Buffer }>): Promise<void> {
    const times: number[] = [];
    let last = await ask();
    for (let n = 0; n < requests_count; n++) {
      const began = performance.now();
      last = await ask();
      times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
    if (at(0.95) > this.slowest.p95) this.slowest = { name: label, p95: at(0.95) };
    console.log(
      `| ${label} | ${last.status} | ${(last.body.length / 1_000).toFixed(0)} | ${at(0.5).toFixed(0)} | ${at(0.95).toFixed(0)} | ${times.at(-1)!.toFixed(0)} |`,
    );
  }

  end(): void {
    const { name, p95 } = this.slowest;
    console.log(`\nSlowest: ${name}, p95 ${p95.toFixed(0)} ms; the goal is ${goal_ms} ms`);
  }
}

type Fill = (text: string) => string;

function pathOf(path: string, params: Record<string, string>, pattern: RegExp): string {
  return path.replace(pattern, (_all, param: string) => params[param] ?? "01ARZ3NDEKTSV4RRFFQ69G5FAV");
}

async function measurePages(
  measurement: Measurement,
  admin: Member,
  params: Record<string, string>,
  fill: Fill,
): Promise<void> {
  const routes = dashboardRoutes({
    cookies: undefined as never,
    provider: undefined,
    hasPasswords: true,
    report() {},
  });
  for (const { method, path, name } of routes) {
    if (method !== "GET") continue;
    for (const query of ["", ...(queries[name] ?? [])]) {
      const target = pathOf(path, params, /:(\w+)/g) + (query === "" ? "" : `?${fill(query)}`);
      await measurement.add(query === "" ? name : `${name} ${query}`, () => admin.ask(target));
    }
  }
}

/** Query strings of lists to measure in addition to the list without a query. */
const listQueries: Record<string, string[]> = {
  listConversations: ["limit=1000", "limit=1000&cursor=DEEP"],
  listFeedback: ["limit=100&cursor=DEEP"],
  listViews: ["limit=250&offset=250"],
  listVisitors: ["limit=250&offset=250"],
  listUnanswered: ["limit=100"],
};

async function measureLists(
  measurement: Measurement,
  organization: TestOrganization,
  params: Record<string, string>,
  fill: Fill,
): Promise<void> {
  for (const { method, path, operationId, caller } of Object.values<Endpoint>(endpoints)) {
    if (method !== "GET" || caller !== "admin" || !/^(?:list|getCaller|getThread)/.test(operationId))
      continue;
    for (const query of ["", ...(listQueries[operationId] ?? [])]) {
      const target = pathOf(path, params, /\{(\w+)\}/g) + (query === "" ? "" : `?${fill(query)}`);
      await measurement.add(`API ${operationId} ${query}`.trim(), () => organization.ask(target));
    }
  }
}

/** Inserts other organizations with a user and a session each, and a long queue. */
async function fillPlatform(client: pg.Client, count: number): Promise<void> {
  const id = (prefix: string) => `'${prefix}' || lpad(n::text, 24, '0')`;
  const numbers = `generate_series(1, ${count}) n`;
  await client.query(
    `insert into organizations (id, name, plan, stored_bytes) select ${id("0A")}, 'organization ' || n, 'free', n from ${numbers}`,
  );
  await client.query(
    `insert into users (id, email, name) select ${id("0B")}, n || '@example.com', 'User ' || n from ${numbers}`,
  );
  await client.query(
    `insert into memberships (organization_id, user_id, role) select ${id("0A")}, ${id("0B")}, 'admin' from ${numbers}`,
  );
  await client.query(
    `insert into sessions (id, user_id, token_hash, address, user_agent, seen_at)
     select ${id("0C")}, ${id("0B")}, decode(md5(n::text), 'hex'), '192.0.2.1', 'Firefox', now() - n * interval '1 second' from ${numbers}`,
  );
  await client.query(
    `insert into jobs (name, payload, organization_id, priority, run_at)
     select 'categorize', '{}', ${id("0A")}, 0, now() + interval '1 day' from generate_series(1, ${Math.min(count, 50_000)}) n`,
  );
}

/** Generates words that stemming doesn't change, the most frequent first. */
function vocabulary(): string[] {
  const letters = ["ba", "ko", "mu", "ta", "ri", "lo", "ne", "su", "po", "gi", "da", "fe"];
  const words: string[] = [];
  for (let n = 0; words.length < 3_000; n++) {
    const word = `${letters[n % 12]}${letters[Math.floor(n / 12) % 12]}${letters[Math.floor(n / 144) % 12]}${letters[Math.floor(n / 1_728)]}m`;
    if (questionTerms(word)[0] === word) words.push(word);
  }
  return words;
}

/** Inserts conversations from two years. A third of the questions are from a set of 2,000. */
async function fillConversations(
  client: pg.Client,
  { projectId }: TestOrganization,
  rows: number,
  words: readonly string[],
): Promise<void> {
  const first = Date.now() - 730 * 86_400_000;
  const step_ms = Math.floor((730 * 86_400_000) / rows);
  let now = first;
  const next = ulidMaker(() => now, randomBytes);
  for (let from = 0; from < rows; from += batch_count) {
    const ids = Array.from({ length: Math.min(batch_count, rows - from) }, () => {
      now += step_ms;
      return next();
    });
    await client.query(
      `insert into conversations (project_id, id, thread_id, query, response, response_type, sources, resolution_status, query_category,
         page_url, caller, question_terms, question_key)
       select $1, id, id, 'How do I ' || array_to_string(words, ' ') || '?', response, 'answer',
         '[{"title": "Settings", "url": "https://docs.example.com/settings"}]', case when n % 7 = 0 then 'unanswered' else 'answered' end,
         case when n % 3 = 0 then null else 'Theme ' || floor(power(random(), 3) * 20) end,
         'https://docs.example.com/page-' || floor(power(random(), 3) * ${sitePages_count}),
         (array['web', 'web', 'web', 'api', 'other'])[1 + n % 5], words, array_to_string(words, ' ')
       from (
         select id, n, array(
           select distinct ($3::text[])[1 + floor(power(abs(hashint8(seed * 11 + place)) / 2147483648.0, 3) * 3000)::integer] as word
           from generate_series(1, 5) place order by word
         ) as words, (
           select string_agg(md5(n::text || part) || ' and then the', ' ') from generate_series(1, 20 + n % 40) part
         ) as response
         from (select id, place + $4::bigint as n, case when place % 3 = 0 then place % 2000 else place + $4::bigint end as seed
           from unnest($2::text[]) with ordinality as made (id, place)) as made
       ) as turns`,
      [projectId, ids, words, from],
    );
  }
  await client.query(
    "insert into turn_feedback select project_id, id, random() < 0.7, null from conversations where project_id = $1 and random() < 0.05",
    [projectId],
  );
}

/**
 * Inserts page views and searches as the service stores them: one row for each page or query and period of
 * days.
 */
async function fillCounts(client: pg.Client, { projectId }: TestOrganization, rows: number): Promise<void> {
  const today = Math.floor(Date.now() / 86_400_000);
  const views = Math.round((rows * 10) / days_count / sitePages_count);
  const hits = Math.round((rows * 2) / days_count / queries_count);
  const days = `generate_series(${today - days_count + 1}, ${today}) day`;
  const spans = "unnest(array[1, 4, 16, 64]) span";
  const of = [projectId];
  await client.query(
    `insert into site_traffic select $1, day, ${views * sitePages_count}, ${views * 50}, ${views * 100}, 50 from ${days}`,
    of,
  );
  await client.query(
    `insert into page_traffic select $1, span, day / span * span, '/page-' || page, sum(${views} + page % 7), sum(page % 5), sum(${views >> 1}), sum(page % 3)
     from ${days}, ${spans}, generate_series(0, ${sitePages_count - 1}) page group by span, day / span * span, page`,
    of,
  );
  await client.query(
    `insert into referrers select $1, day, 'site-' || host || '.example.com', host from ${days}, generate_series(1, 100) host`,
    of,
  );
  await client.query(
    `insert into search_days select $1, day, ${hits * queries_count}, ${hits * 40}, ${hits * 200} from ${days}`,
    of,
  );
  await client.query(
    `insert into search_queries select $1, span, day / span * span, 'query ' || (query + day % 40 * 25), sum(${hits} + query % 5), 0,
       sum(case when query % 9 = 0 then ${hits} else 0 end), sum(query % 4), now()
     from ${days}, ${spans}, generate_series(1, ${queries_count}) query group by span, day / span * span, query + day % 40 * 25`,
    of,
  );
  await client.query(
    `insert into search_clicks select $1, 'query ' || (query + day % 40 * 25), span, day / span * span, '/page-' || query % ${sitePages_count}, sum(query % 4)
     from ${days}, ${spans}, generate_series(1, ${queries_count}) query where query % 4 > 0 group by span, day / span * span, query, query + day % 40 * 25`,
    of,
  );
  await client.query(
    `insert into feedback (project_id, id, path, source, status, helpful, comment)
     select $1, id, '/page-' || floor(power(random(), 3) * ${sitePages_count}), (array['contextual', 'thumbs_only'])[1 + floor(random() * 2)::integer],
       (array['pending', 'in_progress', 'resolved', 'dismissed'])[1 + floor(random() * 4)::integer], random() < 0.6, repeat('It misses a word. ', 5)
     from conversations where project_id = $1 and random() < 0.1`,
    of,
  );
}
