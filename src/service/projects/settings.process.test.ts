/** Project settings in the dashboard. */

import { Kysely, PostgresDialect } from "kysely";
import { Client, Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Member, newMember } from "../../../test/service/dashboard.ts";
import { deploy, docs, visit } from "../../../test/service/deploying.ts";
import { newOrganization, type TestOrganization, type TestService } from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { endpoints } from "../app/endpoints.ts";
import { decrypted } from "../core/project-secrets.ts";
import { openSecrets } from "../core/secrets.ts";
import type { Tables } from "../core/tables.ts";

const secret = "the secret of the service with these settings";
let databaseUrl: string;
let service: TestService;
let organization: TestOrganization;
let admin: Member;
let settings: string;

beforeAll(async () => {
  databaseUrl = await createDatabase();
  service = await openTestService({ databaseUrl, secret });
  organization = await newOrganization(service);
  admin = await newMember(service, organization.id);
  await deploy(organization, docs("Hello"));
  settings = `${admin.home}/p/${organization.projectId}/settings`;
}, 120_000);

afterAll(async () => {
  await service.stop();
});

const save = (part: string, values: Record<string, string>) =>
  admin.submit(`${settings}/${part}`, values, { from: settings });
const host = () => `${organization.subdomain}.localhost`;

/** Returns the stored settings of the project with decrypted secrets. */
async function storedProject() {
  const [row] = await query<Pick<Tables["projects"], "source" | "assistant" | "connection">>(
    "select source, assistant, connection from projects where id = $1",
    [organization.projectId],
  );
  expect(JSON.stringify(row)).not.toMatch(/secret-token|sk-secret/);
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: databaseUrl }) }),
  });
  const secrets = await openSecrets(db, secret);
  await db.destroy();
  return decrypted(secrets, organization.projectId, row as never) as typeof row;
}

async function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

