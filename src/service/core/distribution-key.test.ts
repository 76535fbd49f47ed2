/**
 * Rows of tenants can be distributed by project (Citus, partitions): the primary keys of large tables begin
 * with the project, and their statements name it. `schema.txt` is a snapshot of the migrated database.
 */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

/** Tables that grow with the readers and the conversations of sites. */
const largeTables = [
  "conversations",
  "conversation_days",
  "unanswered_days",
  "question_groups",
  "message_feedback",
  "page_traffic",
  "site_traffic",
  "referrers",
  "feedback",
  "search_days",
  "search_queries",
  "search_clicks",
  "change_events",
  "change_marks",
  "model_usage_days",
  "audit_log",
];

/** Maintenance of all projects. Each runs hourly at most, and finds its rows by an index. */
const maintenance = [
  "src/service/assistant/message-rows.ts: sweepUnfinishedMessages",
  "src/service/assistant/models.ts: sweepModelUsage",
  "src/service/searches/searches.ts: sweepSearches",
  "src/service/traffic/write-traffic.ts: sweepTraffic",
];

const service = path.resolve(import.meta.dirname, "..");
const schema = readFileSync(path.join(service, "app/schema.txt"), "utf8");
const key = /project_id|organization_id/;

interface Statement {
  place: string;
  table: string;
  text: string;
}

/**
 * Statements on large tables: chains of the query builder, and SQL templates. `place`: file and enclosing
 * function.
 */
function statements(): Statement[] {
  const files = (readdirSync(service, { recursive: true }) as string[]).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  return files.flatMap((file) => {
    const source = readFileSync(path.join(service, file), "utf8");
    const found = [
      ...source.matchAll(/\.(?:selectFrom|updateTable|deleteFrom)\("(\w+)[^"]*"\)[^;]*/g),
      ...source.matchAll(/(?:\bfrom|\bjoin|\bupdate) (\w+)\b[^`]*/g),
    ].filter(([, table]) => largeTables.includes(table!));
    return found.map((match) => {
      const before = source.slice(0, match.index);
      const enclosing = [
        ...before.matchAll(
          /^(?:export )?(?:async )?function (\w+)|^ {2}(?:private )?(?:async )?(\w+)\(.*\{$/gm,
        ),
      ].at(-1);
      // A template is read from its beginning.
      const from = match[0].startsWith(".") ? 0 : before.length - before.lastIndexOf("`") - 1;
      return {
        place: `src/service/${file}: ${enclosing?.[1] ?? enclosing?.[2] ?? ""}`,
        table: match[1]!,
        text: source.slice(match.index - from, match.index + match[0].length),
      };
    });
  });
}

describe("large tables", () => {
  test.each(largeTables)("the primary key of %s begins with the project or the organization", (table) => {
    expect(schema).toMatch(
      new RegExp(
        `INDEX ${table}_pkey ON (?:ONLY )?public\\.${table} USING btree \\((?:project_id|organization_id),`,
      ),
    );
  });

  test("every statement names the project or the organization, except for maintenance", () => {
    const all = statements();
    expect(all.length).toBeGreaterThan(30);
    const without = new Set(all.filter(({ text }) => !key.test(text)).map(({ place }) => place));
    expect([...without].sort()).toEqual(maintenance);
  });
});
