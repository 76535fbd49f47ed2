/**
 * Bundles on common web servers with the configuration in our documentation, at the root of a host and below
 * a path. Servers that aren't installed are skipped with a message.
 */

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { PutBucketAclCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../test/service/postgres.ts";
import { missingSwift, startSwift } from "../../test/shared/swift.js";
import { typeOf } from "../host/content-type.ts";

const page = readFileSync("docs/self-host/static-hosting.mdx", "utf8");

/** Code blocks of `page` in a language, in order. */
function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}[^\\n]*\\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, text]) => text!,
  );
}

const work = mkdtempSync(path.join(tmpdir(), "octavo-hosts-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** Our documentation, with redirects. */
function writeDocs(): string {
  const docs = path.join(work, "docs");
  cpSync("docs", docs, { recursive: true });
  const file = path.join(docs, "docs.json");
  const redirects = [
    { source: "/begin", destination: "/quickstart" },
    { source: "/old/begin", destination: "/write/pages" },
  ];
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), redirects }));
  return docs;
}

/** Folder with an unpacked bundle for a base path. */
function unpackedFor(base: string): string {
  const folder = path.join(work, `site${base.replaceAll("/", "-")}`);
  if (existsSync(folder)) return folder;
  const docs = existsSync(path.join(work, "docs")) ? path.join(work, "docs") : writeDocs();
  const archive = `${folder}.tar.gz`;
  const words = [
    "export",
    docs,
    "--output",
    archive,
    "--url",
    `https://docs.example.com${base}`,
    "--kind",
    "client-hosted",
  ];
  execFileSync(process.execPath, ["bin/octavo.js", ...words], { stdio: "pipe" });
  mkdirSync(folder);
  execFileSync("tar", ["-xzf", archive, "-C", folder]);
  // nginx and Apache may switch to another user.
  execFileSync("chmod", ["-R", "a+rX", work]);
  return folder;
}

/** Paths in the sitemap. */
function listedIn(site: string): string[] {
  const text = readFileSync(path.join(site, "sitemap.xml"), "utf8");
  return [...text.matchAll(/<loc>https:\/\/docs\.example\.com(\/?[^<]*)<\/loc>/g)].map(([, at]) => at || "/");
}

interface Running {
  origin: string;
  stop(): unknown;
}

interface Host {
  name: string;
  /** Why the server isn't available. Undefined if it is. */
  missing: string | undefined;
  /** Serves URLs without `.html`. */
  isClean: boolean;
  /** Sends `Cache-Control`. */
  hasCaching: boolean;
  /** Base path of the site. */
  base: string;
  start(site: string): Promise<Running>;
}

const quiet = { stdio: "ignore" } as const;
const isThere = (program: string) =>
  (program.startsWith("/") ? existsSync(program) : spawnSync(program, ["--version"]).status === 0)
    ? undefined
    : `${program} is not installed`;

const nginxHost = { missing: isThere("/usr/sbin/nginx"), isClean: true, hasCaching: true };
const apacheHost = { missing: isThere("/usr/sbin/apache2"), isClean: true, hasCaching: true };
const plainHost = { isClean: false, hasCaching: false };

const hosts: Host[] = [
  { name: "nginx", ...nginxHost, base: "", start: (site) => nginx(site, blocks("nginx")[0]!) },
  {
    name: "nginx, below a path",
    ...nginxHost,
    base: "/handbook",
    start: (site) => nginx(site, blocks("nginx")[1]!),
  },
  { name: "Apache", ...apacheHost, base: "", start: (site) => apache(site, "") },
  {
    name: "Apache, below a path",
    ...apacheHost,
    base: "/handbook",
    start: (site) => apache(site, "/handbook"),
  },
  { name: "Python", missing: isThere("python3"), ...plainHost, base: "", start: (site) => python(site) },
  {
    name: "Python, below a path",
    missing: isThere("python3"),
    ...plainHost,
    base: "/a/b",
    start: (site) => {
      cpSync(site, path.join(work, "below/a/b"), { recursive: true });
      return python(path.join(work, "below"));
    },
  },
  // The base path is that of the public bucket in this store.
  { name: "an S3 store", missing: missingSwift(), ...plainHost, base: "/v1/AUTH_test/docs", start: s3 },
  {
    name: "a CDN with the function of the docs",
    missing: undefined,
    ...plainHost,
    isClean: true,
    base: "",
    start: cdn,
  },
];

