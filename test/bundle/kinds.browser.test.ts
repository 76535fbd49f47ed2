/**
 * What a site offers, by feature, kind of deployment and the operator's setting: every cell of the table, seen in a browser.
 * What is off shows nothing, loads no script and asks for nothing.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { typeOf } from "../../src/reader/static-site.ts";
import { connectBrowser } from "../browser/chromium.ts";
import { newSite, trusting } from "../service/asked-sites.ts";
import { newMember } from "../service/dashboard.ts";
import { docs, until, visit } from "../service/deploying.ts";
import { download, ended, start } from "../service/exports.ts";
import { freePort } from "../service/postgres.ts";
import { type RunningService, send, startService } from "../service/service.ts";
import { startBundleServer } from "./server.ts";

const outside = "https://elsewhere.example";
const api = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Orders", version: "1" },
  servers: [{ url: `${outside}/v1` }],
  paths: {
    "/orders/{id}": {
      get: {
        summary: "Read an order",
        tags: ["Orders"],
        description: `![Picture of the API](${outside}/api.png)`,
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: { "200": { description: "Fine" } },
      },
    },
  },
});

/** A site that shows and asks all that a site may of other hosts. */
const files = docs(
  [
    `![A picture](${outside}/picture.png)`,
    `[![A badge](${outside}/badge.svg)](https://example.com)`,
    `<iframe src="${outside}/video" title="A video"></iframe>`,
    `<video src="${outside}/film.mp4" controls></video>`,
    `<div style={{ backgroundImage: "url(${outside}/ground.png)" }}>Ground</div>`,
    "![Not there](/images/none.png)",
  ].join("\n\n"),
  {
    "api.json": api,
    "own.css": `@import url("${outside}/sheet.css");\n@font-face { font-family: Own; src: url(${outside}/own.woff2) }\nbody { font-family: Own; background: url('${outside}/body.png') }\n`,
  },
  {
    navigation: {
      groups: [
        { group: "Start", pages: ["index"] },
        { group: "API", openapi: "api.json", pages: ["GET /orders/{id}"] },
      ],
    },
    integrations: { ga4: { measurementId: "G-TEST" } },
    fonts: { family: "Elsewhere", source: `${outside}/font.woff2`, format: "woff2" },
    logo: { light: `${outside}/logo-light.svg`, dark: `${outside}/logo-dark.svg` },
    favicon: `${outside}/favicon.svg`,
    feedback: { thumbsRating: true },
  },
);

const work = mkdtempSync(path.join(tmpdir(), "octavo-kinds-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

let browser: Browser;
beforeAll(async () => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(work, "docs", name)), { recursive: true });
    writeFileSync(path.join(work, "docs", name), text);
  }
  for (const kind of ["client-hosted", "air-gapped"]) {
    const archive = path.join(work, `${kind}.tar.gz`);
    const words = ["export", path.join(work, "docs"), "--output", archive, "--kind", kind, "--url", "https://docs.example.com"];
    try {
      execFileSync(process.execPath, ["bin/octavo.js", ...words], { stdio: "pipe" });
    } catch (error) {
      if ((error as { status: number }).status !== 1) throw error;
    }
    mkdirSync(path.join(work, kind));
    execFileSync("tar", ["-xzf", archive, "-C", path.join(work, kind)]);
  }
  browser = await connectBrowser();
});
afterAll(() => browser?.close());

const features = ["search", "assistant", "analytics", "services", "playground", "outside"] as const;
type Feature = (typeof features)[number];
/** What a row expects: the features that are on, of all that there are. */
type On = readonly Feature[];

/** What each feature shows, loads and asks for. */
const signs: Record<Feature, { shown?: string; asked: RegExp }> = {
  search: { shown: ".o-search-button, [role=combobox]", asked: /\/_octavo\/(?:search|asking)[-/]/ },
  assistant: { shown: "[data-feature=assistant], .o-assistant", asked: /\/_octavo\/assistant/ },
  analytics: { shown: "[data-feature=analytics]", asked: /\/_octavo\/(?:analytics|events|feedback)/ },
  // Those that docs.json names for counting visits.
  services: { asked: /\/_octavo\/integrations-|googletagmanager/ },
  playground: { shown: ".o-try-it, .o-pg", asked: /\/_octavo\/playground/ },
  // What pages show of other hosts.
  outside: { shown: `[src^="${outside}"]`, asked: new RegExp(`^${outside}`) },
};

