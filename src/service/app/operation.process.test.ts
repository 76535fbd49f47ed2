/**
 * Operation of the service: data lock, shutdown, concurrent start, probes, metrics, logs, backup and restore.
 */

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deploy, docs, ended, upload, visit } from "../../../test/service/deploying.ts";
import { entriesBelow } from "../../../test/service/entries-below.ts";
import { freePort } from "../../../test/service/postgres.ts";
import { newOrganization, operatorToken, type RunningService, send } from "../../../test/service/service.ts";
import { tarOf } from "../../../test/service/tar.ts";
import { createDatabase, createEmptyDatabase } from "../../../test/shared/database.ts";
import { startService } from "../../../test/shared/service.ts";
import { endpoints } from "./endpoints.ts";

const root = process.cwd();
const folders: string[] = [];
const folder = () => {
  folders.push(mkdtempSync(path.join(tmpdir(), "octavo-operation-")));
  return folders.at(-1)!;
};

afterAll(async () => {
  for (const each of folders) rmSync(each, { recursive: true, force: true });
});

/** Runs a command whose environment contains only `PATH` and these variables. */
function octavo(
  args: string[],
  env: Record<string, string>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(root, "bin/octavo.js"), ...args], {
      env: { PATH: process.env.PATH!, ...env },
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.once("exit", (code) => resolve({ code, stdout, stderr }));
  });
}

