// Deploys a site repeatedly under load and checks every page view: all files must load and be from the same
// deployment, and never from an older deployment than the previous view. Exits with code 1 if a check fails.
//
//   node test/service/deploys-under-load.js [--deploys 100] [--rate 200]
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { values } = parseArgs({
  options: { deploys: { type: "string", default: "100" }, rate: { type: "string", default: "200" } },
});
const deploys = Number(values.deploys);
const rate = Number(values.rate);

const port = await freePort();
const data = mkdtempSync(path.join(tmpdir(), "octavo-load-"));
const token = randomBytes(20).toString("hex");
const service = spawn(process.execPath, [path.join(root, "bin/octavo.js"), "serve"], {
  env: {
    PATH: process.env.PATH,
    PORT: String(port),
    OCTAVO_DATA: data,
    OCTAVO_OPERATOR_TOKEN: token,
    OCTAVO_DOCS: "",
    OCTAVO_LOG_LEVEL: "warn",
  },
  stdio: ["ignore", "ignore", "inherit"],
});
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
let code = 1;
try {
  await until(async () => (await send("GET", "/readyz")).status === 200);
  code = await run();
} finally {
  agent.destroy();
  service.kill("SIGTERM");
  await new Promise((resolve) => service.once("exit", resolve));
  rmSync(data, { recursive: true, force: true });
}
process.exitCode = code;

async function run() {
  const operator = (target, body) => send("POST", `/operator/v1/${target}`, { key: token, json: body });
  const organization = (await operator("organizations", { name: "Load", plan: "enterprise" })).json;
  const project = (
    await operator(`organizations/${organization.id}/projects`, { name: "Load", subdomain: "load" })
  ).json;
  const { key } = (await operator(`organizations/${organization.id}/keys`, { name: "Load" })).json;
  const host = `load.localhost:${port}`;

  const deploy = async (number) => {
    const archive = await archiveOf(number);
    const started = await send("POST", `/v1/projects/${project.id}/deployments`, { key, gzip: archive });
    for (;;) {
      const { json } = await send("GET", `/v1/deployments/${started.json.id}`, { key });
      if (json.status === "failure") throw new Error(json.summary);
      if (json.status === "success") return;
      await wait(50);
    }
  };

  await deploy(0);
  await until(async () => (await send("GET", "/", { host })).text.includes("Version 0."));

  const seen = { views: 0, requests: 0, failed: 0, mixed: 0, older: 0, latest: 0 };
  const times_ms = [];
  const faults = [];
  const read = async (target) => {
    seen.requests++;
    const started = performance.now();
    const answer = await send("GET", target, { host }).catch((error) => ({ status: 0, text: error.message }));
    times_ms.push(performance.now() - started);
    if (answer.status === 200) return answer.text;
    seen.failed++;
    if (faults.length < 10) faults.push(`${target}: ${answer.status} ${answer.text.slice(0, 100)}`);
    return undefined;
  };
  /** Requests the page and then its style sheet, like browsers. */
  const view = async () => {
    const began = seen.latest;
    const html = await read("/");
    if (html === undefined) return;
    const version = Number(/Version (\d+)\./.exec(html)?.[1]);
    const sheet = /(_octavo\/site-[0-9a-f]{10}\.css)/.exec(html)?.[1];
    // Simulates readers that request the style sheet long after the site has switched to a new deployment.
    if (Math.random() < 0.1) await wait(Math.random() * 2_000);
    const css = await read(`/${sheet}`);
    seen.views++;
    if (css !== undefined && !css.toLowerCase().includes(colorOf(version))) seen.mixed++;
    if (version < began) seen.older++;
    seen.latest = Math.max(seen.latest, version);
  };

  let isOver = false;
  const views = new Set();
  const load = (async () => {
    const began = performance.now();
    // Each view sends two requests. Views start at fixed times, even if earlier views are late.
    for (let due = 0; !isOver; due += 2_000 / rate) {
      const early_ms = due - (performance.now() - began);
      if (early_ms > 0) await wait(early_ms);
      const one = view().finally(() => views.delete(one));
      views.add(one);
    }
    await Promise.all(views);
    return (performance.now() - began) / 1_000;
  })();
  const began = performance.now();
  for (let number = 1; number <= deploys; number++) await deploy(number);
  const deploying_s = (performance.now() - began) / 1_000;
  await until(async () => (await send("GET", "/", { host })).text.includes(`Version ${deploys}.`));
  isOver = true;
  const seconds = await load;
  times_ms.sort((a, b) => a - b);
  const result = {
    deploys,
    secondsPerDeploy: Number((deploying_s / deploys).toFixed(2)),
    requests: seen.requests,
    requestsPerSecond: Math.round(seen.requests / seconds),
    views: seen.views,
    failed: seen.failed,
    mixed: seen.mixed,
    older: seen.older,
    p50_ms: Number(times_ms[Math.floor(times_ms.length * 0.5)].toFixed(1)),
    p99_ms: Number(times_ms[Math.floor(times_ms.length * 0.99)].toFixed(1)),
    faults,
  };
  console.log(JSON.stringify(result));
  return seen.failed + seen.mixed + seen.older === 0 && seen.views > 0 ? 0 : 1;
}

/** Each deployment has a different color in its style sheet. */
function colorOf(number) {
  return `#${(0x0d0000 + number * 7).toString(16).padStart(6, "0")}`;
}

function archiveOf(number) {
  const pages = Array.from({ length: 10 }, (_, page) => `page-${page}`);
  const files = {
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "Load",
      colors: { primary: colorOf(number) },
      navigation: { pages: ["index", ...pages] },
    }),
    "index.mdx": `---\ntitle: Home\n---\n\nVersion ${number}.\n`,
    ...Object.fromEntries(
      pages.map((page) => [`${page}.mdx`, `---\ntitle: ${page}\n---\n\nText of version ${number}.\n`]),
    ),
  };
  const tar = pack();
  for (const [name, content] of Object.entries(files)) tar.entry({ name }, content);
  tar.finalize();
  return new Promise((resolve, reject) => {
    const chunks = [];
    tar.on("data", (chunk) => chunks.push(chunk));
    tar.on("end", () => resolve(gzipSync(Buffer.concat(chunks))));
    tar.on("error", reject);
  });
}

function send(method, target, { host = `localhost:${port}`, key, json, gzip } = {}) {
  const body = gzip ?? (json === undefined ? undefined : JSON.stringify(json));
  const headers = {
    host,
    ...(key ? { authorization: `Bearer ${key}` } : {}),
    ...(body === undefined
      ? {}
      : {
          "content-type": gzip ? "application/gzip" : "application/json",
          "content-length": Buffer.byteLength(body),
        }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: "127.0.0.1", port, path: target, method, headers, agent },
      (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = /json/.test(response.headers["content-type"] ?? "");
          resolve({ status: response.statusCode, text, json: isJson ? JSON.parse(text) : undefined });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

async function until(holds, atMost_ms = 60_000) {
  const started = performance.now();
  while (!(await holds().catch(() => false))) {
    if (performance.now() - started > atMost_ms)
      throw new Error(`The condition wasn't met within ${atMost_ms / 1_000} seconds`);
    await wait(50);
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
