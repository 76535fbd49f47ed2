/** Idempotency keys after failures, in parallel, and by other callers, and what is stored of a response. */

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newMember } from "../../../test/service/dashboard.ts";
import { allowReceivers } from "../../../test/service/event-receiver.ts";
import type { OpenTestService } from "../../../test/service/open-test-service.ts";
import { newOrganization } from "../../../test/service/service.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { idempotent } from "./idempotency.ts";
import type { Scope } from "./scope.ts";
import { Secrets } from "./secrets.ts";

let service: OpenTestService;
beforeAll(async () => {
  service = await openTestService({ env: allowReceivers });
}, 120_000);
afterAll(() => service.stop());

const scopeOf = (organizationId: string, actor = "key 1"): Scope => ({
  organizationId,
  plan: "enterprise",
  actor,
});

describe("a key", () => {
  let scope: Scope;
  beforeAll(async () => {
    scope = scopeOf((await newOrganization(service)).id);
  });

  const run = (key: string, commit: () => Promise<string>, more: { scope?: Scope; body?: unknown } = {}) =>
    idempotent(
      service.service,
      more.scope ?? scope,
      { route: "test", key, body: more.body ?? [1] },
      async () => {},
      commit,
    );
  const fail = () => Promise.reject(new Error("the database stopped"));

  test("of a request that failed can be used again, also with another body", async () => {
    await expect(run("failed", fail)).rejects.toThrow("the database stopped");
    const again = await run("failed", async () => "second", { body: [2] });
    expect(again).toEqual({ answer: "second", isRepeated: false });
  });

  test("of a request in progress is refused with a time to wait, and nothing happens twice", async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let commits = 0;
    const commit = async () => {
      commits++;
      await finished;
      return "first";
    };
    const first = run("parallel", commit);
    await expect.poll(() => commits).toBe(1);
    await expect(run("parallel", commit)).rejects.toMatchObject({
      status: 409,
      headers: { "retry-after": "1" },
    });
    finish();
    expect(await first).toEqual({ answer: "first", isRepeated: false });
    expect(await run("parallel", commit)).toEqual({ answer: "first", isRepeated: true });
    expect(commits).toBe(1);
  });

  test("with another body is refused for each caller of the organization", async () => {
    await run("body", async () => "first");
    for (const actor of ["key 1", "key 2"])
      await expect(run("body", fail, { scope: { ...scope, actor }, body: [2] })).rejects.toMatchObject({
        code: "reused",
        status: 422,
      });
  });

  test("gives other callers of the organization the same response, and those of others their own", async () => {
    await run("caller", async () => "first");
    const same = await run("caller", fail, { scope: { ...scope, actor: "key 2" } });
    expect(same).toEqual({ answer: "first", isRepeated: true });
    const other = scopeOf((await newOrganization(service)).id);
    const own = await run("caller", async () => "own", { scope: other });
    expect(own).toEqual({ answer: "own", isRepeated: false });
  });
});

test("a response isn't repeated if the service's secret has changed, and nothing happens twice", async () => {
  const scope = scopeOf((await newOrganization(service)).id);
  const request = { route: "test", key: "rotated", body: [1] };
  let commits = 0;
  const run = (secrets: Secrets) =>
    idempotent(
      { ...service.service, secrets },
      scope,
      request,
      async () => {},
      async () => ++commits,
    );
  expect(await run(service.service.secrets)).toEqual({ answer: 1, isRepeated: false });
  await expect(run(new Secrets("other", randomBytes(32)))).rejects.toMatchObject({ code: "conflict" });
  expect(commits).toBe(1);
});

test("secrets that a form creates aren't stored with its response", async () => {
  const admin = await newMember(service, (await newOrganization(service)).id);
  const key = await admin.submit(`${admin.home}/keys`, { name: "Deploys", scopes: "write" });
  const webhook = await admin.submit(`${admin.home}/notifications`, {
    url: "http://127.0.0.1:9999/",
    events: "deployment.failed",
  });
  const secrets = [/oct_[\w-]{20,}/, /whsec_[\w+/=-]{20,}/].map(
    (pattern, index) => pattern.exec((index === 0 ? key : webhook).text)![0],
  );

  const rows = await service.service.db
    .selectFrom("idempotency_keys")
    .select(["route", "response"])
    .where("organization_id", "=", admin.organizationId)
    .execute();
  expect(rows.map(({ route }) => route).sort()).toEqual(["dashboard createKey", "dashboard createWebhook"]);
  for (const secret of secrets) expect(JSON.stringify(rows)).not.toContain(secret);
});
