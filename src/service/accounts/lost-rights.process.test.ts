/** What a person made for others ends with the right to make it: invitations, reset links and API keys. */

import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type Member, newMember, password, visitor } from "../../../test/service/dashboard.ts";
import { newOrganization, type TestOrganization, type TestService } from "../../../test/service/service.ts";
import { sharedService } from "../../../test/shared/service.ts";
import { endpoints } from "../app/endpoints.ts";

let service: TestService;
let organization: TestOrganization;
let boss: Member;

beforeAll(async () => {
  service = await sharedService();
  organization = await newOrganization(service);
  boss = await newMember(service, organization.id, "admin", "Boss");
});

/** Path of a member's page, as another member sees it. */
async function pageOf(viewer: Member, { email }: Member): Promise<string> {
  const { text } = await viewer.get(`${viewer.home}/members`);
  const row = text.split("<tr").find((part) => part.includes(email))!;
  return /href="([^"]+\/members\/\w+)"/.exec(row)![1]!;
}

async function idOf(viewer: Member, member: Member): Promise<string> {
  return (await pageOf(viewer, member)).split("/").at(-1)!;
}

async function resetLinkBy(admin: Member, member: Member): Promise<string> {
  const page = await pageOf(admin, member);
  return /\/dashboard\/reset-password\/[\w-]+/.exec(
    (await admin.submit(`${page}/reset-link`, {}, { from: page })).text,
  )![0];
}

async function invitationBy(admin: Member): Promise<string> {
  const email = `guest-${randomBytes(4).toString("hex")}@example.com`;
  const { text } = await admin.submit(`${admin.home}/members`, { email, role: "admin" });
  return /\/dashboard\/invitations\/[\w-]+/.exec(text)![0];
}

async function changeRole(of: Member, role: string): Promise<void> {
  const page = await pageOf(boss, of);
  expect((await boss.submit(`${page}/role`, { role }, { from: page })).status).toBe(200);
}

async function remove(member: Member): Promise<void> {
  const page = await pageOf(boss, member);
  expect((await boss.submit(`${page}/remove`, { confirm: member.email }, { from: page })).status).toBe(200);
}

const statusOf = async (path: string) => (await visitor(service).get(path)).status;

describe.each<[string, (admin: Member) => Promise<void>]>([
  ["becomes an editor", (admin) => changeRole(admin, "editor")],
  ["becomes a viewer", (admin) => changeRole(admin, "viewer")],
  ["is removed", remove],
])("when an admin %s", (_, loseRights) => {
  test("the admin's invitations and reset links no longer work, and those of others do", async () => {
    const admin = await newMember(service, organization.id, "admin", "Former");
    const colleague = await newMember(service, organization.id, "admin", "Colleague");
    const invitation = await invitationBy(admin);
    const resetLink = await resetLinkBy(admin, colleague);
    const kept = await invitationBy(boss);
    expect([await statusOf(invitation), await statusOf(resetLink)]).toEqual([200, 200]);
    await loseRights(admin);
    expect([await statusOf(invitation), await statusOf(resetLink), await statusOf(kept)]).toEqual([
      410, 410, 200,
    ]);
  });
});

describe.each<[string, (member: Member) => Promise<unknown>]>([
  [
    "joins another organization",
    async (member) => {
      const other = await newOrganization(service);
      const { url } = await service.operator(endpoints.createInvitation, {
        params: { organizationId: other.id },
        body: { email: member.email, role: "admin" },
      });
      await member.submit(new URL(url).pathname);
    },
  ],
  [
    "becomes an operator",
    async (member) => service.operator(endpoints.addOperator, { body: { userId: await idOf(boss, member) } }),
  ],
])("when a member %s", (_, gainRights) => {
  test("reset links that an admin created before no longer work", async () => {
    const member = await newMember(service, organization.id, "editor", "Growing");
    const link = await resetLinkBy(boss, member);
    const browser = visitor(service);
    const { forms } = await browser.get(link);
    expect(forms.some(({ action }) => action === link)).toBe(true);
    await gainRights(member);
    // The form was open before.
    const values = forms.find(({ action }) => action === link)!.values;
    expect((await browser.post(link, { ...values, password: "another long password" })).status).toBe(410);
    expect(await statusOf(link)).toBe(410);
    const again = await visitor(service).submit("/dashboard/sign-in", { email: member.email, password });
    expect(again.path).toMatch(/^\/dashboard/);
  });
});
