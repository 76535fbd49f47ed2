/**
 * Encrypts and decrypts the secrets in a project's row: the client secret for reader sign-in, the model's API
 * key, git URLs with credentials, and secrets of repositories and mirrors.
 */

import { type RawBuilder, sql } from "kysely";
import type { SignInChoice } from "../../base/reader-sign-in.ts";
import { parseUrl } from "../../base/url.ts";
import { openSecrets, replaceDataKey, type SecretChange, type Secrets } from "./secrets.ts";
import type {
  AssistantSettings,
  Database,
  ProjectMirror,
  ProjectSource,
  RepositoryConnection,
  Tx,
} from "./tables.ts";
import { rotateTotpSecrets } from "./totp-secrets.ts";
import { rotateWebhookSecrets } from "./webhook-secrets.ts";

interface Fields {
  source?: ProjectSource;
  sign_in?: SignInChoice | null;
  assistant?: AssistantSettings | null;
  connection?: RepositoryConnection | null;
  mirror?: ProjectMirror | null;
}

/**
 * Encrypts the secrets in the given fields. Other values, and secrets that are already encrypted, are
 * unchanged.
 */
export function encrypted<F extends Fields>(secrets: Secrets, projectId: string, fields: F): F {
  return mapped(fields, (field, text) => secrets.encrypt(text, contextOf(projectId, field)));
}

/** Decrypts the secrets in the given fields. A secret that can't be decrypted becomes an empty string. */
export function decrypted<F extends Fields>(secrets: Secrets, projectId: string, fields: F): F {
  return mapped(fields, (field, text) => secrets.decrypt(text, contextOf(projectId, field)));
}

/**
 * Opens the data key and encrypts secrets that an earlier version stored as plain text. Throws `WrongSecret`
 * if the secret doesn't decrypt the data key.
 */
export async function openProjectSecrets(db: Database, secret: string): Promise<Secrets> {
  const secrets = await openSecrets(db, secret);
  await db
    .transaction()
    .execute((tx) => rewrite(tx, hasPlainSecret, (id, fields) => encrypted(secrets, id, fields)));
  return secrets;
}

/**
 * Replaces the data key when the service's secret changes. Encrypts the secrets of projects, authenticator
 * apps and webhooks with the new data key. If the old data key is lost, deletes authenticator apps and
 * webhooks, and the secrets of projects can't be decrypted anymore. Throws `WrongSecret` in the same cases as
 * `replaceDataKey`.
 */
export function rotateProjectSecrets(db: Database, change: SecretChange): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { before, after } = await replaceDataKey(tx, change);
    await rewrite(tx, hasSecret, (id, fields) =>
      encrypted(after, id, before ? decrypted(before, id, fields) : fields),
    );
    await rotateTotpSecrets(tx, before, after);
    await rotateWebhookSecrets(tx, before, after);
  });
}

const hasSecret = sql<boolean>`source ->> 'kind' = 'git' or sign_in ? 'clientSecret' or assistant -> 'model' ? 'apiKey'
  or connection is not null or mirror ? 'token'`;
/**
 * Matches all projects with a secret in plain text. Checked at every start, so it must not match projects
 * whose secrets are encrypted.
 */
const hasPlainSecret = sql<boolean>`source ->> 'url' like '%@%' or sign_in ->> 'clientSecret' not like 'enc:%'
  or assistant -> 'model' ->> 'apiKey' not like 'enc:%' or connection ->> 'webhookSecret' not like 'enc:%'`;

async function rewrite(
  tx: Tx,
  condition: RawBuilder<boolean>,
  change: (id: string, fields: Required<Fields>) => Fields,
): Promise<void> {
  const columns = ["id", "source", "sign_in", "assistant", "connection", "mirror"] as const;
  const rows = await tx.selectFrom("projects").select(columns).where(condition).forUpdate().execute();
  for (const { id, ...fields } of rows) {
    const changed = change(id, fields);
    if (JSON.stringify(changed) === JSON.stringify(fields)) continue;
    await tx
      .updateTable("projects")
      .set({
        source: JSON.stringify(changed.source),
        sign_in: json(changed.sign_in),
        assistant: json(changed.assistant),
        connection: json(changed.connection),
        mirror: json(changed.mirror),
      })
      .where("id", "=", id)
      .execute();
  }
}

function json(value: object | null | undefined): string | null {
  return value ? JSON.stringify(value) : null;
}

function contextOf(projectId: string, field: string): string {
  return `projects ${projectId} ${field}`;
}

function mapped<F extends Fields>(fields: F, change: (field: string, text: string) => string): F {
  const { source, sign_in: signIn, assistant, connection, mirror } = fields;
  const key = assistant?.model?.apiKey;
  return {
    ...fields,
    ...(source?.kind === "git" && hasCredentials(source.url)
      ? { source: { ...source, url: change("source", source.url) } }
      : {}),
    ...(signIn?.mode === "oidc"
      ? { sign_in: { ...signIn, clientSecret: change("sign_in", signIn.clientSecret) } }
      : {}),
    ...(assistant?.model && key !== undefined
      ? { assistant: { ...assistant, model: { ...assistant.model, apiKey: change("assistant", key) } } }
      : {}),
    ...(connection ? { connection: mappedConnection(connection, change) } : {}),
    ...(mirror?.token === undefined ? {} : { mirror: { ...mirror, token: change("mirror", mirror.token) } }),
  };
}

function mappedConnection(
  connection: RepositoryConnection,
  change: (field: string, text: string) => string,
): RepositoryConnection {
  const { webhookSecret, token, privateKey } = connection;
  return {
    ...connection,
    webhookSecret: change("webhookSecret", webhookSecret),
    ...(token === undefined ? {} : { token: change("token", token) }),
    ...(privateKey === undefined ? {} : { privateKey: change("privateKey", privateKey) }),
  };
}

/** Whether the URL has credentials, is encrypted, or can't be parsed. */
function hasCredentials(text: string): boolean {
  const url = parseUrl(text);
  return url === undefined || url.protocol === "enc:" || url.username !== "" || url.password !== "";
}
