/**
 * Tests how pages and files are served: host names, spellings of paths, redirects, encodings, ranges and
 * headers.
 */

import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { buildSiteFrom, type Sources, siteOf } from "../../test/engine/build.ts";
import { browser, type Reply, useHost } from "../../test/host/host.ts";
import { contentSecurityPolicyOfFile } from "./security-headers.ts";

const host = useHost();
const acme = "docs.acme.test";
const other = "docs.other.test";
const preview = "preview-1.acme.test";

const pages = (word: string): Sources =>
  siteOf(
    {
      "index.mdx": `---\ntitle: Home of ${word}\n---\n\nToken of ${word}.\n\n![Picture](/images/pixel.png)`,
      "guide.mdx": `---\ntitle: Guide\n---\n\nToken of ${word}. ${"A sentence that makes the page longer. ".repeat(80)}`,
      "guides/first.mdx": `Token of ${word}.`,
      "names/café.mdx": `Token of ${word}.`,
      "images/pixel.png": Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10, 1, 2, 3, 4]),
      "images/evil.svg": `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><text>Token of ${word}</text></svg>`,
      "demo.html": `<!doctype html><script>document.title = "runs"</script>Token of ${word}`,
      "data.unknown": `Token of ${word}`,
      "notes.txt": `Token of ${word}`,
      "apis/open-api.json": JSON.stringify({
        openapi: "3.1.0",
        info: { title: word, version: "1" },
        paths: {},
      }),
      "odd:name.mdx": `Token of ${word}.`,
    },
    {
      name: word,
      errors: { 404: { redirect: false, title: "Nothing here" } },
      redirects: [
        { source: "/old", destination: "/guide" },
        { source: "/away", destination: "https://example.com/away", permanent: false },
        { source: "/x/:slug*", destination: "/:slug*" },
        { source: "/q/:slug*", destination: "/guide?from=:slug*" },
        { source: "/v/:version/p/:page", destination: "/guides/:page?v=:version" },
      ],
    },
  );

beforeAll(async () => {
  await host.directory.publish(acme, pages("Acme"));
  await host.directory.publish(other, pages("Other"));
  await host.directory.publish(preview, pages("Preview"), { isPreview: true });
  await host.listen();
});

describe("the host name determines the site", () => {
  const get = (target: string, ...lines: string[]) =>
    host.raw(`GET ${target} HTTP/1.1\r\n${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);

  test.each([
    ["in lower case", `Host: ${acme}`],
    ["in upper case", "Host: DOCS.ACME.TEST"],
    ["with a port", `Host: ${acme}:8443`],
    ["with a dot at its end", `Host: ${acme}.`],
    [
      "with forwarded names of another site",
      `Host: ${acme}\r\nX-Forwarded-Host: ${other}\r\nX-Original-URL: /old\r\nForwarded: host=${other}`,
    ],
  ])("%s", async (_, line) => {
    const { status, text } = await get("/", line);
    expect([status, text.includes("Token of Acme"), text.includes("Token of Other")]).toEqual([
      200,
      true,
      false,
    ]);
  });

  test.each([
    ["none", []],
    ["two", [`Host: ${acme}`, `Host: ${other}`]],
    ["two that are the same", [`Host: ${acme}`, `Host: ${acme}`]],
    ["a path", ["Host: a/../b@c"]],
    ["user and host", [`Host: me@${acme}`]],
    ["a space", [`Host: docs acme`]],
    ["a label too long", [`Host: ${"a".repeat(64)}.test`]],
    ["an empty label", ["Host: docs..acme.test"]],
  ])("400: %s", async (_, lines) => {
    const { status, text } = await get("/", ...lines);
    expect(status).toBe(400);
    expect(text).not.toMatch("Token of");
  });

  test.each([
    "localhost",
    "127.0.0.1",
    "[::1]",
    "evil.test",
    "xacme.test",
    "acme.test",
    "sub.docs.acme.test",
    "xn--dcs-fna.acme.test",
  ])("404: %s", async (name) => {
    const { status, text, headers } = await get("/", `Host: ${name}`);
    expect([status, text]).toEqual([404, "Site not found\n"]);
    expect(headers["cache-control"]).toBe("no-store");
  });

  test("an absolute target must have the same host", async () => {
    expect((await get(`http://${acme}/guide`, `Host: ${acme}`)).status).toBe(200);
    const foreign = await get(`http://${other}/guide`, `Host: ${acme}`);
    expect([foreign.status, foreign.text.includes("Token of")]).toEqual([400, false]);
  });
});

