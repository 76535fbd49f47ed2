/**
 * Kills the service at random times during pushes. Nothing that was acknowledged is lost, the repository is
 * valid, and the live site is complete and gets the last accepted commit.
 */

import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { docs, visit } from "../../../test/service/deploying.ts";
import { repositoryUrl, WorkingCopy } from "../../../test/service/git-client.ts";
import { freePort } from "../../../test/service/postgres.ts";
import { newOrganization } from "../../../test/service/service.ts";
import { until } from "../../../test/service/until.ts";
import { startService } from "../../../test/shared/service.ts";

const kills = Number(process.env.OCTAVO_KILLS ?? 8);

test(
  `${kills} kills during pushes: each accepted push is stored and goes live`,
  async () => {
    const dataFolder = mkdtempSync(path.join(tmpdir(), "octavo-kills-"));
    const port = await freePort();
    let service = await startService({ dataFolder, port });
    const organization = await newOrganization(service);
    const host = `${organization.subdomain}.localhost`;
    const url = repositoryUrl(service, organization, organization.key);
    const copy = await WorkingCopy.create(url);
    await copy.commit(docs("Words 0 of the home page", { "other.mdx": "Words 0 of the other page" }));
    expect((await copy.push()).code).toBe(0);
    let acknowledged = await copy.head();
    let pushes = 0;
    let accepted = 0;

    try {
      for (let kill = 0; kill < kills; kill++) {
        let isUp = true;
        const pushing = (async () => {
          while (isUp) {
            pushes++;
            const text = `Words ${pushes} of the`;
            await copy.commit({
              "index.mdx": docs(`${text} home page`)["index.mdx"]!,
              "other.mdx": `${text} other page`,
            });
            // The service can be killed after Git has changed the ref, while the deployment is running.
            const { code, output } = await copy.push();
            if (code !== 0 && !/^ {3}\w+\.\.\w+ /m.test(output)) continue;
            accepted++;
            acknowledged = await copy.head();
          }
        })();
        // Half of the kills come after an acknowledged push and during the next one.
        const before = accepted;
        if (kill % 2 === 1) await until(async () => accepted > before, 60_000);
        await wait(randomInt(0, 3_000));
        const gone = new Promise((resolve) => service.process.once("exit", resolve));
        service.process.kill("SIGKILL");
        await gone;
        isUp = false;
        await pushing;
        service = await startService({ dataFolder, port });

        const clone = await WorkingCopy.clone(url);
        expect((await clone.git("fsck", "--full", "--strict")).code).toBe(0);
        const stored = path.join(dataFolder, `work/repositories/${organization.projectId}.git`);
        expect((await clone.git(`--git-dir=${stored}`, "fsck", "--full")).code).toBe(0);
        const isStored = await clone.git("merge-base", "--is-ancestor", acknowledged, "HEAD");
        expect(isStored.code, `${acknowledged} is lost`).toBe(0);

        // Both pages are from one commit.
        const numberOn = async (page: string) =>
          /Words (\d+) of the/.exec((await visit(service, host, page)).text)?.[1];
        let [home, other] = [await numberOn("/"), await numberOn("/other")];
        if (home !== other) [home, other] = [await numberOn("/"), await numberOn("/other")];
        expect(home).toBe(other);
        await copy.git("fetch", "--quiet");
        await copy.git("reset", "--quiet", "--hard", "origin/main");
      }

      const last = /Words (\d+)/.exec((await copy.git("show", "HEAD:index.mdx")).output)![1]!;
      await until(
        async () => (await visit(service, host)).text.includes(`Words ${last} of the home page`),
        60_000,
      );
      const pushed = await copy.push();
      expect(pushed.output).toContain("Everything up-to-date");
      console.info(`${kills} kills, ${pushes} pushes, ${accepted} of them acknowledged`);
      expect(accepted).toBeGreaterThan(0);
    } finally {
      await service.stop();
      rmSync(dataFolder, { recursive: true, force: true });
    }
  },
  kills * 60_000 + 120_000,
);
