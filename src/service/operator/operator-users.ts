/** Lists the users who can open the dashboard's operator pages, and adds and removes them. */

import { notFound } from "../../base/app-error.ts";
import type { Service } from "../core/service.ts";

export function listOperators({ db }: Service) {
  return db.selectFrom("users").select(["id", "email", "name"]).where("is_operator", "=", true).orderBy("id").execute();
}

/** Makes a user an operator, or revokes this role. Returns the user. Throws "not found" if there is no such user. */
export async function setOperator({ db }: Service, userId: string, isOperator: boolean) {
  const row = await db
    .updateTable("users")
    .set({ is_operator: isOperator })
    .where("id", "=", userId)
    .returning(["id", "email", "name"])
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}