describe("only host and path of a request affect cached responses", () => {
  const variants: [string, Record<string, string>][] = [
    ...[
      "X-Forwarded-Scheme",
      "X-Forwarded-Proto",
      "X-Forwarded-Port",
      "X-Forwarded-Prefix",
      "X-Host",
      "X-Original-URL",
      "X-Rewrite-URL",
    ].map((name): [string, Record<string, string>] => ["/guide", { [name]: "poison.test/<script>" }]),
    ...["X-HTTP-Method-Override", "X-Method-Override", "X-HTTP-Method"].map(
      (name): [string, Record<string, string>] => ["/guide", { [name]: "POST" }],
    ),
    ...[
      "Origin",
      "Referer",
      "User-Agent",
      "Cookie",
      "Authorization",
      "Accept-Language",
      "X-Requested-With",
      "Purpose",
      "TE",
      "Via",
    ].map((name): [string, Record<string, string>] => ["/guide", { [name]: "poison" }]),
    ...[
      "utm_source=poison",
      "_rsc=poison",
      "x=%00",
      "a=b&a=c",
      "callback=poison",
      "%3Cscript%3E",
      "lang=de",
      "theme=dark",
      "_=1",
    ].map((query): [string, Record<string, string>] => [`/guide?${query}`, {}]),
    ...[
      "/guide/",
      "/guide.html",
      "/guide;x.css",
      "/guide%2f..%2f",
      "/guide%00",
      "/guide.css",
      "/guide/x.css",
      "/guide%3fx",
      "/guide%23x",
    ].map((target): [string, Record<string, string>] => [target, {}]),
    ["/guide", { range: "bytes=0-9" }],
    ["/guide", { range: "bytes=0-9,20-29" }],
    ["/guide", { range: "bytes=999999-" }],
    ["/guide", { accept: "text/markdown" }],
    ["/guide", { accept: "application/json" }],
    ["/guide", { "accept-encoding": "gzip" }],
    ["/guide", { "accept-encoding": "br" }],
    ["/guide", { "accept-encoding": "identity;q=0, *;q=0" }],
    ["/guide", { "if-none-match": "*" }],
    ["/guide", { "if-modified-since": "Fri, 01 Jan 2100 00:00:00 GMT" }],
    ["/guide", { "content-length": "6", "x-body": "fat" }],
    ["/nothing", { "x-forwarded-host": "poison.test" }],
  ];

  test(`${variants.length} variants`, async () => {
    expect(variants.length).toBeGreaterThanOrEqual(50);
    const clean = () => host.ask(acme, "/guide", browser);
    const first = await clean();
    const shown = ({ status, headers, body }: Reply) => [
      status,
      { ...headers, date: "" },
      body.toString("latin1"),
    ];
    for (const [target, headers] of variants) {
      const got = await host.ask(acme, target, headers, "GET", headers["x-body"] ? "poison" : "");
      const reflected = JSON.stringify({ ...got.headers, location: "" }) + got.text;
      expect(reflected, `${target} ${JSON.stringify(headers)}`).not.toMatch("poison");
      if (got.status >= 400) expect(got.headers["cache-control"], target).toMatch(/no-store|must-revalidate/);
      expect(shown(await clean()), `after ${target} ${JSON.stringify(headers)}`).toEqual(shown(first));
    }
  });
});

