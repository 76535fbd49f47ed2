/**
 * Implements authentication for the demo API: keys, tokens, basic authentication, and an OAuth 2.0 server.
 * The credentials are public.
 */

import { createHash, randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { escapeHtml } from "../../src/base/html-text.ts";

/** The accepted credentials. */
export const demo = {
  key: "demo-key",
  token: "demo-token",
  username: "gardener",
  password: "green-thumb",
  clientId: "demo-client",
  clientSecret: "demo-secret",
};

/** Descriptions of the OAuth scopes. */
export const scopes: Record<string, string> = { "orders:read": "See orders", "orders:write": "Place orders" };

export interface Caller {
  /** Name of the security scheme. */
  method: string;
  scopes: string[];
}

/**
 * Maximum number of access tokens, and maximum number of authorization codes. The oldest ones are removed.
 */
const tokens_count = 100;
/** Lifetime of an authorization code. */
const code_ms = 60_000;
/** Lifetime of a device code. */
const deviceCode_ms = 600_000;

interface DeviceRequest {
  userCode: string;
  scopes: string[];
  until: number;
  /** Whether the user has allowed access. Undefined before the user decides. */
  isAllowed?: boolean;
}

export class DemoSignIn {
  private readonly tokens = new Map<string, string[]>();
  private readonly refreshTokens = new Map<string, string[]>();
  private readonly devices = new Map<string, DeviceRequest>();
  private readonly codes = new Map<
    string,
    { challenge: string; redirect: string; scopes: string[]; until: number }
  >();

  /** Authenticates a request. Undefined if the credentials are missing or invalid. */
  caller(headers: IncomingHttpHeaders, query: URLSearchParams): Caller | undefined {
    if (headers["x-api-key"] === demo.key) return { method: "headerKey", scopes: [] };
    if (query.get("api_key") === demo.key) return { method: "queryKey", scopes: [] };
    if (new RegExp(`(?:^|; *)api_key=${demo.key}(?:;|$)`).test(headers.cookie ?? ""))
      return { method: "cookieKey", scopes: [] };
    const [, scheme = "", value = ""] = /^(\S+) +(\S+)$/.exec(headers.authorization ?? "") ?? [];
    if (/^bearer$/i.test(scheme)) {
      if (value === demo.token) return { method: "bearer", scopes: [] };
      const granted = this.tokens.get(value);
      return granted && { method: "oauth", scopes: granted };
    }
    const isGardener =
      /^basic$/i.test(scheme) &&
      Buffer.from(value, "base64").toString() === `${demo.username}:${demo.password}`;
    return isGardener ? { method: "basic", scopes: [] } : undefined;
  }

  /** Returns the HTML of the consent page, or the error message for an invalid authorization request. */
  consentPage(query: URLSearchParams): { html: string } | { error: string } {
    if (query.get("response_type") !== "code") return { error: "response_type must be code" };
    if (query.get("client_id") !== demo.clientId) return { error: `client_id must be ${demo.clientId}` };
    if (!isLocal(query.get("redirect_uri"))) return { error: "redirect_uri must be a URL on this machine" };
    if (query.get("code_challenge_method") !== "S256" || !query.get("code_challenge"))
      return { error: "code_challenge with the method S256 is required" };
    const fields = ["redirect_uri", "state", "scope", "code_challenge"].map(
      (name) => `<input type="hidden" name="${name}" value="${escapeHtml(query.get(name) ?? "")}">`,
    );
    const requested = requestedScopes(query).map(
      (scope) => `<li>${escapeHtml(scopes[scope]!)} (<code>${escapeHtml(scope)}</code>)</li>`,
    );
    return {
      html: page(`<p>The documentation wants permission to act on behalf of <b>${demo.username}</b>:</p><ul>${requested.join("") || "<li>See who you are</li>"}</ul>
<form method="post" action="/oauth/authorize">${fields.join("")}<button name="answer" value="allow">Allow</button> <button name="answer" value="refuse">Deny</button></form>`),
    };
  }

  /**
   * Returns the URL to redirect to after the user allows or denies access. Undefined if the redirect URI
   * isn't on this machine.
   */
  consent(form: URLSearchParams, now: number): string | undefined {
    const redirect = form.get("redirect_uri");
    if (!isLocal(redirect)) return undefined;
    const target = new URL(redirect);
    if (form.get("state")) target.searchParams.set("state", form.get("state")!);
    if (form.get("answer") === "allow") {
      const code = randomBytes(16).toString("base64url");
      addLimited(this.codes, code, {
        challenge: form.get("code_challenge") ?? "",
        redirect,
        scopes: requestedScopes(form),
        until: now + code_ms,
      });
      target.searchParams.set("code", code);
    } else target.searchParams.set("error", "access_denied");
    return target.href;
  }

  /** Handles a device authorization request (RFC 8628, section 3.1). `verification`: URL of the page. */
  device(
    form: URLSearchParams,
    authorization: string | undefined,
    verification: string,
    now: number,
  ): TokenReply {
    if (clientOf(form, authorization).id !== demo.clientId) return unknownClient();
    const code = randomBytes(16).toString("base64url");
    const letters = [...randomBytes(8)].map((byte) => "BCDFGHJKLMNPQRST"[byte % 16]);
    const userCode = `${letters.slice(0, 4).join("")}-${letters.slice(4).join("")}`;
    addLimited(this.devices, code, { userCode, scopes: requestedScopes(form), until: now + deviceCode_ms });
    return {
      status: 200,
      body: {
        device_code: code,
        user_code: userCode,
        verification_uri: verification,
        verification_uri_complete: `${verification}?code=${userCode}`,
        expires_in: deviceCode_ms / 1_000,
        interval: 1,
      },
    };
  }

  /** Returns the HTML of the page where the user enters the code of a device. */
  devicePage(query: URLSearchParams): string {
    return page(`<form method="post" action="/oauth/activate"><p><label>Code <input name="code" value="${escapeHtml(query.get("code") ?? "")}" autocomplete="off" required></label></p>
<button name="answer" value="allow">Allow</button> <button name="answer" value="refuse">Deny</button></form>`);
  }

  /** Stores the user's decision. Returns the HTML of the next page. */
  decideDevice(form: URLSearchParams, now: number): string {
    const code = (form.get("code") ?? "").trim().toUpperCase();
    const found = [...this.devices.values()].find(({ userCode, until }) => userCode === code && until > now);
    if (found) found.isAllowed = form.get("answer") === "allow";
    return page(`<p>${found ? "You can close this page." : "Unknown code."}</p>`);
  }

  /** Handles a request to the token endpoint (RFC 6749). Returns the status and the body of the response. */
  token(form: URLSearchParams, authorization: string | undefined, now: number): TokenReply {
    const client = clientOf(form, authorization);
    const granted = (allowed: string[], isRefreshed = true) => {
      const [token, refresh] = [16, 16].map((length) => randomBytes(length).toString("base64url"));
      addLimited(this.tokens, token!, allowed);
      if (isRefreshed) addLimited(this.refreshTokens, refresh!, allowed);
      return {
        status: 200,
        body: {
          access_token: token,
          token_type: "Bearer",
          expires_in: 3600,
          scope: allowed.join(" "),
          ...(isRefreshed ? { refresh_token: refresh } : {}),
        },
      };
    };
    if (client.id !== demo.clientId) return unknownClient();
    switch (form.get("grant_type")) {
      case "client_credentials":
        if (client.secret !== demo.clientSecret)
          return refused("invalid_client", `Incorrect client_secret. Use ${demo.clientSecret}.`, 401);
        return granted(requestedScopes(form), false);
      case "password":
        if (form.get("username") !== demo.username || form.get("password") !== demo.password)
          return refused(
            "invalid_grant",
            `Incorrect username or password. Use ${demo.username} / ${demo.password}.`,
          );
        return granted(requestedScopes(form));
      case "authorization_code": {
        const code = form.get("code") ?? "";
        const issued = this.codes.get(code);
        this.codes.delete(code);
        const challenge = createHash("sha256")
          .update(form.get("code_verifier") ?? "")
          .digest("base64url");
        const isValid =
          issued &&
          issued.until > now &&
          issued.redirect === form.get("redirect_uri") &&
          issued.challenge === challenge;
        return isValid
          ? granted(issued.scopes)
          : refused("invalid_grant", "The code is invalid, expired or already used");
      }
      case "refresh_token": {
        const token = form.get("refresh_token") ?? "";
        const allowed = this.refreshTokens.get(token);
        // Each refresh token can be used once.
        this.refreshTokens.delete(token);
        return allowed ? granted(allowed) : refused("invalid_grant", "The refresh token is invalid");
      }
      case "urn:ietf:params:oauth:grant-type:device_code": {
        const code = form.get("device_code") ?? "";
        const device = this.devices.get(code);
        if (!device || device.until <= now) return refused("expired_token", "The code has expired");
        if (device.isAllowed === undefined)
          return refused("authorization_pending", "The user hasn't entered the code");
        this.devices.delete(code);
        return device.isAllowed ? granted(device.scopes) : refused("access_denied", "Access was denied");
      }
      default:
        return refused("unsupported_grant_type", "This grant_type isn't supported");
    }
  }
}

interface TokenReply {
  status: number;
  body: Record<string, unknown>;
}

function refused(error: string, description: string, status = 400): TokenReply {
  return { status, body: { error, error_description: description } };
}

function unknownClient(): TokenReply {
  return refused("invalid_client", `Unknown client_id. Use ${demo.clientId}.`, 401);
}

/** Returns the HTML of a page of the authorization server. */
function page(content: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Plant shop</title>
<style>body{font:16px/1.6 system-ui;max-width:26rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}button,input{font:inherit;padding:.4rem 1rem}</style>
<h1>Plant shop</h1>${content}</html>`;
}

function addLimited<T>(map: Map<string, T>, key: string, value: T): void {
  const [oldest] = map.keys();
  if (map.size >= tokens_count && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}

function requestedScopes(form: URLSearchParams): string[] {
  return (form.get("scope") ?? "").split(" ").filter((scope) => Object.hasOwn(scopes, scope));
}

function clientOf(form: URLSearchParams, authorization = ""): { id: string; secret: string } {
  const [, pair] = /^basic +(\S+)$/i.exec(authorization) ?? [];
  if (pair === undefined) return { id: form.get("client_id") ?? "", secret: form.get("client_secret") ?? "" };
  const [id = "", secret = ""] = Buffer.from(pair, "base64").toString().split(":").map(decodeURIComponent);
  return { id, secret };
}

function isLocal(address: string | null): address is string {
  if (address === null || !URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return /^https?:$/.test(protocol) && /^(?:(?:[\w-]+\.)*localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
}
