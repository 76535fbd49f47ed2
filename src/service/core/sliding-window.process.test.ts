/**
 * Rate limits of analytics endpoints (100 requests per organization and hour across keys, projects and
 * processes), sign-in and operator tokens.
 */

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { visitor } from "../../../test/service/dashboard.ts";
import { openPlatform } from "../../../test/service/platform.ts";
import {
  type Answer,
  newOrganization,
  operatorToken,
  type RunningService,
  send,
  type TestOrganization,
} from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { startService } from "../../../test/shared/service.ts";
import { endpoints } from "../app/endpoints.ts";
import { sweepRates } from "./sliding-window.ts";

const list = ({ projectId }: TestOrganization) => `/v1/analytics/${projectId}/assistant`;
const thread = (organization: TestOrganization) => `${list(organization)}/threads/01ARZ3NDEKTSV4RRFFQ69G5FAV`;

const folder = mkdtempSync(path.join(tmpdir(), "octavo-rates-"));
let databaseUrl: string;
let first: RunningService;
let second: RunningService;

beforeAll(async () => {
  databaseUrl = await createDatabase();
  first = await startService({ databaseUrl, secret: "shared by both of this test, long enough to be one" });
  second = await startService({
    databaseUrl,
    secret: "shared by both of this test, long enough to be one",
    role: "web",
  });
});
afterAll(async () => {
  await first.stop();
  await second.stop();
});

async function anotherKey({ id }: TestOrganization): Promise<string> {
  const { key } = await first.operator(endpoints.createKey, {
    params: { organizationId: id },
    body: { name: "another" },
  });
  return key;
}