describe("one URL for each page", () => {
  const canonical = new Map([
    ["/guide", "Guide"],
    ["/names/caf%C3%A9", "Café"],
  ]);
  const spellings = [
    ...[
      "/..%2f..%2fetc/passwd",
      "/%2e%2e/",
      "/%2e%2e/%2e%2e/etc/passwd",
      "/%252e%252e/",
      "/%252e",
      "/..\\",
      "/..%5c..%5cetc/passwd",
    ],
    ...[
      "//",
      "//guide",
      "/./",
      "/./guide",
      "/guides/../guide",
      "/guides/./first",
      "/%00",
      "/guide%00",
      "/guide%00.png",
      "/images/evil.svg%00.png",
    ],
    ...[
      "/%c0%ae%c0%ae/",
      "/%c0%af",
      "/%e0%80%af",
      "/%ff",
      "/%",
      "/%2",
      "/%zz",
      "/guide%ff",
      "/%f0%80%80%af",
      "/%ed%a0%80",
    ],
    ...[
      "/guide;",
      "/guide;x",
      "/;/guide",
      "/guide;/..",
      "/guide.",
      "/guide..",
      "/guide%20",
      "/%20guide",
      "/guide%09",
      "/guide~",
      "/~guide",
    ],
    ...[
      "/GUIDE",
      "/Guide",
      "/gUIDE/",
      "/GUIDE.html",
      "/guide.HTML",
      "/guide.htm",
      "/guide.mdx",
      "/guide.txt",
      "/guide.md.md",
      "/guide.html.html",
    ],
    ...[
      "/names/cafe%CC%81",
      "/names/CAF%C3%89",
      "/names/caf%E9",
      "/names/café",
      "/names/cafe",
      "/names/caf%c3%a9/",
      "/names/caf%C3%A9.html",
    ],
    ...[
      "/guide/",
      "/guide//",
      "/guide.html",
      "/guide.html/",
      "/guide/index",
      "/guide/index.html",
      "/guide/.",
      "/guide/..",
      "/index",
      "/index.html",
      "/index/",
    ],
    ...[
      "/_octavo/redirects.json",
      "/_octavo/proxy.json",
      "/_octavo/security.json",
      "/_octavo/sign-in.html",
      "/_octavo/../guide",
      "/_octavo",
    ],
    ...[
      "/_octavo/",
      "/_octavo/sign-in",
      "/docs.json",
      "/.env",
      "/.git/config",
      "/package.json",
      "/404",
      "/404.html",
      "/404/",
      "/manifest.json",
    ],
    ...[
      "/guide%2F",
      "/guides%2ffirst",
      "/guides%2Ffirst",
      "/guides%5cfirst",
      "/guides/first/..%2f..%2fguide",
      "/%2fguide",
      "/%2f/evil.test",
    ],
    ...[
      "/x.png%2F..%2F..%2Fother/images/evil.svg",
      "/docs.other.test/images/evil.svg",
      "/..;/guide",
      "/guide/..;/",
      "/%u002e%u002e/",
      "/guide%0d%0aset-cookie:x=1",
    ],
    ...[
      `/${"a".repeat(7_000)}`,
      `/${"../".repeat(200)}etc/passwd`,
      `/${"%2e%2e/".repeat(100)}etc/passwd`,
      "/constructor",
      "/__proto__",
      "/toString",
      "/hasOwnProperty",
    ],
  ];

  test(`${spellings.length} spellings: one page, a way to it, or nothing`, async () => {
    expect(spellings.length).toBeGreaterThanOrEqual(100);
    const wrong: string[] = [];
    for (const spelling of spellings) {
      const { status, headers, text } = await host.ask(acme, spelling, browser);
      const leads = status === 308 && (headers.location === "/" || canonical.has(headers.location!));
      if (![400, 404].includes(status) && !leads)
        wrong.push(`${spelling.slice(0, 80)} → ${status} ${headers.location ?? ""}`);
      if (/root:|Token of/.test(text)) wrong.push(`${spelling.slice(0, 80)} shows a text`);
    }
    expect(wrong).toEqual([]);
  });

  test.each([...canonical])("%s is the canonical path", async (target, title) => {
    const { status, text } = await host.ask(acme, target, browser);
    expect([status, text.includes(`>${title}`)]).toEqual([200, true]);
  });

  test("the query is kept in the redirect to the canonical path", async () => {
    expect((await host.ask(acme, "/guide.html?a=1&b=%20", browser)).headers.location).toBe(
      "/guide?a=1&b=%20",
    );
  });

  test("413, 414, 431 for requests that are too large", async () => {
    expect((await host.ask(acme, `/${"a".repeat(9_000)}`, browser)).status).toBe(414);
    expect((await host.ask(acme, "/guide", { "x-long": "a".repeat(20_000) })).status).toBe(431);
  });

  test("405 with the allowed methods", async () => {
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"]) {
      const { status, headers } = await host.ask(acme, "/guide", {}, method);
      expect([method, status, headers.allow]).toEqual([method, 405, "GET, HEAD"]);
    }
  });
});

