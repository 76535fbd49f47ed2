/** Sends requests of an OAuth 2.0 client to the token endpoint and to other endpoints for programs. */

import type { OAuthFlow } from "../../engine/openapi/request/security.ts";
import type { Renewal } from "./credentials.ts";
import { webUrl } from "./server-url.ts";

export interface OAuthRequest {
  flow: OAuthFlow;
  /** URL of the server, for relative URLs of the flow. */
  base: string | undefined;
  clientId: string;
  clientSecret: string;
  /** Part of the request that contains the client secret. */
  clientAuthentication: "header" | "body";
  username: string;
  password: string;
  scopes: string[];
  /** URL of the page that passes the authorization response back. */
  redirect: string;
}

/** An access token, and how to get the next one if the server has sent a refresh token. */
export interface Grant {
  value: string;
  renewal: Renewal | undefined;
}

/**
 * `window`: the browser blocked the window. `refused`: the authorization server refused the request.
 * `foreign`: the response belongs to a different request. `file`: the page was opened from disk or isn't in a
 * secure context. `cancelled`: the reader canceled the flow. `failed`: other errors.
 */
export type OAuthErrorCode = "window" | "refused" | "foreign" | "failed" | "file" | "cancelled";

/**
 * Thrown if no token can be obtained. The message is a detail for the reader and may come from the
 * authorization server.
 */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, detail = "") {
    super(detail);
    this.code = code;
  }
}

/** Throws an `OAuthError`, for use in expressions. */
export function raise(code: OAuthErrorCode, detail: string): never {
  throw new OAuthError(code, detail);
}

type FlowUrl = "authorizationUrl" | "deviceAuthorizationUrl" | "tokenUrl";

/** Returns the absolute URL of an endpoint. Throws `OAuthError` if it is missing or invalid. */
export function endpointOf({ flow, base }: OAuthRequest, key: FlowUrl): string {
  return webUrl(flow[key], base) ?? raise("failed", `invalid ${key} (${flow[key] ?? "none"})`);
}

/** Returns the URL that refresh tokens are sent to. Undefined if it is missing or invalid. */
export function refreshUrlOf(flow: OAuthFlow, base: string | undefined): string | undefined {
  return webUrl(flow.refreshUrl ?? flow.tokenUrl, base);
}

export async function requestToken(
  request: OAuthRequest,
  form: Record<string, string>,
  signal: AbortSignal,
): Promise<Grant> {
  return grantOf(request, await post(request, endpointOf(request, "tokenUrl"), form, signal));
}

/**
 * Gets another token with a refresh token (RFC 6749, section 6). The server may replace the refresh token.
 */
export async function refreshToken(
  request: OAuthRequest,
  { token, url }: Renewal,
  signal: AbortSignal,
): Promise<Grant> {
  const form = { grant_type: "refresh_token", refresh_token: token };
  const answer = await post(request, url, form, signal);
  return grantOf(request, { refresh_token: token, ...answer });
}

/** Reads a response of a token endpoint (RFC 6749, section 5). Throws `OAuthError` if it has no token. */
export function grantOf({ flow, base }: OAuthRequest, answer: Record<string, unknown>): Grant {
  const { access_token: value, refresh_token: token, expires_in } = answer;
  if (typeof value !== "string" || value === "") throw refusalOf(answer, "access_token");
  const url = refreshUrlOf(flow, base);
  // Some servers send numbers as text.
  const lifetime_s = Number(expires_in);
  const ends = lifetime_s > 0 ? { ends: Date.now() + lifetime_s * 1_000 } : {};
  return { value, renewal: typeof token === "string" && token && url ? { token, url, ...ends } : undefined };
}

/** Returns the error in a response. `missing`: the name of the value that the response doesn't have. */
export function refusalOf(answer: Record<string, unknown>, missing: string): OAuthError {
  const detail = answer["error_description"] ?? answer["error"] ?? `no ${missing} in the response`;
  return new OAuthError("failed", String(detail));
}

/** Sends a form as the client, and returns the JSON of the response. Rejects with `OAuthError`. */
export async function post(
  { clientId, clientSecret, clientAuthentication }: OAuthRequest,
  url: string,
  form: Record<string, string>,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const headers: Record<string, string> = { Accept: "application/json" };
  const body = new URLSearchParams(form);

  if (clientSecret && clientAuthentication === "header")
    headers["Authorization"] = `Basic ${btoa(`${formEncode(clientId)}:${formEncode(clientSecret)}`)}`;
  else {
    if (clientId) body.set("client_id", clientId);
    if (clientSecret) body.set("client_secret", clientSecret);
  }

  try {
    // A redirect could send the credentials to another host.
    const response = await fetch(url, {
      method: "POST",
      headers,
      body,
      credentials: "omit",
      redirect: "error",
      signal,
    });
    return { ...((await response.json()) as Record<string, unknown>) };
  } catch (error) {
    throw new OAuthError(
      signal.aborted ? "cancelled" : "failed",
      error instanceof Error ? error.message : String(error),
    );
  }
}

/** Encodes a client id or secret for Basic authentication (RFC 6749 section 2.3.1). */
function formEncode(text: string): string {
  return new URLSearchParams({ text }).toString().slice("text=".length);
}