/** Repeats a request while the service is busy (503). Such requests don't count. */
async function untilAnswered(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function statuses(answers: readonly { status: number }[]) {
  return {
    admitted: answers.filter(({ status }) => status !== 429).length,
    refused: answers.filter(({ status }) => status === 429).length,
  };
}

test("the 101st request is refused; all 101 responses have rate limit headers", async () => {
  const organization = await newOrganization(first);
  for (let n = 1; n <= 101; n++) {
    // Invalid requests count as well.
    const { status, headers, json } = await organization.ask(
      n % 3 === 0 ? `${list(organization)}?limit=0` : n % 3 === 1 ? list(organization) : thread(organization),
    );
    expect(headers["ratelimit-policy"]).toBe('"analytics";q=100;w=3600');
    expect(headers.ratelimit).toMatch(new RegExp(`^"analytics";r=${Math.max(0, 100 - n)};t=\\d+$`));
    expect(headers["ratelimit-limit"]).toBe("100");
    expect(headers["ratelimit-remaining"]).toBe(String(Math.max(0, 100 - n)));
    if (n <= 100) expect(status).toBe([400, 200, 404][n % 3]);
    else {
      expect(status).toBe(429);
      expect(Number(headers["retry-after"])).toBeGreaterThanOrEqual(1);
      expect(Number(headers["retry-after"])).toBeLessThanOrEqual(3600);
      expect(headers["ratelimit-reset"]).toBe(headers["retry-after"]);
      expect(json.error).toBe("Rate limit exceeded: 100 requests per organization per hour");
    }
  }
});

test("of 400 concurrent requests with ten keys, two endpoints, two projects and two processes, exactly 100 are admitted", async () => {
  const organization = await newOrganization(first);
  const other = await first.operator(endpoints.createProject, {
    params: { organizationId: organization.id },
    body: { name: "second", subdomain: `${organization.subdomain}-2` },
  });
  const keys = await Promise.all(Array.from({ length: 10 }, () => anotherKey(organization)));
  const answers = await Promise.all(
    Array.from({ length: 400 }, (_, n) =>
      untilAnswered(() =>
        send({
          port: n % 2 ? first.port : second.port,
          path:
            n % 4 < 2
              ? list(organization)
              : n % 3
                ? thread(organization)
                : `/v1/analytics/${other.id}/assistant`,
          method: n % 7 === 0 ? "HEAD" : "GET",
          headers: { authorization: `Bearer ${keys[n % 10]}`, "x-forwarded-for": `10.0.0.${n % 250}` },
        }),
      ),
    ),
  );
  expect(statuses(answers)).toEqual({ admitted: 100, refused: 300 });
});

test("a new key and a restart don't reset the limit", async () => {
  const organization = await newOrganization(first);
  const ask = (service: RunningService, key: string) =>
    send({ port: service.port, path: list(organization), headers: { authorization: `Bearer ${key}` } });
  const before = await Promise.all(
    Array.from({ length: 60 }, () => untilAnswered(() => ask(second, organization.key))),
  );
  await second.stop();
  second = await startService({
    databaseUrl,
    secret: "shared by both of this test, long enough to be one",
    role: "web",
  });
  const after = await Promise.all(
    Array.from({ length: 60 }, async () => {
      const key = await anotherKey(organization);
      return untilAnswered(() => ask(second, key));
    }),
  );
  expect(statuses([...before, ...after])).toEqual({ admitted: 100, refused: 20 });
});

test("requests of other organizations and requests without a key don't count", async () => {
  const [organization, stranger] = [await newOrganization(first), await newOrganization(first)];
  for (let n = 0; n < 30; n++) {
    await send({ port: first.port, path: list(organization) });
    await stranger.ask(list(organization));
  }
  const { headers } = await organization.ask(list(organization));
  expect(headers["ratelimit-remaining"]).toBe("99");
});

describe("the window slides", () => {
  test.each([
    [3_590, 429],
    [3_601, 200],
  ])("100 requests of %i seconds ago: %i", async (age_s, status) => {
    const organization = await newOrganization(first);
    await Promise.all(
      Array.from({ length: 100 }, () => untilAnswered(() => organization.ask(list(organization)))),
    );
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    // The clock of the database can't be changed, so the stored times are changed.
    await client.query(
      "update rate_windows set hits = array(select now() - $2 * interval '1 second' from unnest(hits)) where subject = $1",
      [`analytics:${organization.id}`, age_s],
    );
    await client.end();
    expect((await organization.ask(list(organization))).status).toBe(status);
  });
});

test("rows contain neither emails nor IP addresses, and refused attempts add no rows", async () => {
  const { service, close } = await openPlatform({ databaseUrl, storage: `file://${folder}/objects`, folder });
  const attempt = (n: number) =>
    visitor(first).submit("/dashboard/sign-in", {
      email: `typed-${n}@example.com`,
      password: "a wrong password",
    });
  const attempts = async (from: number, count: number) =>
    (await Promise.all(Array.from({ length: count }, (_, n) => attempt(from + n)))).map(
      ({ status }) => status,
    );
  const subjects = async () =>
    (await service.pool.query<{ subject: string }>("select subject from rate_windows")).rows.map(
      ({ subject }) => subject,
    );
  expect(await attempts(0, 60)).toEqual(Array(60).fill(401));
  const rows = await subjects();
  expect(rows.filter((subject) => subject.startsWith("sign-in:")).length).toBeGreaterThan(60);
  expect(rows.join(" ")).not.toMatch(/typed|@|127\.0|::/);
  expect(await attempts(60, 40)).toEqual(Array(40).fill(429));
  expect((await subjects()).length).toBe(rows.length);
  await service.pool.query(
    "update rate_windows set ends_at = now() - interval '1 second' where subject like 'sign-in:%'",
  );
  await sweepRates(service);
  expect((await subjects()).filter((subject) => subject.startsWith("sign-in:"))).toEqual([]);
  await close();
});

test("after thirty wrong operator tokens even the right one is refused, and keys still work", async () => {
  const organization = await newOrganization(first);
  const as = (token: string, path: string) =>
    send({ port: second.port, path, headers: { authorization: `Bearer ${token}` } });
  const guesses = await Promise.all(
    Array.from({ length: 31 }, (_, n) => as(`guess-${n}`, "/operator/v1/organizations")),
  );
  expect(guesses.map(({ status }) => status).sort()).toEqual([...Array(30).fill(401), 429]);
  const refused = await as(operatorToken, "/operator/v1/organizations");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await as(organization.key, "/v1/projects")).status).toBe(200);
});