describe("redirects of a site", () => {
  const build = (redirects: unknown[]) =>
    buildSiteFrom(
      siteOf(
        {
          "index.mdx": "[Moved](/page#moved)",
          "page.mdx": "## Here",
          "guides/a.mdx": "## X",
          "unlisted.mdx": "U",
        },
        {
          navigation: { pages: ["index", "page", "guides/a"] },
          redirects,
        },
      ),
    );
  const codesOf = ({ problems }: Awaited<ReturnType<typeof build>>) =>
    problems.map(({ code, severity }) => `${severity} ${code}`);

  test("a fragment is redirected by the page's script, and the page is kept", async () => {
    const site = await build([
      { source: "/page#moved", destination: "/guides/a#x" },
      { source: "/page#also%20moved", destination: "https://example.com/" },
    ]);
    expect(codesOf(site)).toEqual(["warning redirect-source", "warning redirect-source"]);
    expect(site.read("page.html")).toMatch(
      /id="here"[\s\S]*id="oMoved">\{"#moved":"guides\/a\.html#x","#also%20moved":"https:\/\/example\.com\/"\}</,
    );
    expect(JSON.parse(site.read("_octavo/redirects.json")).redirects).toEqual([]);
  });

  test.each(["/page?a=1", "/page?a=1#x", "/gone#x", "/guides/:slug*#x"])(
    "%s has no effect",
    async (source) => {
      const site = await build([
        { source, destination: "/" },
        { source: "/page#moved", destination: "/" },
      ]);
      expect(codesOf(site)).toEqual(["warning redirect-source", "warning redirect-source"]);
      expect(site.read("page.html")).toContain('id="here"');
      expect(JSON.parse(site.read("_octavo/redirects.json")).redirects).toEqual([]);
    },
  );

  test.each([
    ["/page", "/guides/a", ["warning redirect-hides-page"]],
    ["/guides/:slug*", "/page", []],
    ["/unlisted", "/page", ["warning redirect-hides-page"]],
    ["/old", "/page", []],
  ])("%s → %s", async (source, destination, codes) => {
    expect(
      codesOf(await build([{ source, destination }])).filter((code) => !code.endsWith("dead-anchor")),
    ).toEqual(codes);
  });

  test("an invalid redirect has no effect on others", async () => {
    const site = await build([
      { source: "/a", destination: "javascript:alert(1)" },
      { source: "/a", destination: "/page" },
      { source: "/b" },
      { source: 7, destination: "/" },
      { source: "/page#moved", destination: "data:text/html,x" },
      { source: "/page#moved", destination: "/guides/a" },
    ]);
    expect(JSON.parse(site.read("_octavo/redirects.json")).redirects).toEqual([
      { source: "/a", destination: "/page", status: 308 },
    ]);
    expect(site.read("page.html")).toContain('{"#moved":"guides/a.html"}');
  });
});

