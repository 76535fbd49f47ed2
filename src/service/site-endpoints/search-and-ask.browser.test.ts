/** A reader searches and asks questions on a hosted site, and the API lists the conversation. */

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { useChromium } from "../../../test/browser/chromium.ts";
import type { TestService } from "../../../test/service/service.ts";
import { newSite, rowsOf, type TestSite } from "../../../test/service/test-sites.ts";
import { sharedService } from "../../../test/shared/service.ts";

const { open } = useChromium();
let service: TestService;
let site: TestSite;

beforeAll(async () => {
  service = await sharedService();
});
beforeEach(async () => {
  site = await newSite(service);
});

afterAll(() => service.stop());

test("a question on a page is a conversation in the API, with sources, status, category and page", async () => {
  await open(`${site.origin}/guides/install`, async (page) => {
    await page.keyboard.press("Control+i");
    const question = page.getByRole("textbox", { name: "Ask a question", exact: true });
    await question.waitFor();
    await page.keyboard.type("How do I install Acme with one command?");
    await page.keyboard.press("Enter");
    const source = page.getByRole("link", { name: /With one command/ }).first();
    await source.waitFor();
    expect(await source.getAttribute("href")).toBe(`${site.origin}/guides/install#with-one-command`);

    // The sources can appear before the answer is complete, and the next question can only be sent
    // afterwards.
    await page.getByRole("button", { name: "Send", exact: true }).waitFor();
    await question.fill("Pizza Napoletana?");
    await page.keyboard.press("Enter");
    await page.getByText("I couldn't find an answer to this in the documentation.").waitFor();
  });

  await service.runJobs();
  const rows = await rowsOf(site);
  expect(rows[1]).toMatchObject({
    query: "How do I install Acme with one command?",
    response: expect.stringContaining("npm install acme"),
    sources: expect.arrayContaining([
      { title: "Install: With one command", url: `${site.origin}/guides/install#with-one-command` },
    ]),
    resolutionStatus: "answered",
    queryCategory: "Start",
    pageUrl: `${site.origin}/guides/install`,
  });
  expect(rows[0]).toMatchObject({
    query: "Pizza Napoletana?",
    resolutionStatus: "unanswered",
    pageUrl: `${site.origin}/guides/install`,
    conversationId: rows[1].id,
  });
});

test("a search on the hosted site finds a section and opens it", async () => {
  await open(`${site.origin}/`, async (page) => {
    await page.keyboard.press("/");
    await page.getByRole("combobox").fill("invoices mail");
    // Until the results arrive, the only option asks the assistant.
    await expect
      .poll(() => page.locator(".o-hit-title").first().textContent(), { timeout: 10_000 })
      .toContain("Invoices");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${site.origin}/guides/billing#invoices`);
  });
});
