/**
 * Tests which content readers can see: on sites with sign-in and without it, and in previews for the author.
 */

import { beforeAll, describe, expect, test } from "vitest";
import { buildSiteFrom, type Sources, siteOf } from "../../test/engine/build.ts";
import { browser, type Published, type Reply, useHost } from "../../test/host/host.ts";
import { signedInOnly } from "../base/access.ts";
import { hashPassword } from "../base/password.ts";
import { fileKey } from "../layout/site-manifest.ts";

/**
 * A unique word for each level of access. Finding it in a response shows that content of this level appears
 * there.
 */
const words = { open: "Quince", inner: "Damson", staff: "Medlar", admin: "Bullace", nobody: "Loquat" };

const operation = (summary: string, more: object = {}) => ({
  get: {
    summary,
    responses: {
      200: {
        description: "Fine",
        content: { "application/json": { schema: { $ref: `#/components/schemas/${summary}` } } },
      },
    },
    ...more,
  },
});

const schema = (word: string) => ({
  type: "object",
  title: word,
  properties: Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [
      `${word}${i}`,
      {
        type: "object",
        properties: {
          [`${word}Deep${i}`]: {
            type: "object",
            properties: Object.fromEntries(
              Array.from({ length: 20 }, (_, n) => [
                `${word}Leaf${n}`,
                {
                  type: "object",
                  properties: { x: { type: "object", properties: { y: { type: "string" } } } },
                },
              ]),
            ),
          },
        },
      },
    ]),
  ),
});

const api = {
  openapi: "3.1.0",
  info: { title: "API", version: "1" },
  servers: [{ url: "https://api.acme.test" }],
  paths: {
    "/any": operation("AnyCall", { "x-platform": { metadata: { public: true } } }),
    "/open": operation("OpenCall", { "x-platform": { metadata: { public: true } } }),
    "/inner": operation("InnerCall"),
    "/staff": operation("StaffCall", { "x-platform": { groups: ["staff"] } }),
    "/both": operation("BothCall", {
      "x-platform": { metadata: { playground: "auth", groups: ["staff"], public: true } },
    }),
  },
  components: {
    schemas: {
      AnyCall: schema("AnyCall"),
      OpenCall: schema("OpenCall"),
      InnerCall: schema("InnerCall"),
      StaffCall: schema("StaffCall"),
      BothCall: schema("BothCall"),
    },
  },
};

const page = (word: string, front: string, more = "") =>
  `---\ntitle: ${word} page\n${front}\n---\n\n${word} text. ${more}\n`;

function sources(manyPages = 0): Sources {
  const filler = Object.fromEntries(
    Array.from({ length: manyPages }, (_, i) => [`inner/p${i}.mdx`, page(`${words.inner}${i}`, "")]),
  );
  const site: Sources = {
    "index.mdx": page(
      words.open,
      "public: true",
      `![D](https://open-images.test/a.png) ![A](/images/open.png) [inner](/inner/one) [staff](/staff/one)`,
    ),
    "changelog.mdx": page(
      `${words.inner}Log`,
      "rss: true",
      `<Update label="June">${words.inner} news.</Update>`,
    ),
    "inner/one.mdx": page(
      words.inner,
      "related:\n  - /staff/one",
      "![F](https://inner-images.test/a.png) ![B](/images/inner.png)",
    ),
    "staff/one.mdx": page(
      words.staff,
      "groups: [staff]",
      "![E](https://staff-images.test/a.png) ![C](/images/staff.png)",
    ),
    "staff/two.mdx": page(`${words.staff}Two`, "groups: [staff, admin]"),
    "staff/live.mdx": `---\ntitle: ${words.staff} live\ngroups: [staff]\n---\n\nimport { Count } from "/count.jsx";\n\n<Count />\n`,
    "admin/one.mdx": page(words.admin, "groups: [admin]"),
    "admin/none.mdx": page(words.nobody, "groups: []"),
    "count.jsx": `export const Count = () => { const [n, set] = useState(0); return <button onClick={() => set(n + 1)}>${words.staff} {n}</button>; };`,
    "images/open.png": "open",
    "images/inner.png": `${words.inner} picture`,
    "images/staff.png": `${words.staff} picture`,
    "images/unshown.png": `${words.inner} picture that no page shows`,
    "api.json": JSON.stringify(api),
    "partly.json": JSON.stringify({
      ...api,
      paths: { "/inner": api.paths["/inner"] },
      components: { schemas: { InnerCall: schema("InnerCall") } },
    }),
    ...filler,
  };
  return {
    ...siteOf(site, {
      name: "Acme",
      errors: { 404: { redirect: false } },
      redirects: [
        { source: "/old-open", destination: "/" },
        { source: "/old-inner", destination: "/inner/one" },
        { source: "/old-staff", destination: "/staff/one#top" },
        { source: "/older-staff", destination: "/old-staff" },
        { source: "/old/:page", destination: "/staff/:page" },
        { source: "/old-nobody", destination: "/admin/none" },
        { source: "/old-elsewhere", destination: "https://elsewhere.test/" },
      ],
      contextual: { options: ["copy", "view", "download-spec", "chatgpt"] },
      navigation: {
        groups: [
          { group: "Open", pages: ["index", "changelog"] },
          {
            group: "Inner",
            pages: ["inner/one", ...Object.keys(filler).map((file) => file.replace(".mdx", ""))],
          },
          { group: `${words.staff} things`, pages: ["staff/one", "staff/two", "staff/live"] },
          { group: `${words.admin} things`, pages: ["admin/one", "admin/none"] },
          { group: "API", openapi: "api.json" },
        ],
      },
    }),
  };
}

