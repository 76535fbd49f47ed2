/**
 * A copy that is built from the change feed while the writing service and the reader are killed at random.
 * OCTAVO_SECONDS sets the length of the test.
 */

import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { FeedCopy, sourceRecords } from "../../../test/service/change-feed.ts";
import { openTestService } from "../../../test/service/open-test-service.ts";
import { importAll, recorded } from "../../../test/service/recorded.ts";
import { newOrganization, type RunningService, startService } from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import type { Service } from "../core/service.ts";
import { recordFeedback } from "../feedback/record-feedback.ts";
import { recordSearches } from "../searches/searches.ts";

const seconds = Number(process.env.OCTAVO_SECONDS ?? 60);
const folder = mkdtempSync(path.join(tmpdir(), "octavo-feed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Rolls a part of the transactions back, as if the process was killed before the commit. */
async function writeAtRandom(service: Service, projectId: string, known: string[]): Promise<void> {
  const id = () => known[randomInt(known.length)];
  await service.db
    .transaction()
    .execute(async (tx) => {
      const { ulid } = service;
      const choice = randomInt(4);
      if (choice === 0) await recordFeedback({ db: tx, ulid }, projectId, { path: "/", helpful: true });
      if (choice === 1) await tx.deleteFrom("feedback").where("project_id", "=", projectId).execute();
      if (choice === 2)
        await tx
          .updateTable("conversations")
          .set({ query_category: `Category ${randomInt(9)}` })
          .where("project_id", "=", projectId)
          .where("id", "=", id() ?? "")
          .execute();
      if (choice === 3)
        await tx
          .deleteFrom("conversations")
          .where("project_id", "=", projectId)
          .where("id", "=", id() ?? "")
          .execute();
      await wait(randomInt(30));
      if (randomInt(4) === 0) throw new Error("rolled back");
    })
    .catch((error: Error) => {
      if (error.message !== "rolled back") throw error;
    });
  await recordSearches(service, projectId, "web", [
    { query: `query ${randomInt(20)}`, resultsCount: randomInt(2) },
  ]);
}

test(
  "the copy equals the source, deletions included",
  async () => {
    const databaseUrl = await createDatabase();
    const env = { OCTAVO_ANALYTICS_LIMIT: "1000000000" };
    // Only its database access is used. The processes that are killed serve the requests.
    const local = await openTestService({ databaseUrl, env, role: "web", storage: `file:${folder}` });
    const start = (port?: number) =>
      startService({ databaseUrl, env, storage: `file:${folder}`, ...(port ? { port } : {}) });
    let served: RunningService = await start();
    const organization = await newOrganization(served);
    const { projectId } = organization;
    const counts = { writes: 0, kills: 0, lostPages: 0, failures: 0 };
    const copy = new FeedCopy();
    const known: string[] = [];
    const end = Date.now() + seconds * 1_000;

    const write = async () => {
      while (Date.now() < end) {
        const row = recorded(Date.now(), `Question ${counts.writes++}`);
        // A request to a killed process fails, and its write is either complete or missing.
        await importAll(organization, [row]).then(
          () => known.push(row.id),
          () => counts.failures++,
        );
        await writeAtRandom(local.service, projectId, known);
      }
    };
    const read = async () => {
      while (Date.now() < end) {
        // A killed reader loses the page and its cursor.
        const isKilled = randomInt(3) === 0;
        const reader = isKilled
          ? Object.assign(new FeedCopy(), {
              ...copy,
              events: [...copy.events],
              records: new Map(copy.records),
            })
          : copy;
        await reader.readPage(organization, 1 + randomInt(50)).then(
          () => isKilled && counts.lostPages++,
          (error: Error) => {
            if (
              !/ECONN|socket hang up|aborted|^5\d\d/.test(
                `${error.message}${(error as { code?: string }).code}`,
              )
            )
              throw error;
            counts.failures++;
          },
        );
        await wait(randomInt(20));
      }
    };
    const kill = async () => {
      while (Date.now() < end) {
        await wait(randomInt(1_500));
        served.process.kill("SIGKILL");
        counts.kills++;
        served = await start(served.port);
      }
    };

    await Promise.all([write(), write(), read(), kill()]);
    await copy.readAll(organization);
    console.log(JSON.stringify({ ...counts, events: copy.events.length, records: copy.records.size }));
    expect(copy.content()).toEqual(await sourceRecords(local.service, projectId));
    const again = new FeedCopy();
    await again.readAll(organization, 1_000);
    expect(again.events).toEqual(copy.events);
    expect(again.content()).toEqual(copy.content());
    expect(counts.kills).toBeGreaterThan(seconds / 30);
    await served.stop();
    await local.stop();
  },
  (seconds + 120) * 1_000,
);
