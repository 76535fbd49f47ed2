/** Failing links of bundles, with an empty volume and with a bundle on the volume. */

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { bundle, startStore } from "../../test/bundle/bundles.ts";
import { startBundleServer } from "../../test/bundle/server.ts";
import { freePort } from "../../test/service/postgres.ts";

const secret = "?X-Amz-Signature=do-not-log-me";
const good = bundle("v1", "first");

let folder: string;
/** A volume that an earlier server has stored a bundle on. */
let used: string;
let untrusted: Server;
let store: Awaited<ReturnType<typeof startStore>>;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "octavo-link-faults-"));
  used = path.join(folder, "used");
  mkdirSync(used);
  writeFileSync(path.join(folder, "bundle.tar.gz"), good);
  const server = await startBundleServer(
    { OCTAVO_BUNDLE_URL: path.join(folder, "bundle.tar.gz") },
    { volume: used },
  );
  await server.settled();
  await server.stop();
  const [key, cert] = ["key.pem", "cert.pem"].map((name) => path.join(folder, name)) as [string, string];
  const request = [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "2",
    "-subj",
    "/CN=store.example",
  ];
  execFileSync("openssl", [...request, "-keyout", key, "-out", cert], { stdio: "ignore" });
  untrusted = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) =>
    response.end(good),
  );
  await new Promise<void>((resolve) => untrusted.listen(0, "127.0.0.1", resolve));
  store = await startStore((request, response) =>
    response.writeHead(Number(request.url!.slice(1, 4))).end("<Error/>"),
  );
});

afterAll(() => {
  untrusted.close();
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const expired = /the response has status \d+\. Download URLs expire\. Get a new one/;
const again = /The server retries every 30 seconds/;
const faults: [string, () => Promise<string>, RegExp, RegExp][] = [
  [
    "the link has expired (403)",
    async () => `${store.url}/403${secret}`,
    /the response has status 403/,
    expired,
  ],
  [
    "the file is not found (404)",
    async () => `${store.url}/404${secret}`,
    /the response has status 404/,
    expired,
  ],
  ["the file is gone (410)", async () => `${store.url}/410${secret}`, /the response has status 410/, expired],
  ["the store fails (500)", async () => `${store.url}/500${secret}`, /status 500/, again],
  [
    "the host name does not exist",
    async () => `https://store.invalid/a${secret}`,
    /(?:ENOTFOUND|EAI_AGAIN) store\.invalid/,
    again,
  ],
  [
    "the certificate is not trusted",
    async () => `https://127.0.0.1:${(untrusted.address() as AddressInfo).port}/a${secret}`,
    /self-signed certificate/,
    again,
  ],
  ["no server listens", async () => `http://127.0.0.1:${await freePort()}/a${secret}`, /ECONNREFUSED/, again],
  [
    "no server listens at any IP address of the host",
    async () => `http://localhost:${await freePort()}/a${secret}`,
    /ECONNREFUSED/,
    again,
  ],
];

// Most of a row's time is pauses between attempts.
describe.concurrent.each(faults)("%s", (_title, link, cause, advice) => {
  test.for(["an empty volume", "a volume with the last bundle"])(
    "%s",
    { timeout: 120_000 },
    async (kind, { expect }) => {
      const volume = mkdtempSync(path.join(folder, "volume-"));
      const isUsed = kind !== "an empty volume";
      if (isUsed) cpSync(used, volume, { recursive: true });
      const server = await startBundleServer({ OCTAVO_BUNDLE_URL: await link() }, { volume });
      try {
        const state = await server.settled();
        expect(state).toMatchObject(
          isUsed
            ? { code: 200, status: "ready", version: "v1", stale: true }
            : { code: 503, status: "not ready", version: null, stale: true },
        );
        expect(state.problem).toMatch(cause);
        expect(state.problem).toMatch(advice);
        expect((await server.get("/healthz")).status).toBe(200);
        const page = await server.get("/guides/start");
        expect([page.status, page.text.includes("Start first")]).toEqual(isUsed ? [200, true] : [404, false]);
        const lines = server
          .output()
          .split("\n")
          .filter((line) => line.includes('"level":50'));
        expect(lines).toHaveLength(1);
        expect(lines[0]).toMatch(cause);
        expect(JSON.stringify(state) + server.output()).not.toMatch(/do-not-log-me|X-Amz/);
      } finally {
        await server.stop();
      }
    },
  );
});
