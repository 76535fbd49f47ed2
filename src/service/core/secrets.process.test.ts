/**
 * Secrets of tenants in the database: encryption, binding to their row, and rotation of the service's secret.
 */

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { newOrganization, type TestOrganization, type TestService } from "../../../test/service/service.ts";
import { storedProject } from "../../../test/service/stored-secrets.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { startService } from "../../../test/shared/service.ts";
import { openDatabase } from "../../io/postgres.ts";
import { endpoints } from "../app/endpoints.ts";
import { decrypted } from "./project-secrets.ts";
import { openSecrets, Secrets } from "./secrets.ts";
import type { Tables } from "./tables.ts";

const canaries = ["canary-client-secret", "canary-model-key", "canary-git-token"] as const;
const [clientSecret, apiKey, token] = canaries;
const [firstSecret, secondSecret, thirdSecret] = [1, 2, 3].map(() => randomBytes(32).toString("base64"));
const webhookUrl = "https://1.1.1.1/canary-webhook-url";
let databaseUrl: string;
let client: Client;
let organization: TestOrganization;

beforeAll(async () => {
  databaseUrl = await createDatabase();
  client = new Client(databaseUrl);
  await client.connect();
  const service = await startService({ databaseUrl, secret: firstSecret! });
  organization = await newOrganization(service);
  await organization.client(endpoints.changeProject, {
    params: { projectId: organization.projectId },
    body: {
      source: { kind: "git", url: `https://ana:${token}@git.example/docs.git`, branch: "main" },
      signIn: { mode: "oidc", issuer: "https://id.example", clientId: "docs", clientSecret },
      assistant: {
        model: { provider: "anthropic", baseUrl: "https://models.example/v1", name: "m", apiKey },
      },
    },
  });
  await organization.client(endpoints.createWebhook, {
    body: { url: webhookUrl, events: ["deployment.failed"] },
  });
  await service.stop();
}, 120_000);
afterAll(() => client.end());

/** Returns all rows of all tables as text. */
async function dump(): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  const texts = await Promise.all(
    rows.map(({ name }) => client.query(`select string_agg(t::text, '\n') as text from ${name} t`)),
  );
  return texts.map(({ rows }) => rows[0].text ?? "").join("\n");
}

async function stored() {
  const { rows } = await client.query("select source, sign_in, assistant from projects where id = $1", [
    organization.projectId,
  ]);
  return rows[0] as {
    source: { url: string };
    sign_in: { clientSecret: string };
    assistant: { model: { apiKey: string } };
  };
}

/** Returns the stored settings of the project, decrypted. */
const opened = async (secret: string) =>
  JSON.stringify(await storedProject(databaseUrl, organization.projectId, secret));

/** URLs of the organization's webhooks, as a service with this secret reads them. */
async function webhookUrls({ port }: Pick<TestService, "port">): Promise<string[]> {
  const { json } = await organization.ask("/v1/webhooks", { port, host: `localhost:${port}` });
  return json.webhooks.map(({ url }: { url: string }) => url);
}

function rotate(
  env: Record<string, string>,
  args: string[] = [],
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [path.resolve("bin/octavo.js"), "rotate-secret", ...args], {
      env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, OCTAVO_DATA: temporaryFolder(), ...env },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.once("exit", (code) => resolve({ code, output }));
  });
}

test("secrets are encrypted in the database, and the service decrypts them", async () => {
  const rows = await dump();
  for (const canary of [...canaries, "canary-webhook-url", "whsec_"]) expect(rows).not.toContain(canary);
  const values = await opened(firstSecret!);
  for (const canary of canaries) expect(values).toContain(canary);
});

test("a value can't be decrypted in another row or field, or if changed", async () => {
  const { sign_in, source, assistant } = await stored();
  const database = await openDatabase<Tables>({
    url: databaseUrl,
    folder: "",
    script: "",
    migrations: path.resolve("src/io/migrations"),
  });
  const secrets = await openSecrets(database.db, firstSecret!);
  await database.close();
  const id = organization.projectId;
  const read = (project: string, secret: string, by = secrets) =>
    (
      decrypted(by, project, { sign_in: { ...sign_in, clientSecret: secret } as never })
        .sign_in as unknown as { clientSecret: string }
    ).clientSecret;
  expect(read(id, sign_in.clientSecret)).toBe(clientSecret);
  expect(read("another project", sign_in.clientSecret)).toBe("");
  expect([read(id, source.url), read(id, assistant.model.apiKey)]).toEqual(["", ""]);
  const last = sign_in.clientSecret.at(-6)!;
  const changed = `${sign_in.clientSecret.slice(0, -6)}${last === "A" ? "B" : "A"}${sign_in.clientSecret.slice(-5)}`;
  expect(read(id, changed)).toBe("");
  expect(read(id, sign_in.clientSecret, new Secrets("other", randomBytes(32)))).toBe("");
});

