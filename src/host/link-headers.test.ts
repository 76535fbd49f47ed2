/** `Link` headers of pages, and the catalog of APIs that they name. */

import { beforeAll, describe, expect, test } from "vitest";
import { siteOf } from "../../test/engine/build.ts";
import { useHost } from "../../test/host/host.ts";
import { hashPassword } from "../base/password.ts";

const host = useHost();
const open = "docs.acme.test";
const closed = "staff.acme.test";
const partly = "partly.acme.test";
const operation = { responses: { 200: { description: "Done." } } };
const document = (title: string, operations: object) =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title, version: "1" },
    servers: [{ url: "https://api.acme.dev" }],
    paths: operations,
  });
const files = siteOf(
  {
    "index.mdx": "Text.",
    "guides/a b.mdx": "Text.",
    "public.mdx": "---\npublic: true\n---\n\nText.",
    "open.json": document("Open API", { "/a": { get: operation } }),
    "hidden.json": document("canary", { "/b": { get: operation } }),
    "hidden.mdx": "---\nhidden: true\nopenapi: hidden.json GET /b\n---\n",
    "staff.json": document("canary", {
      "/c": { get: { ...operation, "x-platform": { metadata: { groups: ["staff"] } } } },
    }),
  },
  {
    navigation: {
      groups: [
        { group: "Start", pages: ["index", "guides/a b", "public"] },
        { group: "Open", openapi: "open.json" },
        { group: "Staff", openapi: "staff.json" },
      ],
    },
  },
);
beforeAll(async () => {
  const signIn = { mode: "password" as const, passwordHash: await hashPassword("secret"), groups: [] };
  await host.directory.publish(open, files);
  await host.directory.publish(closed, files, { signIn });
  await host.directory.publish(partly, files, { origin: `http://${partly}/docs` });
  await host.listen();
});

const linkOf = async (name: string, path: string) => (await host.ask(name, path)).headers.link;

const index = (base = "") => `<${base}/llms.txt>; rel="describedby"; type="text/markdown"`;
const catalog = (base = "") =>
  `<${base}/.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"`;

test.each([
  ["/", `${index()}, </index.md>; rel="alternate"; type="text/markdown", ${catalog()}`],
  ["/guides/a%20b", `${index()}, </guides/a%20b.md>; rel="alternate"; type="text/markdown", ${catalog()}`],
  ["/guides/a%20b.md", `${index()}, ${catalog()}`],
  ["/llms.txt", undefined],
  ["/nowhere", undefined],
])("%s", async (path, expected) => {
  expect(await linkOf(open, path)).toBe(expected);
});

test("below a path, links start with it", async () => {
  expect(await linkOf(partly, "/docs/")).toBe(
    `${index("/docs")}, </docs/index.md>; rel="alternate"; type="text/markdown", ${catalog("/docs")}`,
  );
});

test("on a site with sign-in, only readable files are named, and visitors get no links to closed pages", async () => {
  expect(await linkOf(closed, "/public")).toBe(
    `${index()}, </public.md>; rel="alternate"; type="text/markdown"`,
  );
  const refused = await host.ask(closed, "/guides/a%20b");
  expect([refused.status, refused.headers.link]).toEqual([401, undefined]);
});

describe("the catalog", () => {
  test("lists the documents of listed pages with their server and page", async () => {
    const reply = await host.ask(open, "/.well-known/api-catalog");
    expect(reply.headers["content-type"]).toBe(
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    );
    expect(reply.headers["content-disposition"]).toBeUndefined();
    expect(JSON.parse(reply.text)).toEqual({
      linkset: [
        {
          anchor: "https://api.acme.dev",
          "service-desc": [{ href: `http://${open}/open.json`, type: "application/json" }],
          "service-doc": [
            { href: expect.stringMatching(/^http:\/\/docs\.acme\.test\/.*\/get-a$/), type: "text/html" },
          ],
        },
      ],
    });
  });

  test("hidden and restricted documents aren't in it and not in llms.txt", async () => {
    for (const path of ["/.well-known/api-catalog", "/llms.txt"])
      expect((await host.ask(open, path)).text).not.toMatch(/canary|hidden|staff/i);
    expect((await host.ask(closed, "/.well-known/api-catalog")).status).toBe(401);
  });
});
