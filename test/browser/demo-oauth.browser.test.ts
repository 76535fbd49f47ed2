/**
 * OAuth in the playground: readers get a token for the demo API with each flow of its document and use it, on
 * a site at the root of a host, on one below a path, and on the host of a project. Credentials are sent only
 * to the URL that the form shows.
 */

import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoApi } from "../../examples/plant-shop/api.ts";
import { demo } from "../../examples/plant-shop/sign-in.ts";
import { root, siteOf, temporaryFolder, writeFiles } from "../engine/build.ts";
import { runCli } from "../engine/run-cli.ts";
import { phone, useChromium } from "./chromium.ts";

const { open } = useChromium();
const work = temporaryFolder();
const servers: Server[] = [];
const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".woff2": "font/woff2",
};

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

/** Everything that the host of the documentation receives. */
let received = "";
let site = "";
let api = "";
/** A host that the form doesn't name, to which a token endpoint redirects. */
let foreign: string;
let foreignRequests = 0;

beforeAll(async () => {
  api = await listen(demoApi());
  foreign = await listen(
    createServer((_request, response) => {
      foreignRequests += 1;
      response.writeHead(200, { "access-control-allow-origin": "*" }).end("{}");
    }),
  );
  const redirecting = await listen(
    createServer((request, response) => {
      response.setHeader("access-control-allow-origin", "*");
      response.setHeader("access-control-allow-headers", "*, authorization");
      if (request.method === "OPTIONS") return void response.writeHead(204).end();
      response.writeHead(307, { location: `${foreign}/token` }).end();
    }),
  );
  const document = readFileSync(path.join(root, "docs/openapi/plants.yaml"), "utf8").replaceAll(
    "4010",
    new URL(api).port,
  );
  const pages = { "index.mdx": "---\ntitle: Home\n---\n\nText." };
  const docs = writeFiles(
    path.join(work, "docs"),
    siteOf(
      {
        ...pages,
        "plants.yaml": document,
        "canary.json": JSON.stringify({
          openapi: "3.1.0",
          info: { title: "Canary", version: "1" },
          servers: [{ url: redirecting }, { url: api }],
          paths: {
            "/canary": {
              get: {
                summary: "Canary",
                security: [{ oauth: [] }],
                responses: { 204: { description: "None" } },
              },
            },
          },
          components: {
            securitySchemes: {
              oauth: {
                type: "oauth2",
                flows: { clientCredentials: { tokenUrl: "/oauth/token", scopes: {} } },
              },
            },
          },
        }),
      },
      {
        navigation: {
          groups: [
            { group: "Guides", pages: ["index"] },
            { group: "Shop", openapi: "plants.yaml" },
            { group: "Canary", openapi: "canary.json" },
          ],
        },
      },
    ),
  );
  const output = path.join(work, "out");
  site = await listen(
    createServer(async (request, response) => {
      received += `${request.method} ${request.url} ${JSON.stringify(request.headers)}`;
      for await (const chunk of request) received += chunk;
      const { pathname } = new URL(request.url!, "http://site");
      for (const file of [pathname, `${pathname}.html`, `${pathname}/index.html`]) {
        try {
          const bytes = readFileSync(path.join(output, decodeURIComponent(file)));
          return void response
            .writeHead(200, { "content-type": types[path.extname(file)] ?? "text/plain" })
            .end(bytes);
        } catch {}
      }
      response.writeHead(404).end();
    }),
  );
  for (const [folder, url] of [
    ["root", `${site}/root`],
    ["below/a/path", `${site}/below/a/path`],
  ] as const) {
    const { code, err } = await runCli(["build", docs, "--output", path.join(output, folder), "--url", url]);
    expect([code, err]).toEqual([0, expect.anything()]);
  }
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

async function openForm(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Try it" }).click();
  await page.locator(".o-pg[open]").waitFor();
  const folded = page.locator(".o-pg-folded:not([open]) > summary");
  while (await folded.count()) await folded.first().click();
}

const flows: Record<string, (page: Page) => Promise<void>> = {
  "Authorization code": async (page) => {
    const popup = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Get token" }).click();
    await (await popup).getByRole("button", { name: "Allow" }).click();
  },
  "Client credentials": async (page) => page.getByRole("button", { name: "Get token" }).click(),
  Password: async (page) => {
    await field(page, "Username").fill(demo.username);
    await field(page, "Password").fill(demo.password);
    await page.getByRole("button", { name: "Get token" }).click();
  },
};

describe.each([
  ["localhost", "root"],
  ["localhost", "below/a/path"],
  ["docs.localhost", "root"],
])("the demo on a site at %s/%s", (host, folder) => {
  test.each(Object.keys(flows))("%s gives a token, and the API accepts it", (flow) =>
    open(
      `${site.replace("localhost", host)}/${folder}/api-reference/shop/get-the-current-user`,
      async (page, complaints) => {
        received = "";
        await openForm(page);
        await field(page, "Authenticate with").selectOption({ label: "OAuth" });
        await field(page, "Grant type").selectOption({ label: flow });
        await field(page, "Client ID").fill(demo.clientId);
        await field(page, "Client secret").fill(demo.clientSecret);
        await page.getByText(`Credentials are sent to ${api}/oauth/token`).waitFor();
        await flows[flow]!(page);
        await page.getByText("Token received.").waitFor();
        await page.getByRole("button", { name: "Send", exact: true }).click();
        await page.locator(".o-pg-response .o-pg-status", { hasText: "200" }).waitFor();
        await page.locator(".o-pg-response").getByText('"oauth"').first().waitFor();
        const text = decodeURIComponent(received);
        for (const secret of [
          demo.clientSecret,
          demo.password,
          btoa(`${demo.clientId}:${demo.clientSecret}`),
        ])
          expect(text).not.toContain(secret);
        // The playground asks whether the host has a proxy.
        expect(complaints.list.filter((line) => !/_octavo\/proxy$|404 \(Not Found\)$/.test(line))).toEqual(
          [],
        );
        complaints.list = [];
      },
    ),
  );
});

test("the page and its Markdown show the complete URLs", async () => {
  const html = readFileSync(path.join(work, "out/root/api-reference/shop/get-the-current-user.html"), "utf8");
  const markdown = readFileSync(
    path.join(work, "out/root/api-reference/shop/get-the-current-user.md"),
    "utf8",
  );
  for (const text of [html, markdown])
    for (const url of [`${api}/oauth/authorize`, `${api}/oauth/token`]) expect(text).toContain(url);
});

test("a token endpoint can't redirect credentials to another host, and a secret isn't kept for another server", () =>
  open(
    `${site}/root/api-reference/canary`,
    async (page, complaints) => {
      await openForm(page);
      await field(page, "Client ID").fill("canary");
      await field(page, "Client secret").fill("canary-secret");
      await page.getByRole("button", { name: "Get token" }).click();
      await page.getByText("Couldn't get a token").waitFor();
      expect(foreignRequests).toBe(0);
      complaints.list = [];
      await field(page, "Server").selectOption({ label: api });
      await page.getByText(`Credentials are sent to ${api}/oauth/token`).waitFor();
      expect(await field(page, "Client secret").inputValue()).toBe("");
    },
    { viewport: phone },
  ));