interface Seen {
  shown: Set<Feature>;
  asked: Set<Feature>;
  /** Addresses of other hosts that a request went to: one that a policy stops does not get so far. */
  away: string[];
  /** Links that stand for what is not shown. */
  standIns: number;
  violations: string[];
  policy: string | undefined;
}

/** A reader who tries everything. */
async function look(origin: string, apiPage: string): Promise<Seen> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    // Without the word by which browsers tell that nobody looks at them.
    userAgent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  });
  const seen: Seen = { shown: new Set(), asked: new Set(), away: [], standIns: 0, violations: [], policy: undefined };
  await context.route(
    (url) => !url.href.startsWith(origin),
    (route) => {
      seen.away.push(route.request().url());
      return route.fulfill({ status: 200, body: "" });
    },
  );
  context.on("request", (request) => {
    const url = request.url();
    for (const feature of features) if (signs[feature].asked.test(url)) seen.asked.add(feature);
  });
  context.on("console", (message) => {
    if (/Content Security Policy/.test(message.text())) seen.violations.push(message.text());
  });
  const page = await context.newPage();
  const notice = async () => {
    for (const feature of features) {
      const { shown } = signs[feature];
      if (shown && (await page.locator(shown).filter({ visible: true }).count()) > 0) seen.shown.add(feature);
    }
  };
  for (const at of ["/index.html", apiPage]) {
    const answer = await page.goto(origin + at);
    seen.policy = answer!.headers()["content-security-policy"];
    seen.standIns += await page.locator("a.o-outside, span.o-outside").filter({ visible: true }).count();
    await page.mouse.wheel(0, 5_000);
    await page.mouse.move(700, 20);
    await notice();
    for (const key of ["/", "Control+k", "Control+i"]) {
      await page.keyboard.press(key);
      await page.waitForTimeout(300);
      await notice();
      await page.keyboard.press("Escape");
    }
    const thumb = page.locator("[data-helpful]").first();
    if (await thumb.isVisible()) await thumb.click({ force: true });
    const button = page.locator(".o-try-it").first();
    if (await button.isVisible()) await button.click({ force: true });
    await page.waitForTimeout(500);
    await notice();
  }
  // Visits are told when a page is left.
  await page.goto("about:blank");
  await page.waitForTimeout(200);
  await context.close();
  return seen;
}

/** Any static host: files, and whatever is told to it. */
function startStatic(folder: string): Promise<{ origin: string; stop(): unknown }> {
  const server = createServer((request, response) => {
    const file = path.join(folder, decodeURI(request.url!.replace(/\?.*$/s, "")));
    const found = request.method === "GET" && existsSync(file) && !file.endsWith("/");
    response.writeHead(found ? 200 : 204, { "content-type": typeOf(file) });
    response.end(found ? readFileSync(file) : undefined);
  });
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () =>
      resolve({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.closeAllConnections() }),
    ),
  );
}

interface Row {
  /** What the bundle was made for. */
  made: "client-hosted" | "air-gapped";
  /** What it runs as. */
  kind: "client-hosted" | "air-gapped";
  setting: string;
  /** In `octavo.config.js`, on any host; absent: the bundle's own. */
  file?: object | "own";
  /** Of a bundle server. */
  env?: Record<string, string>;
  on: On;
}

const allOn = { search: true, assistant: true, analytics: true, playground: true };
const allOff = { search: false, assistant: false, analytics: false, playground: false };
const envOf = (choice: object) =>
  Object.fromEntries(Object.entries(choice).map(([name, value]) => [`OCTAVO_${name.toUpperCase()}`, String(value)]));
const clientHosted = { made: "client-hosted", kind: "client-hosted" } as const;
const airGapped = { made: "air-gapped", kind: "air-gapped" } as const;
/** The bundle of an export of the service, which its operator runs without a network. */
const turned = { made: "client-hosted", kind: "air-gapped" } as const;
const onByDefault: On = ["search", "services", "playground", "outside"];

