/** Stores the reader's keys and tokens for this tab, or on this device if the reader chooses to. */

import type { Credential } from "../../engine/openapi/request/request-model.ts";
import type { SecurityScheme } from "../../engine/openapi/request/security.ts";
import { readOfReader, writeOfReader } from "../reader-storage.ts";

/** The reader's input for one security scheme. */
export interface CredentialDraft {
  /** Key or token that the reader has entered. */
  value?: string;
  username?: string;
  password?: string;
  /** How to replace `value` when it ends. Absent if the reader has entered it. */
  renewal?: Renewal | undefined;
  /** OAuth client id, stored for the next sign-in. */
  clientId?: string;
  scopes?: string[];
}

/** A refresh token. */
export interface Renewal {
  token: string;
  /** The URL that the form named when the token was received. The token is sent to no other URL. */
  url: string;
  /** When the access token ends, as milliseconds since 1970. Absent if unknown. */
  ends?: number;
}

/** Returns the reader's input, or else the prefilled value in the document, or else an empty value. */
export function credentialOf(scheme: SecurityScheme, draft: CredentialDraft = {}): Credential {
  if (scheme.type === "basic") {
    const [name = "", ...secret] = (scheme.prefill ?? "").split(":");
    return {
      scheme,
      value: { username: draft.username ?? name, password: draft.password ?? secret.join(":") },
    };
  }
  return { scheme, value: draft.value ?? scheme.prefill ?? "" };
}

const prefix = "octavo-credentials";

type StoredCredentials = Record<string, CredentialDraft>;

/**
 * Reads the stored credentials of a site. `site` is the base URL of its playground script, because several
 * sites may share an origin.
 */
export function readCredentials(site: string): { credentials: StoredCredentials; remember: boolean } {
  const lasting = parse(readOfReader("localStorage", `${prefix} ${site}`));
  return {
    credentials: { ...lasting, ...parse(readOfReader("sessionStorage", `${prefix} ${site}`)) },
    remember: lasting !== undefined,
  };
}

/**
 * Stores the credentials of a site. `remember`: stores them on this device instead of for this tab. Errors
 * are ignored.
 */
export function storeCredentials(site: string, credentials: StoredCredentials, remember: boolean): void {
  const key = `${prefix} ${site}`;
  const text = Object.keys(credentials).length > 0 ? JSON.stringify(credentials) : undefined;
  // An empty object means: no credentials, but the reader chose to remember them.
  writeOfReader("localStorage", key, remember ? (text ?? "{}") : undefined);
  writeOfReader("sessionStorage", key, remember ? undefined : text);
}

function parse(text: string | undefined): StoredCredentials | undefined {
  try {
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as StoredCredentials) : undefined;
  } catch {
    return undefined;
  }
}
