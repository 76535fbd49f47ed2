/**
 * A bundle on the web servers that people have, by the configuration that our documentation gives: at the root of a host and
 * below a path. A server that is not installed is left out, and said.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../service/postgres.ts";

const page = readFileSync("docs/self-host/any-host.mdx", "utf8");

/** The blocks of the documentation, in their order. */
function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}[^\\n]*\\n(.*?)^\`\`\`$`, "gms"))].map(([, text]) => text!);
}

let work: string;
let site: string;
/** Addresses of the sitemap, as paths. */
let listed: string[];

beforeAll(() => {
  work = mkdtempSync(path.join(tmpdir(), "octavo-hosts-"));
  const archive = path.join(work, "bundle.tar.gz");
  execFileSync(
    process.execPath,
    ["bin/octavo.js", "export", "docs", "--output", archive, "--url", "https://docs.example.com", "--kind", "client-hosted"],
    {
      stdio: "pipe",
    },
  );
  site = path.join(work, "site");
  mkdirSync(site);
  execFileSync("tar", ["-xzf", archive, "-C", site]);
  // nginx and Apache may give up their rights and read as somebody else.
  execFileSync("chmod", ["-R", "a+rX", work]);
  listed = [...readFileSync(path.join(site, "sitemap.xml"), "utf8").matchAll(/<loc>https:\/\/docs\.example\.com(\/?[^<]*)<\/loc>/g)].map(
    ([, at]) => at || "/",
  );
}, 120_000);

afterAll(() => rmSync(work, { recursive: true, force: true }));

interface Host {
  name: string;
  program: string;
  /** Knows addresses without `.html`. */
  isClean: boolean;
  /** Below which the site lies. */
  base: string;
  start(port: number): ChildProcess;
}

const quiet = { stdio: "ignore" } as const;

const hosts: Host[] = [
  { name: "nginx", program: "/usr/sbin/nginx", isClean: true, base: "", start: (port) => nginx(port, blocks("nginx")[0]!) },
  {
    name: "nginx, below a path",
    program: "/usr/sbin/nginx",
    isClean: true,
    base: "/handbook",
    start: (port) => nginx(port, `server { listen 80; error_page 404 /handbook/404.html; ${blocks("nginx")[1]!} }`),
  },
  { name: "Apache", program: "/usr/sbin/apache2", isClean: true, base: "", start: (port) => apache(port, "") },
  {
    name: "Apache, below a path",
    program: "/usr/sbin/apache2",
    isClean: true,
    base: "/handbook",
    start: (port) => apache(port, "/handbook"),
  },
  {
    name: "Python",
    program: "python3",
    isClean: false,
    base: "",
    start: (port) => spawn("python3", ["-m", "http.server", String(port), "--bind", "127.0.0.1", "--directory", site], quiet),
  },
  {
    name: "Python, below a path",
    program: "python3",
    isClean: false,
    base: "/a/b",
    start: (port) => {
      cpSync(site, path.join(work, "below/a/b"), { recursive: true });
      return spawn("python3", ["-m", "http.server", String(port), "--bind", "127.0.0.1", "--directory", path.join(work, "below")], quiet);
    },
  },
];

function nginx(port: number, server: string): ChildProcess {
  const folder = mkdtempSync(path.join(work, "nginx-"));
  const placed = server.replaceAll("/srv/docs", site).replace("listen 80", `listen 127.0.0.1:${port}`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join("\n");
  writeFileSync(
    path.join(folder, "nginx.conf"),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;\nevents {}\nhttp {\ninclude /etc/nginx/mime.types; access_log off;\n${temporary}\n${placed}\n}\n`,
  );
  return spawn("/usr/sbin/nginx", ["-c", path.join(folder, "nginx.conf"), "-p", folder], quiet);
}

function apache(port: number, base: string): ChildProcess {
  const folder = mkdtempSync(path.join(work, "apache-"));
  const root = path.join(folder, "root");
  mkdirSync(root);
  const at = path.join(root, base);
  cpSync(site, at, { recursive: true });
  writeFileSync(path.join(at, ".htaccess"), blocks("apache")[0]!.replace(" /404.html", ` ${base}/404.html`));
  execFileSync("chmod", ["-R", "a+rX", folder]);
  const modules = ["mpm_event", "authz_core", "dir", "mime", "rewrite"].map(
    (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
  );
  writeFileSync(
    path.join(folder, "apache.conf"),
    `${modules.join("\n")}\nServerName localhost\nServerRoot ${folder}\nPidFile ${folder}/pid\nListen 127.0.0.1:${port}\nErrorLog ${folder}/error.log\nUser www-data\nGroup www-data\nTypesConfig /etc/mime.types\nDocumentRoot ${root}\n<Directory ${root}>\nAllowOverride All\nRequire all granted\n</Directory>\n`,
  );
  return spawn("/usr/sbin/apache2", ["-f", path.join(folder, "apache.conf"), "-DFOREGROUND"], quiet);
}

const isThere = ({ program }: Host) => (program.startsWith("/") ? existsSync(program) : spawnSync(program, ["--version"]).status === 0);

for (const host of hosts) if (!isThere(host)) console.error(`${host.name} is not tried: ${host.program} is not installed.`);

describe.each(hosts.filter(isThere).map((host) => [host.name, host] as const))("%s", (_name, host) => {
  let server: ChildProcess;
  let origin: string;

  beforeAll(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    server = host.start(port);
    await expect.poll(() => statusOf(`${host.base}/index.html`).catch(() => 0), { timeout: 20_000 }).toBe(200);
  }, 60_000);
  afterAll(() => void server.kill());

  const statusOf = async (at: string) => {
    const answer = await fetch(origin + at, { redirect: "follow" });
    await answer.arrayBuffer();
    return answer.status;
  };

  test("every page of the sitemap", async () => {
    expect(listed.length).toBeGreaterThan(100);
    const wrong: string[] = [];
    for (const at of listed) {
      const file = at === "/" ? "/index.html" : existsSync(path.join(site, `${at}.html`)) ? `${at}.html` : `${at}/index.html`;
      if ((await statusOf(host.base + file)) !== 200) wrong.push(file);
      if (host.isClean && (await statusOf(host.base + at)) !== 200) wrong.push(at);
    }
    expect(wrong).toEqual([]);
  });

  test("every link in every page", async () => {
    const asked = new Map<string, Promise<number>>();
    const dead: string[] = [];
    for (const name of readdirSync(site, { recursive: true }) as string[]) {
      if (!name.endsWith(".html") || name === "404.html") continue;
      const html = readFileSync(path.join(site, name), "utf8");
      for (const [, link] of html.matchAll(/<(?:a|link|script|img)\b[^>]*?\s(?:href|src)="([^"#]+)[^"]*"/g)) {
        if (/^(?:[a-z]+:|\/\/)/i.test(link!)) continue;
        const { pathname } = new URL(link!.replaceAll("&amp;", "&"), `${origin}${host.base}/${name}`);
        let status = asked.get(pathname);
        if (!status) asked.set(pathname, (status = statusOf(pathname)));
        if ((await status) !== 200) dead.push(`${name} → ${link}`);
      }
    }
    expect([...new Set(dead)].slice(0, 10)).toEqual([]);
  });

  test("an unknown address is not found, and where the host can say so, by the site's own page", async () => {
    const answer = await fetch(`${origin}${host.base}/no/such/page`);
    expect(answer.status).toBe(404);
    const text = await answer.text();
    if (host.isClean) expect(text).toContain("This page does not exist");
  });
});
