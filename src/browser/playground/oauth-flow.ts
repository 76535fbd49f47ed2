/**
 * Gets a token with an OAuth 2.0 flow (RFC 6749, section 4): authorization code with PKCE (RFC 7636), client
 * credentials, password or implicit.
 */

import type { OAuthFlow } from "../../engine/openapi/request/security.ts";
import { toBase64Url } from "./base64-url.ts";
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

/** Gets an access token. Rejects with `OAuthError`. `signal` cancels the flow. */
export async function getToken(request: OAuthRequest, signal: AbortSignal): Promise<string> {
  const { flow } = request;
  if (flow.flow === "implicit") {
    const answer = await signIn(request, { response_type: "token" }, signal);
    return answer.get("access_token") ?? raise("failed", "no access_token in the response");
  }

  if (flow.flow === "authorizationCode") {
    if (!crypto.subtle) throw new OAuthError("file");
    const verifier = randomText();
    const challenge = challengeOf(verifier).then((code_challenge) => ({
      response_type: "code",
      code_challenge,
      code_challenge_method: "S256",
    }));
    const answer = await signIn(request, challenge, signal);
    const code = answer.get("code") ?? raise("failed", "code");
    return requestToken(
      request,
      { grant_type: "authorization_code", code, redirect_uri: request.redirect, code_verifier: verifier },
      signal,
    );
  }

  const scope = request.scopes.join(" ");
  const scopes: Record<string, string> = scope ? { scope } : {};
  if (flow.flow === "clientCredentials")
    return requestToken(request, { grant_type: "client_credentials", ...scopes }, signal);

  return requestToken(
    request,
    { grant_type: "password", username: request.username, password: request.password, ...scopes },
    signal,
  );
}

/** Throws an `OAuthError`, for use in expressions. */
export function raise(code: OAuthErrorCode, detail: string): never {
  throw new OAuthError(code, detail);
}

/** Opens the authorization server's page in a window and waits for the authorization response. */
async function signIn(
  request: OAuthRequest,
  parameters: Record<string, string> | Promise<Record<string, string>>,
  signal: AbortSignal,
): Promise<URLSearchParams> {
  if (!/^https?:$/.test(location.protocol)) throw new OAuthError("file");

  const url = new URL(
    webUrl(request.flow.authorizationUrl, request.base) ??
      raise("failed", `invalid authorizationUrl (${request.flow.authorizationUrl ?? "none"})`),
  );

  // WebKit allows a window only before anything is awaited after the click.
  const opened = open("about:blank", "octavo-oauth", "popup,width=520,height=720");
  if (!opened) throw new OAuthError("window");

  const state = randomText();
  const query = {
    ...(await parameters),
    client_id: request.clientId,
    redirect_uri: request.redirect,
    scope: request.scopes.join(" "),
    state,
  };

  for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value);

  return new Promise((resolve, reject) => {
    // The window loses its opener if the server isolates its pages (COOP). The response then arrives through
    // the channel.
    const channel = new BroadcastChannel("octavo-oauth");
    const end = () => {
      removeEventListener("message", onMessage);
      channel.close();
      signal.removeEventListener("abort", stop);
    };

    const stop = () => {
      end();
      opened.close();
      reject(new OAuthError("cancelled"));
    };

    const receive = (data: unknown, isFromOpened: boolean) => {
      const text =
        typeof data === "object" && data !== null && "octavoOAuth" in data
          ? (data as { octavoOAuth: unknown }).octavoOAuth
          : undefined;
      if (typeof text !== "string") return;
      const answer = new URLSearchParams(text);
      const isForeign = answer.get("state") !== state;
      // Other tabs use the channel, too, and any site can open the redirect page. Only the window that this
      // request opened can end it without the state (RFC 6749, section 10.12).
      if (isForeign && !isFromOpened) return;
      end();
      opened.close();
      if (isForeign) reject(new OAuthError("foreign"));
      else if (answer.has("error"))
        reject(new OAuthError("refused", answer.get("error_description") ?? answer.get("error")!));
      else resolve(answer);
    };

    const onMessage = (event: MessageEvent) => {
      // The source is null if the window has already been closed.
      if (event.origin === location.origin && (event.source === opened || event.source === null))
        receive(event.data, event.source === opened);
    };

    addEventListener("message", onMessage);
    channel.onmessage = (event) => receive(event.data, false);
    signal.addEventListener("abort", stop);
    opened.location.href = url.href;
    if (signal.aborted) stop();
  });
}

async function requestToken(
  request: OAuthRequest,
  form: Record<string, string>,
  signal: AbortSignal,
): Promise<string> {
  const url =
    webUrl(request.flow.tokenUrl, request.base) ??
    raise("failed", `invalid tokenUrl (${request.flow.tokenUrl ?? "none"})`);
  const headers: Record<string, string> = { Accept: "application/json" };
  const body = new URLSearchParams(form);

  if (request.clientSecret && request.clientAuthentication === "header") {
    const pair = `${formEncode(request.clientId)}:${formEncode(request.clientSecret)}`;
    headers["Authorization"] = `Basic ${btoa(pair)}`;
  } else {
    if (request.clientId) body.set("client_id", request.clientId);
    if (request.clientSecret) body.set("client_secret", request.clientSecret);
  }

  let answer: Record<string, unknown>;
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
    answer = (await response.json()) as Record<string, unknown>;
  } catch (error) {
    throw new OAuthError(
      signal.aborted ? "cancelled" : "failed",
      error instanceof Error ? error.message : String(error),
    );
  }

  const token = answer["access_token"];
  if (typeof token === "string" && token !== "") return token;

  throw new OAuthError(
    "failed",
    String(answer["error_description"] ?? answer["error"] ?? "no access_token in the response"),
  );
}

/** Encodes a client id or secret for Basic authentication (RFC 6749 section 2.3.1). */
function formEncode(text: string): string {
  return new URLSearchParams({ text }).toString().slice("text=".length);
}

function randomText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

async function challengeOf(verifier: string): Promise<string> {
  return toBase64Url(
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))),
  );
}
