/** Lists the users who can open the dashboard's operator pages, and adds and removes them. */

import { notFound } from "../../base/app-error.ts";
import { removeUnconfirmed } from "../accounts/unconfirmed.ts";
import { requireProvedAdmins } from "../core/proved-methods.ts";
import type { Service } from "../core/service.ts";

export function listOperators({ db }: Service) {
  return db
    .selectFrom("users")
    .select(["id", "email", "name"])
    .where("is_operator", "=", true)
    .orderBy("id")
    .execute();
}

/**
 * Makes a user an operator, or revokes this role. Of a new operator's sessions, only the last one that isn't
 * limited goes on, and sign-in methods that someone else may have added are removed. Returns the user. Throws
 * "not found" if there is no such user, and a conflict if the removed method was the last confirmed one of an
 * organization's admins.
 */
export function setOperator({ db }: Service, userId: string, isOperator: boolean) {
  return db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom("users")
      .select("is_operator")
      .where("id", "=", userId)
      .forUpdate()
      .executeTakeFirst();

    if (!before) throw notFound();

    if (isOperator && !before.is_operator) {
      await tx
        .deleteFrom("sessions")
        .where("user_id", "=", userId)
        .where("id", "is distinct from", (latest) =>
          latest
            .selectFrom("sessions")
            .select("id")
            .where("user_id", "=", userId)
            .where("limited_to", "is", null)
            .orderBy("seen_at", "desc")
            .limit(1),
        )
        .execute();
      const removed = await removeUnconfirmed(tx, userId);
      if (removed.length > 0) await requireProvedAdmins(tx, userId);
    }

    return tx
      .updateTable("users")
      .set({ is_operator: isOperator })
      .where("id", "=", userId)
      .returning(["id", "email", "name"])
      .executeTakeFirstOrThrow();
  });
}
