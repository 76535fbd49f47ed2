/** People by what a provider of single sign-on knows them as. */
import { notFound } from "../refusal.ts";
import type { Service } from "../service.ts";
import { type Person, readEmail } from "./people.ts";

export interface Identity {
  issuer: string;
  subject: string;
  /** Absent unless the provider vouches for it. */
  email: string | undefined;
}

/** Known by the provider's own name for them; the first time by an address that the provider vouches for. */
export async function personByIdentity(service: Pick<Service, "db">, identity: Identity): Promise<Person | undefined> {
  const { db } = service;
  const known = await db
    .selectFrom("user_identities")
    .innerJoin("users", "users.id", "user_identities.user_id")
    .select(["users.id", "email", "name"])
    .where("issuer", "=", identity.issuer)
    .where("subject", "=", identity.subject)
    .executeTakeFirst();
  if (known) return known;
  const email = identity.email === undefined ? undefined : readEmail(identity.email);
  const person =
    email === undefined
      ? undefined
      : await db.selectFrom("users").select(["id", "email", "name"]).where("email", "=", email).executeTakeFirst();
  if (person) await bindIdentity(service, person.id, identity);
  return person;
}

export async function bindIdentity({ db }: Pick<Service, "db">, userId: string, { issuer, subject }: Identity): Promise<void> {
  await db
    .insertInto("user_identities")
    .values({ issuer, subject, user_id: userId })
    .onConflict((conflict) => conflict.columns(["issuer", "subject"]).doNothing())
    .execute();
  const bound = await db
    .selectFrom("user_identities")
    .select("user_id")
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  if (bound?.user_id !== userId) throw notFound();
}
