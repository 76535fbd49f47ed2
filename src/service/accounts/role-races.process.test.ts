/**
 * Concurrent changes of roles and keys: an organization always has an admin, and a demotion takes effect with
 * its response.
 */

import { expect, test } from "vitest";
import { type Member, newMember } from "../../../test/service/dashboard.ts";
import { newOrganization, send } from "../../../test/service/service.ts";
import { sharedService } from "../../../test/shared/service.ts";

const service = await sharedService();

/** Paths of the pages of the members, by name of the member. */
async function pathsOf(boss: Member): Promise<Map<string, string>> {
  const { text } = await boss.get(`${boss.home}/members`);
  return new Map(
    [...text.matchAll(/href="([^"]+)"[^>]*>Change<span class="o-sr"> (\w+)/g)].map(([, path, name]) => [
      name!,
      path!,
    ]),
  );
}

async function rolesOf(member: Member): Promise<string[]> {
  const { text } = await member.get(`${member.home}/members`);
  return [...text.matchAll(/<td[^>]*>(Admin|Editor|Viewer)<\/td>/g)].map(([, role]) => role!.toLowerCase());
}

test("100 concurrent changes in which admins demote and remove each other never leave the organization without an admin", async () => {
  const organization = await newOrganization(service);
  const admins = await Promise.all(
    ["Ann", "Ben", "Cem", "Dot"].map((name) => newMember(service, organization.id, "admin", name)),
  );
  const watcher = await newMember(service, organization.id, "viewer", "Watcher");
  const paths = await pathsOf(admins[0]!);
  const tokens = await Promise.all(admins.map((admin) => admin.token("/dashboard/account")));
  const changes = Array.from({ length: 100 }, (_, n) => {
    const by = n % admins.length;
    // Each admin changes the others and themselves.
    const target = admins[(n * 7 + Math.floor(n / 4)) % admins.length]!;
    const path = paths.get(target.name)!;
    const isRemoval = n % 25 === 24;
    const form: Record<string, string> = isRemoval
      ? { confirm: target.email }
      : { role: n % 3 === 0 ? "viewer" : "editor" };
    return () =>
      admins[by]!.post(`${path}/${isRemoval ? "remove" : "role"}`, { _token: tokens[by]!, ...form });
  });
  const answers = await Promise.all(changes.map((change) => change()));
  expect(answers.filter(({ status }) => ![303, 400, 403, 404, 409].includes(status))).toEqual([]);
  expect(answers.some(({ status }) => status === 303)).toBe(true);
  expect(await rolesOf(watcher)).toContain("admin");
});

test("after the response to a demotion, no key of the member exceeds the new role", async () => {
  const organization = await newOrganization(service);
  const boss = await newMember(service, organization.id, "admin", "Boss");
  const member = await newMember(service, organization.id, "admin", "Max");
  const path = (await pathsOf(boss)).get("Max")!;
  const [token, ownToken] = await Promise.all([boss, member].map((each) => each.token("/dashboard/account")));
  const [, key] = /(oct_[0-9A-Za-z]{42})/.exec(
    (await member.submit(`${member.home}/keys`, { name: "x", scopes: "write" })).text,
  )!;
  const body = JSON.stringify({ name: "Changed" });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const change = () =>
    send({
      port: service.port,
      path: `/v1/projects/${organization.projectId}`,
      method: "PATCH",
      headers,
      body,
    });
  let late = 0;
  let made = 0;
  for (let round = 0; round < 25; round++) {
    const becomes = (role: string) => boss.post(`${path}/role`, { _token: token!, role });
    let isDemoted = false;
    // Requests are in progress while the role changes; the member also tries to create another key.
    const demotion = becomes(round % 2 ? "editor" : "viewer").then(({ status }) => {
      expect(status).toBe(303);
      isDemoted = true;
    });
    const tries = Array.from({ length: 4 }, async () => {
      const wasDemoted = isDemoted;
      const { status } = await change();
      if (wasDemoted && status < 400) late++;
    });
    const another = member.post(`${member.home}/keys`, {
      _token: ownToken!,
      name: "y",
      type: "admin",
      scopes: "write",
      expires: "7",
    });
    await Promise.all([demotion, ...tries, another]);
    const after = await Promise.all([change(), change()]);
    late += after.filter(({ status }) => status !== 403).length;
    const [, other] = /(oct_[0-9A-Za-z]{42})/.exec((await another).text) ?? [];
    if (other) {
      made++;
      const answer = await send({
        port: service.port,
        path: "/v1/audit-log",
        headers: { authorization: `Bearer ${other}` },
      });
      if (answer.status !== 403) late++;
    }
    expect((await becomes("admin")).status).toBe(303);
    expect((await change()).status).toBe(200);
  }
  expect(late).toBe(0);
  expect(made).toBeLessThanOrEqual(10);
});
