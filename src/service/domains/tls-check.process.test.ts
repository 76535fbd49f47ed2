/**
 * The endpoint that a proxy asks before it gets a certificate on demand, also with Caddy, if it is installed.
 */

import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { deploy, docs, visit } from "../../../test/service/deploying.ts";
import { freePort } from "../../../test/service/postgres.ts";
import {
  newOrganization,
  send,
  type TestOrganization,
  type TestService,
} from "../../../test/service/service.ts";
import { until } from "../../../test/service/until.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { endpoints } from "../app/endpoints.ts";

let service: TestService;
let organization: TestOrganization;
let internalPort: number;

beforeAll(async () => {
  internalPort = await freePort();
  service = await openTestService({ env: { OCTAVO_INTERNAL_PORT: String(internalPort) } });
  organization = await newOrganization(service);
  const { id, projectId, client } = organization;
  await client(endpoints.addDomain, { params: { projectId }, body: { domain: "unverified.example.com" } });
  await service.operator(endpoints.addOperatorDomain, {
    params: { projectId },
    body: { domain: "docs.example.com" },
  });
  expect(id).toBeTruthy();
  await deploy(organization, docs("Served"));
}, 120_000);
afterAll(async () => {
  await service.stop();
});

const check = async (domain: string) =>
  (await send({ port: internalPort, path: `/tls-check?domain=${encodeURIComponent(domain)}` })).status;

describe("the check", () => {
  test("default hosts and previews need a wildcard certificate, because certificates are published", async () => {
    const host = `${organization.subdomain}.localhost`;
    expect((await visit(service, host)).status).toBe(200);
    expect([
      await check(host),
      await check(host.toUpperCase()),
      await check(`${organization.subdomain}-preview-0123456789abcdef.localhost`),
    ]).toEqual([404, 404, 404]);
  });

  test("verified domains and the service's own host are allowed", async () => {
    expect(await check("docs.example.com")).toBe(200);
    expect(await check("DOCS.example.com")).toBe(200);
    expect(
      await check(
        new URL(service.url).hostname === "127.0.0.1" ? "localhost" : new URL(service.url).hostname,
      ),
    ).toBe(200);
  });

  test.each([
    "unverified.example.com",
    "evil.example",
    "",
    "unknown.localhost",
    "docs.example.com.evil.example",
    "__proto__",
  ])("%j is refused", async (domain) => {
    expect(await check(domain)).toBe(404);
  });

  test("it isn't on the public port", async () => {
    expect((await send({ port: service.port, path: "/tls-check?domain=docs.example.com" })).status).toBe(404);
  });
});

describe.skipIf(spawnSync("caddy", ["version"]).status !== 0)("Caddy", () => {
  test("gets certificates for verified domains only, and default hosts have a wildcard certificate", {
    timeout: 60_000,
  }, async () => {
    const port = await freePort();
    const folder = temporaryFolder();
    const file = path.join(folder, "Caddyfile");
    // The setup in the documentation, with Caddy's own certificate authority.
    const [, setup] = /```text Caddyfile\n(.*?)```/s.exec(readFileSync("docs/service/security.mdx", "utf8"))!;
    writeFileSync(
      file,
      setup!
        .replace("{\n", "{\n  admin off\n  auto_https disable_redirects\n  skip_install_trust\n")
        .replace("octavo:4001", `127.0.0.1:${internalPort}`)
        .replaceAll("octavo:4000", `127.0.0.1:${service.port}`)
        .replace("*.docs.example.com {", `https://*.localhost:${port} {`)
        .replace(/tls \/.*/, "tls internal")
        .replace("https:// {", `https://:${port} {`)
        .replace(/^ {2}tls \{/m, "  tls internal {"),
    );
    const caddy = spawn("caddy", ["run", "--config", file], {
      env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder },
      stdio: "ignore",
    });
    try {
      await until(async () => (await page(port, "docs.example.com")).includes("Served"), 30_000);
      expect(await page(port, `${organization.subdomain}.localhost`)).toContain("Served");
      expect(await page(port, "unverified.example.com")).toBe("");
      expect(await page(port, "evil.example")).toBe("");
    } finally {
      caddy.kill();
    }
  });
});

/** The home page over TLS; empty if the handshake fails. */
function page(port: number, servername: string): Promise<string> {
  return new Promise((resolve) => {
    // The certificate is of Caddy's own authority.
    const socket = connect({ port, host: "127.0.0.1", servername, rejectUnauthorized: false });
    let text = "";
    socket.once("secureConnect", () =>
      socket.write(`GET / HTTP/1.1\r\nHost: ${servername}\r\nConnection: close\r\n\r\n`),
    );
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    socket.once("error", () => resolve(""));
    socket.once("close", () => resolve(text));
  });
}
