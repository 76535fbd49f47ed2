/** The audit log in the dashboard: filters, labels and download. */

import { expect, test } from "vitest";
import { newMember } from "../../../test/service/dashboard.ts";
import { deploy, docs } from "../../../test/service/deploying.ts";
import { newOrganization } from "../../../test/service/service.ts";
import { sharedService } from "../../../test/shared/service.ts";
import { resultOf } from "../core/audit.ts";

const service = await sharedService();

test("changes are listed with readable actions; views on request", async () => {
  const organization = await newOrganization(service);
  const admin = await newMember(service, organization.id, "admin", "Ada");
  await admin.submit(`${admin.home}/members`, { email: "new@example.com", role: "viewer" });
  await admin.get(`${admin.home}/p/${organization.projectId}/conversations`);
  const changes = (await admin.get(`${admin.home}/audit`)).text;
  expect(changes).toContain(">Invite a member</th>");
  expect(changes).toContain(admin.email);
  expect(changes).not.toContain("View conversations");
  const all = (await admin.get(`${admin.home}/audit?show=all`)).text.replace(/<td[^>]*>/g, "<td>");
  expect(all).toContain(`View conversations</th><td>${admin.email}</td><td>${organization.subdomain}</td>`);
});

test("filters by actor, result and days", async () => {
  const organization = await newOrganization(service);
  const admin = await newMember(service, organization.id, "admin", "Ada");
  const viewer = await newMember(service, organization.id, "viewer", "Vi");
  await admin.submit(`${admin.home}/members`, { email: "new@example.com", role: "viewer" });
  await viewer.post(`${viewer.home}/members`, {
    email: "x@example.com",
    role: "viewer",
    _token: await viewer.token("/dashboard/account"),
  });
  const rows = async (query: string) =>
    (await admin.ask(`${admin.home}/audit?format=ndjson&${query}`)).text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { actor: string; action: string; outcome: string });
  const failed = await rows("result=failure");
  expect(failed.map(({ actor, action, outcome }) => [actor, action, outcome])).toEqual([
    [`member ${viewer.email}`, "createInvitation", "403"],
  ]);
  const own = await rows(`actor=${encodeURIComponent(admin.email.toUpperCase())}&result=success`);
  expect(own.map(({ action }) => action)).toContain("createInvitation");
  expect(own.every(({ actor }) => actor === `member ${admin.email}`)).toBe(true);
  expect(await rows("from=2001-01-01&to=2001-01-02")).toEqual([]);
  const csv = (await admin.ask(`${admin.home}/audit?format=csv`)).text;
  expect(csv.split("\r\n")[0]).toContain("number,at,actor,action");
});

test.each([
  ["200", "success"],
  ["303", "success"],
  ["success", "success"],
  ["live", "success"],
  ["ready", "success"],
  ["superseded", "success"],
  ["401", "denied"],
  ["403", "denied"],
  ["409", "failed"],
  ["500", "failed"],
  ["failure", "failed"],
  ["paused", undefined],
  ["toString", undefined],
])("the outcome %s is shown as %s", (outcome, result) => {
  expect(resultOf(outcome)).toBe(result);
});

test("a live deployment is a success, and a failed one a failure", async () => {
  const organization = await newOrganization(service);
  const admin = await newMember(service, organization.id, "admin", "Ada");
  await deploy(organization, docs("Hello"));
  const shown = async (query = "") => {
    const { text } = await admin.get(`${admin.home}/audit${query}`);
    return [...text.matchAll(/>Build a deployment<\/th>.*?d-badge-(\w+)">([^<]+)</g)].map(
      ([, color, label]) => `${color} ${label}`,
    );
  };
  expect(await shown()).toEqual(["check Success"]);
  expect(await shown("?result=success")).toEqual(["check Success"]);
  expect(await shown("?result=failure")).toEqual([]);
  await deploy(organization, { "index.mdx": "Without docs.json" });
  expect(await shown()).toEqual(["warning Failed", "check Success"]);
  expect(await shown("?result=success")).toEqual(["check Success"]);
  expect(await shown("?result=failure")).toEqual(["warning Failed"]);
});

test("entries about a project show its name", async () => {
  const organization = await newOrganization(service);
  const admin = await newMember(service, organization.id, "admin", "Ada");
  await admin.submit(
    `${admin.home}/projects`,
    { name: "Handbook", subdomain: `${organization.subdomain}-2` },
    { from: `${admin.home}/projects/new` },
  );
  await deploy(organization, docs("Hello"));
  const { text } = await admin.get(`${admin.home}/audit`);
  const projectOf = (action: string) =>
    new RegExp(`>${action}</th>.*?data-title="Project"[^>]*>([^<]*)<`).exec(text)?.[1];
  expect(projectOf("Create a project")).toBe("Handbook");
  expect(projectOf("Build a deployment")).toBe(organization.subdomain);
});
