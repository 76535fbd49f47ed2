/** The reader's keys and tokens: in this tab, or on this device when the reader says so. They never leave the browser but in requests. */
import type { Credential } from "../../engine/openapi/request.ts";
import type { SecurityScheme } from "../../engine/openapi/security.ts";
import { keep, kept } from "../storage.ts";

/** What the reader typed for one scheme. */
export interface CredentialDraft {
  /** Key or token. */
  value?: string;
  username?: string;
  password?: string;
  /** Of OAuth: kept, so that the next sign-in starts with it. */
  clientId?: string;
  scopes?: string[];
}

/** What the reader typed, else what the document starts with; empty for neither. */
export function credentialOf(scheme: SecurityScheme, draft: CredentialDraft = {}): Credential {
  if (scheme.type === "basic") {
    const [name = "", ...secret] = (scheme.prefill ?? "").split(":");
    return { scheme, value: { username: draft.username ?? name, password: draft.password ?? secret.join(":") } };
  }
  return { scheme, value: draft.value ?? scheme.prefill ?? "" };
}

const prefix = "octavo-credentials";

type Kept = Record<string, CredentialDraft>;

/** `site` is the address of the site's playground script: several sites may share an origin. */
export function readCredentials(site: string): { credentials: Kept; remember: boolean } {
  const lasting = parse(kept("localStorage", `${prefix} ${site}`));
  return { credentials: { ...lasting, ...parse(kept("sessionStorage", `${prefix} ${site}`)) }, remember: lasting !== undefined };
}

export function keepCredentials(site: string, credentials: Kept, remember: boolean): void {
  const key = `${prefix} ${site}`;
  const text = Object.keys(credentials).length > 0 ? JSON.stringify(credentials) : undefined;
  // An empty list says that the reader wants to be remembered.
  keep("localStorage", key, remember ? (text ?? "{}") : undefined);
  keep("sessionStorage", key, remember ? undefined : text);
}

function parse(text: string | undefined): Kept | undefined {
  try {
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Kept) : undefined;
  } catch {
    return undefined;
  }
}
