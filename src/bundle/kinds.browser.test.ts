/**
 * Features of a site for each kind of deployment and each setting of the operator, in a browser. A disabled
 * feature shows nothing, loads no script and sends no request.
 */

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectBrowser, isComplete } from "../../test/browser/chromium.ts";
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
  onByDefault,
  type Seen,
} from "../../test/bundle/offered-features.ts";
import { startBundleServer } from "../../test/bundle/server.ts";
import { typeOf } from "../host/content-type.ts";

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
    const words = [
      "export",
      path.join(work, "docs"),
      "--output",
      archive,
      "--kind",
      kind,
      "--url",
      "https://docs.example.com",
    ];
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

/** Starts a static host, which accepts POST requests. */
function startStatic(folder: string): Promise<{ origin: string; stop(): unknown }> {
  const server = createServer((request, response) => {
    const file = path.join(folder, decodeURI(request.url!.replace(/\?.*$/s, "")));
    const found = request.method === "GET" && existsSync(file) && !file.endsWith("/");
    response.writeHead(found ? 200 : 204, { "content-type": typeOf(file) });
    response.end(found ? readFileSync(file) : undefined);
  });
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () =>
      resolve({
        origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        stop: () => server.closeAllConnections(),
      }),
    ),
  );
}

interface Row {
  /** Kind that the bundle was built for. */
  made: "client-hosted" | "air-gapped";
  /** Kind that it runs as. */
  kind: "client-hosted" | "air-gapped";
  setting: string;
  /** Settings in the `octavo.config.js` of a static host; `own` keeps the bundle's file. */
  file?: object | "own";
  /** Environment of a bundle server. */
  env?: Record<string, string>;
  on: On;
}

const clientHosted = { made: "client-hosted", kind: "client-hosted" } as const;
const airGapped = { made: "air-gapped", kind: "air-gapped" } as const;
/** A client-hosted bundle that is served as air-gapped. */
const turned = { made: "client-hosted", kind: "air-gapped" } as const;

const allRows: Row[] = [
  { ...clientHosted, setting: "no settings, any host", file: "own", on: onByDefault },
  { ...clientHosted, setting: "no settings, bundle server", env: {}, on: onByDefault },
  { ...clientHosted, setting: "on by the file", file: allOn, on: features },
  { ...clientHosted, setting: "on by the environment", env: envOf(allOn), on: features },
  { ...clientHosted, setting: "off by the file", file: allOff, on: ["outside"] },
  { ...clientHosted, setting: "off by the environment", env: envOf(allOff), on: ["outside"] },
  { ...airGapped, setting: "no settings, any host", file: "own", on: [] },
  { ...airGapped, setting: "no settings, bundle server", env: {}, on: [] },
  { ...airGapped, setting: "all on in the file", file: allOn, on: ["playground"] },
  {
    ...airGapped,
    setting: "local search and playground by the file",
    file: { search: "local", playground: true },
    on: ["search", "playground"],
  },
  { ...airGapped, setting: "off by the file", file: allOff, on: [] },
  {
    ...airGapped,
    setting: "local search by the environment",
    env: { OCTAVO_KIND: "air-gapped", OCTAVO_SEARCH: "local" },
    on: ["search"],
  },
  { ...turned, setting: "air-gapped by the file", file: { kind: "air-gapped" }, on: [] },
  {
    ...turned,
    setting: "air-gapped by the file, all on",
    file: { kind: "air-gapped", ...allOn },
    on: ["playground"],
  },
  {
    ...turned,
    setting: "air-gapped by the file, local search",
    file: { kind: "air-gapped", search: "local" },
    on: ["search"],
  },
  { ...turned, setting: "air-gapped by the environment", env: { OCTAVO_KIND: "air-gapped" }, on: [] },
  {
    ...turned,
    setting: "air-gapped by the environment, local search and playground",
    env: { OCTAVO_KIND: "air-gapped", OCTAVO_SEARCH: "local", OCTAVO_PLAYGROUND: "true" },
    on: ["search", "playground"],
  },
  {
    ...turned,
    setting: "air-gapped and all off by the environment",
    env: { OCTAVO_KIND: "air-gapped", ...envOf(allOff) },
    on: [],
  },
];

