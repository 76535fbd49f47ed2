/**
 * Authentication in the playground: readers use each scheme of the demo API's document, and get a token with
 * each OAuth flow, on a site at the root of a host, on one below a path, on the host of a project, and on one
 * that is embedded in a page of another site. Credentials are sent only to the URL that the form shows.
 */

import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { FrameLocator, Page } from "playwright-core";
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
let apiRequests = 0;
/** A host that the form doesn't name, to which a token endpoint redirects. */
let foreign: string;
/** The host of that token endpoint. */
let redirecting: string;
let foreignRequests = 0;

beforeAll(async () => {
  api = await listen(demoApi().on("request", () => (apiRequests += 1)));
  foreign = await listen(
    createServer((_request, response) => {
      foreignRequests += 1;
      response.writeHead(200, { "access-control-allow-origin": "*" }).end("{}");
    }),
  );
  redirecting = await listen(
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
          openapi: "3.2.0",
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
                flows: {
                  clientCredentials: { tokenUrl: "/oauth/token", scopes: {} },
                  password: { tokenUrl: "/oauth/token", scopes: {} },
                  deviceAuthorization: {
                    deviceAuthorizationUrl: "/oauth/device",
                    tokenUrl: "/oauth/token",
                    refreshUrl: "/oauth/token?refresh",
                    scopes: {},
                  },
                },
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
  for (const folder of ["root", "below/a/path", "air-gapped"]) {
    const { code, err } = await runCli([
      "build",
      docs,
      ...["--output", path.join(output, folder), "--url", `${site}/${folder}`],
      ...(folder === "air-gapped" ? ["--kind", folder] : []),
    ]);
    expect([code, err]).toEqual([0, expect.anything()]);
  }
  writeFiles(path.join(output, "air-gapped"), {
    "octavo.config.js": 'octavoConfig = { "kind": "air-gapped", "playground": true };\n',
  });
  for (const address of [site, site.replace("localhost", "docs.localhost")])
    writeFiles(path.join(output, new URL(address).hostname), {
      "frame.html": `<iframe src="${address}/root/${operation}" width="1400" height="880"></iframe>`,
    });
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** A page, or the site in a frame of a page. */
type View = Page | FrameLocator;
const operation = "api-reference/shop/get-the-current-user";
const field = (page: View, name: string) => page.getByLabel(name, { exact: true });

async function openForm(page: View): Promise<void> {
  await page.getByRole("button", { name: "Try it" }).click();
  await page.locator(".o-pg[open]").waitFor();
  const folded = page.locator(".o-pg-folded:not([open]) > summary");
  while (await folded.count()) await folded.first().click();
}

const getToken = (view: View) => view.getByRole("button", { name: "Get token" }).click();
const flows: Record<string, (view: View, page: Page) => Promise<void>> = {
  "Authorization code": async (view, page) => {
    const popup = page.waitForEvent("popup");
    await getToken(view);
    const allow = (await popup).getByRole("button", { name: "Allow" });
    await allow.waitFor();
    if (view === page) {
      // The page of the authorization server can't replace the documentation.
      expect(await (await popup).evaluate(() => window.opener)).toBeNull();
    }
    await allow.click();
  },
  "Client credentials": getToken,
  Password: async (view) => {
    await field(view, "Username").fill(demo.username);
    await field(view, "Password").fill(demo.password);
    await getToken(view);
  },
  "Device code": async (view, page) => {
    await getToken(view);
    const popup = page.waitForEvent("popup");
    await view.getByRole("link", { name: `${api}/oauth/activate` }).click();
    await (await popup).getByRole("button", { name: "Allow" }).click();
    await (await popup).getByText("You can close this page.").waitFor();
  },
};

const places: [string, (path: string) => string][] = [
  ["at the root of a folder", (path) => `${site}/root/${path}`],
  ["below a path", (path) => `${site}/below/a/path/${path}`],
  ["on the host of a project", (path) => `${site.replace("localhost", "docs.localhost")}/root/${path}`],
  ["in a frame of another site", () => `${site.replace("localhost", "127.0.0.1")}/localhost/frame`],
];

/** Opens the form of an operation that supports every scheme, and checks afterwards what the host received. */
function tryOut(url: string, visit: (view: View, page: Page) => Promise<void>): Promise<void> {
  return open(url, async (page, complaints) => {
    received = "";
    const view = url.endsWith("/frame") ? page.frameLocator("iframe") : page;
    await openForm(view);
    await visit(view, page);
    const text = decodeURIComponent(received);
    for (const secret of [
      demo.clientSecret,
      demo.password,
      btoa(`${demo.clientId}:${demo.clientSecret}`),
      btoa(`${demo.username}:${demo.password}`),
    ])
      expect(text).not.toContain(secret);
    // The playground asks whether the host has a proxy. Until the reader has entered the code of a device, the
    // token endpoint responds with an error (RFC 8628, section 3.5).
    const expected = /_octavo\/proxy$|404 \(Not Found\)$|^400: .*\/oauth\/token$|400 \(Bad Request\)$/;
    expect(complaints.list.filter((line) => !expected.test(line))).toEqual([]);
    complaints.list = [];
  });
}

async function sendsAs(view: View, method: string): Promise<void> {
  await view.getByRole("button", { name: "Send", exact: true }).click();
  await view.locator(".o-pg-response .o-pg-status", { hasText: "200" }).waitFor();
  await view.locator(".o-pg-response").getByText(`"${method}"`).first().waitFor();
}

describe.each(places)("the demo on a site %s", (_, urlOf) => {
  test.each(Object.keys(flows))("%s gives a token, and the API accepts it", (flow) =>
    tryOut(urlOf(operation), async (view, page) => {
      await field(view, "Authenticate with").selectOption({ label: "OAuth" });
      await field(view, "Grant type").selectOption({ label: flow });
      await field(view, "Client ID").fill(demo.clientId);
      await field(view, "Client secret").fill(demo.clientSecret);
      await view.getByText(`Credentials are sent to ${api}/oauth/token`).waitFor();
      await flows[flow]!(view, page);
      await view.getByText("Token received.").waitFor();
      await sendsAs(view, "oauth");
    }),
  );

  test("a token that has ended is refreshed when a request is sent", () =>
    tryOut(urlOf(operation), async (view, page) => {
      await field(view, "Authenticate with").selectOption({ label: "OAuth" });
      await field(view, "Grant type").selectOption({ label: "Password" });
      await field(view, "Client ID").fill(demo.clientId);
      await flows["Password"]!(view, page);
      await view.getByText("Token received.").waitFor();
      const token = () => view.locator('[id="o-pg-auth.oauth"]').inputValue();
      const first = await token();
      await sendsAs(view, "oauth");
      expect(await token()).toBe(first);

      await page.clock.setFixedTime(Date.now() + 7_200_000);
      await view.getByRole("button", { name: "Send", exact: true }).click();
      await expect.poll(token).not.toBe(first);
      const second = await token();
      await sendsAs(view, "oauth");
      await page.clock.setFixedTime(Date.now() + 60_000);
      await view.getByRole("button", { name: "Refresh token" }).click();
      await expect.poll(token).not.toBe(second);
      await sendsAs(view, "oauth");
    }));

  test("the API accepts a key, a bearer token, and a password", () =>
    tryOut(urlOf(operation), async (view) => {
      const scheme = field(view, "Authenticate with");
      for (const [label, method] of [
        ["header key", "headerKey"],
        ["query key", "queryKey"],
        ["bearer", "bearer"],
        ["basic", "basic"],
      ] as const) {
        await scheme.selectOption({ label });
        if (method === "basic") {
          await field(view, "Username").fill(demo.username);
          await field(view, "Password").fill(demo.password);
        }
        await sendsAs(view, method);
      }
    }));
});

test("an air-gapped site without a proxy sends nothing to the API, and says that it got no response", () =>
  open(`${site}/air-gapped/${operation}`, async (page, complaints) => {
    const sent = apiRequests;
    await openForm(page);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Couldn't get a response").first().waitFor();
    await field(page, "Authenticate with").selectOption({ label: "OAuth" });
    await field(page, "Grant type").selectOption({ label: "Client credentials" });
    await field(page, "Client ID").fill(demo.clientId);
    await field(page, "Client secret").fill(demo.clientSecret);
    await getToken(page);
    await page.getByText("Couldn't get a token").waitFor();
    expect(apiRequests).toBe(sent);
    complaints.list = [];
  }));

test("the page and its Markdown show the complete URLs", async () => {
  const texts = ["html", "md"].map((format) =>
    readFileSync(path.join(work, `out/root/${operation}.${format}`), "utf8"),
  );
  for (const text of texts)
    for (const url of [`${api}/oauth/authorize`, `${api}/oauth/token`]) expect(text).toContain(url);
});

test("no endpoint can redirect credentials to another host, and a secret isn't kept for another server", () =>
  open(
    `${site}/root/api-reference/canary`,
    async (page, complaints) => {
      await openForm(page);
      for (const flow of ["Client credentials", "Device code"]) {
        await field(page, "Grant type").selectOption({ label: flow });
        await field(page, "Client ID").fill("canary");
        await field(page, "Client secret").fill("canary-secret");
        await getToken(page);
        await page.getByText("Couldn't get a token").waitFor();
      }
      for (const path of ["device", "token", "token?refresh"])
        await page
          .getByText(`Credentials are sent to ${redirecting}/oauth/${path}`, { exact: true })
          .waitFor();
      expect(foreignRequests).toBe(0);
      complaints.list = [];
      await field(page, "Server").selectOption({ label: api });
      await page.getByText(`Credentials are sent to ${api}/oauth/token`).first().waitFor();
      expect(await field(page, "Client secret").inputValue()).toBe("");
    },
    { viewport: phone },
  ));

test("a refresh token is sent only to the URL that the form named when the token was received", () =>
  open(`${site}/root/api-reference/canary`, async (page, complaints) => {
    await openForm(page);
    await field(page, "Server").selectOption({ label: api });
    await field(page, "Grant type").selectOption({ label: "Password" });
    await field(page, "Client ID").fill(demo.clientId);
    await flows["Password"]!(page, page);
    await page.getByRole("button", { name: "Refresh token" }).waitFor();
    const sent = await page.evaluate(`(() => {
      const key = Object.keys(sessionStorage).find((each) => each.startsWith("octavo-credentials"));
      sessionStorage.setItem(key, sessionStorage.getItem(key).replace(/"url":"[^"]*"/, '"url":"${foreign}/token"').replace(/"ends":\\d+/, '"ends":1'));
      return sessionStorage.getItem(key);
    })()`);
    expect(sent).toContain(`"url":"${foreign}/token","ends":1`);
    await page.reload();
    await openForm(page);
    await field(page, "Server").selectOption({ label: api });
    expect(await page.getByRole("button", { name: "Refresh token" }).count()).toBe(0);
    const before = apiRequests;
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect.poll(() => apiRequests).toBeGreaterThan(before);
    expect(foreignRequests).toBe(0);
    complaints.list = [];
  }));