describe("settings", () => {
  test("the name is changed", async () => {
    expect((await save("name", { name: "Handbook" })).text).toContain("Settings saved");
    expect((await admin.get(admin.home)).text).toContain("Handbook");
    const wrong = await save("name", { name: " " });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain("between 1 and 100 characters");
  });

  test("readers: a password takes effect and rebuilds the site; the password is not shown", async () => {
    const short = await save("readers", { mode: "password", password: "short" });
    expect(short.status).toBe(400);
    expect((await visit(service, host())).status).toBe(200);
    const page = await save("readers", { mode: "password", password: "let me read" });
    expect(page.text).toContain("is being rebuilt");
    expect(page.text).not.toContain("let me read");
    await service.until(async () => (await visit(service, host())).status !== 200, 20_000);
    await save("readers", { mode: "none" });
    await service.until(async () => (await visit(service, host())).status === 200, 20_000);
  });

  test.each([
    [
      "jwt",
      {
        loginUrl: "javascript:alert(1)",
        publicKey: "-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----\n",
      },
    ],
    ["jwt", { loginUrl: "https://login.example", publicKey: "no key" }],
    ["oidc", { issuer: "http://id.example", clientId: "a", clientSecret: "b" }],
    ["oidc", { issuer: "https://id.example", clientId: "a", clientSecret: "" }],
    ["password", { password: "" }],
    ["anything", {}],
  ] as const)(
    "readers: %s with %o is refused, and the submitted values are shown again",
    async (mode, values) => {
      const page = await save("readers", { mode, ...values });
      expect(page.status).toBe(400);
      const form = page.forms.find(({ action }) => action.endsWith("/readers"))!;
      for (const [name, value] of Object.entries(values))
        expect(form.values[name]!.trim()).toBe(
          name === "password" || name === "clientSecret" ? "" : value.trim(),
        );
    },
  );

  test("source: a repository's credentials are kept and never shown", async () => {
    const url = "https://git.example.com/team/docs.git";
    const withToken = url.replace("//", "//robot:secret-token@");
    const page = await save("source", { kind: "git", url: withToken, branch: "main", directory: "docs" });
    expect(page.text).toContain("Settings saved");
    expect(page.text).not.toContain("secret-token");
    expect(page.text).toContain("https://git.example.com/team/docs.git");
    await save("source", { kind: "git", branch: "next" });
    const { source, connection } = (await storedProject())!;
    expect(source).toEqual({ kind: "git", url, branch: "next", directory: "docs" });
    expect(connection).toMatchObject({ access: "token", token: "robot:secret-token" });
    const wrong = await save("source", { kind: "git", url: "--upload-pack=touch x", branch: "main" });
    expect(wrong.status).toBe(400);
    const folder = await save("source", { kind: "folder", url: "", branch: "" });
    expect(folder.status).toBe(200);
    const [after] = await query<{ source: { kind: string } }>("select source from projects where id = $1", [
      organization.projectId,
    ]);
    expect(after!.source.kind).toBe("upload");
  });

  test("assistant: the project's own model, whose key is kept and never shown; it can be turned off", async () => {
    const model = {
      enabled: "on",
      provider: "openai-compatible",
      modelName: "small",
      baseUrl: "https://models.example/v1",
    };
    expect((await save("assistant", { ...model, apiKey: "sk-secret" })).text).not.toContain("sk-secret");
    await save("assistant", { ...model, modelName: "large", apiKey: "" });
    expect(await storedProject()).toMatchObject({
      assistant: {
        isEnabled: true,
        model: { provider: "openai-compatible", name: "large", apiKey: "sk-secret" },
      },
    });
    expect((await save("assistant", { ...model, baseUrl: "file:///etc/passwd" })).status).toBe(400);
    const token = await admin.token(settings);
    await admin.post(`${settings}/assistant`, { _token: token, provider: "" });
    expect((await storedProject())!.assistant).toEqual({ isEnabled: false });
    expect((await visit(service, host(), "/_octavo/assistant")).status).not.toBe(204);
  });

  test("changes and refused changes are in the audit log", async () => {
    const viewer = await newMember(service, organization.id, "viewer", "Vi");
    await save("name", { name: "Handbook" });
    await viewer.post(`${settings}/name`, { _token: await viewer.token("/dashboard/account"), name: "Mine" });
    const { json } = await organization.ask("/v1/audit-log?limit=10");
    const entries = (json.entries as Record<string, string>[])
      .filter(({ action }) => action === "changeProject")
      .map(({ actor, outcome, target }) => [actor, outcome, target]);
    expect(entries.slice(0, 2)).toEqual([
      [`member ${viewer.email}`, "403", `${settings}/name`],
      [`member ${admin.email}`, "200", `${settings}/name`],
    ]);
  });

  test("deleting a project requires its name and deletes its site", async () => {
    const doomed = await newOrganization(service);
    const owner = await newMember(service, doomed.id);
    await deploy(doomed, docs("Going"));
    const path = `${owner.home}/p/${doomed.projectId}/settings/delete`;
    expect((await owner.submit(path, { confirm: "another" })).status).toBe(400);
    expect((await visit(service, `${doomed.subdomain}.localhost`)).status).toBe(200);
    expect((await owner.submit(path, { confirm: doomed.subdomain })).text).toContain("Project deleted");
    expect((await visit(service, `${doomed.subdomain}.localhost`)).status).toBe(404);
  });

  test("a project is created, with the same errors as by the API", async () => {
    const from = `${admin.home}/projects/new`;
    const add = (values: Record<string, string>) => admin.submit(`${admin.home}/projects`, values, { from });
    expect((await add({ name: "Second", subdomain: "www" })).status).toBe(400);
    expect((await add({ name: "Second", subdomain: organization.subdomain })).status).toBe(409);
    const wrong = await add({ name: "", subdomain: "second-site" });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('value="second-site"');
    expect((await add({ name: "Second", subdomain: `${organization.subdomain}-2` })).text).toContain(
      "Project created",
    );
  });
});

test("an organization can't take more subdomains than its plan allows, nor names that belong to the service", async () => {
  const free = await newOrganization(service, "free");
  const create = (subdomain: string) =>
    service
      .operator(endpoints.createProject, {
        params: { organizationId: free.id },
        body: { name: "Docs", subdomain },
      })
      .then(
        () => "created",
        (error: Error) => error.message,
      );
  for (const name of ["login", "status", "autodiscover", "wpad", "mta-sts"])
    expect(await create(name), name).toBe("Invalid project");
  const results = await Promise.all(Array.from({ length: 25 }, (_, n) => create(`${free.subdomain}-${n}`)));
  // The organization already has one project.
  expect(results.filter((result) => result === "created")).toHaveLength(19);
  expect(new Set(results)).toContainEqual(expect.stringMatching(/plan allows 20 projects/));
});
