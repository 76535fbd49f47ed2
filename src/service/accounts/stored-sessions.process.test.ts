/** The lifetime of sessions, and the storage of passwords and tokens. */

import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Member, newMember, password, visitor } from "../../../test/service/dashboard.ts";
import { newOrganization, type TestOrganization, type TestService } from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { openTestService } from "../../../test/shared/service.ts";

let databaseUrl: string;
let service: TestService;
let organization: TestOrganization;
let admin: Member;

beforeAll(async () => {
  databaseUrl = await createDatabase();
  service = await openTestService({ databaseUrl });
  organization = await newOrganization(service);
  admin = await newMember(service, organization.id);
}, 120_000);

afterAll(async () => {
  await service.stop();
});

async function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

describe("a session ends", () => {
  test.each([
    ["after 14 days without use", "seen_at", 15],
    ["after 60 days in any case", "created_at", 61],
  ])("%s", async (_title, column, days) => {
    const member = await newMember(service, organization.id);
    const copy = visitor(service);
    await copy.submit("/dashboard/sign-in", { email: member.email, password });
    expect((await copy.ask("/dashboard/account")).status).toBe(200);
    await query(
      `update sessions set ${column} = ${column} - $1 * interval '1 day' where user_id = (select id from users where email = $2)`,
      [days, member.email],
    );
    expect((await copy.ask("/dashboard/account")).status).toBe(303);
    await copy.submit("/dashboard/sign-in", { email: member.email, password });
    expect((await copy.get("/dashboard/account")).text).not.toContain("Sign out all other sessions");
  });
});

test("only hashes of passwords, session tokens and invitation tokens are stored", async () => {
  const cookie = admin.storageState().cookies.find(({ name }) => name === "octavo-session")!.value;
  const page = await admin.submit(`${admin.home}/members`, { email: "somebody@example.com", role: "viewer" });
  const token = /invitations\/([\w-]{43})/.exec(page.text)![1]!;
  const tables = await query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  for (const { name } of tables) {
    const [row] = await query<{ text: string | null }>(
      `select string_agg(t::text, '\n') as text from ${name} t`,
    );
    for (const secret of [cookie, token, password])
      expect((row!.text ?? "").includes(secret), name).toBe(false);
  }
});