describe("one process", () => {
  let service: RunningService;
  let internalPort: number;
  beforeAll(async () => {
    const dataFolder = folder();
    writeFileSync(path.join(dataFolder, "of-an-earlier-version"), "", { mode: 0o644 });
    writeFileSync(path.join(dataFolder, "lock"), "");
    chmodSync(dataFolder, 0o755);
    internalPort = await freePort();
    service = await startService({
      dataFolder,
      env: {
        OCTAVO_LOG_LEVEL: "info",
        OCTAVO_INTERNAL_PORT: String(internalPort),
        OCTAVO_STORAGE_LIMIT_MB: "30",
      },
    });
  });
  afterAll(async () => expect(await service.stop()).toBe(0));

  test("a lock file without content, as after a power failure, doesn't prevent a start", async () => {
    expect((await send({ port: service.port, path: "/readyz" })).status).toBe(200);
    expect(readFileSync(path.join(service.dataFolder, "lock"), "utf8")).not.toBe("");
  });

  test("no other user of the machine can read or change its data", async () => {
    const organization = await newOrganization(service);
    expect((await deploy(organization, docs("Hello"))).status).toBe("success");
    const names = entriesBelow(service.dataFolder).map((entry) => path.join(entry.parentPath, entry.name));
    expect(
      ["/objects/files/", "/postgres/base/", "/work/"].every((part) =>
        names.some((name) => name.includes(part)),
      ),
    ).toBe(true);
    const isOpen = (at: string) => ((lstatSync(at, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
    expect([service.dataFolder, ...names].filter(isOpen)).toEqual([]);
  });

  test("if the storage is used up, an error is shown, the site stays up, and deleting frees storage", async () => {
    const organization = await newOrganization(service);
    const small = await deploy(organization, docs("Small"));
    expect(small.status).toBe("success");
    const large = Object.fromEntries(
      ["a", "b"].map((name) => [`images/${name}.png`, randomBytes(16_000_000)]),
    );
    const archive = tarOf({ ...docs("Large"), ...large });
    const second = await ended(organization, (await upload(organization, archive)).json.id);
    expect(second.status).toBe("success");
    const refused = await upload(organization, tarOf(docs("More")));
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringMatching(/has reached its storage limit \(\d+ MB of 30 MB used\)\. Delete deployments/),
    ]);
    const exported = await organization.ask("/v1/static-export/jobs", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ domain: `${organization.subdomain}.localhost` }),
    });
    expect([exported.status, exported.text]).toEqual([
      409,
      expect.stringContaining("has reached its storage limit"),
    ]);
    expect((await visit(service, `${organization.subdomain}.localhost`)).text).toContain("Large");
    expect((await organization.ask(`/v1/deployments/${small.id}/rollback`, { method: "POST" })).status).toBe(
      200,
    );
    expect((await organization.ask(`/v1/deployments/${second.id}`, { method: "DELETE" })).status).toBe(204);
    expect((await deploy(organization, docs("More"))).status).toBe("success");
  });

  test("a second process with the same folder refuses to start and harms nothing", async () => {
    const second = await octavo(["serve"], { OCTAVO_DATA: service.dataFolder, PORT: "1" });
    expect(second.code).not.toBe(0);
    expect(second.stderr).toContain(`is in use by process ${service.process.pid}`);
    expect((await send({ port: service.port, path: "/readyz" })).status).toBe(200);
  });

  test.each(["/healthz", "/readyz"])("%s responds at any host name", async (at) => {
    for (const host of ["10.0.0.7:4000", "nothing.example", `localhost:${service.port}`]) {
      const { status, json } = await send({ port: service.port, path: at, host });
      expect([status, Object.keys(json)]).toEqual([200, ["status"]]);
    }
  });

  test("/metrics is on a separate port and contains no tenant names", async () => {
    const organization = await newOrganization(service);
    await organization.ask("/v1/projects");
    const { text, headers } = await send({ port: internalPort, path: "/metrics" });
    expect(headers["content-type"]).toMatch(/^text\/plain/);
    expect(text).toMatch(
      /octavo_http_request_seconds_count\{method="GET",route="\/v1\/projects",status="200"\} 1/,
    );
    expect(text).toMatch(/octavo_jobs_waiting \d/);
    expect(text).not.toContain(organization.id);
    for (const host of [undefined, "docs.localhost", "127.0.0.1"])
      expect((await send({ port: service.port, path: "/metrics", ...(host ? { host } : {}) })).status).toBe(
        404,
      );
    for (const path of ["/", "/readyz", "/dashboard", "/openapi.json"])
      expect((await send({ port: internalPort, path })).status, path).toBe(404);
  });

  test("logs have a line for each request, and no secret", async () => {
    const organization = await newOrganization(service);
    await organization.ask(`/v1/projects/${organization.projectId}?token=in-the-query`, {
      headers: { cookie: "session=in-a-cookie", "x-request-id": "mine-1" },
    });
    await organization.ask(`/v1/projects/${organization.projectId}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ signIn: { mode: "password", password: "correct horse" } }),
    });
    const logs = service.output();
    expect(logs).toContain('"requestId":"mine-1"');
    for (const secret of [organization.key, operatorToken, "in-the-query", "in-a-cookie", "correct horse"])
      expect(logs).not.toContain(secret);
  });

  test("an unknown host gets a neutral response", async () => {
    for (const host of ["nothing.localhost", "127.0.0.1", "evil.example"]) {
      const { status, text } = await send({ port: service.port, path: "/v1/projects", host });
      expect(status).toBe(404);
      expect(text).not.toContain("api");
    }
  });

  test("an embedded database that ends is started again", async () => {
    const organization = await newOrganization(service);
    const database = readdirSync("/proc").find((pid) =>
      commandOf(pid).includes(path.join(service.dataFolder, "postgres")),
    )!;
    process.kill(Number(database), "SIGKILL");
    const status = async () => (await organization.ask(`/v1/projects/${organization.projectId}`)).status;
    await expect.poll(() => commandOf(database)).toBe("");
    await expect.poll(status, { timeout: 30_000 }).toBe(200);
  });
});

test("on SIGTERM the service finishes running requests and exits with 0", async () => {
  const service = await startService();
  const organization = await newOrganization(service);
  const slow = request({
    host: "127.0.0.1",
    port: service.port,
    method: "POST",
    path: `/v1/analytics/${organization.projectId}/assistant/import`,
    headers: {
      host: `localhost:${service.port}`,
      authorization: `Bearer ${organization.key}`,
      "content-type": "application/x-ndjson",
      expect: "100-continue",
    },
  });
  slow.flushHeaders();
  await once(slow, "continue");
  slow.write("{}\n");
  const answer = once(slow, "response") as Promise<[IncomingMessage]>;
  const code = service.stop();
  const isServing = () =>
    send({ port: service.port, path: "/readyz" }).then(
      ({ status }) => status === 200,
      () => false,
    );
  await expect.poll(isServing).toBe(false);
  slow.end("{}\n");
  const [response] = await answer;
  response.resume();
  expect(response.statusCode).toBe(200);
  expect(await code).toBe(0);
});

test("the embedded database of a killed service ends, and a new service has its data", async () => {
  const options = { dataFolder: folder(), port: await freePort() };
  const databases = () =>
    readdirSync("/proc").filter(
      (pid) => /^\d+$/.test(pid) && commandOf(pid).includes(path.join(options.dataFolder, "postgres")),
    );
  const killed = await startService(options);
  const organization = await newOrganization(killed);
  expect(databases()).toHaveLength(1);
  killed.process.kill("SIGKILL");
  const service = await startService(options);
  expect(databases()).toHaveLength(1);
  expect((await organization.ask(`/v1/projects/${organization.projectId}`)).status).toBe(200);
  expect(await service.stop()).toBe(0);
  expect(databases()).toEqual([]);
});

/** Command line of a process. Empty if it has ended. */
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

test("invalid settings are reported together", async () => {
  const { code, stderr } = await octavo(["serve"], {
    PORT: "x",
    OCTAVO_URL: "localhost",
    OCTAVO_STORAGE: "ftp:x",
    DATABASE_URL: "mysql://x",
  });
  expect(code).toBe(2);
  for (const name of ["PORT", "OCTAVO_URL", "OCTAVO_STORAGE", "DATABASE_URL"]) expect(stderr).toContain(name);
});

test("weak secrets are refused, with a command to generate a strong one", async () => {
  const weak = {
    OCTAVO_SECRET: "a",
    OCTAVO_OPERATOR_TOKEN: "x".repeat(31),
    OCTAVO_BOOTSTRAP_KEY: "oct_short",
  };
  const { code, stderr } = await octavo(["serve"], { ...weak, OCTAVO_DATA: folder(), PORT: "1" });
  expect(code).toBe(2);
  for (const name of Object.keys(weak))
    expect(stderr).toContain(
      `${name} must be at least 32 characters long, with at least 10 different characters. Generate it with: openssl rand -base64 32`,
    );
  const data = folder();
  writeFileSync(path.join(data, "secret"), "a");
  const own = await octavo(["serve"], { OCTAVO_DATA: data, PORT: "1" });
  expect([own.code, own.stderr.includes("must be at least 32 characters long")]).toEqual([2, true]);
});

test("a service whose port is taken ends with a message", async () => {
  const taken = createServer().listen(0);
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const { code, stderr } = await octavo(["serve"], { OCTAVO_DATA: folder(), PORT: String(port) });
  taken.close();
  expect([code, stderr]).toEqual([2, expect.stringContaining("Stop the process that uses it, or set PORT")]);
});

test("three processes that start on an empty database create one service", async () => {
  const databaseUrl = await createEmptyDatabase();
  const storage = `file:${folder()}`;
  const services = await Promise.all(
    [1, 2, 3].map(() =>
      startService({ databaseUrl, storage, secret: "one for all of this test, long enough to be one" }),
    ),
  );
  const { organizations } = await services[0]!.operator(endpoints.listOrganizations);
  expect(organizations.map(({ name }) => name)).toEqual(["My organization"]);
  const announcing = () => services.filter((service) => service.output().includes("First admin")).length;
  // The line is printed after the worker has started, which is after the service is ready.
  await expect.poll(announcing).toBe(1);
  for (const service of services) expect(await service.stop()).toBe(0);
  expect(announcing()).toBe(1);
});

test("a worker that is the first process to start prints the credentials", async () => {
  const databaseUrl = await createEmptyDatabase();
  const shared = {
    databaseUrl,
    storage: `file:${folder()}`,
    secret: "one for all of this test, long enough to be one",
  };
  const worker = await startService({ ...shared, role: "worker" });
  await expect.poll(() => worker.output()).toMatch(/First admin +http/);
  const web = await startService({ ...shared, role: "web" });
  expect(await web.stop()).toBe(0);
  expect(await worker.stop()).toBe(0);
  expect(web.output()).not.toContain("First admin");
});

test("in production, the first of several processes prints how to invite the first admin, and writes no file", async () => {
  const shared = { databaseUrl: await createEmptyDatabase(), storage: `file:${folder()}` };
  const worker = await startService({ ...shared, role: "worker", env: { NODE_ENV: "production" } });
  await expect
    .poll(() => worker.output())
    .toMatch(/First admin +octavo admin invite --organization \w+ --email EMAIL --role admin/);
  expect(existsSync(path.join(worker.dataFolder, "first-start.txt"))).toBe(false);
  expect(await worker.stop()).toBe(0);
});

test("a database of a newer version is refused", async () => {
  const databaseUrl = await createDatabase();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("insert into migrations (name) values ('9999-future.sql')");
  await client.end();
  const { code, stderr } = await octavo(["serve"], {
    DATABASE_URL: databaseUrl,
    OCTAVO_DATA: folder(),
    PORT: "1",
  });
  expect(code).not.toBe(0);
  expect(stderr).toContain("9999-future.sql");
});

test("the database cuts long problems of a deployment, such as one from a backup of an earlier version", async () => {
  const client = new pg.Client({ connectionString: await createDatabase() });
  await client.connect();
  try {
    const problem = {
      code: "dead-link",
      severity: "error",
      file: "a.mdx",
      line: 3,
      message: "x".repeat(20_000),
    };
    await client.query("insert into organizations (id, name, plan) values ('o', 'O', 'free')");
    await client.query(
      "insert into projects (id, organization_id, name, subdomain, source) values ('p', 'o', 'P', 'p', '{}')",
    );
    await client.query(
      "insert into deployments (id, organization_id, project_id, number, status, trigger, problems) values ('d', 'o', 'p', 1, 'success', 'api', $1)",
      [JSON.stringify(Array.from({ length: 1_000 }, () => problem))],
    );
    const { rows } = await client.query<{ problems: (typeof problem)[]; has_errors: boolean }>(
      "select problems, has_errors from deployments",
    );
    expect(rows[0]!.has_errors).toBe(true);
    expect(rows[0]!.problems.length).toBe(400);
    expect(rows[0]!.problems[0]).toEqual({ ...problem, message: "x".repeat(500) });
  } finally {
    await client.end();
  }
});

test("the schema equals the reviewed snapshot (update it when a migration changes it)", async () => {
  const databaseUrl = await createDatabase();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ line: string }>(`
    select table_name || '.' || column_name || ' ' || udt_name || case is_nullable when 'NO' then ' not null' else '' end || coalesce(' default ' || column_default, '') as line
    from information_schema.columns where table_schema = 'public' and table_name not in (select relname from pg_class where relispartition)
    union all select indexdef from pg_indexes where schemaname = 'public' and tablename not in (select relname from pg_class where relispartition)
    order by 1`);
  await client.end();
  await expect(`${rows.map(({ line }) => line).join("\n")}\n`).toMatchFileSnapshot("schema.txt");
});

describe("backup and restore", () => {
  test("a service moves from its embedded database to PostgreSQL with all data", async () => {
    const dataFolder = folder();
    const service = await startService({ dataFolder });
    const organization = await newOrganization(service);
    await organization.ask(`/v1/projects/${organization.projectId}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        name: "Named \u00e9\ud83d\ude00",
        signIn: { mode: "password", password: "correct horse" },
      }),
    });
    const before = await organization.ask("/v1/projects");
    const log = (await organization.ask("/v1/audit-log")).json.entries;
    const archive = path.join(folder(), "backup.tar.gz");
    const running = await octavo(["backup", "--output", archive], { OCTAVO_DATA: dataFolder });
    expect([running.code, existsSync(archive)]).toEqual([2, false]);
    expect(running.stderr).toContain("is in use by process");
    await service.stop();
    const written = await octavo(["backup", "--output", archive], { OCTAVO_DATA: dataFolder });
    expect([written.code, written.stderr]).toEqual([0, ""]);

    const [databaseUrl, newFolder] = [await createEmptyDatabase(), folder()];
    const env = { DATABASE_URL: databaseUrl, OCTAVO_DATA: newFolder };
    const read = await octavo(["restore", archive], env);
    expect([read.code, read.stderr]).toEqual([0, ""]);
    expect(read.stdout.replace(" restored", "").trim()).toBe(written.stdout.split(" → ")[0]);
    const again = await octavo(["restore", archive], env);
    expect([again.code, again.stderr]).toEqual([
      2,
      "The service isn't empty. Restore the backup into a new service.\n",
    ]);

    // The archive doesn't contain the secret.
    const secret = readFileSync(path.join(dataFolder, "secret"), "utf8");
    const restored = await startService({ dataFolder: newFolder, databaseUrl, port: service.port, secret });
    const after = await send({
      port: restored.port,
      path: "/v1/projects",
      headers: { authorization: `Bearer ${organization.key}` },
    });
    expect(after.json).toEqual(before.json);
    const entries = (
      await send({
        port: restored.port,
        path: "/v1/audit-log",
        headers: { authorization: `Bearer ${organization.key}` },
      })
    ).json.entries;
    expect(entries.slice(-log.length)).toEqual(log);
    await restored.stop();
  });

  test.each(["not gzip", ""])("a file that is not a backup was rejected: %j", async (content) => {
    const file = path.join(folder(), "x.tar.gz");
    writeFileSync(file, content);
    const { code, stderr } = await octavo(["restore", file], { OCTAVO_DATA: folder() });
    expect(code).toBe(2);
    expect(stderr).toMatch(/isn't an archive|isn't an Octavo backup/);
  });
});

test("the documentation lists every setting of the service", () => {
  const settings = [
    ...readFileSync(path.join(root, "src/main/service-configuration.ts"), "utf8").matchAll(
      /env\.(OCTAVO_\w+|PORT|HOST|DATABASE_URL)|"(OCTAVO_\w+)"/g,
    ),
  ].map((match) => match[1] ?? match[2]!);
  const page = readFileSync(path.join(root, "docs/service/settings.mdx"), "utf8");
  expect([...new Set(settings)].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
