/** Ownership of domains: claims, verification by TXT records, and domains added by the operator. */

import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { newMember } from "../../../test/service/dashboard.ts";
import { deploy, docs, visit } from "../../../test/service/deploying.ts";
import { NameServer } from "../../../test/service/name-server.ts";
import { openPlatform } from "../../../test/service/platform.ts";
import { newOrganization, type TestOrganization, type TestService } from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { limits } from "../../base/limits.ts";
import { splitDomain } from "../../base/site-domain.ts";
import { endpoints } from "../app/endpoints.ts";
import { sweepDomains } from "./domains.ts";

const target = "sites.host.example 203.0.113.7";

let names: NameServer;
let service: TestService;
let databaseUrl: string;
let restoreServers: () => void;

beforeAll(async () => {
  [names, databaseUrl] = [await new NameServer().listen(), await createDatabase()];
  restoreServers = names.use();
  service = await openTestService({ databaseUrl, env: { OCTAVO_DOMAIN_TARGET: target } });
}, 120_000);
afterAll(async () => {
  await service.stop();
  restoreServers();
  names.close();
});

const json = { "content-type": "application/json" };
const at = ({ projectId }: TestOrganization) => `/v1/projects/${projectId}/domains`;
const claim = ({ ask, ...organization }: TestOrganization, domain: string) =>
  ask(at({ ask, ...organization }), { method: "POST", headers: json, body: JSON.stringify({ domain }) });
const verify = (organization: TestOrganization, domain: string) =>
  organization.ask(`${at(organization)}/${domain}/verify`, { method: "POST" });
const addAsOperator = ({ projectId }: TestOrganization, domain: string, replace = false) =>
  service.operator(endpoints.addOperatorDomain, { params: { projectId }, body: { domain, replace } });
const serves = async (domain: string) => {
  const { host, path } = splitDomain(domain);
  const { status, text } = await visit(service, host, `${path}/`);
  return status === 200 ? text : "";
};

test("several projects can claim a domain; the TXT record decides", async () => {
  const [owner, squatter] = [await newOrganization(service), await newOrganization(service)];
  await deploy(owner, docs("Owned page"));
  const domain = "docs.owner.example";
  const record = `_octavo.${domain}`;
  const theirs = await claim(squatter, domain);
  const own = await claim(owner, domain);
  expect([theirs.status, own.status]).toEqual([201, 201]);
  expect(own.json.verification.value).not.toBe(theirs.json.verification.value);
  expect((await verify(owner, domain)).status).toBe(409);
  names.records.set(record, ["v=spf1 -all", own.json.verification.value]);
  expect((await verify(squatter, domain)).status).toBe(409);
  expect((await verify(owner, domain)).status).toBe(200);
  expect(await serves(domain)).toContain("Owned page");
  // Other projects can't verify or claim a verified domain.
  names.records.set(record, [theirs.json.verification.value]);
  expect((await verify(squatter, domain)).status).toBe(409);
  expect((await claim(await newOrganization(service), domain)).json.error).toBe(
    "Another project has verified this domain",
  );
  expect((await claim(owner, domain)).json.error).toBe("This project already has this domain");
});