async function started(start: (port: number) => ChildProcess): Promise<Running> {
  const port = await freePort();
  const child = start(port);
  return { origin: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

function nginx(site: string, server: string): Promise<Running> {
  const folder = mkdtempSync(path.join(work, "nginx-"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join("\n");
  return started((port) => {
    const placed = server.replaceAll("/srv/docs", site).replace("listen 80", `listen 127.0.0.1:${port}`);
    writeFileSync(
      path.join(folder, "nginx.conf"),
      `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;\nevents {}\nhttp {\ninclude /etc/nginx/mime.types; access_log off;\n${temporary}\n${placed}\n}\n`,
    );
    return spawn("/usr/sbin/nginx", ["-c", path.join(folder, "nginx.conf"), "-p", folder], quiet);
  });
}

function apache(site: string, base: string): Promise<Running> {
  const folder = mkdtempSync(path.join(work, "apache-"));
  const root = path.join(folder, "root");
  mkdirSync(root);
  const at = path.join(root, base);
  cpSync(site, at, { recursive: true });
  writeFileSync(path.join(at, ".htaccess"), blocks("apache")[0]!.replace(" /404.html", ` ${base}/404.html`));
  execFileSync("chmod", ["-R", "a+rX", folder]);
  const modules = ["mpm_event", "authz_core", "dir", "mime", "rewrite", "headers"].map(
    (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
  );
  return started((port) => {
    writeFileSync(
      path.join(folder, "apache.conf"),
      `${modules.join("\n")}\nServerName localhost\nServerRoot ${folder}\nPidFile ${folder}/pid\nListen 127.0.0.1:${port}\nErrorLog ${folder}/error.log\nUser www-data\nGroup www-data\nTypesConfig /etc/mime.types\nDocumentRoot ${root}\n<Directory ${root}>\nAllowOverride All\nRequire all granted\n</Directory>\n`,
    );
    return spawn("/usr/sbin/apache2", ["-f", path.join(folder, "apache.conf"), "-DFOREGROUND"], quiet);
  });
}

function python(folder: string): Promise<Running> {
  return started((port) =>
    spawn(
      "python3",
      ["-m", "http.server", String(port), "--bind", "127.0.0.1", "--directory", folder],
      quiet,
    ),
  );
}

/** OpenStack Swift with a public bucket, uploaded to with the S3 API. */
async function s3(site: string): Promise<Running> {
  const swift = await startSwift();
  await swift.createBucket("docs");
  const credentials = {
    accessKeyId: swift.env.AWS_ACCESS_KEY_ID,
    secretAccessKey: swift.env.AWS_SECRET_ACCESS_KEY,
  };
  const client = new S3Client({
    endpoint: swift.endpoint,
    forcePathStyle: true,
    region: "us-east-1",
    credentials,
    maxAttempts: 10,
  });
  for (const key of filesOf(site))
    await client.send(
      new PutObjectCommand({
        Bucket: "docs",
        Key: key,
        Body: readFileSync(path.join(site, key)),
        ContentType: typeOf(key),
      }),
    );
  await client.send(new PutBucketAclCommand({ Bucket: "docs", ACL: "public-read" }));
  client.destroy();
  return { origin: swift.endpoint, stop: () => swift.stop() };
}

/** A CDN: rewrites URLs with the function in the docs and serves a folder. */
function cdn(site: string): Promise<Running> {
  const handler = new Function(`${blocks("js")[0]!}; return handler`)() as (event: object) => { uri: string };
  const server = createServer((request, response) => {
    const file = path.join(site, decodeURI(handler({ request: { uri: request.url! } }).uri));
    const found = existsSync(file);
    response.writeHead(found ? 200 : 404, { "content-type": found ? typeOf(file) : "text/html" });
    response.end(readFileSync(found ? file : path.join(site, "404.html")));
  });
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () =>
      resolve({
        origin: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
        stop: () => server.close(),
      }),
    ),
  );
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

for (const { name, missing } of hosts) if (missing) console.error(`${name} is not tried: ${missing}.`);

describe.each(hosts.filter(({ missing }) => !missing).map((host) => [host.name, host] as const))(
  "%s",
  (_name, host) => {
    const { base } = host;
    let site: string;
    let origin: string;
    let running: Running;

    beforeAll(async () => {
      site = unpackedFor(base);
      running = await host.start(site);
      origin = running.origin;
      for (let tries = 0; (await statusOf(`${base}/index.html`).catch(() => 0)) !== 200; tries++) {
        if (tries > 200) throw new Error(`${host.name} does not answer`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    });
    afterAll(() => running?.stop());

    const statusOf = async (at: string) => {
      const answer = await fetch(origin + at);
      await answer.arrayBuffer();
      return answer.status;
    };

    /** Internal links of the page at `at`. */
    const linksIn = (html: string, at: string) =>
      [
        ...html.matchAll(/<(?:a|link|script|img|source|video|iframe)\b[^>]*?\s(?:href|src)="([^"#]+)[^"]*"/g),
      ].flatMap(([, link]) =>
        /^(?:[a-z]+:|\/\/)/i.test(link!)
          ? []
          : [new URL(link!.replaceAll("&amp;", "&"), origin + at).pathname],
      );

    test("serves every page of the sitemap", async () => {
      const listed = listedIn(site);
      expect(listed.length).toBeGreaterThan(100);
      const wrong: string[] = [];
      for (const at of listed) {
        const route = at.slice(base.length).replace(/^\/$/, "") || "/index";
        if ((await statusOf(`${base}${route}.html`)) !== 200) wrong.push(`${route}.html`);
        if (host.isClean && (await statusOf(at)) !== 200) wrong.push(at);
      }
      expect(wrong).toEqual([]);
    });

    test("every link in every page has a target", { timeout: 120_000 }, async () => {
      const asked = new Map<string, number>();
      const dead: string[] = [];
      for (const name of filesOf(site)) {
        if (!name.endsWith(".html")) continue;
        for (const link of linksIn(readFileSync(path.join(site, name), "utf8"), `${base}/${name}`)) {
          if (!asked.has(link)) asked.set(link, await statusOf(link));
          if (asked.get(link) !== 200) dead.push(`${name} → ${link}`);
        }
      }
      expect(asked.size).toBeGreaterThan(300);
      expect([...new Set(dead)]).toEqual([]);
    });

    test.runIf(host.isClean)("links on pages with clean URLs have a target", async () => {
      const dead: string[] = [];
      for (const at of listedIn(site).slice(0, 40)) {
        const answer = await fetch(origin + at);
        for (const link of linksIn(await answer.text(), new URL(answer.url).pathname))
          if ((await statusOf(link)) !== 200) dead.push(`${at} → ${link}`);
      }
      expect([...new Set(dead)]).toEqual([]);
    });

    test.runIf(host.hasCaching)(
      "a clean URL with a trailing slash redirects to the one without",
      async () => {
        // A page with a folder of the same name, and one without.
        for (const at of ["/service", "/self-host/deployment-types"]) {
          const answer = await fetch(`${origin}${base}${at}/`);
          expect([answer.status, new URL(answer.url).pathname]).toEqual([200, base + at]);
        }
      },
    );

    test("an unknown URL is not found, with the site's own 404 page where the host supports it", async () => {
      const answer = await fetch(`${origin}${base}/no/such/page`);
      expect(answer.status).toBe(404);
      const text = await answer.text();
      if (!host.isClean) return;
      expect(text).toContain("Page not found");
      const links = linksIn(text, `${base}/no/such/page`);
      expect(links.length).toBeGreaterThan(10);
      for (const link of links) expect([link, await statusOf(link)]).toEqual([link, 200]);
    });

    test("redirects work", async () => {
      for (const [from, to] of [
        ["/begin", "/quickstart.html"],
        ["/old/begin", "/write/pages.html"],
      ]) {
        const at = `${base}${from}${host.isClean ? "" : ".html"}`;
        const stub = await (await fetch(origin + at)).text();
        const next = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(stub)?.[1];
        expect(new URL(next!, origin + at).pathname).toBe(base + to);
        expect(await statusOf(base + to)).toBe(200);
      }
    });

    test("files have the right content type", async () => {
      const types: Record<string, RegExp> = {
        "index.html": /^text\/html/,
        "octavo.config.js": /^(?:text|application)\/javascript/,
        "_octavo/favicon.svg": /^image\/svg/,
      };
      for (const name of filesOf(site)) if (/^_octavo\/site-.*css$/.test(name)) types[name] = /^text\/css/;
      for (const [name, type] of Object.entries(types)) {
        if (!existsSync(path.join(site, name))) continue;
        expect((await fetch(`${origin}${base}/${name}`)).headers.get("content-type")).toMatch(type);
      }
    });

    test.runIf(host.hasCaching)(
      "files with a hash in their name are cached permanently, and pages are revalidated",
      async () => {
        const kept = filesOf(site).find((name) => /^_octavo\/page-[0-9a-f]{10}\.js$/.test(name))!;
        const cachingOf = async (name: string) =>
          (await fetch(`${origin}${base}/${name}`)).headers.get("cache-control");
        expect(await cachingOf(kept)).toBe("public, max-age=31536000, immutable");
        expect(await cachingOf("index.html")).toBe("public, max-age=0, must-revalidate");
        expect(await cachingOf("quickstart")).toBe("public, max-age=0, must-revalidate");
      },
    );
  },
);