describe("redirects lead only to their destination", () => {
  test.each([
    ["/old", 308, "/guide"],
    ["/old/", 308, "/guide"],
    ["/old?a=1", 308, "/guide?a=1"],
    ["/away", 307, "https://example.com/away"],
    ["/x/guides/first", 308, "/guides/first"],
    ["/x//evil.test", 308, "/evil.test"],
    ["/x///evil.test/a", 308, "/evil.test/a"],
    ["/x/https://evil.test", 308, "/https://evil.test"],
    ["/x/javascript:alert(1)", 308, "/javascript:alert(1)"],
    ["/q/a&b=c#d", 308, "/guide?from=a&b=c"],
    ["/q/%26b%3d%23", 308, "/guide?from=&b=%23"],
    ["/q/%C3%A9%20x", 308, "/guide?from=%C3%A9%20x"],
    ["/v/2/p/first", 308, "/guides/first?v=2"],
  ])("%s → %s %s", async (target, status, location) => {
    const got = await host.ask(acme, target, browser);
    expect([got.status, got.headers.location]).toEqual([status, location]);
  });

  test.each([
    ...[
      "//evil.test",
      "/\\evil.test",
      "\\\\evil.test",
      "https:/evil.test",
      "https:evil.test",
      "https://user@evil.test",
      "javascript:alert(1)",
    ],
    ...[
      "data:text/html,x",
      "https://:slug*",
      "https://:slug*.evil.test",
      "https://evil.test:slug*",
      "https://*",
      "/a\r\nSet-Cookie: x=1",
      "ftp://evil.test/",
    ],
  ])("an unsafe destination was rejected: %j", async (destination) => {
    const site = await buildSiteFrom(
      siteOf({ "index.mdx": "Text." }, { redirects: [{ source: "/a/:slug*", destination }] }),
    );
    expect(site.problems.map(({ code }) => code)).toContain("config-value");
    expect(JSON.parse(site.read("_octavo/redirects.json")).redirects).toEqual([]);
  });

  test.each([
    [["/a", "/a"]],
    [
      ["/a", "/b"],
      ["/b", "/a"],
    ],
    [["/:slug*", "/:slug*"]],
    [
      ["/a/:slug*", "/b/:slug*"],
      ["/b/:slug*", "/a/:slug*"],
    ],
    [["/a/:slug*", "/a/v2/:slug*"]],
  ])("a redirect loop is reported and removed: %j", async (...rules) => {
    const redirects = rules.map(([source, destination]) => ({ source, destination }));
    const site = await buildSiteFrom(siteOf({ "index.mdx": "Text." }, { redirects }));
    expect(site.problems.map(({ code }) => code)).toContain("redirect-loop");
    expect(JSON.parse(site.read("_octavo/redirects.json")).redirects).toEqual([]);
  });

  test("the time of a lookup doesn't depend on the number of redirects, and hardly on the length of the path", async () => {
    const { firstRedirect, openRedirects } = await import("../engine/site/navigation/redirects.ts");
    /**
     * Lookup time in the fastest of several rounds, so that other work on the machine doesn't affect the
     * result.
     */
    const lookup_ms = (sources: string[], paths: string[]) => {
      const table = openRedirects(sources.map((source) => ({ source, destination: "/:a", permanent: true })));
      const rounds = Array.from({ length: 100 }, () => {
        const began = performance.now();
        for (const path of paths) firstRedirect(path, table);
        return (performance.now() - began) / paths.length;
      });
      return Math.min(...rounds);
    };
    const many = Array.from(
      { length: 10_000 },
      (_, i) => [`/old/${i}`, `/f${i}/:a*`, `/f${i}/:a/b/:b*`, `/v${i}-*`][i % 4]!,
    );
    for (const path of [
      `/${"a".repeat(600)}`,
      "/f9997/x/y",
      "/f9998/x/b/y/z",
      "/old/9996",
      "/nothing",
      "/v9999-x",
    ])
      expect(lookup_ms(many, [path]), path).toBeLessThan(20 * lookup_ms(many.slice(-100), [path]));
    // Prefixes of many lengths.
    const lengths = Array.from({ length: 4_000 }, (_, i) => `/${"y".repeat(i)}:a*`);
    const long = `/${"z".repeat(8_000)}`;
    expect(lookup_ms(lengths.slice(1), [long])).toBeLessThan(20 * lookup_ms(lengths.slice(1, 2), [long]));
    // Three wildcards, and a path that almost matches them in many ways.
    const almost = (length: number) => lookup_ms(["/:a*x:b*x:c*xy"], [`/${"x".repeat(length)}`]);
    expect(almost(8_000)).toBeLessThan(32 * almost(1_000));
  });
});

