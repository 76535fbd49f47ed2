/** Budgets of requests in a sliding window, exact over all processes: one statement decides, by the database's clock. */
import { sql } from "kysely";
import type { Database } from "../tables.ts";

export interface Budget {
  name: string;
  quota: number;
  window_s: number;
}

export interface Admission {
  budget: Budget;
  isAdmitted: boolean;
  remaining: number;
  /** Seconds until one more request is granted. */
  reset_s: number;
  /** For a request that failed by our fault. */
  giveBack(): Promise<void>;
}

/** Each granted request is kept with its instant, so in any stretch of the window's length no more than the quota are granted. */
export async function admit(db: Database, subject: string, budget: Budget): Promise<Admission> {
  const key = `${budget.name}:${subject}`;
  const window = sql`${`${budget.window_s} seconds`}::interval`;
  const granted = await sql<{ count: number; hit: Date; reset_s: number }>`
    insert into rate_windows as held (subject, hits) values (${key}, array[clock_timestamp()])
    on conflict (subject) do update set
      hits = (select coalesce(array_agg(hit order by hit), '{}') from unnest(held.hits) hit where hit > clock_timestamp() - ${window}) || clock_timestamp()
      where (select count(*) from unnest(held.hits) hit where hit > clock_timestamp() - ${window}) < ${budget.quota}
    returning cardinality(hits) as count, hits[cardinality(hits)]::text as hit,
      extract(epoch from hits[1] + ${window} - clock_timestamp()) as reset_s`.execute(db);
  const row = granted.rows[0];
  if (row)
    return {
      budget,
      isAdmitted: true,
      remaining: budget.quota - row.count,
      reset_s: seconds(row.reset_s, budget),
      async giveBack() {
        await sql`update rate_windows set hits = array_remove(hits, ${row.hit}::timestamptz) where subject = ${key}`.execute(db);
      },
    };
  const held = await sql<{ reset_s: number }>`
    select extract(epoch from hits[cardinality(hits) - ${budget.quota} + 1] + ${window} - clock_timestamp()) as reset_s
    from rate_windows where subject = ${key}`.execute(db);
  return { budget, isAdmitted: false, remaining: 0, reset_s: seconds(held.rows[0]?.reset_s ?? 1, budget), async giveBack() {} };
}

function seconds(value: number, { window_s }: Budget): number {
  return Math.min(window_s, Math.max(1, Math.ceil(value)));
}
