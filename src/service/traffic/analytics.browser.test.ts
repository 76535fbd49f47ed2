/** The analytics pages in a browser: charts, filters, both themes, wide and narrow screens. */

import pg from "pg";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { looks, seriousFaults, sidewaysScroll, useChromium } from "../../../test/browser/chromium.ts";
import { type Member, newMember } from "../../../test/service/dashboard.ts";
import { importAll, type Recorded, recorded } from "../../../test/service/recorded.ts";
import { newOrganization, type TestService } from "../../../test/service/service.ts";
import { stayOnOneDay } from "../../../test/shared/current-day.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { openTestService } from "../../../test/shared/service.ts";

const { open } = useChromium();
await stayOnOneDay();
const now = Date.now();
let service: TestService;
let member: Member;
let base: string;
let rows: Recorded[];
const feedbackId = recorded(now - 1_000, "").id;

beforeAll(async () => {
  const databaseUrl = await createDatabase();
  service = await openTestService({ databaseUrl });
  const organization = await newOrganization(service);
  member = await newMember(service, organization.id, "editor");
  base = `http://localhost:${service.port}${member.home}/p/${organization.projectId}`;
  rows = Array.from({ length: 130 }, (_, n) =>
    recorded(
      now - n * 3 * 3_600_000,
      n % 3
        ? "How do I rotate an API key?"
        : `Why does the deployment of ${"averyveryverylongname".repeat(6)} fail?`,
      {
        resolutionStatus: n % 4 ? "answered" : "unanswered",
        queryCategory: n % 2 ? "Security" : null,
        pageUrl: "https://docs.example.com/guides/keys",
      },
    ),
  );
  await importAll(organization, rows);
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { projectId } = organization;
  const today = Math.floor(now / 86_400_000);
  await client.query("insert into site_traffic values ($1, $2, 40, 10, 20, 5)", [projectId, today]);
  await client.query("insert into search_days values ($1, $2, 9, 2, 4)", [projectId, today]);
  await client.query("insert into referrers values ($1, $2, 'news.example.com', 7)", [projectId, today]);
  for (const span of [1, 4, 16, 64]) {
    const first = Math.floor(today / span) * span;
    await client.query("insert into page_traffic values ($1, $2, $3, '/guides/keys', 40, 10, 20, 5)", [
      projectId,
      span,
      first,
    ]);
    await client.query("insert into search_queries values ($1, $2, $3, 'api key', 9, 0, 2, 4, now())", [
      projectId,
      span,
      first,
    ]);
  }
  await client.query(
    "insert into feedback (project_id, id, path, source, helpful, comment, code) values ($1, $2, '/guides/keys', 'contextual', false, 'No header', $3)",
    [projectId, feedbackId, "curl ".repeat(60)],
  );
  await client.query("insert into message_feedback values ($1, $2, false, 'Not what I asked')", [
    projectId,
    rows[0]!.id,
  ]);
  await client.end();
});
afterAll(async () => {
  await service.stop();
});

const signedIn = () => ({ storageState: member.storageState() });
const pages = () => [
  "/conversations",
  "/conversations?q=elephant",
  `/conversations/${rows[0]!.id}`,
  `/conversations/${rows[0]!.id}/messages/${rows[0]!.id}/delete`,
  "/questions",
  "/searches",
  "/searches?show=without-results",
  "/traffic",
  "/traffic?show=referrers",
  "/feedback",
  "/feedback?show=pages",
];

test.each([...looks])(
  "pages have no axe violations and do not scroll sideways, %o",
  { timeout: 240_000 },
  async (look) => {
    await open(
      `${base}/conversations`,
      async (page) => {
        for (const path of pages()) {
          await page.goto(base + path);
          for (const summary of await page.locator(".d-chart summary").all()) await summary.click();
          expect(await seriousFaults(page), path).toEqual([]);
          expect(await sidewaysScroll(page), path).toBe(0);
        }
      },
      { ...signedIn(), ...look },
    );
  },
);

/** Returns the drawn chart as a data URL, for comparisons. */
const painted = (page: Page) =>
  page.locator(".d-chart canvas").evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());

test("a chart is drawn from its table, with the current colors and width", async () => {
  await open(
    `${base}/conversations?days=7`,
    async (page) => {
      await expect.poll(() => page.locator(".d-chart canvas").count()).toBe(1);
      expect(await page.locator(".d-plot").getAttribute("aria-hidden")).toBe("true");
      await page.getByText("Show as table").click();
      expect(await page.locator(".d-chart details tbody tr").count()).toBe(7);
      const legend = /^Whole period\s*Answered\s*(\d+)\s*Unanswered\s*(\d+)$/.exec(
        await page.locator(".d-plot .u-legend").innerText(),
      );
      const total = await page
        .locator(".d-figures li", { hasText: "Questions" })
        .locator("strong")
        .innerText();
      expect(Number(legend?.[1]) + Number(legend?.[2])).toBe(Number(total));
      const light = await painted(page);
      await page.locator('summary:has-text("Color mode")').click();
      await page.getByRole("button", { name: "Dark" }).click();
      await expect.poll(() => painted(page)).not.toBe(light);
      await page.setViewportSize({ width: 500, height: 800 });
      await expect
        .poll(() => page.locator(".d-plot .uplot").evaluate((plot) => plot.clientWidth))
        .toBeLessThan(470);
      expect(await sidewaysScroll(page)).toBe(0);
    },
    signedIn(),
  );
});