/**
 * `npm test` opens each kind with a file, with the environment and without settings. `npm run test:long`
 * opens all rows.
 */
const rows = isComplete
  ? allRows
  : allRows.filter(({ setting }) => /^(?:no settings|(?:on|air-gapped) by the environment$)/.test(setting));

/** Serves a row's bundle, opens it in a browser, and returns the features that were found. */
async function lookAt(row: Row): Promise<Seen> {
  if (row.env) {
    const server = await startBundleServer({
      OCTAVO_BUNDLE_URL: path.join(work, `${row.made}.tar.gz`),
      ...row.env,
    });
    try {
      expect((await server.settled()).status).toBe("ready");
      return await look(browser, `http://127.0.0.1:${server.port}`, apiPage);
    } finally {
      await server.stop();
    }
  }
  const folder = mkdtempSync(path.join(work, "static-"));
  cpSync(path.join(work, row.made), folder, { recursive: true });
  if (row.file !== "own")
    writeFileSync(path.join(folder, "octavo.config.js"), `octavoConfig = ${JSON.stringify(row.file)};\n`);
  const host = await startStatic(folder);
  try {
    return await look(browser, host.origin, apiPage);
  } finally {
    host.stop();
  }
}

describe("a bundle", () => {
  const seenOf = new Map<Row, Seen>();
  // The rows are opened concurrently, because most of the time is spent waiting.
  beforeAll(async () => {
    const waiting = [...rows];
    const reader = async () => {
      for (let row = waiting.shift(); row; row = waiting.shift()) seenOf.set(row, await lookAt(row));
    };
    await Promise.all([reader(), reader(), reader()]);
  }, 600_000);

  describe.each(rows.map((row) => [`${row.kind}, built as ${row.made}, ${row.setting}`, row] as const))(
    "%s",
    (title, row) => {
      const seen = () => seenOf.get(row)!;
      expectCells(title, row.on, seen);

      test("content on other hosts is shown, or a link replaces it", () => {
        // The missing image always has its alternative text; the others have links if they aren't shown.
        if (row.kind === "air-gapped") expect(seen().standIns).toBeGreaterThanOrEqual(6);
        else expect(seen().standIns).toBe(1);
      });

      test.runIf(row.kind === "air-gapped")(
        "no request goes to another host, and no policy is violated",
        () => {
          expect([seen().away, seen().violations]).toEqual([[], []]);
        },
      );

      test.runIf(row.kind === "air-gapped" && row.env)(
        "the policy is default-src 'self' and contains no host",
        () => {
          expect(seen().policy).toMatch(/^default-src 'self'; /);
          expect(seen().policy).not.toMatch(/https?:|\*|\.[a-z]/i);
          expect(seen().policy).not.toContain("unsafe-eval");
        },
      );
    },
  );
});

describe("features that need other hosts cannot be enabled on an air-gapped site", () => {
  test.each([
    ["OCTAVO_SEARCH", /OCTAVO_SEARCH can't be true on an air-gapped site \(local is allowed\)/],
    ["OCTAVO_ASSISTANT", /OCTAVO_ASSISTANT can't be true on an air-gapped site/],
    ["OCTAVO_ANALYTICS", /OCTAVO_ANALYTICS can't be true on an air-gapped site/],
  ])("%s=true is refused with a message", async (name, sentence) => {
    const server = await startBundleServer({
      OCTAVO_BUNDLE_URL: "bundle.tar.gz",
      OCTAVO_KIND: "air-gapped",
      [name]: "true",
    });
    expect(await server.ended).toBe(2);
    expect(server.output()).toMatch(sentence);
  });
});
