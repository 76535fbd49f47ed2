/** API keys in the dashboard: create, show once, use, revoke. */

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DashboardPage, type Member, newMember } from "../../../test/service/dashboard.ts";
import { onEachDatabase } from "../../../test/service/databases.ts";
import { deploy, docs } from "../../../test/service/deploying.ts";
import {
  newOrganization,
  send,
  type TestOrganization,
  type TestService,
} from "../../../test/service/service.ts";
import { endpoints } from "../app/endpoints.ts";

const keyOf = ({ text }: Pick<DashboardPage, "text">) => /oct_(?:pub_)?[0-9A-Za-z]{42}/.exec(text)?.[0];

onEachDatabase("API keys in the dashboard", (start) => {
  let service: TestService;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.stop());

  /**
   * Creates an organization and a member. Tests need new organizations because the rate limit for new keys is
   * per organization.
   */
  const newTeam = async (role: "viewer" | "editor" | "admin" = "admin") => {
    const organization = await newOrganization(service);
    return { organization, member: await newMember(service, organization.id, role) };
  };
  const ask = (
    key: string,
    path: string,
    more: { method?: string; body?: string; headers?: Record<string, string> } = {},
  ) =>
    send({ port: service.port, path, ...more, headers: { authorization: `Bearer ${key}`, ...more.headers } });
  const make = (member: Member, values: Record<string, string>) =>
    member.submit(`${member.home}/keys`, { name: "Programs", ...values });
  const rowsOf = (organization: TestOrganization) =>
    service
      .operator(endpoints.listKeys, { params: { organizationId: organization.id } })
      .then(({ keys }) => keys);

  test("an admin key is shown once, works with the API, and is revoked after confirmation", async () => {
    const { organization, member } = await newTeam();
    const made = await make(member, { name: "Deploys from CI" });
    const key = keyOf(made)!;
    expect(made.status).toBe(200);
    expect(made.headers["cache-control"]).toBe("no-store");
    // The page shows a curl command.
    expect(made.text).toContain(`curl -fsS &quot;http://localhost:${service.port}/v1/projects&quot;`);
    expect((await ask(key, "/v1/projects")).status).toBe(200);

    const list = await member.get(`${member.home}/keys`);
    expect(list.text).not.toContain(key);
    expect(list.text).toContain(`oct_…${key.slice(-4)}`);
    expect(list.text).toContain(`by ${member.name}`);
    expect(list.text).toContain(organization.projectId);
    const [row] = await rowsOf(organization);
    expect(row).toMatchObject({ name: "Deploys from CI", scopes: ["write"], lastFour: key.slice(-4) });
    const days = (Date.parse(row!.expiresAt!) - Date.now()) / (24 * 3_600_000);
    expect(days).toBeGreaterThan(89.9);
    expect(days).toBeLessThanOrEqual(90);

    const revoke = `${member.home}/keys/${row!.id}/revoke`;
    const wrong = await member.submit(revoke, { confirm: "Something else" });
    expect([wrong.status, (await ask(key, "/v1/projects")).status]).toEqual([400, 200]);
    const revoked = await member.submit(revoke, { confirm: "Deploys from CI" });
    expect(revoked.path).toBe(`${member.home}/keys?done=key-revoked`);
    expect((await ask(key, "/v1/projects")).status).toBe(401);
    expect(revoked.text).toContain("Revoked");
  });

  test("an assistant key works with its project's search, but not with admin endpoints", async () => {
    const { organization, member } = await newTeam("editor");
    await deploy(organization, docs("Acme keeps widgets in order."));
    const made = await make(member, { type: "assistant", projectId: organization.projectId });
    const key = keyOf(made)!;
    expect(key).toMatch(/^oct_pub_/);
    expect(made.text).toContain(`/v1/search/${organization.subdomain}&quot;`);
    const found = await ask(key, `/v1/search/${organization.subdomain}`, {
      method: "POST",
      body: '{"query": "widgets"}',
      headers: { "content-type": "application/json" },
    });
    expect([found.status, (await ask(key, "/v1/projects")).status]).toEqual([200, 403]);
  });

  test("scopes, allowed IPs and no expiry are stored as submitted", async () => {
    const { organization, member } = await newTeam();
    const reader = keyOf(await make(member, { scopes: "read", expires: "never" }))!;
    expect((await ask(reader, "/v1/projects")).status).toBe(200);
    expect(
      (await ask(reader, `/v1/project/update/${organization.projectId}`, { method: "POST" })).status,
    ).toBe(403);
    const elsewhere = keyOf(await make(member, { allowedIps: "192.0.2.7\r\n 2001:db8::/32\r\n" }))!;
    expect((await ask(elsewhere, "/v1/projects")).status).toBe(403);
    expect((await rowsOf(organization)).slice(0, 2)).toMatchObject([
      { allowedIps: ["192.0.2.7", "2001:db8::/32"] },
      { scopes: ["read"], expiresAt: null, allowedIps: [] },
    ]);
  });

  test("an editor creates keys for public pages only, and the form offers no others", async () => {
    const { organization, member } = await newTeam("editor");
    const { text } = await member.get(`${member.home}/keys`);
    expect([
      text.includes('value="assistant"'),
      text.includes('value="admin"'),
      text.includes('name="groups"'),
    ]).toEqual([true, false, false]);
    const { projectId } = organization;
    const attempts: Record<string, string>[] = [
      { type: "admin", scopes: "read" },
      { type: "assistant", projectId, groups: "staff" },
    ];
    for (const values of attempts) {
      const page = await make(member, values);
      expect([page.status, keyOf(page)]).toEqual([403, undefined]);
    }
    expect((await make(member, { type: "assistant", projectId })).status).toBe(200);
    expect(await rowsOf(organization)).toHaveLength(2);
  });

  test("a key for groups of readers comes with a warning", async () => {
    const { organization, member } = await newTeam();
    const made = await make(member, {
      type: "assistant",
      projectId: organization.projectId,
      groups: "staff, partners",
    });
    expect(made.text).toContain("Anyone with this key can read pages for staff, partners");
    expect((await rowsOf(organization))[0]).toMatchObject({
      groups: ["staff", "partners"],
      createdBy: member.name,
    });
  });

  test("a key has the current role of the member who created it, from the next request on", async () => {
    const { organization, member: boss } = await newTeam();
    const { projectId } = organization;
    const member = await newMember(service, organization.id, "admin", "Kay");
    const key = keyOf(await make(member, { scopes: "write" }))!;
    const json = { "content-type": "application/json" };
    const tries = async () => [
      (await ask(key, "/v1/audit-log")).status,
      (await ask(key, `/v1/projects/${projectId}`, { method: "PATCH", body: '{"name":"x"}', headers: json }))
        .status,
      (
        await ask(key, `/v1/projects/${projectId}/domains`, {
          method: "POST",
          body: '{"domain":"x"}',
          headers: json,
        })
      ).status,
      [401, 403].includes((await ask(key, `/v1/project/update/${projectId}`, { method: "POST" })).status)
        ? "no"
        : "may deploy",
      (await ask(key, "/v1/projects")).status,
    ];
    const list = (await boss.get(`${boss.home}/members`)).text;
    const path = [...list.matchAll(/href="([^"]+)"[^>]*>Change<span class="o-sr"> (\w+)/g)].find(
      ([, , name]) => name === "Kay",
    )![1]!;
    const becomes = (role: string) => boss.submit(`${path}/role`, { role }, { from: path });
    expect(await tries()).toEqual([200, 200, 400, "may deploy", 200]);
    await becomes("editor");
    expect(await tries()).toEqual([403, 403, 403, "may deploy", 200]);
    expect((await boss.get(`${boss.home}/keys`)).text).toContain("write, as editor");
    await becomes("viewer");
    expect(await tries()).toEqual([403, 403, 403, "no", 200]);
    await becomes("admin");
    expect(await tries()).toEqual([200, 200, 400, "may deploy", 200]);
    await boss.submit(`${path}/remove`, { confirm: member.email }, { from: path });
    expect(await tries()).toEqual([401, 401, 401, "no", 401]);
  });

  describe("errors show the form again with the submitted values", () => {
    test.each([
      [
        { allowedIps: "0.0.0.0/0" },
        "Allowed IPs must be valid IPs or CIDR ranges (0.0.0.0/0 and ::/0 aren't allowed)",
      ],
      [
        { allowedIps: "example.com" },
        "Allowed IPs must be valid IPs or CIDR ranges (0.0.0.0/0 and ::/0 aren't allowed)",
      ],
      [{ name: " " }, "Name must not be empty"],
      [{ type: "root" }, "Type must be one of admin, assistant"],
      [{ expires: "400" }, "Expires must be one of 7, 30, 60, 90, never"],
      [{ scopes: "everything" }, "Permissions must be read, write, or both"],
    ])("%j", async (values, message) => {
      const { organization, member } = await newTeam();
      const page = await make(member, { name: "Kept", ...values } as Record<string, string>);
      expect(page.status).toBe(400);
      // The summary links to the field, which shows the message, too.
      const [field] = Object.keys(values);
      expect(page.text).toContain(`<a href="#${field}">${message}`);
      expect(page.text).toMatch(new RegExp(`id="${field}"[^>]* aria-describedby="${field}-error`));
      expect(page.text).toContain(`<p id="${field}-error" class="d-field-error">${message}`);
      if (!("name" in values)) expect(page.text).toContain('value="Kept"');
      expect(await rowsOf(organization)).toHaveLength(1);
    });

    test("a project of another organization is not found", async () => {
      const [{ organization, member }, { organization: other }] = [await newTeam(), await newTeam()];
      const page = await make(member, { type: "assistant", projectId: other.projectId });
      expect(page.status).toBe(404);
      expect(await rowsOf(organization)).toHaveLength(1);
    });
  });

  test("the members of an organization can together create ten keys per hour; the operator has no limit", async () => {
    const { organization, member } = await newTeam();
    const other = await newMember(service, organization.id, "admin", "Eddi");
    for (let n = 0; n < 10; n++) expect((await make(n % 2 ? member : other, {})).status).toBe(200);
    const refused = await make(member, { name: "One more" });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(refused.text).toContain("limit of 10 new keys per hour");
    expect(refused.text).toContain('value="One more"');
    const { key } = await service.operator(endpoints.createKey, {
      params: { organizationId: organization.id },
      body: { name: "x" },
    });
    expect(key).toMatch(/^oct_/);
    // The first key was created with the organization.
    expect(await rowsOf(organization)).toHaveLength(12);
  });

  test("a form that is submitted twice creates one key and says so", async () => {
    const { organization, member } = await newTeam();
    const { forms } = await member.get(`${member.home}/keys`);
    const form = forms.find(({ action }) => action === `${member.home}/keys`)!;
    const values = { ...form.values, name: "Twice" };
    const answers = await Promise.all([member.post(form.action, values), member.post(form.action, values)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.filter((answer) => keyOf(answer)).length).toBe(1);
    const again = await member.post(form.action, values);
    expect([again.status, keyOf(again)]).toEqual([409, undefined]);
    expect(again.text).toContain("This key was already created");
    expect(await rowsOf(organization)).toHaveLength(2);
  });

  test("a viewer sees the list without forms and can't create or revoke keys", async () => {
    const { organization, member } = await newTeam("viewer");
    const list = await member.get(`${member.home}/keys`);
    expect(list.status).toBe(200);
    expect(list.text).toContain("…");
    expect(list.text).toContain(organization.projectId);
    expect(list.forms.filter(({ action }) => action.includes("/keys"))).toEqual([]);
    expect(list.text).not.toContain("/revoke");
    const _token = await member.token("/dashboard/account");
    const id = (await rowsOf(organization))[0]!.id;
    expect(
      (
        await member.post(`${member.home}/keys`, {
          _token,
          name: "x",
          type: "admin",
          scopes: "read",
          expires: "7",
        })
      ).status,
    ).toBe(403);
    expect((await member.post(`${member.home}/keys/${id}/revoke`, { _token, confirm: "test" })).status).toBe(
      403,
    );
    expect(await rowsOf(organization)).toMatchObject([{ id, revokedAt: null }]);
  });

  test("another organization's key is not found", async () => {
    const [{ member }, { organization: other }] = [await newTeam("admin"), await newTeam()];
    const id = (await rowsOf(other))[0]!.id;
    const _token = await member.token("/dashboard/account");
    expect((await member.get(`${member.home}/keys/${id}/revoke`)).status).toBe(404);
    expect((await member.post(`${member.home}/keys/${id}/revoke`, { _token, confirm: "test" })).status).toBe(
      404,
    );
    expect((await member.get(`/dashboard/o/${other.id}/keys`)).status).toBe(404);
    expect(await rowsOf(other)).toMatchObject([{ id, revokedAt: null }]);
  });

  describe("keys can be created from the dashboard's pages only", () => {
    test("forms of other origins, without a token or with another user's token are refused", async () => {
      const { organization, member } = await newTeam();
      const stranger = await newMember(service, organization.id, "editor", "Eve");
      const path = `${member.home}/keys`;
      const values = { name: "x", type: "admin", scopes: "read", expires: "7" };
      const _token = await member.token(path);
      const attempts: [Record<string, string>, Record<string, string>][] = [
        [{ ...values, _token }, { origin: "https://evil.example" }],
        [{ ...values, _token }, { origin: "null" }],
        [{ ...values, _token }, { origin: `http://docs.localhost:${service.port}` }],
        [{ ...values, _token }, { "sec-fetch-site": "cross-site" }],
        [{ ...values, _token }, { "sec-fetch-site": "same-site" }],
        [values, {}],
        [{ ...values, _token: await stranger.token(path) }, {}],
        [{ ...values, _token: randomBytes(32).toString("base64url") }, {}],
      ];
      for (const [form, headers] of attempts)
        expect((await member.post(path, form, headers)).status).toBe(403);
      expect((await member.post(path, { ...values, _token }, { "content-type": "text/plain" })).status).toBe(
        415,
      );
      expect(await rowsOf(organization)).toHaveLength(1);
      expect(
        (await member.post(path, { ...values, _token }, { origin: `http://localhost:${service.port}` }))
          .status,
      ).toBe(200);
    });
  });

  test("the audit log has the key's id, not the key", async () => {
    const { organization, member } = await newTeam("admin");
    const key = keyOf(await make(member, {}))!;
    const { json } = await organization.ask("/v1/audit-log?limit=10");
    const [row] = await rowsOf(organization);
    expect(json.entries).toContainEqual(
      expect.objectContaining({
        action: "createKey",
        actor: `member ${member.email}`,
        outcome: "200",
        metadata: { keyId: row!.id },
      }),
    );
    expect(JSON.stringify(json)).not.toContain(key.slice(0, 20));
    expect(service.output()).not.toContain(key.slice(0, 20));
  });
});
