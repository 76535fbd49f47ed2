/** Latency of changes and responses. Runs alone, because other load would affect the measurements. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../../../test/service/ask-assistant.ts";
import { deploy, docs, visit } from "../../../test/service/deploying.ts";
import { answered, type ModelServer, startModelServer } from "../../../test/service/model-server.ts";
import {
  newOrganization,
  type RunningService,
  type TestOrganization,
} from "../../../test/service/service.ts";
import { newReader, newSite, type TestSite, trusting } from "../../../test/service/test-sites.ts";
import { until } from "../../../test/service/until.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { startService } from "../../../test/shared/service.ts";
import { endpoints } from "./endpoints.ts";

const folder = mkdtempSync(path.join(tmpdir(), "octavo-latency-"));
let model: ModelServer;
let web: RunningService[];
let organization: TestOrganization;
let host: string;

beforeAll(async () => {
  model = await startModelServer();
  const shared = {
    databaseUrl: await createDatabase(),
    storage: `file:${path.join(folder, "objects")}`,
    secret: "shared by both processes of this test",
    env: { ...trusting, OCTAVO_MODEL_BASE_URL: model.url, OCTAVO_MODEL_NAME: "test-model" },
  };
  const first = await startService(shared);
  web = [
    first,
    await startService({
      ...shared,
      role: "web",
      env: { ...shared.env, OCTAVO_URL: `http://localhost:${first.port}` },
    }),
  ];
  organization = await newOrganization(first);
  host = `${organization.subdomain}.localhost`;
});
afterAll(async () => {
  for (const service of web) await service.stop();
  await model.stop();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Polls until the condition is true for the responses of both processes. Returns the duration in
 * milliseconds.
 */
const onBoth = (condition: (answer: Awaited<ReturnType<typeof visit>>) => boolean) =>
  until(async () =>
    (await Promise.all(web.map((service) => visit(service, host, "/", { accept: "text/html" })))).every(
      condition,
    ),
  );
const shows = (text: string) => onBoth((answer) => answer.text.includes(text));

describe("both processes serve a change within a second", () => {
  test("a deployment", async () => {
    await deploy(organization, docs("First text"));
    expect(await shows("First text")).toBeLessThan(1_000);
  });

  test("a rollback", async () => {
    const first = await deploy(organization, docs("Old text"));
    await deploy(organization, docs("New text"));
    await shows("New text");
    await organization.client(endpoints.rollBack, { params: { id: first.id } });
    expect(await shows("Old text")).toBeLessThan(1_000);
  });

  test("sign-in turned on and off", async () => {
    const params = { projectId: organization.projectId };
    await organization.client(endpoints.changeProject, {
      params,
      body: { signIn: { mode: "password", password: "correct horse" } },
    });
    expect(await onBoth(({ status }) => status === 302)).toBeLessThan(1_000);
    await organization.client(endpoints.changeProject, { params, body: { signIn: { mode: "none" } } });
    expect(await onBoth(({ status }) => status === 200)).toBeLessThan(1_000);
  });

  test("the deletion of a project", async () => {
    await web[0]!.operator(endpoints.deleteProject, { params: { projectId: organization.projectId } });
    expect(await onBoth(({ status }) => status === 404)).toBeLessThan(1_000);
  });
});

describe("95th percentile of latency", () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await newSite(web[0]!);
  });
  const p95 = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)]!;

  test("a search takes less than 50 ms", async () => {
    const times: number[] = [];
    for (let n = 0; n < 100; n++) {
      const began = performance.now();
      const answer = await site.organization.ask(`/v1/search/${site.organization.subdomain}`, {
        method: "POST",
        headers: { authorization: `Bearer ${site.key}`, "content-type": "application/json" },
        body: JSON.stringify({ query: `install widgets ${n % 7}` }),
      });
      expect(answer.status).toBe(200);
      times.push(performance.now() - began);
    }
    expect(p95(times)).toBeLessThan(50);
  });

  test("the model's first text reaches the reader in less than 60 ms", async () => {
    const times: number[] = [];
    for (let n = 0; n < 100; n++) {
      model.behave({ ...answered, first_ms: 20, between_ms: 30 });
      const answer = await ask({ ...site, headers: newReader() });
      times.push(answer.firstAt - model.firstAt.at(-1)!);
    }
    expect(p95(times)).toBeLessThan(60);
  });
});