test("of two concurrent verifications, one succeeds", async () => {
  const both = [await newOrganization(service), await newOrganization(service)];
  const claims = await Promise.all(both.map((each) => claim(each, "docs.race.example")));
  names.records.set(
    "_octavo.docs.race.example",
    claims.map(({ json }) => json.verification.value),
  );
  const answers = await Promise.all(both.map((each) => verify(each, "docs.race.example")));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test("the operator adds a domain despite claims of others, and moves a verified one with replace", async () => {
  const [owner, squatter] = [await newOrganization(service), await newOrganization(service)];
  await deploy(owner, docs("Owned page"));
  await deploy(squatter, docs("Squatted page"));
  const domain = "docs.moved.example";
  await claim(owner, domain);
  await claim(squatter, domain);
  expect((await addAsOperator(squatter, domain)).verifiedAt).not.toBeNull();
  await service.until(async () => (await serves(domain)).includes("Squatted page"));
  await expect(addAsOperator(owner, domain)).rejects.toMatchObject({ status: 409 });
  expect((await addAsOperator(owner, domain, true)).verifiedAt).not.toBeNull();
  await service.until(async () => (await serves(domain)).includes("Owned page"));
  expect((await squatter.ask(at(squatter))).json.domains).toEqual([]);
});

test("a domain isn't changed if the change can't be published", async () => {
  const owner = await newOrganization(service);
  await deploy(owner, docs("Owned page"));
  const domain = "docs.atomic.example";
  const database = new Client(databaseUrl);
  await database.connect();
  const failing = (isFailing: boolean) =>
    database.query(
      isFailing
        ? `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
           create trigger refuse before update on projects for each row when (new.id = '${owner.projectId}') execute function refuse()`
        : "drop trigger refuse on projects; drop function refuse",
    );
  try {
    await failing(true);
    await expect(addAsOperator(owner, domain)).rejects.toMatchObject({ status: 500 });
    expect((await owner.ask(at(owner))).json.domains).toEqual([]);
    await failing(false);
    expect((await addAsOperator(owner, domain)).verifiedAt).not.toBeNull();
    await failing(true);
    expect((await owner.ask(`${at(owner)}/${domain}`, { method: "DELETE" })).status).toBe(500);
    expect((await owner.ask(at(owner))).json.domains).toMatchObject([{ domain }]);
  } finally {
    await failing(false);
    await database.end();
  }
});

test("domains of an organization are limited, and an unverified claim expires", async () => {
  const organization = await newOrganization(service);
  const statuses: number[] = [];
  for (let n = 0; n < limits.domains_count + 10; n += 10)
    statuses.push(
      ...(
        await Promise.all(Array.from({ length: 10 }, (_, i) => claim(organization, `d${n + i}.example`)))
      ).map((a) => a.status),
    );
  expect(statuses.filter((status) => status === 201)).toHaveLength(limits.domains_count);
  expect(statuses.filter((status) => status === 409)).toHaveLength(10);

  const client = new Client(databaseUrl);
  await client.connect();
  const { service: platform, close } = await openPlatform({
    databaseUrl,
    storage: `file:${temporaryFolder()}`,
    folder: temporaryFolder(),
  });
  try {
    await addAsOperator(organization, "d0.example");
    const old = new Date(Date.now() - limits.domainClaim_ms - 60_000);
    await client.query("update domains set created_at = $1 where organization_id = $2 and domain < 'd2'", [
      old,
      organization.id,
    ]);
    await sweepDomains(platform);
    const { domains } = (await organization.ask(at(organization))).json;
    const left = domains.map(({ domain }: { domain: string }) => domain);
    expect(left).toContain("d0.example");
    expect(left.every((domain: string) => domain === "d0.example" || domain >= "d2")).toBe(true);
  } finally {
    await close();
    await client.end();
  }
});

test("the service finds the records by itself; the page has their values and states", async () => {
  const organization = await newOrganization(service);
  const admin = await newMember(service, organization.id, "admin");
  await deploy(organization, docs("Found page"));
  const domain = "docs.found.example";
  const path = `${admin.home}/p/${organization.projectId}/domains`;
  const { json } = await claim(organization, domain);
  const waiting = await admin.get(path);
  for (const value of [`_octavo.${domain}`, json.verification.value, "sites.host.example", "203.0.113.7"])
    expect(waiting.text).toContain(`data-copy="${value}"`);
  expect(waiting.text).toContain('id="domains" class="d-live" data-live="5"');
  await service.until(async () => (await admin.get(path)).text.includes("Not found"));

  names.records.set(`_octavo.${domain}`, ["another value"]);
  names.aliases.set(domain, "elsewhere.example");
  const check = () => admin.submit(`${path}/${domain}/verify`, {}, { from: path });
  expect((await check()).status).toBe(409);
  await service.until(async () => (await admin.get(path)).text.includes("Different value"));
  // The target isn't looked up before the domain is verified.
  expect((await admin.get(path)).text).toMatch(/CNAME[\s\S]*Not checked/);
  expect((await admin.get(path)).text).not.toMatch(/elsewhere\.example|Points elsewhere/);

  names.records.set(`_octavo.${domain}`, [json.verification.value]);
  names.aliases.set(domain, "sites.host.example");
  const { client } = organization;
  const { projectId } = organization;
  await dueNow(domain);
  await service.until(
    async () =>
      (await client(endpoints.listDomains, { params: { projectId } })).domains[0]!.verifiedAt !== null,
  );
  await service.until(async () => (await serves(domain)).includes("Found page"));
  await service.until(async () => !(await admin.get(path)).text.includes("data-live"));
  // The service has a loopback URL, so it can't have certificates.
  expect((await admin.get(path)).text).toMatch(/Verified[\s\S]*TLS not checked/);
  const { entries } = await client(endpoints.listAudit, { query: {} });
  expect(entries.some(({ action, actor }) => action === "verifyDomain" && actor === "service")).toBe(true);
});

test("of what the service's resolver knows, only the public addresses of a verified domain are shown", async () => {
  const organization = await newOrganization(service);
  const admin = await newMember(service, organization.id, "admin");
  const path = `${admin.home}/p/${organization.projectId}/domains`;
  const check = async (domain: string) => {
    await dueNow(domain);
    await service.runJobs();
    return (await admin.get(path)).text;
  };
  const domain = "vault.inside.example";
  const { json } = await claim(organization, domain);
  names.addresses.set(domain, ["10.20.30.41", "192.168.7.9", "1.1.1.1"]);
  names.aliases.set(domain, "pg-primary.corp.example");
  expect(await check(domain)).not.toMatch(/10\.20\.30\.41|192\.168\.7\.9|1\.1\.1\.1|pg-primary/);
  names.records.set(`_octavo.${domain}`, [json.verification.value]);
  await check(domain);
  const verified = await check(domain);
  expect(verified).toContain("points to <code>1.1.1.1</code>");
  expect(verified).not.toMatch(/10\.20\.30\.41|192\.168\.7\.9|pg-primary/);
  names.addresses.set(domain, ["10.20.30.41"]);
  const inside = await check(domain);
  expect(inside).toContain("Not found");
  expect(inside).not.toMatch(/10\.20\.30\.41|pg-primary|Points elsewhere/);
});

test("checks become rarer while nothing changes, up to every 72 hours", async () => {
  const organization = await newOrganization(service);
  await claim(organization, "docs.rare.example");
  const database = new Client(databaseUrl);
  await database.connect();
  const wait_s = async () => {
    const { rows } = await database.query<{ seconds: number }>(
      "select extract(epoch from next_check_at - (check_result ->> 'at')::timestamptz)::int as seconds from domains where domain = 'docs.rare.example' and check_result is not null",
    );
    return rows[0]?.seconds ?? 0;
  };
  try {
    await service.until(async () => (await wait_s()) === 15);
    await dueNow("docs.rare.example");
    await service.until(async () => (await wait_s()) === 30);
    await database.query("update domains set check_count = 40 where domain = 'docs.rare.example'");
    await dueNow("docs.rare.example");
    await service.until(async () => (await wait_s()) === 72 * 3_600);
  } finally {
    await database.end();
  }
});

async function dueNow(domain: string): Promise<void> {
  const database = new Client(databaseUrl);
  await database.connect();
  await database.query("update domains set next_check_at = now() where domain = $1", [domain]);
  await database.end();
}

describe("a domain with a path", () => {
  const pathOf = (organization: TestOrganization, domain: string) =>
    `${at(organization)}/${encodeURIComponent(domain)}`;

  test("is verified by the record of its host, and moves the site below the path", async () => {
    const organization = await newOrganization(service);
    const admin = await newMember(service, organization.id, "admin");
    await deploy(organization, docs("Home page", { "guide.mdx": "[Home](/)" }));
    const domain = "shared.example/docs";
    const { json, status } = await claim(organization, "Shared.example/docs/");
    expect([status, json.domain, json.verification.name]).toEqual([201, domain, "_octavo.shared.example"]);
    const page = `${admin.home}/p/${organization.projectId}/domains`;
    const waiting = await admin.get(page);
    expect(waiting.text).toMatch(
      /forward <code>\/docs<\/code> and all paths below it to <code>sites\.host\.example/,
    );
    expect(waiting.text).not.toContain("CNAME");
    names.records.set("_octavo.shared.example", [json.verification.value]);
    expect(
      (await admin.submit(`${page}/${encodeURIComponent(domain)}/verify`, {}, { from: page })).text,
    ).toContain("Verified");
    await service.until(async () =>
      (await visit(service, "shared.example", "/docs/guide")).text.includes('href="/docs/">Home'),
    );
    expect((await visit(service, "shared.example", "/guide")).status).toBe(404);
    const own = `${organization.subdomain}.localhost`;
    expect((await visit(service, own, "/")).headers.location).toBe("/docs/");
    expect((await visit(service, own, "/docs/guide")).status).toBe(200);
    // Rebuilt once, and not again.
    await service.runJobs();
    const { json: listed } = await organization.ask(`/v1/projects/${organization.projectId}/deployments`);
    expect(listed.deployments).toHaveLength(2);
    // After its removal, the site is back at the root.
    expect((await organization.ask(pathOf(organization, domain), { method: "DELETE" })).status).toBe(204);
    await service.until(async () => (await visit(service, own, "/guide")).status === 200);
  });

  test("can be verified by several projects, unless the paths overlap", async () => {
    const [first, second] = [await newOrganization(service), await newOrganization(service)];
    await deploy(first, docs("First site"));
    await deploy(second, docs("Second site"));
    await addAsOperator(first, "both.example/first");
    await addAsOperator(second, "both.example/second");
    await service.until(async () => (await serves("both.example/first")).includes("First site"));
    await service.until(async () => (await serves("both.example/second")).includes("Second site"));
    const third = await newOrganization(service);
    const conflicts = ["both.example", "both.example/first", "both.example/first/more"];
    for (const domain of conflicts) {
      expect((await claim(third, domain)).status, domain).toBe(409);
      await expect(addAsOperator(third, domain), domain).rejects.toMatchObject({ status: 409 });
    }
    expect((await claim(third, "both.example/firsts")).status).toBe(201);
  });

  test("of two concurrent verifications of overlapping domains, one succeeds", async () => {
    const both = [await newOrganization(service), await newOrganization(service)] as const;
    const domains = ["race.example/docs", "race.example/docs/api"] as const;
    const claims = await Promise.all(domains.map((domain, index) => claim(both[index]!, domain)));
    names.records.set(
      "_octavo.race.example",
      claims.map(({ json }) => json.verification.value),
    );
    const answers = await Promise.all(
      domains.map((domain, index) =>
        both[index]!.ask(`${pathOf(both[index]!, domain)}/verify`, { method: "POST" }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test("must have the same path as the project's other domains", async () => {
    const organization = await newOrganization(service);
    expect((await claim(organization, "one.example/docs")).status).toBe(201);
    expect((await claim(organization, "two.example/docs")).status).toBe(201);
    expect((await claim(organization, "three.example")).json.error).toBe(
      "All domains of a project have the same path, but this project has one.example/docs. Remove it first, or enter a domain with the path /docs.",
    );
    await expect(addAsOperator(organization, "three.example/other")).rejects.toMatchObject({ status: 409 });
  });

  test.each([
    "docs.example.com/a b",
    "docs.example.com/../x",
    "docs.example.com//x",
    "docs.example.com/_octavo",
    "docs.example.com/x?y",
    "docs.example.com/%2e",
  ])("can't be %s", async (domain) => {
    expect((await claim(await newOrganization(service), domain)).status).toBe(400);
  });
});