describe("encodings and ranges of a file", () => {
  const etagOf = async (headers = {}) =>
    (await host.ask(acme, "/guide", { ...browser, ...headers })).headers.etag!;

  test("compressed as the client accepts it", async () => {
    const plain = await host.ask(acme, "/guide", browser);
    const forms = [
      ["br, gzip", "br", brotliDecompressSync],
      ["gzip", "gzip", gunzipSync],
      ["gzip;q=1, br;q=0.5", "gzip", gunzipSync],
      ["br;q=0, gzip;q=0.1", "gzip", gunzipSync],
      ["*", "br", brotliDecompressSync],
    ] as const;
    for (const [accept, encoding, unpack] of forms) {
      const got = await host.ask(acme, "/guide", { ...browser, "accept-encoding": accept });
      expect([accept, got.headers["content-encoding"]]).toEqual([accept, encoding]);
      expect(unpack(got.body).equals(plain.body)).toBe(true);
      expect(Number(got.headers["content-length"])).toBe(got.body.length);
    }
    for (const accept of ["", "identity", "zstd", "br;q=0, gzip;q=0", "identity;q=1, br;q=0.5"])
      expect(
        (await host.ask(acme, "/guide", { ...browser, "accept-encoding": accept })).headers[
          "content-encoding"
        ],
        accept,
      ).toBeUndefined();
    expect(plain.headers.vary).toBe("Accept, Accept-Encoding");
  });

  test("304 for a known file, by the ETag of the encoding", async () => {
    const etag = await etagOf();
    const packed = await etagOf({ "accept-encoding": "br" });
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(packed).not.toBe(etag);
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const got = await host.ask(acme, "/guide", { ...browser, "if-none-match": known });
      expect([known, got.status, got.body.length, got.headers.etag]).toEqual([known, 304, 0, etag]);
    }
    expect((await host.ask(acme, "/guide", { ...browser, "if-none-match": packed })).status).toBe(200);

    const asked = { ...browser, "accept-encoding": "br", "if-none-match": packed };
    const { status, headers } = await host.ask(acme, "/guide", asked);
    expect([status, headers["content-encoding"], headers["content-type"]]).toEqual([
      304,
      undefined,
      undefined,
    ]);
  });

  test("ranges", async () => {
    const { body } = await host.ask(acme, "/guide", browser);
    const { length } = body;
    const etag = await etagOf();
    const cases: [Record<string, string>, number, string | undefined, Buffer | undefined][] = [
      [{ range: "bytes=0-9" }, 206, `bytes 0-9/${length}`, body.subarray(0, 10)],
      [{ range: "bytes=10-" }, 206, `bytes 10-${length - 1}/${length}`, body.subarray(10)],
      [{ range: "bytes=-5" }, 206, `bytes ${length - 5}-${length - 1}/${length}`, body.subarray(length - 5)],
      [{ range: `bytes=0-${length * 2}` }, 206, `bytes 0-${length - 1}/${length}`, body],
      [{ range: `bytes=${length}-` }, 416, `bytes */${length}`, Buffer.alloc(0)],
      [{ range: "bytes=9-0" }, 200, undefined, body],
      [{ range: "bytes=0-1,5-6" }, 200, undefined, body],
      [{ range: "lines=0-1" }, 200, undefined, body],
      [{ range: "bytes=0-9", "accept-encoding": "br" }, 206, `bytes 0-9/${length}`, body.subarray(0, 10)],
      [{ range: "bytes=0-9", "if-range": etag }, 206, `bytes 0-9/${length}`, body.subarray(0, 10)],
      [{ range: "bytes=0-9", "if-range": '"other"' }, 200, undefined, body],
      [{ range: "bytes=0-9", "if-range": "Fri, 01 Jan 2100 00:00:00 GMT" }, 200, undefined, body],
    ];
    for (const [headers, status, contentRange, bytes] of cases) {
      const got = await host.ask(acme, "/guide", { ...browser, ...headers });
      expect([headers, got.status, got.headers["content-range"]]).toEqual([headers, status, contentRange]);
      expect(got.body.equals(bytes!), JSON.stringify(headers)).toBe(true);
    }
  });

  test("HEAD is GET without the body", async () => {
    for (const target of ["/", "/guide", "/guide.md", "/images/pixel.png", "/nothing"]) {
      const [head, get] = [
        await host.ask(acme, target, browser, "HEAD"),
        await host.ask(acme, target, browser),
      ];
      expect([target, head.body.length]).toEqual([target, 0]);
      expect({ ...head.headers, date: "" }).toEqual({ ...get.headers, date: "" });
    }
  });

  test("Markdown for clients that prefer text", async () => {
    const twin = (await host.ask(acme, "/guide.md")).text;
    expect(twin).toMatch(/^# Guide/);
    for (const accept of [
      "text/markdown",
      "text/plain",
      "text/markdown, text/html;q=0.5",
      "text/html;q=0.1, text/plain",
    ])
      expect((await host.ask(acme, "/guide", { accept })).text, accept).toBe(twin);
    for (const accept of ["text/html", "*/*", "text/html, text/markdown;q=0.9", "text/markdown;q=0"])
      expect((await host.ask(acme, "/guide", { accept })).headers["content-type"], accept).toMatch(
        "text/html",
      );
    expect((await host.ask(acme, "/", { accept: "text/markdown" })).text).toMatch("# Home of Acme");
  });

  test("repeated requests don't read from the store", async () => {
    await host.ask(acme, "/guides/first", browser);
    const before = host.directory.opened;
    for (let i = 0; i < 20; i++) await host.ask(acme, "/guides/first", browser);
    expect(host.directory.opened).toBe(before);
  });
});