test("without scripts, the data is shown as a table", async () => {
  await open(
    `${base}/traffic?days=7`,
    async (page) => {
      await page.getByRole("button", { name: "Show", exact: true }).waitFor();
      await page.getByText("Show as table").click();
      expect(await page.locator(".d-chart details tbody tr").last().innerText()).toMatch(/40\s+10/);
    },
    { ...signedIn(), javaScriptEnabled: false },
  );
});

test("questions are filtered by words, status and category, and opened at the message", async () => {
  await open(
    `${base}/conversations`,
    async (page) => {
      await page.getByLabel("Search questions").fill("rotated keys");
      await page.getByLabel("Status").selectOption({ label: "Answered" });
      await page.getByLabel("Category").selectOption("Security");
      // The script applies filters when they change.
      expect(await page.getByRole("button", { name: "Filter" }).isVisible()).toBe(false);
      await page.waitForURL(/category=Security/);
      expect(await page.getByLabel("Category").evaluate((field) => document.activeElement === field)).toBe(
        true,
      );
      expect(new URL(page.url()).searchParams.get("q")).toBe("rotated keys");
      const wanted = rows.filter(
        (row) =>
          row.query.includes("rotate") && row.resolutionStatus === "answered" && row.queryCategory !== null,
      );
      // On a busy machine, the time limit of a search can end it with fewer rows.
      const shown = async () => {
        const count = await page.locator(".d-table tbody tr").count();
        if (count < Math.min(50, wanted.length)) await page.reload();
        return count;
      };
      await expect.poll(shown, { timeout: 30_000 }).toBe(Math.min(50, wanted.length));
      expect(await page.getByLabel("Search questions").inputValue()).toBe("rotated keys");
      await page.locator(".d-table tbody a").first().click();
      for (const level of [1, 2])
        await page.getByRole("heading", { name: "How do I rotate an API key?", level }).waitFor();
      expect(page.url()).toContain(`#t-${wanted[0]!.id}`);
    },
    signedIn(),
  );
});

test("without scripts, feedback is marked as resolved, and the list keeps its filters", async () => {
  await open(
    `${base}/feedback?days=7&source=contextual`,
    async (page) => {
      await page.getByLabel("Status of the feedback on /guides/keys").selectOption({ label: "Resolved" });
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Status changed.").waitFor();
      expect(new URL(page.url()).searchParams.get("source")).toBe("contextual");
      expect(await page.getByLabel("Status of the feedback on /guides/keys").inputValue()).toBe("resolved");
    },
    { ...signedIn(), javaScriptEnabled: false },
  );
});

test("the status of feedback is saved when it's changed, and can be undone", async () => {
  await open(
    `${base}/feedback?days=7`,
    async (page) => {
      const status = page.getByLabel("Status of the feedback on /guides/keys");
      const undo = page.getByRole("button", { name: "Undo" });
      const stored = async () => {
        await page.reload();
        return status.inputValue();
      };
      const before = await status.inputValue();
      await status.selectOption("dismissed");
      await undo.waitFor();
      expect(await stored()).toBe("dismissed");
      await status.selectOption(before);
      await undo.click();
      await undo.waitFor({ state: "hidden" });
      expect(await status.inputValue()).toBe("dismissed");
      expect(await stored()).toBe("dismissed");
    },
    signedIn(),
  );
});

test("on phones, the rows of tables are cards: nothing is cut, and actions are in view", async () => {
  await open(
    `${base}/feedback?days=7`,
    async (page) => {
      for (const path of ["/feedback?days=7", "/conversations", "/traffic"]) {
        await page.goto(base + path);
        const cells = page.locator(".d-table:not(.d-chart *) tbody :is(th, td, button, select)");
        expect(await cells.count()).toBeGreaterThan(3);
        const outside = (elements: Element[]) =>
          elements.filter((element) => {
            const { left, right } = element.getBoundingClientRect();
            return element.checkVisibility() && (left < 0 || right > innerWidth);
          }).length;
        expect(await cells.evaluateAll(outside), path).toBe(0);
      }
    },
    { ...signedIn(), viewport: { width: 390, height: 844 } },
  );
});
