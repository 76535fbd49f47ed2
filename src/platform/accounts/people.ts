/** Accounts of people: made by an invitation, opened by a password or by a provider. */
import { limits } from "../../base/limits.ts";
import { hashPassword, isPassword } from "../../base/password.ts";
import { invalid, Refusal } from "../refusal.ts";
import type { Service } from "../service.ts";
import { countSignIn } from "./sign-in-attempts.ts";

export interface Person {
  id: string;
  email: string;
  name: string;
}

/** In lower case; undefined for what is no address of mail. */
export function readEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= limits.email_chars && /^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+\.[^\s@<>"(),:;\\[\].]+$/.test(email)
    ? email
    : undefined;
}

export async function makePerson(
  service: Pick<Service, "db" | "ulid">,
  { email, name, password }: { email: string; name: string; password: string | undefined },
): Promise<Person> {
  const details: string[] = [];
  const address = readEmail(email);
  const called = name.trim().slice(0, limits.personName_chars);
  if (address === undefined) details.push("email must be an address such as ana@example.com");
  if (called === "") details.push("name must not be empty");
  if (password !== undefined) details.push(...problemsOfPassword(password));
  if (details.length) throw invalid("This account cannot be made", ...details);
  const row = {
    id: service.ulid(),
    email: address!,
    name: called,
    password_hash: password === undefined ? null : await hashPassword(password),
  };
  const made = await service.db
    .insertInto("users")
    .values(row)
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!made) throw new Refusal("conflict", "There is an account with this address; sign in to accept the invitation");
  return { id: row.id, email: row.email, name: row.name };
}

function problemsOfPassword(password: string): string[] {
  const { least, most } = limits.password_chars;
  if (password.length < least) return [`password must have at least ${least} characters`];
  return password.length > most ? [`password must have at most ${most} characters`] : [];
}

/** The hash of nobody's password: who asks for an account that is not there waits as long as for one that is. */
let nobody: Promise<string> | undefined;

/** Wrong address and wrong password are told alike, and take the same time. */
export async function signIn(
  service: Pick<Service, "db" | "rateLimit">,
  { email, password, address, browser }: { email: string; password: string; address: string; browser?: string | undefined },
): Promise<Person> {
  const known = readEmail(email);
  const account = known ?? email.trim().toLowerCase().slice(0, limits.email_chars);
  const takeBack = await countSignIn(service, { account, address, browser });
  const row =
    known === undefined ? undefined : await service.db.selectFrom("users").selectAll().where("email", "=", known).executeTakeFirst();
  nobody ??= hashPassword("");
  const isRight = await isPassword(password.slice(0, limits.password_chars.most + 1), row?.password_hash ?? (await nobody));
  if (!row?.password_hash || !isRight) throw new Refusal("unauthorized", "This address and password do not go together");
  await takeBack();
  return { id: row.id, email: row.email, name: row.name };
}

export async function changeName({ db }: Pick<Service, "db">, id: string, name: string): Promise<void> {
  const called = name.trim().slice(0, limits.personName_chars);
  if (called === "") throw invalid("The name is not changed", "name must not be empty");
  await db.updateTable("users").set({ name: called }).where("id", "=", id).execute();
}

/** Takes the one before, so that an open screen is not enough. Whoever signs in by a provider only may set a first one. */
export async function changePassword(
  service: Pick<Service, "db" | "rateLimit">,
  person: Person,
  before: string,
  after: string,
  address: string,
): Promise<void> {
  const problems = problemsOfPassword(after);
  if (problems.length) throw invalid("The password is not changed", ...problems);
  if (await hasPassword(service, person.id)) {
    // Whoever is signed in isn't held up by what strangers try.
    await signIn(service, { email: person.email, password: before, address, browser: `signed in ${person.id}` });
  }
  await service.db
    .updateTable("users")
    .set({ password_hash: await hashPassword(after) })
    .where("id", "=", person.id)
    .execute();
}

export async function hasPassword({ db }: Pick<Service, "db">, id: string): Promise<boolean> {
  const row = await db.selectFrom("users").select("password_hash").where("id", "=", id).executeTakeFirst();
  return row?.password_hash != null;
}
