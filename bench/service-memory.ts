/**
 * npm run bench -- --service [--rows 100000] Memory of the service with all its processes (PSS): idle, and
 * while conversations are imported, on both databases. The memory of a PostgreSQL server isn't included.
 */

import { setTimeout as wait } from "node:timers/promises";
import { startPostgres } from "../test/service/postgres.ts";
import { memoryOf, peakWhile } from "../test/service/process-memory.ts";
import { newOrganization, startService } from "../test/service/service.ts";
import { fillConversations } from "./conversations.ts";

const settle_ms = 30_000;

export async function benchServiceMemory(rows: number): Promise<void> {
  const postgres = await startPostgres();
  console.log(
    `| database | idle after ${settle_ms / 1_000} s, MB | peak during an import of ${rows} conversations, MB | s |\n| --- | --- | --- | --- |`,
  );
  try {
    await row("embedded", rows, {});
    await row("PostgreSQL", rows, { databaseUrl: await postgres.createDatabase() });
  } finally {
    await postgres.stop();
  }
}

async function row(name: string, rows: number, options: { databaseUrl?: string }): Promise<void> {
  const service = await startService(options);
  try {
    const pid = service.process.pid!;
    await wait(settle_ms);
    const { own_mb, below_mb } = memoryOf(pid);
    const organization = await newOrganization(service);
    const began = performance.now();
    const { peak_mb } = await peakWhile(pid, () => fillConversations(service, organization, rows));
    const took_s = (performance.now() - began) / 1_000;
    console.log(
      `| ${name} | ${(own_mb + below_mb).toFixed(0)} | ${peak_mb.toFixed(0)} | ${took_s.toFixed(1)} |`,
    );
  } finally {
    await service.stop();
  }
}