const rows: Row[] = [
  { ...clientHosted, setting: "nothing said, any host", file: "own", on: onByDefault },
  { ...clientHosted, setting: "nothing said, bundle server", env: {}, on: onByDefault },
  { ...clientHosted, setting: "on by the file", file: allOn, on: features },
  { ...clientHosted, setting: "on by the environment", env: envOf(allOn), on: features },
  { ...clientHosted, setting: "off by the file", file: allOff, on: ["outside"] },
  { ...clientHosted, setting: "off by the environment", env: envOf(allOff), on: ["outside"] },
  { ...airGapped, setting: "nothing said, any host", file: "own", on: [] },
  { ...airGapped, setting: "nothing said, bundle server", env: {}, on: [] },
  { ...airGapped, setting: "all tried by the file", file: allOn, on: ["playground"] },
  {
    ...airGapped,
    setting: "local search and playground by the file",
    file: { search: "local", playground: true },
    on: ["search", "playground"],
  },
  { ...airGapped, setting: "off by the file", file: allOff, on: [] },
  { ...airGapped, setting: "local search by the environment", env: { OCTAVO_KIND: "air-gapped", OCTAVO_SEARCH: "local" }, on: ["search"] },
  { ...turned, setting: "turned by the file alone", file: { kind: "air-gapped" }, on: [] },
  { ...turned, setting: "turned by the file, all tried", file: { kind: "air-gapped", ...allOn }, on: ["playground"] },
  { ...turned, setting: "turned by the file, local search", file: { kind: "air-gapped", search: "local" }, on: ["search"] },
  { ...turned, setting: "turned by the environment", env: { OCTAVO_KIND: "air-gapped" }, on: [] },
  {
    ...turned,
    setting: "turned by the environment, local search and playground",
    env: { OCTAVO_KIND: "air-gapped", OCTAVO_SEARCH: "local", OCTAVO_PLAYGROUND: "true" },
    on: ["search", "playground"],
  },
  {
    ...turned,
    setting: "turned and off by the environment",
    env: { OCTAVO_KIND: "air-gapped", ...envOf(allOff) },
    on: [],
  },
];

const apiPage = "/api-reference/orders/read-an-order.html";

function expectCells(title: string, on: On, seen: () => Seen): void {
  test.each(features.map((feature) => [feature, on.includes(feature) ? "on" : "off"] as const))(`%s × ${title}: %s`, (feature, state) => {
    const { shown, asked } = seen();
    if (signs[feature].shown) expect([feature, shown.has(feature)]).toEqual([feature, state === "on"]);
    expect([feature, asked.has(feature)]).toEqual([feature, state === "on"]);
  });
}

