/**
 * Features of hosted sites and of the dashboard for each kind of deployment and the operator's settings, in a
 * browser.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectBrowser } from "../../../test/browser/chromium.ts";
import {
  allOff,
  allOn,
  apiPage,
  envOf,
  expectCells,
  features,
  files,
  look,
  type On,
  outside,
  type Seen,
} from "../../../test/bundle/offered-features.ts";
import { newMember } from "../../../test/service/dashboard.ts";
import { visit } from "../../../test/service/deploying.ts";
import { download, ended, start } from "../../../test/service/exports.ts";
import { freePort } from "../../../test/service/postgres.ts";
import { type RunningService, send } from "../../../test/service/service.ts";
import { newSite, trusting } from "../../../test/service/test-sites.ts";
import { until } from "../../../test/service/until.ts";
import { startService } from "../../../test/shared/service.ts";

const work = mkdtempSync(path.join(tmpdir(), "octavo-service-kinds-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

let browser: Browser;
beforeAll(async () => {
  browser = await connectBrowser();
});
afterAll(() => browser?.close());

describe("a service", () => {
  const hostedApiPage = apiPage.replace(".html", "");
  const dataFolder = mkdtempSync(path.join(work, "service-"));
  let port: number;
  let site: Awaited<ReturnType<typeof newSite>>;
  const seenBy: Record<string, Seen> = {};
  let exported: string;
  /** Starts the service with these settings on the data of earlier calls, and stops it after `use`. */
  const running = async (env: Record<string, string>, use: (service: RunningService) => Promise<void>) => {
    port ??= await freePort();
    const service = await startService({ env: { ...trusting, ...env }, dataFolder, port });
    try {
      await use(service);
    } finally {
      await service.stop();
    }
  };
  const see = async (title: string) => {
    seenBy[title] = await look(browser, site.origin, hostedApiPage);
  };
  const dashboards: Record<string, { entries: string[]; forms: string[] }> = {};
  const seeDashboard = async (service: RunningService, title: string) => {
    const admin = await newMember(service, site.organization.id);
    const { text, forms } = await admin.get(`${admin.home}/p/${site.organization.projectId}/settings`);
    const navigation = /<nav aria-label="Dashboard">.*?<\/nav>/s.exec(text)![0];
    dashboards[title] = {
      entries: [...navigation.matchAll(/<a [^>]*>(?:<i [^>]*><\/i>)?([^<]*)<\/a>/g)].map(
        ([, label]) => label!,
      ),
      forms: forms.map(({ action }) => action.split("/").at(-1)!),
    };
  };
  const setAssistant = async (service: RunningService, enabled: boolean) => {
    const answer = await send({
      port: service.port,
      path: `/v1/projects/${site.organization.projectId}`,
      method: "PATCH",
      headers: { authorization: `Bearer ${site.organization.key}`, "content-type": "application/json" },
      body: JSON.stringify({ assistant: { enabled } }),
    });
    expect(answer.status).toBe(200);
  };
  const chosenKind = async (kind: string) =>
    (await visit({ port }, site.host, "/")).text.includes(`data-kind="${kind}"`);

  beforeAll(async () => {
    await running({}, async (service) => {
      site = await newSite(service, files);
      await see("cloud");
      await setAssistant(service, false);
      await see("cloud, the project's assistant off");
      await setAssistant(service, true);
      await see("cloud, the project's assistant on again");
    });
    const kind = { OCTAVO_KIND: "client-hosted" };
    await running({ ...kind, ...envOf(allOff) }, async (service) => {
      await seeDashboard(service, "all off");
      await see("client-hosted, all off, not deployed again");
      await until(() => chosenKind("client-hosted"));
      await see("client-hosted, all off");
    });
    await running(kind, () => see("client-hosted, nothing set"));
    await running({ ...kind, ...envOf(allOn) }, async (service) => {
      await seeDashboard(service, "all on");
      await see("client-hosted, all on, not deployed again");
    });
    await running({ OCTAVO_KIND: "air-gapped", ...envOf({ ...allOn, playground: false }) }, async () => {
      await see("air-gapped, not deployed again");
      await until(() => chosenKind("air-gapped"));
      await see("air-gapped");
      const { json } = await start(site.organization, { domain: site.host });
      await ended(site.organization, json.jobId);
      exported = (await download(site.organization, json.jobId)).files.get("index.html")!.toString();
    });
    await running({ OCTAVO_KIND: "air-gapped", OCTAVO_PLAYGROUND: "true" }, () =>
      see("air-gapped, playground on"),
    );
  }, 240_000);

  describe.each<[string, On]>([
    ["cloud", features],
    ["cloud, the project's assistant off", features.filter((feature) => feature !== "assistant")],
    ["cloud, the project's assistant on again", features],
    ["client-hosted, all off, not deployed again", ["outside"]],
    ["client-hosted, all off", ["outside"]],
    ["client-hosted, nothing set", ["search", "playground", "outside"]],
    ["client-hosted, all on, not deployed again", features],
    ["air-gapped", []],
    ["air-gapped, playground on", ["playground"]],
  ])("%s", (title, on) => {
    expectCells(title, on, () => seenBy[title]!);
  });

  test("air-gapped: exports are for the same kind", () => {
    expect(exported).toContain('data-kind="air-gapped"');
    expect(exported).not.toContain("o-ask-button");
  });

  test("the dashboard has no pages and settings of disabled features", () => {
    const readers = ["Traffic", "Conversations", "Unanswered", "Searches", "Feedback"];
    expect(dashboards["all on"]!.entries).toEqual(expect.arrayContaining(readers));
    expect(dashboards["all off"]!.entries.filter((entry) => readers.includes(entry))).toEqual([]);
    expect(dashboards["all on"]!.forms).toContain("assistant");
    expect(dashboards["all off"]!.forms).not.toContain("assistant");
  });

  test.each(["air-gapped, not deployed again", "air-gapped", "air-gapped, playground on"])(
    "%s: no requests go to other hosts",
    (title) => {
      expect(seenBy[title]!.away).toEqual([]);
    },
  );

  test.each(["air-gapped", "air-gapped, playground on"])(
    "%s: links replace content on other hosts, and no policy is violated",
    (title) => {
      expect(seenBy[title]!.standIns).toBeGreaterThanOrEqual(6);
      expect(seenBy[title]!.violations).toEqual([]);
      expect(seenBy[title]!.policy).toMatch(/^default-src 'self'; /);
      expect(seenBy[title]!.policy).not.toMatch(/https?:|\*|\.[a-z]/i);
    },
  );

  test.each(["client-hosted, all off", "client-hosted, nothing set"])(
    "%s: the policy contains no analytics service",
    (title) => {
      expect(seenBy[title]!.policy).toContain(outside);
      expect(seenBy[title]!.policy).not.toContain("google");
    },
  );
});