const host = useHost();
const site = "docs.acme.test";
const neighbor = "docs.rival.test";
let published: Published;
const cookies: Record<"anonymous" | "reader" | "staff" | "admin", string> = {
  anonymous: "",
  reader: "",
  staff: "",
  admin: "",
};

async function signIn(name: string, password: string): Promise<string> {
  const { cookies: set, status } = await host.ask(
    name,
    "/_octavo/sign-in",
    { "content-type": "application/x-www-form-urlencoded" },
    "POST",
    `password=${password}`,
  );
  expect(status).toBe(303);
  return set.map((cookie) => cookie.split(";")[0]!).join("; ");
}

beforeAll(async () => {
  const passwordHash = await hashPassword("open sesame");
  const settings = (groups: string[]) => ({ mode: "password" as const, passwordHash, groups });
  published = await host.directory.publish(site, sources(52), { signIn: settings([]), projectId: "p1" });
  await host.directory.publish(neighbor, sources(), { signIn: settings([]), projectId: "p2" });
  await host.listen();
  cookies.reader = await signIn(site, "open sesame");
  // The same password, but with different groups, as a different sign-in mode could return.
  for (const group of ["staff", "admin"] as const) {
    host.directory.change(site, { signIn: settings([group]) });
    const cookie = await signIn(site, "open sesame");
    cookies[group] = cookie;
  }
});

/**
 * Sends a request as this reader. Changes the settings of the site first, so that the session of the reader
 * is valid.
 */
