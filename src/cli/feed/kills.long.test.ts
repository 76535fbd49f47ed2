/**
 * `octavo feed` is killed at random while others write, and the copy is in S3. OCTAVO_KILLS sets how often it's
 * killed.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root, temporaryFolder } from "../../../test/engine/build.ts";
import { runCli } from "../../../test/engine/run-cli.ts";
import { FeedCopy, sourceRecords } from "../../../test/service/change-feed.ts";
import { type OpenTestService, openTestService } from "../../../test/service/open-test-service.ts";
import { newOrganization, type TestOrganization } from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { missingSwift, startSwift } from "../../../test/shared/swift.js";
import { recordFeedback } from "../../service/feedback/record-feedback.ts";
import { recordSearches } from "../../service/searches/searches.ts";

const kills_count = Number(process.env.OCTAVO_KILLS ?? 40);
let service: OpenTestService;
let organization: TestOrganization;
let env: Record<string, string>;
beforeAll(async () => {
  const settings = { OCTAVO_ANALYTICS_LIMIT: "1000000000" };
  service = await openTestService({ databaseUrl: await createDatabase(), env: settings });
  organization = await newOrganization(service);
  env = { OCTAVO_URL: `http://localhost:${service.port}`, OCTAVO_API_KEY: organization.key };
});
afterAll(() => service.stop());

async function write(count: number): Promise<void> {
  const { projectId } = organization;
  for (let n = 0; n < count; n++) {
    await recordFeedback(service.service, projectId, { path: "/", helpful: true, comment: `Comment ${n}` });
    await recordSearches(service.service, projectId, "web", [
      { query: `query ${randomInt(50)}`, resultsCount: 1 },
    ]);
  }
  await service.service.pool.query(
    "delete from feedback where project_id = $1 and id in (select id from feedback where project_id = $1 order by random() limit 3)",
    [projectId],
  );
}

test("a copy that was killed again and again is complete after the next run", async () => {
  const folder = temporaryFolder();
  const args = ["feed", folder, "--project", organization.projectId];
  const writing = new AbortController();
  const written = (async () => {
    while (!writing.signal.aborted) await Promise.all([write(3), wait(500)]);
  })();
  let kills = 0;
  while (kills < kills_count) {
    const process_: ChildProcess = spawn(process.execPath, [path.join(root, "bin/octavo.js"), ...args], {
      env: { ...process.env, ...env },
      stdio: "ignore",
    });
    const ended = once(process_, "exit");
    await Promise.race([ended, wait(randomInt(50, 600))]);
    if (process_.kill("SIGKILL")) kills++;
    await ended;
  }
  writing.abort();
  await written;

  expect(await runCli(args, env)).toMatchObject({ code: 0 });
  expect(await runCli(["verify", "feed", folder], env)).toMatchObject({ code: 0, err: "" });
  const copy = new FeedCopy();
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".ndjson"))) {
    const lines = readFileSync(path.join(folder, name), "utf8").trim().split("\n");
    const events = lines.map((line) => JSON.parse(line));
    copy.apply({ events, startsAfter: events[0].sequence - 1, nextCursor: "", hasMore: false });
  }
  expect(copy.content()).toEqual(await sourceRecords(service.service, organization.projectId));
  console.log(`${kills} kills, ${copy.events.length} events`);
}, 600_000);

const noS3 = missingSwift();
test.skipIf(noS3)(
  "a copy in S3 is complete, and a changed file is named",
  async () => {
    const swift = await startSwift();
    Object.assign(process.env, swift.env);
    try {
      await swift.createBucket("octavo-feeds");
      const url = new URL(swift.storage("octavo-feeds"));
      url.pathname = "/acme/feed";
      for (let run = 0; run < 3; run++) {
        await write(3);
        expect(await runCli(["feed", url.href, "--project", organization.projectId], env)).toMatchObject({
          code: 0,
        });
      }
      expect(await runCli(["verify", "feed", url.href], env)).toMatchObject({
        code: 0,
        out: expect.stringContaining("in 3 files"),
      });
      const { openFeedFolder } = await import("./feed-folder.ts");
      const folder = await openFeedFolder(url.href);
      const name = (await folder.names()).find((file) => file.endsWith(".ndjson"))!;
      const bytes = Buffer.from((await folder.read(name))!);
      bytes[10]! ^= 1;
      await folder.write(name, bytes);
      expect((await runCli(["verify", "feed", url.href], env)).err).toContain(`${name} was changed`);
    } finally {
      await swift.stop();
    }
  },
  180_000,
);
