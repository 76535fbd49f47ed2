/** Ownership of domains: claims, verification by TXT records, and domains added by the operator. */

import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { deploy, docs, until, visit } from "../../../test/service/deploying.ts";
import { NameServer } from "../../../test/service/name-server.ts";
import { openPlatform } from "../../../test/service/platform.ts";
import { newOrganization, type RunningService, type TestOrganization } from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { startService } from "../../../test/shared/service.ts";
import { limits } from "../../base/limits.ts";
import { endpoints } from "../app/endpoints.ts";
import { sweepDomains } from "./domains.ts";

let names: NameServer;
let service: RunningService;
let databaseUrl: string;

beforeAll(async () => {
  [names, databaseUrl] = [await new NameServer().listen(), await createDatabase()];
  service = await startService({ databaseUrl, env: names.environment });
}, 120_000);
afterAll(async () => {
  await service.stop();
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
  const { status, text } = await visit(service, domain, "/");
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
  expect((await claim(await newOrganization(service), domain)).status).toBe(409);
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
  await until(async () => (await serves(domain)).includes("Squatted page"));
  await expect(addAsOperator(owner, domain)).rejects.toMatchObject({ status: 409 });
  expect((await addAsOperator(owner, domain, true)).verifiedAt).not.toBeNull();
  await until(async () => (await serves(domain)).includes("Owned page"));
  expect((await squatter.ask(at(squatter))).json.domains).toEqual([]);
});

test("domains of an organization are limited, and an unverified claim expires", async () => {
  const organization = await newOrganization(service);
  const statuses: number[] = [];
  for (let n = 0; n < limits.domains_count + 10; n += 10)
    statuses.push(
      ...(await Promise.all(Array.from({ length: 10 }, (_, i) => claim(organization, `d${n + i}.example`)))).map((a) => a.status),
    );
  expect(statuses.filter((status) => status === 201)).toHaveLength(limits.domains_count);
  expect(statuses.filter((status) => status === 409)).toHaveLength(10);

  const client = new Client(databaseUrl);
  await client.connect();
  const { service: platform, close } = await openPlatform({ databaseUrl, storage: `file:${temporaryFolder()}`, folder: temporaryFolder() });
  try {
    await addAsOperator(organization, "d0.example");
    const old = new Date(Date.now() - limits.domainClaim_ms - 60_000);
    await client.query("update domains set created_at = $1 where organization_id = $2 and domain < 'd2'", [old, organization.id]);
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