describe("headers", () => {
  const everywhere = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin-allow-popups",
    "x-frame-options": "SAMEORIGIN",
  };
  const asset = async () =>
    /\/(_octavo\/octavo-\w+\.css)/.exec((await host.ask(acme, "/", browser)).text)![1]!;
  const pagePolicy =
    /^default-src 'none'; script-src 'self'(?: 'sha256-[\w+/]+='){3}; style-src 'self' 'unsafe-inline'; .*base-uri 'none'; form-action 'self'; object-src 'none'; frame-ancestors 'self'$/;
  const filePolicy = /^default-src 'none'; frame-ancestors 'self'$/;
  const revalidated = "public, max-age=0, must-revalidate";

  test.each([
    ["/", 200, "text/html; charset=utf-8", revalidated, pagePolicy],
    ["/guide", 200, "text/html; charset=utf-8", revalidated, pagePolicy],
    ["/guide.md", 200, "text/markdown; charset=utf-8", revalidated, filePolicy],
    ["/nothing", 404, "text/html; charset=utf-8", revalidated, pagePolicy],
    ["/nothing.png", 404, "text/html; charset=utf-8", revalidated, pagePolicy],
    [
      "/%00",
      400,
      "text/html; charset=utf-8",
      "no-store",
      /^default-src 'none'; img-src data:; form-action 'self'; style-src 'sha256-[^;]+; frame-ancestors 'none'/,
    ],
    ["/old", 308, undefined, revalidated, undefined],
    ["/guide/", 308, undefined, revalidated, undefined],
    ["/sitemap.xml", 200, "application/xml; charset=utf-8", revalidated, /sandbox$/],
    ["/robots.txt", 200, "text/plain; charset=utf-8", revalidated, filePolicy],
    ["/llms.txt", 200, "text/plain; charset=utf-8", revalidated, filePolicy],
    ["/llms-full.txt", 200, "text/plain; charset=utf-8", revalidated, filePolicy],
    ["/_octavo/pages.js", 200, "text/javascript; charset=utf-8", revalidated, filePolicy],
    [
      "/_octavo/favicon.svg",
      200,
      "image/svg+xml",
      revalidated,
      /^default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox$/,
    ],
    [
      "/images/evil.svg",
      200,
      "image/svg+xml",
      revalidated,
      /^default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox$/,
    ],
    ["/images/pixel.png", 200, "image/png", revalidated, filePolicy],
    [
      "/demo.html",
      200,
      "text/html; charset=utf-8",
      revalidated,
      /^sandbox allow-scripts allow-forms allow-popups allow-modals; frame-ancestors 'self'$/,
    ],
    ["/data.unknown", 200, "application/octet-stream", revalidated, filePolicy],
    ["/notes.txt", 200, "text/plain; charset=utf-8", revalidated, filePolicy],
    ["/_octavo/security.json", 404, "text/html; charset=utf-8", revalidated, pagePolicy],
  ])("%s → %s", async (target, status, type, caching, policy) => {
    const { headers, status: got } = await host.ask(acme, target, browser);
    expect(got).toBe(status);
    expect(headers).toMatchObject(everywhere);
    expect([headers["content-type"], headers["cache-control"]]).toEqual([type, caching]);
    if (policy) expect(headers["content-security-policy"]).toMatch(policy);
    expect(headers["content-security-policy"] ?? "").not.toMatch("unsafe-eval");
    for (const name of ["server", "x-powered-by", "set-cookie", "strict-transport-security", "x-robots-tag"])
      expect(headers[name], name).toBeUndefined();
  });

  test("an HTML file of an air-gapped site can't load from other hosts", () => {
    const options = { page: "", isHtmlFile: true, isAirGapped: true };
    expect(contentSecurityPolicyOfFile("demo.html", options)).toMatch(
      /^sandbox [^;]+; frame-ancestors 'self'; default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'$/,
    );
  });

  test("styles and scripts with a hash in their name are immutable", async () => {
    expect((await host.ask(acme, `/${await asset()}`)).headers["cache-control"]).toBe(
      "public, max-age=31536000, immutable",
    );
  });

  test("files of an unknown type are downloads", async () => {
    expect((await host.ask(acme, "/data.unknown")).headers["content-disposition"]).toBe(
      'attachment; filename="data.unknown"',
    );
  });

  test("an OpenAPI document is a download with its name", async () => {
    const { headers } = await host.ask(acme, "/apis/open-api.json");
    expect(headers["content-disposition"]).toBe('attachment; filename="open-api.json"');
    expect((await host.ask(acme, "/notes.txt")).headers["content-disposition"]).toBeUndefined();
  });

  test("previews have noindex", async () => {
    for (const target of ["/", "/guide.md", "/nothing", "/images/pixel.png"])
      expect((await host.ask(preview, target)).headers["x-robots-tag"]).toBe("noindex");
  });
});
