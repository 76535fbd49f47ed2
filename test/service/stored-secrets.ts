/** A project's settings as the service reads them from its database. */

import path from "node:path";
import { openDatabase } from "../../src/io/postgres.ts";
import { decrypted } from "../../src/service/core/project-secrets.ts";
import { openSecrets } from "../../src/service/core/secrets.ts";
import type { Tables } from "../../src/service/core/tables.ts";
import { databaseSecret } from "./service.ts";

export async function storedProject(databaseUrl: string, projectId: string, secret = databaseSecret) {
  const database = await openDatabase<Tables>({
    url: databaseUrl,
    folder: "",
    script: "",
    migrations: path.resolve("src/io/migrations"),
  });
  try {
    const row = await database.db
      .selectFrom("projects")
      .select(["source", "sign_in", "assistant", "connection"])
      .where("id", "=", projectId)
      .executeTakeFirstOrThrow();
    return decrypted(await openSecrets(database.db, secret), projectId, row);
  } finally {
    await database.close();
  }
}
