import type { OAuthFlow } from "../../engine/openapi/request/security.ts";
import { OAuthError, raise } from "./oauth-token.ts";
import { webUrl } from "./server-url.ts";

/**
 * Returns the OAuth flows in an OpenID provider's discovery document (OpenID Connect Discovery 1.0, section
 * 3). Rejects with `OAuthError` if the URL is
 * invalid, or the document can't be fetched or isn't JSON.
 */
export async function discoverFlows(url: string, base: string | undefined): Promise<OAuthFlow[]> {
  const documentUrl = webUrl(url, base) ?? raise("failed", url);
  let metadata: unknown;
  try {
    const response = await fetch(documentUrl, {
      headers: { Accept: "application/json" },
      credentials: "omit",
    });
    metadata = await response.json();
  } catch (error) {
    throw new OAuthError("failed", error instanceof Error ? error.message : String(error));
  }

  const valueOf = (key: string) => (metadata as Record<string, unknown> | null)?.[key];
  const text = (key: string) => {
    const value = valueOf(key);
    return typeof value === "string" ? value : undefined;
  };

  const list = (key: string) => {
    const value = valueOf(key);
    return Array.isArray(value) ? value.map(String) : undefined;
  };

  const grants = list("grant_types_supported") ?? ["authorization_code"];

  const endpoints = {
    authorizationUrl: text("authorization_endpoint"),
    deviceAuthorizationUrl: text("device_authorization_endpoint"),
    tokenUrl: text("token_endpoint"),
    scopes: (list("scopes_supported") ?? ["openid"]).map((scope): [string, string] => [scope, ""]),
  };

  const known = {
    authorization_code: "authorizationCode",
    client_credentials: "clientCredentials",
    password: "password",
    implicit: "implicit",
    "urn:ietf:params:oauth:grant-type:device_code": "deviceAuthorization",
  } as const;

  return Object.entries(known).flatMap(([grant, flow]) =>
    grants.includes(grant) ? [{ flow, ...endpoints }] : [],
  );
}
