/**
 * npm run bench -- --serve [--rounds 3] CPU per request and response times of a hosted site, the same bytes and
 * headers from a plain Node server, and, if they are installed, Caddy and nginx with the exported files. The
 * servers take turns.
 */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { freePort } from "../test/service/postgres.ts";
import { newOrganization, send, startService } from "../test/service/service.ts";
import { until } from "../test/service/until.ts";
import { closedLoop } from "./closed-loop.ts";
import { page, routeOf } from "./corpus.ts";
import { deploy } from "./deploy.ts";
import { startPlainServer } from "./plain-server.ts";
import { median } from "./workspace.ts";

const pages_count = 300;
const requests_count = 20_000;
const ticksPerSecond = 100;

interface Server {
  name: string;
  port: number;
  pids: number[];
  host: string;
  stop(): void;
}

interface Kind {
  name: string;
  targets: string[];
  headers(etag: string): string[];
}

const gzip = () => ["Accept-Encoding: gzip"];
const kinds: Kind[] = [
  { name: "a page with gzip", targets: [`/${routeOf(7)}`], headers: gzip },
  {
    name: "a page that is unchanged (304)",
    targets: [`/${routeOf(7)}`],
    headers: (etag) => [...gzip(), `If-None-Match: ${etag}`],
  },
  {
    name: "300 pages in turn",
    targets: Array.from({ length: pages_count }, (_, i) => `/${routeOf(i)}`),
    headers: gzip,
  },
  { name: "a missing page", targets: ["/nothing.png"], headers: gzip },
];

/** CPU time of the processes in milliseconds, user and system. */
function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return sum + ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond;
  }, 0);
}

export async function benchServing(rounds: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-serving-"));
  const service = await startService();
  const servers: Server[] = [];
  try {
    const organization = await newOrganization(service);
    const host = `${organization.subdomain}.localhost`;
    const sources = Array.from({ length: pages_count }, (_, i) => [
      `${routeOf(i)}.mdx`,
      page(i, pages_count, "octavo"),
    ]);
    await deploy(organization, Object.fromEntries(sources));
    servers.push({ name: "Octavo", port: service.port, pids: [service.process.pid!], host, stop: () => {} });

    const files: Record<string, Buffer> = {};
    for (const target of kinds[2]!.targets)
      files[target] = (await send({ port: service.port, path: target, host })).body;
    servers.push(await plainServerOf(service.port, host));
    servers.push(...(await peersOf(folder, files)));

    console.log("| | server | CPU per request in µs | to the plain server | p50 ms | p99 ms | statuses |");
    console.log("| --- | --- | --- | --- | --- | --- | --- |");
    for (const connections of [1, 32])
      for (const kind of kinds) await compare(kind, servers, connections, rounds);
  } finally {
    for (const server of servers) server.stop();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(kind: Kind, servers: Server[], connections: number, rounds: number): Promise<void> {
  const rows = new Map(
    servers.map((server) => [
      server,
      { cpu: [] as number[], p50: [] as number[], p99: [] as number[], statuses: "" },
    ]),
  );
  for (let round = 0; round <= rounds; round++)
    for (const [server, row] of rows) {
      const etag = await etagOf(server, kind.targets[0]!);
      const texts = kind.targets.map((target) =>
        [
          `GET ${target} HTTP/1.1`,
          `Host: ${server.host}:${server.port}`,
          "Accept: text/html",
          ...kind.headers(etag),
          "",
          "",
        ].join("\r\n"),
      );
      const requests = connections === 1 ? requests_count / 4 : requests_count;
      const before = cpuOf(server.pids);
      const { times_ms, statuses } = await closedLoop({ port: server.port, connections, requests, texts });
      // The first round warms up.
      if (round === 0) continue;
      row.cpu.push(((cpuOf(server.pids) - before) * 1_000) / requests);
      row.p50.push(times_ms[Math.floor(requests * 0.5)]!);
      row.p99.push(times_ms[Math.floor(requests * 0.99)]!);
      row.statuses = Object.keys(statuses).join(", ");
    }

  const plain = median(rows.get(servers[1]!)!.cpu);
  for (const [{ name }, { cpu, p50, p99, statuses }] of rows)
    console.log(
      `| ${kind.name}, ${connections} connections | ${name} | ${median(cpu).toFixed(1)} | ${(median(cpu) / plain).toFixed(2)} | ${median(p50).toFixed(2)} | ${median(p99).toFixed(2)} | ${statuses} |`,
    );
}

async function etagOf({ port, host }: Server, target: string): Promise<string> {
  const { headers } = await send({ port, path: target, host, headers: { "accept-encoding": "gzip" } });
  return String(headers.etag);
}

async function plainServerOf(port: number, host: string): Promise<Server> {
  const { headers, body } = await send({
    port,
    path: kinds[0]!.targets[0]!,
    host,
    headers: { "accept-encoding": "gzip", accept: "text/html" },
  });
  const { date, connection, "keep-alive": keepAlive, ...own } = headers;
  const plain = await startPlainServer(own, body);
  return { name: "plain Node server", port: plain.port, pids: [plain.pid], host, stop: plain.stop };
}

/** Starts Caddy and nginx with the files, as HTML and compressed, if they are installed. */
async function peersOf(folder: string, files: Record<string, Buffer>): Promise<Server[]> {
  const www = path.join(folder, "www");
  for (const [target, body] of Object.entries(files)) {
    const file = path.join(www, `${target}.html`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, body);
    writeFileSync(`${file}.gz`, gzipSync(body, { level: 9 }));
  }

  const caddyPort = await freePort();
  const caddyfile = path.join(folder, "Caddyfile");
  writeFileSync(
    caddyfile,
    `{\n admin off\n auto_https off\n}\n:${caddyPort} {\n root * ${www}\n try_files {path} {path}.html\n file_server {\n  precompressed gzip\n }\n}\n`,
  );
  const nginxPort = await freePort();
  const nginxConf = path.join(folder, "nginx.conf");
  writeFileSync(
    nginxConf,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log /dev/null;\nevents { worker_connections 2048; }\nhttp { access_log off; keepalive_requests 1000000; open_file_cache max=1000; default_type text/html; client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder}; server { listen 127.0.0.1:${nginxPort}; root ${www}; gzip_static on; try_files $uri $uri.html =404; } }\n`,
  );

  const started: Server[] = [];
  for (const [name, port, command] of [
    ["Caddy", caddyPort, ["caddy", "run", "--config", caddyfile, "--adapter", "caddyfile"]],
    ["nginx", nginxPort, ["nginx", "-p", folder, "-c", nginxConf]],
  ] as const) {
    if (spawnSync("which", [command[0]]).status !== 0) continue;
    const child = spawn(command[0], command.slice(1), { stdio: "ignore" });
    await until(async () => (await send({ port, path: "/" }).catch(() => undefined)) !== undefined);
    started.push({ name, port, pids: processesOf(child), host: "localhost", stop: () => child.kill() });
  }
  return started;
}

/** IDs of a process and its direct children. */
function processesOf({ pid }: ChildProcess): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return [pid!, ...children.split(" ").filter(Boolean).map(Number)];
}
