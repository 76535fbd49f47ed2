/** Gets a token from an authorization server, by the flows of OAuth 2.0 (code with PKCE, client credentials, password, implicit). */
import type { OAuthFlow } from "../../engine/openapi/security.ts";
import { webAddress } from "./server-address.ts";

export interface OAuthRequest {
  flow: OAuthFlow;
  /** Relative addresses of the document begin there. */
  base: string | undefined;
  clientId: string;
  clientSecret: string;
  /** Where the client's secret goes. */
  clientAuthentication: "header" | "body";
  username: string;
  password: string;
  scopes: string[];
  /** The page that posts the answer back. */
  redirect: string;
}

export type OAuthMistake = "window" | "refused" | "foreign" | "failed" | "file" | "cancelled";

export class OAuthError extends Error {
  readonly mistake: OAuthMistake;

  constructor(mistake: OAuthMistake, detail = "") {
    super(detail);
    this.mistake = mistake;
  }
}

/** The access token. Rejects with `OAuthError`. `signal` gives up waiting for the reader. */
export async function getToken(request: OAuthRequest, signal: AbortSignal): Promise<string> {
  const { flow } = request;
  if (flow.flow === "implicit") {
    const answer = await signIn(request, { response_type: "token" }, signal);
    return answer.get("access_token") ?? raise("failed", "access_token");
  }
  if (flow.flow === "authorizationCode") {
    const verifier = randomText();
    const answer = await signIn(
      request,
      { response_type: "code", code_challenge: await challengeOf(verifier), code_challenge_method: "S256" },
      signal,
    );
    const code = answer.get("code") ?? raise("failed", "code");
    return askToken(request, { grant_type: "authorization_code", code, redirect_uri: request.redirect, code_verifier: verifier }, signal);
  }
  const scope = request.scopes.join(" ");
  const scopes: Record<string, string> = scope ? { scope } : {};
  if (flow.flow === "clientCredentials") return askToken(request, { grant_type: "client_credentials", ...scopes }, signal);
  return askToken(request, { grant_type: "password", username: request.username, password: request.password, ...scopes }, signal);
}

function raise(mistake: OAuthMistake, detail: string): never {
  throw new OAuthError(mistake, detail);
}

/** Opens the authorization server's page in a window, and waits for what it sends back. */
async function signIn(request: OAuthRequest, parameters: Record<string, string>, signal: AbortSignal): Promise<URLSearchParams> {
  if (!/^https?:$/.test(location.protocol)) throw new OAuthError("file");
  const address = new URL(
    webAddress(request.flow.authorizationUrl, request.base) ?? raise("failed", request.flow.authorizationUrl ?? "authorizationUrl"),
  );
  const state = randomText();
  const asked = { ...parameters, client_id: request.clientId, redirect_uri: request.redirect, scope: request.scopes.join(" "), state };
  for (const [name, value] of Object.entries(asked)) if (value) address.searchParams.set(name, value);
  const opened = open(address, "octavo-oauth", "popup,width=520,height=720");
  if (!opened) throw new OAuthError("window");

  return new Promise((resolve, reject) => {
    // The window may lose its opener on the way, when the server isolates its pages: then it calls by channel.
    const channel = new BroadcastChannel("octavo-oauth");
    const end = () => {
      removeEventListener("message", hear);
      channel.close();
      signal.removeEventListener("abort", stop);
    };
    const stop = () => {
      end();
      opened.close();
      reject(new OAuthError("cancelled"));
    };
    const take = (data: unknown) => {
      const text =
        typeof data === "object" && data !== null && "octavoOAuth" in data ? (data as { octavoOAuth: unknown }).octavoOAuth : undefined;
      if (typeof text !== "string") return;
      const answer = new URLSearchParams(text);
      end();
      if (answer.get("state") !== state) reject(new OAuthError("foreign"));
      else if (answer.has("error")) reject(new OAuthError("refused", answer.get("error_description") ?? answer.get("error")!));
      else resolve(answer);
    };
    const hear = (event: MessageEvent) => {
      if (event.origin === location.origin && event.source === opened) take(event.data);
    };
    addEventListener("message", hear);
    channel.onmessage = (event) => take(event.data);
    signal.addEventListener("abort", stop);
  });
}

async function askToken(request: OAuthRequest, form: Record<string, string>, signal: AbortSignal): Promise<string> {
  const address = webAddress(request.flow.tokenUrl, request.base) ?? raise("failed", request.flow.tokenUrl ?? "tokenUrl");
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
    const response = await fetch(address, { method: "POST", headers, body, credentials: "omit", signal });
    answer = (await response.json()) as Record<string, unknown>;
  } catch (error) {
    throw new OAuthError(signal.aborted ? "cancelled" : "failed", error instanceof Error ? error.message : String(error));
  }
  const token = answer["access_token"];
  if (typeof token === "string" && token !== "") return token;
  throw new OAuthError("failed", String(answer["error_description"] ?? answer["error"] ?? "access_token"));
}

/** As RFC 6749 wants name and secret written before they are joined. */
function formEncode(text: string): string {
  return new URLSearchParams({ text }).toString().slice("text=".length);
}

function randomText(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)));
}

async function challengeOf(verifier: string): Promise<string> {
  if (!crypto.subtle) throw new OAuthError("file");
  return base64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** What an OpenID provider says of itself, as flows. Rejects with `OAuthError`. */
export async function discoverFlows(url: string, base: string | undefined): Promise<OAuthFlow[]> {
  const address = webAddress(url, base) ?? raise("failed", url);
  let told: Record<string, unknown>;
  try {
    const response = await fetch(address, { headers: { Accept: "application/json" }, credentials: "omit" });
    told = (await response.json()) as Record<string, unknown>;
  } catch (error) {
    throw new OAuthError("failed", error instanceof Error ? error.message : String(error));
  }
  const text = (key: string) => (typeof told[key] === "string" ? (told[key] as string) : undefined);
  const list = (key: string) => (Array.isArray(told[key]) ? (told[key] as unknown[]).map(String) : undefined);
  const grants = list("grant_types_supported") ?? ["authorization_code"];
  const places = {
    authorizationUrl: text("authorization_endpoint"),
    tokenUrl: text("token_endpoint"),
    scopes: (list("scopes_supported") ?? ["openid"]).map((scope): [string, string] => [scope, ""]),
  };
  const known = {
    authorization_code: "authorizationCode",
    client_credentials: "clientCredentials",
    password: "password",
    implicit: "implicit",
  } as const;
  return Object.entries(known).flatMap(([grant, flow]) => (grants.includes(grant) ? [{ flow, ...places }] : []));
}