async function askAs(
  who: keyof typeof cookies,
  target: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Reply> {
  const groups = who === "staff" || who === "admin" ? [who] : [];
  const known = host.directory.sites.get(site)!.signIn as { mode: "password"; passwordHash: string };
  host.directory.change(site, { signIn: { ...known, groups } });
  return host.ask(site, target, { ...(cookies[who] ? { cookie: cookies[who] } : {}), ...headers }, method);
}

const pathLike = (pattern: RegExp): string[] =>
  Object.keys(published.manifest.files).filter((path) => pattern.test(path));

describe("status of pages by reader", () => {
  const table: [target: string, anonymous: number, reader: number, staff: number, admin: number][] = [
    ["/", 200, 200, 200, 200],
    ["/inner/one", 302, 200, 200, 200],
    ["/changelog", 302, 200, 200, 200],
    ["/staff/one", 302, 404, 200, 404],
    ["/staff/two", 302, 404, 200, 200],
    ["/admin/one", 302, 404, 404, 200],
    ["/admin/none", 302, 404, 404, 404],
    ["/api-reference/opencall", 200, 200, 200, 200],
    ["/api-reference/innercall", 302, 200, 200, 200],
    ["/api-reference/staffcall", 302, 404, 200, 404],
    ["/api-reference/bothcall", 200, 200, 200, 200],
    ["/nothing", 302, 404, 404, 404],
    // A redirect to a page has the same access as the page.
    ["/old-open", 308, 308, 308, 308],
    ["/old-inner", 302, 308, 308, 308],
    ["/old-staff", 302, 404, 308, 404],
    ["/older-staff", 302, 404, 308, 404],
    ["/old/one", 302, 404, 308, 404],
    ["/old/nothing", 302, 404, 404, 404],
    ["/old-nobody", 302, 404, 404, 404],
    ["/old-staff.html", 302, 404, 308, 404],
    ["/old-elsewhere", 308, 308, 308, 308],
    // Other spellings of a page's URL have the same access as the page.
    ["/staff/one/", 302, 404, 308, 404],
    ["/staff/one.html", 302, 404, 308, 404],
    ["/nothing/", 302, 404, 404, 404],
  ];
  test.each(table)("%s", async (target, ...expected) => {
    for (const [index, who] of (["anonymous", "reader", "staff", "admin"] as const).entries()) {
      const got = await askAs(who, target, browser);
      expect([who, got.status]).toEqual([who, expected[index]]);
      const isPublic = expected[0]! < 302 || expected[0] === 308;
      expect(got.headers["cache-control"]).toBe(
        isPublic ? "public, max-age=0, must-revalidate" : "private, no-store",
      );
      if (got.status === 302)
        expect(got.headers.location).toBe(`/_octavo/sign-in?to=${encodeURIComponent(target)}`);
    }
  });

  test("a restricted page and a missing page have the same response", async () => {
    const shown = ({ status, headers, text }: Reply) => [status, { ...headers, date: "" }, text];
    for (const who of ["anonymous", "reader"] as const) {
      const strip = (reply: Reply) => ({ ...reply, headers: { ...reply.headers, location: "" } });
      expect(shown(strip(await askAs(who, "/admin/one", browser)))).toEqual(
        shown(strip(await askAs(who, "/nothing", browser))),
      );
    }
  });
});

test("the policy of a page contains only hosts of pages that its readers may read", async () => {
  const hosts = async (who: keyof typeof cookies, target: string) => {
    const { status, headers } = await askAs(who, target, browser);
    expect(status).toBe(200);
    return [...headers["content-security-policy"]!.matchAll(/(\w+)-images\.test/g)]
      .map(([, name]) => name)
      .sort();
  };
  expect(await hosts("anonymous", "/")).toEqual(["open"]);
  expect(await hosts("anonymous", "/_octavo/sign-in")).toEqual(["open"]);
  expect(await hosts("staff", "/")).toEqual(["open"]);
  expect(await hosts("reader", "/inner/one")).toEqual(["inner", "open"]);
  expect(await hosts("staff", "/staff/one")).toEqual(["inner", "open", "staff"]);
});

describe("the navigation of a public page for a signed-in reader", () => {
  const table = "/_octavo/navigation/all.json";

  test("the page names it, and is the same for everyone", async () => {
    const pages = await Promise.all(
      (["anonymous", "reader", "staff"] as const).map(async (who) => (await askAs(who, "/", browser)).text),
    );
    expect(new Set(pages).size).toBe(1);
    expect(pages[0]).toContain(`data-reader-navigation="${table}"`);
  });

  test("the response to readers who aren't signed in doesn't depend on whether there is a table", async () => {
    for (const target of [table, "/_octavo/navigation/9-9.json"]) {
      const { status, text, headers } = await askAs("anonymous", target);
      expect([status, text, headers["cache-control"]]).toEqual([204, "", "private, no-store"]);
    }
  });

  test.each([
    ["reader", ["Inner"], [words.staff, words.admin, words.nobody]],
    ["staff", ["Inner", `${words.staff} things`, `${words.staff}Two page`], [words.admin, words.nobody]],
    [
      "admin",
      ["Inner", `${words.admin} things`, `${words.staff}Two page`],
      [`${words.staff} page`, `${words.staff} live`, words.nobody],
    ],
  ] as const)("%s", async (who, there, notThere) => {
    const { status, text, headers } = await askAs(who, table);
    expect([status, headers["cache-control"]]).toEqual([200, "private, no-store"]);
    for (const word of [`${words.open} page`, ...there]) expect(text).toContain(word);
    for (const word of notThere) expect(text).not.toContain(word);
  });
});

describe("restricted content is not revealed", () => {
  /** The words of `words` that each reader may see on any page. */
  const allowedWords: Record<keyof typeof cookies, string[]> = {
    anonymous: [words.open],
    reader: [words.open, words.inner],
    staff: [words.open, words.inner, words.staff],
    admin: [words.open, words.inner, words.admin],
  };
  const calls: Record<keyof typeof cookies, string[]> = {
    anonymous: ["AnyCall", "OpenCall", "BothCall"],
    reader: ["AnyCall", "OpenCall", "BothCall", "InnerCall"],
    staff: ["AnyCall", "OpenCall", "BothCall", "InnerCall", "StaffCall"],
    admin: ["AnyCall", "OpenCall", "BothCall", "InnerCall"],
  };
  const allWords = [...Object.values(words), "OpenCall", "BothCall", "InnerCall", "StaffCall"];

  test.each(["anonymous", "reader", "staff", "admin"] as const)(
    "no file that %s may read contains restricted words",
    async (who) => {
      const allowed = [...allowedWords[who], ...calls[who]];
      // Titles of pages for several groups only appear on pages of these groups.
      const forbidden = allWords.filter(
        (word) => !allowed.includes(word) && !(who === "admin" && word === words.staff),
      );
      const found: string[] = [];
      let read = 0;
      for (const file of Object.keys(published.manifest.files)) {
        const address = `/${encodeURI(file.startsWith("_octavo/") ? file : file.replace(/(?:^|(?<=\/))index\.html$|\.html$/, ""))}`;
        for (const headers of [
          browser,
          { accept: "*/*" },
          { accept: "text/markdown" },
          { ...browser, range: "bytes=0-100000" },
        ] as Record<string, string>[]) {
          const got = await askAs(who, address, headers);
          if (got.status === 200 || got.status === 206) read++;
          for (const word of forbidden)
            if (got.text.includes(word)) found.push(`${word} at ${address} (${got.status})`);
          if (
            got.status < 300 &&
            !got.headers["cache-control"]!.startsWith("public") &&
            got.headers["cache-control"] !== "private, no-store"
          )
            found.push(`${address} may be cached: ${got.headers["cache-control"]}`);
        }
        const head = await askAs(who, address, browser, "HEAD");
        const get = await askAs(who, address, browser);
        if (head.status !== get.status || head.headers.etag !== get.headers.etag)
          found.push(`HEAD ${address} differs`);
      }
      expect(found).toEqual([]);
      expect(read).toBeGreaterThan(50);
    },
  );

  test("public files contain no titles of restricted pages", () => {
    const { files } = published.manifest;
    for (const path of [
      "sitemap.xml",
      "robots.txt",
      "llms.txt",
      "llms-full.txt",
      ".well-known/llms.txt",
      "404.html",
      "_octavo/pages.js",
    ])
      expect([path, files[path]!.access]).toEqual([path, "anyone"]);
    for (const path of [
      "_octavo/redirects.json",
      "_octavo/proxy.json",
      "_octavo/security.json",
      "_octavo/sign-in.html",
    ])
      expect([path, files[path]!.access]).toEqual([path, []]);
    expect(files["images/open.png"]!.access).toBe("anyone");
    expect(files["images/inner.png"]!.access).toBe("readers");
    expect(files["images/staff.png"]!.access).toEqual(["staff"]);
    expect(files["images/unshown.png"]).toBeUndefined();
    expect(files["changelog/rss.xml"]!.access).toBe("readers");
    expect(files["api.json"]!.access).toBe("readers");
    expect(files["partly.json"]!.access).toBe("readers");
    expect(files["admin/none.html"]).toBeUndefined();
    expect(pathLike(/^_octavo\/islands\//).map((path) => files[path]!.access)).toEqual([["staff"]]);
    expect(pathLike(/api-specs\.zip/)).toEqual([]);
  });

  test("shared schemas and parts of a document have the widest access of the pages that show them", () => {
    const { files } = published.manifest;
    const of = (pattern: RegExp) =>
      [...new Set(pathLike(pattern).map((path) => JSON.stringify(files[path]!.access)))].sort();
    expect(of(/^_octavo\/schemas\/StaffCall/)).toEqual(['["staff"]']);
    expect(of(/^_octavo\/schemas\/InnerCall/)).toEqual(['"readers"']);
    expect(of(/^_octavo\/schemas\/OpenCall/)).toEqual(['"anyone"']);
    expect(of(/^_octavo\/api\//)).toEqual(['"anyone"', '"readers"', '["staff"]']);
  });

  test("the navigation of a large section has a version for each audience", () => {
    const { files } = published.manifest;
    expect(pathLike(/^_octavo\/nav\/.*\.js$/).map((path) => files[path]!.access)).toContainEqual("readers");
  });

  test("restricted content is refused, also to clients that don't accept HTML", async () => {
    for (const target of [
      "/inner/one.md",
      "/images/inner.png",
      "/changelog/rss.xml",
      "/api.json",
      ...pathLike(/^_octavo\/api\//)
        .filter((path) => published.manifest.files[path]!.access !== "anyone")
        .map((path) => `/${path}`),
    ]) {
      const got = await askAs("anonymous", target, { accept: "*/*" });
      expect([target, got.status, got.headers["cache-control"]]).toEqual([target, 401, "no-store"]);
    }
  });

  test("a session is valid for one site only", async () => {
    const got = await host.ask(neighbor, "/inner/one", { ...browser, cookie: cookies.reader });
    expect(got.status).toBe(302);
  });

  test("a page for all readers has no links to pages of groups", async () => {
    const { text } = await askAs("reader", "/inner/one", browser);
    const rest = /src="(\/_octavo\/nav\/[^"]+)"/.exec(text)![1]!;
    const tree = (await askAs("reader", rest)).text;
    expect(tree).toMatch(`${words.open} page`);
    expect(text + tree).not.toMatch(words.staff);
    // The page lists it as a related page, but a link would reveal that it exists.
    expect(text).not.toMatch("staff/one");
  });

  test("only public pages have links to external assistants", async () => {
    expect((await askAs("anonymous", "/", browser)).text).toMatch("chatgpt.com");
    expect((await askAs("reader", "/inner/one", browser)).text).not.toMatch("chatgpt.com");
  });
});

describe("playgrounds", () => {
  const dataOf = (slug: string) => {
    const files = Object.keys(published.manifest.files);
    return async () => {
      const { text } = await askAs("staff", `/api-reference/${slug}`, browser);
      const operation = /"operation":"\/?(_octavo\/api\/[^"]+)"/.exec(text)?.[1];
      expect(files).toContain(operation);
      return operation!;
    };
  };
  const call = async (who: keyof typeof cookies, operation: string) =>
    askAs(
      who,
      "/_octavo/proxy",
      {
        origin: `http://${site}`,
        "sec-fetch-site": "same-origin",
        "octavo-operation": `/${operation}`,
        "octavo-target": "https://api.acme.test/",
        "octavo-method": "GET",
        "octavo-headers": Buffer.from("[]").toString("base64url"),
        "content-length": "0",
      },
      "POST",
    );

  test("playground: auth keeps a public page's playground for its group", async () => {
    const operation = await dataOf("bothcall")();
    expect(published.manifest.files[operation]!.access).toEqual(["staff"]);
    const { text } = await askAs("anonymous", "/api-reference/bothcall", browser);
    // The page is the same for all readers. Its script asks the server whether this reader may use the
    // playground.
    expect(text).toMatch(/o-try-it[^>]* hidden/);
    expect(text).toMatch('"signIn":"/_octavo/sign-in"');
    for (const [who, status] of [
      ["anonymous", 401],
      ["reader", 401],
      ["staff", 200],
    ] as const) {
      const got = await askAs(who, `/${operation}`, { accept: "*/*" });
      expect([who, got.status]).toEqual([who, who === "reader" ? 404 : status]);
      const asked = await askAs(who, "/_octavo/proxy", { "octavo-operation": `/${operation}` });
      const access = { anonymous: "sign-in", reader: "denied", staff: "allowed" }[who];
      expect([who, asked.headers["octavo-access"], asked.headers["cache-control"]]).toEqual([
        who,
        access,
        "no-store",
      ]);
    }
  });

  test("a call by a reader outside the group is refused before a request is sent", async () => {
    for (const slug of ["bothcall", "staffcall"]) {
      const operation = await dataOf(slug)();
      for (const who of ["anonymous", "reader", "admin"] as const) {
        const { status, text } = await call(who, operation);
        const refused = who === "anonymous" ? [401, "sign-in"] : [403, "access"];
        expect([slug, who, status, JSON.parse(text).code]).toEqual([slug, who, ...refused]);
      }
      const allowed = await call("staff", operation);
      expect(JSON.parse(allowed.text).code).not.toBe("access");
    }
  });

  test("a visitor can send 60 calls per minute through the site's server", async () => {
    const operation = await dataOf("staffcall")();
    const codes: string[] = [];
    let refused: Awaited<ReturnType<typeof call>> | undefined;
    for (let n = 0; n < 70 && !refused; n++) {
      const got = await call("staff", operation);
      codes.push(JSON.parse(got.text).code);
      if (got.status === 429) refused = got;
    }
    // The previous test has used some of the quota.
    expect(codes.length).toBeGreaterThan(50);
    expect(codes.length).toBeLessThanOrEqual(61);
    expect(codes.at(-1)).toBe("rate");
    expect(Number(refused?.headers["retry-after"])).toBeGreaterThan(0);
  });
});

describe("a site without sign-in", () => {
  test("redirects to pages of groups are not part of the export", async () => {
    const built = await buildSiteFrom(sources(), { kind: "cloud", links: "clean" });
    const { redirects } = JSON.parse(built.read("_octavo/redirects.json")) as {
      redirects: { source: string }[];
    };
    expect(redirects.map(({ source }) => source)).toEqual([
      "/old-open",
      "/old-inner",
      "/old/:page",
      "/old-elsewhere",
    ]);
    expect(built.paths.filter((path) => path.includes("old-staff"))).toEqual([]);
  });

  test("the export contains neither pages of groups nor content that only these pages show", async () => {
    const built = await buildSiteFrom(sources(), { kind: "cloud", links: "clean" });
    expect(built.paths.filter((path) => /^(?:staff|admin)\//.test(path))).toEqual([]);
    expect(built.paths).toContain("api.json");
    expect(built.paths).not.toContain("images/staff.png");
    expect(built.paths).not.toContain("images/unshown.png");
    expect(built.paths).toContain("partly.json");
    expect(built.paths.filter((path) => path.startsWith("_octavo/islands/"))).toEqual([]);
    for (const path of built.paths)
      for (const word of [words.staff, words.admin, words.nobody, "StaffCall"])
        expect(built.read(path).includes(word), `${word} in ${path}`).toBe(false);
    // On a site without sign-in, a playground for signed-in readers is disabled.
    expect(built.read("api-reference/bothcall.html")).not.toMatch("o-try-it");
    expect(built.read("api-reference/opencall.html")).toMatch("o-try-it");
  });
});

describe("the preview for the author", () => {
  test("shows and lists all pages, also those of groups", async () => {
    const built = await buildSiteFrom(sources(), { kind: "cloud", links: "clean", readers: "author" });
    for (const path of ["staff/one.html", "admin/none.html", "api.json", "api-reference/staffcall.html"])
      expect(built.paths).toContain(path);
    expect(built.read("index.html")).toMatch(`${words.staff} page`);
    expect(built.read("api-reference/bothcall.html")).not.toMatch('"signIn"');
  });
});

describe("parts of a document that name groups", () => {
  const restricted = { "x-platform": { groups: ["staff"] } };
  const document = {
    openapi: "3.1.0",
    info: { title: "API", version: "1" },
    servers: [{ url: "https://api.acme.test" }],
    paths: {
      "/x": {
        post: {
          summary: "Call",
          parameters: [{ name: "MedlarParameter", in: "query", schema: { type: "string" }, ...restricted }],
          requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Body" } } } },
          responses: { 200: { description: "Fine" } },
        },
      },
    },
    components: {
      schemas: {
        Body: {
          type: "object",
          required: ["name", "MedlarField"],
          properties: {
            name: { type: "string" },
            MedlarField: { type: "string", ...restricted },
            kind: {
              type: "string",
              enum: ["plain", "MedlarValue"],
              "x-mint-enum": { MedlarValue: ["staff"] },
            },
            either: {
              oneOf: [
                { type: "string" },
                { title: "MedlarVariant", type: "number", "x-mint": { groups: ["staff"] } },
              ],
            },
          },
        },
      },
    },
  };

  test.each(["anyone", "signed-in"] as const)(
    "are in no file that other readers may read: %s",
    async (readers) => {
      const files = siteOf(
        { "index.mdx": "Home.", "api.json": JSON.stringify(document) },
        {
          navigation: {
            groups: [
              { group: "A", pages: ["index"] },
              { group: "B", openapi: "api.json" },
            ],
          },
        },
      );
      const directory = useHost().directory;
      const { manifest } = await directory.publish(
        "x.test",
        files,
        readers === "anyone" ? {} : { signIn: { mode: "password", passwordHash: "" } },
      );
      expect(manifest.files["api.json"]?.access).toEqual(readers === "anyone" ? "anyone" : "readers");
      expect(manifest.files["api-reference/call.html"]).toBeDefined();
      const found = Object.entries(manifest.files).filter(([, { hash }]) =>
        directory.objects.get(fileKey(hash))!.includes("Medlar"),
      );
      expect(found.map(([path]) => path)).toEqual([]);
    },
  );
});

describe("invalid or conflicting restrictions give no additional access", () => {
  const accessOf = async (front: string, beside: Sources = {}) => {
    const directory = useHost().directory;
    const { manifest, problems } = await directory.publish(
      "x.test",
      siteOf({ "index.mdx": `---\n${front}\n---\n\nText.`, ...beside }),
      {
        signIn: { mode: "password", passwordHash: "" },
      },
    );
    return { access: manifest.files["index.html"]?.access, codes: problems.map(({ code }) => code) };
  };
  test.each([
    ["title: A", "readers", []],
    ["public: true", "anyone", []],
    ["public: false", signedInOnly, []],
    ["groups: staff", ["staff"], []],
    ["groups: [staff, 7]", ["staff", "7"], []],
    ["groups:\n  - includes: [staff, admin]", ["staff", "admin"], []],
    ["groups: [staff]\npublic: true", "anyone", []],
    ["groups: []", undefined, []],
    ["groups:\n  - includes: [staff]\n    excludes: [admin]", undefined, ["frontmatter-value"]],
    ["groups: { a: 1 }", undefined, ["frontmatter-value"]],
    ["groups: true", undefined, ["frontmatter-value"]],
    ['title: "broken\ngroups:\n  - staff', undefined, ["frontmatter-syntax"]],
  ])("%j", async (front, access, codes) => {
    expect(await accessOf(front)).toEqual({ access, codes });
  });

  test("a group of the navigation may be public, and a page in it may not", async () => {
    const files = siteOf(
      {
        "index.mdx": "Home.",
        "a.mdx": "A.",
        "b.mdx": "---\npublic: false\n---\n\nB.",
        "c.mdx": "---\ngroups: [staff]\n---\n\nC.",
      },
      {
        navigation: {
          groups: [
            { group: "Open", public: true, pages: ["a", "b", "c"] },
            { group: "Rest", pages: ["index"] },
          ],
        },
      },
    );
    const { manifest } = await useHost().directory.publish("x.test", files, {
      signIn: { mode: "password", passwordHash: "" },
    });
    expect(["index", "a", "b", "c"].map((name) => manifest.files[`${name}.html`]!.access)).toEqual([
      "readers",
      "anyone",
      signedInOnly,
      ["staff"],
    ]);
  });

  test("an author's page of an operation is for the operation's groups", async () => {
    const files = siteOf({
      "index.mdx": "Home.",
      "a.mdx": "---\nopenapi: GET /staff\n---\n",
      "api.json": JSON.stringify(api),
    });
    const { manifest } = await useHost().directory.publish("x.test", files, {
      signIn: { mode: "password", passwordHash: "" },
    });
    expect(manifest.files["a.html"]!.access).toEqual(["staff"]);
  });
});
