/**
 * Tests playgrounds on hosted sites in a browser: access for readers, and requests through the site's server.
 */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useChromium } from "../../test/browser/chromium.ts";
import { type Recorder, startRecorder } from "../../test/browser/playground-fixture.ts";
import { type Sources, siteOf } from "../../test/engine/build.ts";
import { type TestHost, useHost } from "../../test/host/host.ts";
import { hashPassword } from "../base/password.ts";
import { parseAllowedHosts } from "../io/allowed-hosts.ts";

const { open } = useChromium();
const host = useHost({ allowPrivate: true });
const strict = useHost();
const allowing = useHost({ allowed: parseAllowedHosts("127.0.0.1").hosts });
let api: Recorder;

const sources = (server: string): Sources =>
  siteOf(
    {
      "index.mdx": "Text.",
      "api.json": JSON.stringify({
        openapi: "3.1.0",
        info: { title: "API", version: "1" },
        servers: [{ url: server }],
        paths: {
          "/all": { get: { summary: "For all readers", responses: { 200: { description: "Fine" } } } },
          "/staff": {
            get: {
              summary: "For staff",
              responses: { 200: { description: "Fine" } },
              "x-platform": { metadata: { playground: "auth", groups: ["staff"], public: true } },
            },
          },
        },
      }),
    },
    { navigation: { pages: ["index", { group: "API", openapi: "api.json" }] } },
  );

const pages = { all: "/api-reference/for-all-readers", staff: "/api-reference/for-staff" };

beforeAll(async () => {
  api = await startRecorder();
  const passwordHash = await hashPassword("open sesame");
  for (const [name, groups] of Object.entries({ readers: [], staff: ["staff", "all"], sales: ["sales"] }))
    await host.directory.publish(`${name}.localhost`, sources(api.url), {
      signIn: { mode: "password", passwordHash, groups },
    });
  for (const { directory } of [strict, allowing]) {
    await directory.publish("open.localhost", sources(api.url));
    await directory.publish("closed.localhost", sources(`${api.url}/closed`));
  }
  await Promise.all([host, strict, allowing].map((each) => each.listen()));
});
afterAll(() => api.close());

const at = (name: string, target: string, { port }: TestHost = host) =>
  `http://${name}.localhost:${port}${target}`;

/** Opens the playground of a page and sends the request without changing it. */
async function pressSend(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Try it" }).click();
  await page.locator(".o-pg[open]").waitFor();
  await page.getByRole("button", { name: "Send" }).click();
}

describe("the playground of signed-in readers", () => {
  const signIn = async (page: Page, to: string) => {
    await page.getByLabel("Password").fill("open sesame");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === to);
  };
  const signedIn = (name: string, to: string, visit: (page: Page) => Promise<void>) =>
    open(at(name, `/_octavo/sign-in?to=${to}`), async (page) => {
      await signIn(page, to);
      await visit(page);
    });

  test.each([
    ["a reader", "readers", pages.all],
    ["a member of the group", "staff", pages.staff],
    ["a member of another group on a playground for all readers", "sales", pages.all],
  ])("%s presses Send and gets 200", (_, name, target) =>
    signedIn(name, target, async (page) => {
      const before = api.requests.length;
      await pressSend(page);
      await page.locator(".o-pg-response .o-pg-status").getByText("200").waitFor();
      expect(api.requests.length).toBe(before + 1);
      expect(api.requests.at(-1)!.headers["cookie"]).toBeUndefined();
      expect(await page.getByText("Sent via proxy").count()).toBe(1);
    }),
  );

  test("a reader outside the group isn't offered it", () =>
    signedIn("sales", pages.staff, async (page) => {
      await page.getByRole("heading", { name: "For staff" }).waitFor();
      await page.waitForLoadState("networkidle");
      expect(await page.locator(".o-try-it").isVisible()).toBe(false);
      expect(await page.getByRole("button", { name: /try it|send requests/i }).count()).toBe(0);
    }));

  test("a reader who hasn't signed in is redirected to sign-in and back to the page", () =>
    open(at("staff", pages.staff), async (page) => {
      await page.getByRole("button", { name: "Sign in to send requests" }).click();
      await signIn(page, pages.staff);
      await page.getByRole("button", { name: "Try it" }).waitFor();
    }));
});

describe("if the docs server may not call the API", () => {
  test("the browser sends the request, if the API allows CORS", () =>
    open(at("open", pages.all, strict), async (page, complaints) => {
      await pressSend(page);
      await page.locator(".o-pg-response .o-pg-status").getByText("200").waitFor();
      await page.getByText("Sent by your browser").waitFor();
      expect(api.requests.at(-1)!.headers.origin).toBe(`http://open.localhost:${strict.port}`);
      complaints.list = complaints.list.filter((line) => !line.includes("403"));
    }));

  test("otherwise the error names the blocked host and the setting that allows it, and nothing else", () =>
    open(at("closed", pages.all, strict), async (page, complaints) => {
      await pressSend(page);
      const { host: target } = new URL(api.url);
      await page
        .getByText(
          `Request blocked: this docs server isn't allowed to call 127.0.0.1. To allow it, add ${target} to OCTAVO_OUTBOUND_ALLOW.`,
        )
        .waitFor();
      expect(await page.locator(".o-pg-response").innerText()).not.toContain("Access-Control-Allow-Origin");
      complaints.list = [];
    }));

  test("the docs server sends the request if the operator's allow-list contains the host", () =>
    open(at("closed", pages.all, allowing), async (page) => {
      await pressSend(page);
      await page.locator(".o-pg-response .o-pg-status").getByText("200").waitFor();
      expect(await page.getByText("Sent via proxy").count()).toBe(1);
    }));
});
