/**
 * npm run bench -- --traffic [--rows 1000000] Response time of the analytics API on PostgreSQL, with this
 * many views of 10,000 pages in 400 days, a tenth as many searches, and a million conversations.
 */

import pg from "pg";
import { startPostgres } from "../test/service/postgres.ts";
import { newOrganization, startService } from "../test/service/service.ts";
import { fillTraffic, idOfRow, isBeginning, makeIdBeginnings } from "./fill-traffic.ts";

const rounds_count = 15;
const conversations_count = 1_000_000;

export async function benchTraffic(views: number): Promise<void> {
  const postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  const service = await startService({ databaseUrl, env: { OCTAVO_ANALYTICS_LIMIT: "1000000000" } });
  const client = new pg.Client(databaseUrl);
  try {
    const organization = await newOrganization(service);
    await client.connect();
    const size = { views, pages: 10_000, searches: views / 10, queries: 500_000, feedback: views / 50 };
    const began = performance.now();
    await client.query("set statement_timeout = 0");
    await makeIdBeginnings(client);
    await client.query(
      `insert into conversations (project_id, id, thread_id, query, response, sources, resolution_status, caller)
        select $1, id, id, 'How do I set up number ' || n, repeat('Words of an answer. ', 20), '[]', 'answered', (array['web', 'api', 'other'])[1 + n % 3]
        from (select n, ${idOfRow} as id from generate_series(1, ${conversations_count}) n join beginnings on ${isBeginning}) made`,
      [organization.projectId],
    );
    await fillTraffic(client, organization.projectId, size);
    console.log(`Filled in ${Math.round((performance.now() - began) / 1_000)} s: ${JSON.stringify(size)}\n`);
    for (const table of ["page_traffic", "search_queries", "search_clicks", "feedback"]) {
      const { rows } = await client.query(`select count(*) as rows, (pg_total_relation_size('${table}') + (
        select coalesce(sum(pg_total_relation_size(relid)), 0) from pg_partition_tree('${table}') where level > 0)) / 1e6 as mb from ${table}`);
      console.log(`${table}: ${rows[0].rows} rows, ${Math.round(rows[0].mb)} MB including indexes`);
    }
    console.log("\n| endpoint | range | p50 ms | max ms |\n| --- | --- | --- | --- |");
    const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
    const ranges = {
      "30 days": `dateFrom=${day(29)}`,
      "90 days": `dateFrom=${day(89)}`,
      "all 400 days": "",
      "37 days of last spring": `dateFrom=${day(203)}&dateTo=${day(166)}`,
    };
    for (const endpoint of [
      "views",
      "visitors",
      "searches",
      "feedback",
      "feedback/by-page",
      "assistant/caller-stats",
    ])
      for (const [name, range] of Object.entries(ranges)) {
        const times: number[] = [];
        for (let round = 0; round < rounds_count; round++) {
          const sent = performance.now();
          const { status } = await organization.ask(
            `/v1/analytics/${organization.projectId}/${endpoint}?${range}`,
          );
          if (status !== 200) throw new Error(`${endpoint} responded with status ${status}`);
          times.push(performance.now() - sent);
        }
        times.sort((a, b) => a - b);
        console.log(
          `| ${endpoint} | ${name} | ${times[rounds_count >> 1]!.toFixed(1)} | ${times.at(-1)!.toFixed(1)} |`,
        );
      }
  } finally {
    await client.end();
    await service.stop();
    await postgres.stop();
  }
}