describe("a service", () => {
  const hostedApiPage = apiPage.replace(".html", "");
  const dataFolder = mkdtempSync(path.join(work, "service-"));
  let port: number;
  let site: Awaited<ReturnType<typeof newSite>>;
  const seenBy: Record<string, Seen> = {};
  let exported: string;
  /** Starts the service of the same data again, with other settings. */
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
    seenBy[title] = await look(site.origin, hostedApiPage);
  };
  const dashboards: Record<string, { entries: string[]; forms: string[] }> = {};
  const seeDashboard = async (service: RunningService, title: string) => {
    const admin = await newMember(service, site.organization.id);
    const { text, forms } = await admin.get(`${admin.home}/p/${site.organization.projectId}/settings`);
    const navigation = /<nav aria-label="Dashboard">.*?<\/nav>/s.exec(text)![0];
    dashboards[title] = {
      entries: [...navigation.matchAll(/<a [^>]*>([^<]*)<\/a>/g)].map(([, label]) => label!),
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
  const chosenKind = async (kind: string) => (await visit({ port }, site.host, "/")).text.includes(`data-kind="${kind}"`);

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
    await running({ OCTAVO_KIND: "air-gapped", OCTAVO_PLAYGROUND: "true" }, () => see("air-gapped, playground on"));
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

  test("the dashboard offers no page and no setting of what is off", () => {
    const readers = ["Traffic", "Conversations", "Unanswered", "Searches", "Feedback"];
    expect(dashboards["all on"]!.entries).toEqual(expect.arrayContaining(readers));
    expect(dashboards["all off"]!.entries.filter((entry) => readers.includes(entry))).toEqual([]);
    expect(dashboards["all on"]!.forms).toContain("assistant");
    expect(dashboards["all off"]!.forms).not.toContain("assistant");
  });

  test.each(["air-gapped, not deployed again", "air-gapped", "air-gapped, playground on"])("%s: no other host is asked", (title) => {
    expect(seenBy[title]!.away).toEqual([]);
  });

  test.each(["air-gapped", "air-gapped, playground on"])(
    "%s: links stand for what other hosts have, and no policy is violated",
    (title) => {
      expect(seenBy[title]!.standIns).toBeGreaterThanOrEqual(6);
      expect(seenBy[title]!.violations).toEqual([]);
      expect(seenBy[title]!.policy).toMatch(/^default-src 'self'; /);
      expect(seenBy[title]!.policy).not.toMatch(/https?:|\*|\.[a-z]/i);
    },
  );

  test.each(["client-hosted, all off", "client-hosted, nothing set"])("%s: the policy names no analytics service", (title) => {
    expect(seenBy[title]!.policy).toContain(outside);
    expect(seenBy[title]!.policy).not.toContain("google");
  });
});

/** What a reader sees of the bundle of a row. */
async function lookAt(row: Row): Promise<Seen> {
  if (row.env) {
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: path.join(work, `${row.made}.tar.gz`), ...row.env });
    try {
      expect((await server.settled()).status).toBe("ready");
      return await look(`http://127.0.0.1:${server.port}`, apiPage);
    } finally {
      await server.stop();
    }
  }
  const folder = mkdtempSync(path.join(work, "static-"));
  cpSync(path.join(work, row.made), folder, { recursive: true });
  if (row.file !== "own") writeFileSync(path.join(folder, "octavo.config.js"), `octavoConfig = ${JSON.stringify(row.file)};\n`);
  const host = await startStatic(folder);
  try {
    return await look(host.origin, apiPage);
  } finally {
    host.stop();
  }
}

describe("a bundle", () => {
  const seenOf = new Map<Row, Seen>();
  // A reader waits most of the time, so several look at once.
  beforeAll(async () => {
    const waiting = [...rows];
    const reader = async () => {
      for (let row = waiting.shift(); row; row = waiting.shift()) seenOf.set(row, await lookAt(row));
    };
    await Promise.all([reader(), reader(), reader()]);
  }, 600_000);

  describe.each(rows.map((row) => [`${row.kind}, made ${row.made}, ${row.setting}`, row] as const))("%s", (title, row) => {
    const seen = () => seenOf.get(row)!;
    expectCells(title, row.on, seen);

    test("what other hosts have is shown, or a link stands in its place", () => {
      // The picture that is not there has its words in any case; each of the others has a link when it is not shown.
      if (row.kind === "air-gapped") expect(seen().standIns).toBeGreaterThanOrEqual(6);
      else expect(seen().standIns).toBe(1);
    });

    test.runIf(row.kind === "air-gapped")("nobody else is asked, and no policy is run against", () => {
      expect([seen().away, seen().violations]).toEqual([[], []]);
    });

    test.runIf(row.kind === "air-gapped" && row.env)("the policy is default-src 'self', and names no host", () => {
      expect(seen().policy).toMatch(/^default-src 'self'; /);
      expect(seen().policy).not.toMatch(/https?:|\*|\.[a-z]/i);
      expect(seen().policy).not.toContain("unsafe-eval");
    });
  });
});

describe("air-gapped × operator's try to turn on what needs others", () => {
  test.each([
    ["OCTAVO_SEARCH", /OCTAVO_SEARCH cannot be true on an air-gapped site; local is/],
    ["OCTAVO_ASSISTANT", /OCTAVO_ASSISTANT cannot be true on an air-gapped site/],
    ["OCTAVO_ANALYTICS", /OCTAVO_ANALYTICS cannot be true on an air-gapped site/],
  ])("%s=true is refused with a sentence", async (name, sentence) => {
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: "bundle.tar.gz", OCTAVO_KIND: "air-gapped", [name]: "true" });
    expect(await server.ended).toBe(2);
    expect(server.output()).toMatch(sentence);
  });
});