test("plain-text secrets of an earlier version are encrypted at the next start", async () => {
  await client.query(
    `update projects set sign_in = jsonb_set(sign_in, '{clientSecret}', to_jsonb($1::text)), source = jsonb_set(source, '{url}', to_jsonb($2::text)),
      assistant = jsonb_set(assistant, '{model,apiKey}', to_jsonb($3::text)) where id = $4`,
    [clientSecret, `https://ana:${token}@git.example/docs.git`, apiKey, organization.projectId],
  );
  await (await startService({ databaseUrl, secret: firstSecret! })).stop();
  const rows = await dump();
  for (const canary of canaries) expect(rows).not.toContain(canary);
  for (const canary of canaries) expect(await opened(firstSecret!)).toContain(canary);
});

test("a git URL with credentials is encrypted even if its scheme is upper-case", async () => {
  await client.query(
    "update projects set source = jsonb_set(source, '{url}', to_jsonb($1::text)) where id = $2",
    [`HTTPS://ana:${token}@git.example/docs.git`, organization.projectId],
  );
  await (await startService({ databaseUrl, secret: firstSecret! })).stop();
  expect(await dump()).not.toContain(token);
  expect(await opened(firstSecret!)).toContain(token);
});

test("the service doesn't start with another secret, and rotation keeps all values", async () => {
  await expect(startService({ databaseUrl, secret: secondSecret! })).rejects.toThrow(
    "OCTAVO_SECRET doesn't match",
  );
  expect((await rotate({ OCTAVO_SECRET: firstSecret! })).output).toContain("OCTAVO_NEW_SECRET");
  expect((await rotate({ OCTAVO_SECRET: thirdSecret!, OCTAVO_NEW_SECRET: secondSecret! })).code).toBe(2);
  const before = await stored();
  expect(await rotate({ OCTAVO_SECRET: firstSecret!, OCTAVO_NEW_SECRET: secondSecret! })).toMatchObject({
    code: 0,
  });
  // All values are encrypted with a new data key, so that the old secret and data key can't decrypt them.
  expect((await stored()).sign_in.clientSecret).not.toBe(before.sign_in.clientSecret);
  for (const canary of canaries) expect(await opened(secondSecret!)).toContain(canary);
  // Running the command again is harmless, for example after an interrupted run.
  expect((await rotate({ OCTAVO_SECRET: firstSecret!, OCTAVO_NEW_SECRET: secondSecret! })).code).toBe(0);
  await expect(startService({ databaseUrl, secret: firstSecret! })).rejects.toThrow(
    "OCTAVO_SECRET doesn't match",
  );
  const service = await startService({ databaseUrl, secret: secondSecret! });
  expect(await webhookUrls(service)).toEqual([webhookUrl]);
  await service.stop();
});

test("if the secret is lost, the service can start without the encrypted values", async () => {
  expect(await rotate({ OCTAVO_SECRET: firstSecret!, OCTAVO_NEW_SECRET: thirdSecret! })).toMatchObject({
    code: 2,
  });
  expect(
    await rotate({ OCTAVO_SECRET: firstSecret!, OCTAVO_NEW_SECRET: thirdSecret! }, ["--discard"]),
  ).toMatchObject({ code: 0 });
  const service = await startService({ databaseUrl, secret: thirdSecret! });
  const { json } = await organization.ask(`/v1/projects/${organization.projectId}`, {
    port: service.port,
    host: `localhost:${service.port}`,
  });
  expect(json).toMatchObject({ signIn: { mode: "oidc" }, source: { kind: "git", url: "" } });
  expect(await webhookUrls(service)).toEqual([]);
  await service.stop();
});
