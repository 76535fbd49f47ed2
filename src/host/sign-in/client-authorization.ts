/**
 * Lets readers connect programs to the MCP server of a site with sign-in: an OAuth 2.1 authorization server
 * for public clients, as the authorization part of the Model Context Protocol requires. It supports protected
 * resource metadata (RFC 9728), authorization server metadata (RFC 8414), dynamic registration (RFC 7591),
 * and authorization codes with PKCE (RFC 7636). Access ends when the reader's session would have ended.
 */

import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { JWTPayload } from "jose";
import type { Reader } from "../../base/access.ts";
import { escapeHtml } from "../../base/html-text.ts";
import { oneLine } from "../../base/one-line.ts";
import type { RateLimit } from "../../base/rate-limit.ts";
import {
  authorizationServerPath,
  authorizePath,
  clientTokenPath,
  protectedResourcePath,
  registerClientPath,
} from "../../layout/site-layout.ts";
import { sendCard, sendError } from "../card-page.ts";
import type { HostedSite } from "../hosted-site.ts";
import { originOf } from "../requested-host.ts";
import { ClientTokens } from "./client-tokens.ts";
import { readForm, readSmallBody, uniqueParameters } from "./read-form.ts";
import { isRedirectUri, isRegistered, placeOf, sourceOf } from "./redirect-uris.ts";
import { type ReaderSessions, settingsOf } from "./session.ts";
import { isSameOrigin, type SignInVisit, signInPath } from "./sign-in-pages.ts";

/** Lifetime of an authorization code. */
const code_s = 60;
/**
 * Maximum length of an authorization request's query. While the reader signs in, the query is in a cookie,
 * which browsers limit to 4 KB.
 */
const query_chars = 2_000;
const name_chars = 60;
const redirectUris_chars = 500;

interface Options {
  secret: Buffer;
  isSecure: boolean;
  sessions: ReaderSessions;
  rateLimit: RateLimit;
  addressOf(request: IncomingMessage): string;
}

/** A valid authorization request. */
interface Authorization {
  client: string;
  name: string;
  redirectUri: string;
  state: string | undefined;
  challenge: string;
}

export class ClientAuthorization {
  private readonly options: Options;
  private readonly tokens: ClientTokens;

  constructor(options: Options) {
    this.options = options;
    this.tokens = new ClientTokens(options.secret);
  }

  /**
   * Returns the reader that connected the program with this access token. Undefined if the token is invalid,
   * has expired, or is for another site or other sign-in settings.
   */
  async readerOf(token: string, site: HostedSite): Promise<Reader | undefined> {
    const claims = await this.tokens.open("access", token);
    return claims && isFor(claims, site) ? { groups: claims.groups as string[] } : undefined;
  }

  /**
   * Answers a request. Resolves with false, without a response, if the path isn't one of this server's, or
   * if readers of the site don't sign in.
   */
  async answer(visit: SignInVisit): Promise<boolean> {
    const { site, target, request, response } = visit;
    if (!site.signIn || site.isPreview) return false;

    const methods = this.methodsAt(target.path.slice(1), visit);
    if (!methods) return false;
    response.setHeader("cache-control", "no-store");
    const answer = methods[request.method as "GET" | "POST"];
    if (answer) await answer();
    else {
      response.setHeader("allow", Object.keys(methods).join(", "));
      sendJson(visit, 405, { error: "invalid_request", error_description: "Method not allowed" });
    }
    return true;
  }

  private methodsAt(
    path: string,
    visit: SignInVisit,
  ): { [method in "GET" | "POST"]?: () => unknown } | undefined {
    switch (path) {
      case protectedResourcePath:
        return { GET: () => sendJson(visit, 200, this.resourceMetadata(visit)) };
      case authorizationServerPath:
        return { GET: () => sendJson(visit, 200, this.serverMetadata(visit)) };
      case registerClientPath:
        return { POST: () => this.register(visit) };
      case authorizePath:
        return { GET: () => this.authorize(visit), POST: () => this.authorize(visit) };
      case clientTokenPath:
        return { POST: () => this.exchange(visit) };
      default:
        return undefined;
    }
  }

  private urlOf({ request, basePath }: SignInVisit): string {
    return originOf(request, this.options.isSecure) + basePath;
  }

  private resourceMetadata(visit: SignInVisit): object {
    const url = this.urlOf(visit);
    return {
      resource: `${url}/mcp`,
      authorization_servers: [url],
      bearer_methods_supported: ["header"],
    };
  }

  private serverMetadata(visit: SignInVisit): object {
    const url = this.urlOf(visit);
    return {
      issuer: url,
      authorization_endpoint: `${url}/${authorizePath}`,
      token_endpoint: `${url}/${clientTokenPath}`,
      registration_endpoint: `${url}/${registerClientPath}`,
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      authorization_response_iss_parameter_supported: true,
    };
  }

  /** Whether the visitor's rate limit admits the request. If not, sends the response. */
  private async isAdmitted(visit: SignInVisit): Promise<boolean> {
    const { rateLimit, addressOf } = this.options;
    const address = addressOf(visit.request);
    const { wait_s } = await rateLimit("mcp", { site: visit.site.projectId, address });
    if (wait_s === 0) return true;
    visit.response.setHeader("retry-after", String(wait_s));
    sendJson(visit, 429, { error: "temporarily_unavailable" });
    return false;
  }

  /** Returns a client ID, which contains what the program registered. */
  private async register(visit: SignInVisit): Promise<void> {
    if (!(await this.isAdmitted(visit))) return;
    const body = parseObject(await readSmallBody(visit.request));
    const uris: unknown = body?.redirect_uris;
    const isValid =
      Array.isArray(uris) &&
      uris.length > 0 &&
      uris.every((uri): uri is string => typeof uri === "string" && isRedirectUri(uri)) &&
      uris.join().length <= redirectUris_chars;
    if (!isValid)
      return sendJson(visit, 400, {
        error: "invalid_redirect_uri",
        error_description: `redirect_uris must contain https URLs, http URLs of this machine, or URLs of an app, with at most ${redirectUris_chars} characters in total`,
      });

    const name = nameOf(body?.client_name, uris[0] as string);
    const client = { site: visit.site.projectId, name, uris: uris as string[] };
    sendJson(visit, 201, {
      client_id: await this.tokens.seal("client", client),
      client_name: name,
      redirect_uris: uris,
      grant_types: ["authorization_code"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    });
  }

  /** Asks the signed-in reader whether the program may read the site, and receives the answer. */
  private async authorize(visit: SignInVisit): Promise<void> {
    const { request, response, site, target, basePath } = visit;
    const read = await this.readAuthorization(visit);
    if (typeof read === "string")
      return sendError(request, response, 400, {
        title: "The app can't be connected",
        text: read,
        site: visit.tables.name,
      });

    if ("error" in read) return redirect(visit, this.backTo(visit, read, { error: read.error }));
    const session = this.options.sessions.sessionOf(request, site, basePath);
    if (!session) {
      const here = `${basePath}${target.path}${target.query}`;
      return redirect(visit, `${basePath}${signInPath}?to=${encodeURIComponent(here)}`);
    }

    const cancel = this.backTo(visit, read, { error: "access_denied" });
    if (request.method === "GET") return this.ask(visit, read, cancel);
    if (!isSameOrigin(request))
      return sendError(request, response, 403, {
        title: "Request blocked",
        text: "Use the buttons on this site's own page.",
        site: visit.tables.name,
      });

    const claims = {
      jti: randomUUID(),
      site: site.projectId,
      signIn: settingsOf(site),
      groups: [...session.reader.groups],
      ends_s: session.ends_s,
      client: hash(read.client),
      uri: read.redirectUri,
      challenge: read.challenge,
    };
    const code = await this.tokens.seal("code", claims, now_s() + code_s);
    redirect(visit, this.backTo(visit, read, { code }), 303);
  }

  /**
   * Reads an authorization request. Returns a message for the reader if the program or its redirect URI isn't
   * known, and the OAuth error that the program gets if other parameters are invalid.
   */
  private async readAuthorization(
    visit: SignInVisit,
  ): Promise<Authorization | (Pick<Authorization, "redirectUri" | "state"> & { error: string }) | string> {
    const { site, target } = visit;
    const parameters =
      target.query.length <= query_chars ? uniqueParameters(new URLSearchParams(target.query)) : undefined;
    if (!parameters)
      return "The app's request is too long or has a parameter twice. Update the app, or report the problem to its makers.";
    const { client_id: client = "", redirect_uri: redirectUri = "", state, resource } = parameters;
    const registered = await this.tokens.open("client", client);
    if (registered?.site !== site.projectId)
      return "The app isn't registered with this site. Remove the site in the app, and add it again.";
    if (!isRegistered(redirectUri, registered.uris as string[]))
      return "The app's redirect URL isn't one of those that it registered. Remove the site in the app, and add it again.";

    const back = { redirectUri, state };
    if (parameters.response_type !== "code") return { ...back, error: "unsupported_response_type" };
    const challenge = parameters.code_challenge ?? "";
    if (parameters.code_challenge_method !== "S256" || !/^[\w-]{43}$/.test(challenge))
      return { ...back, error: "invalid_request" };
    if (resource !== undefined && !this.isResource(visit, resource))
      return { ...back, error: "invalid_target" };
    return { ...back, client, challenge, name: String(registered.name) };
  }

  private isResource(visit: SignInVisit, resource: string): boolean {
    const url = this.urlOf(visit);
    return [`${url}/mcp`, `${url}/mcp/`, `${url}/`, url].includes(resource);
  }

  private ask(visit: SignInVisit, { name, redirectUri }: Authorization, cancelUrl: string): void {
    const { response, tables, request } = visit;
    const text = `${name} can then search and read all pages that you can read on ${request.headers.host}, until your session ends. Only allow this if you started it in the app.`;
    const back = `Afterward, you return to ${placeOf(redirectUri)}.`;
    sendCard(response, 200, {
      title: `Connect ${name}?`,
      site: tables.name,
      bodyHtml: `<p>${escapeHtml(text)}</p><p>${escapeHtml(back)}</p><form method="post"><button type="submit">Allow access</button><a class="other" href="${escapeHtml(cancelUrl)}">Cancel</a></form>`,
      formTarget: sourceOf(redirectUri),
    });
  }

  private backTo(
    visit: SignInVisit,
    { redirectUri, state }: Pick<Authorization, "redirectUri" | "state">,
    result: Record<string, string>,
  ): string {
    const url = new URL(redirectUri);
    for (const [name, value] of Object.entries({ ...result, iss: this.urlOf(visit) }))
      url.searchParams.set(name, value);
    if (state !== undefined) url.searchParams.set("state", state);
    return url.href;
  }

  /** Exchanges an authorization code for an access token. */
  private async exchange(visit: SignInVisit): Promise<void> {
    if (!(await this.isAdmitted(visit))) return;
    const { site } = visit;
    const form = await readForm(visit.request);
    const body = form && uniqueParameters(form);
    if (!body) return sendJson(visit, 400, { error: "invalid_request" });
    if (body.grant_type !== "authorization_code")
      return sendJson(visit, 400, { error: "unsupported_grant_type" });
    const registered = await this.tokens.open("client", String(body.client_id));
    if (registered?.site !== site.projectId) return sendJson(visit, 401, { error: "invalid_client" });
    if (body.resource !== undefined && !this.isResource(visit, String(body.resource)))
      return sendJson(visit, 400, { error: "invalid_target" });

    const claims = await this.tokens.open("code", String(body.code));
    const isValid =
      claims !== undefined &&
      isFor(claims, site) &&
      claims.client === hash(String(body.client_id)) &&
      claims.uri === body.redirect_uri &&
      isEqual(hash(String(body.code_verifier)), String(claims.challenge));
    if (!isValid || !(await this.isFirstUse(site, claims.jti!)))
      return sendJson(visit, 400, { error: "invalid_grant" });

    const { groups, signIn, ends_s } = claims as JWTPayload & { ends_s: number };
    sendJson(visit, 200, {
      access_token: await this.tokens.seal("access", { site: site.projectId, groups, signIn }, ends_s),
      token_type: "Bearer",
      expires_in: Math.max(0, ends_s - now_s()),
    });
  }

  private async isFirstUse({ projectId }: HostedSite, id: string): Promise<boolean> {
    const { wait_s } = await this.options.rateLimit("reader-token", { site: projectId, token: id });
    return wait_s === 0;
  }
}

function isFor(claims: JWTPayload, site: HostedSite): boolean {
  return (
    site.signIn !== undefined &&
    claims.site === site.projectId &&
    claims.signIn === settingsOf(site) &&
    Array.isArray(claims.groups)
  );
}

/** Returns the name that the reader sees. Without a usable name, it's where the program receives its code. */
function nameOf(given: unknown, redirectUri: string): string {
  const name = typeof given === "string" ? oneLine(given.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, " ")) : "";
  return name.slice(0, name_chars).toWellFormed() || sourceOf(redirectUri).replace(/:$/, "");
}

function redirect({ response }: SignInVisit, location: string, status = 302): void {
  response.writeHead(status, { location, "content-length": 0 }).end();
}

function parseObject(text = ""): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function sendJson({ response }: SignInVisit, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.setHeader("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
  response
    .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    .end(text);
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

function now_s(): number {
  return Math.floor(Date.now() / 1_000);
}

/**
 * Returns the path of a metadata request below the site's base path, where the other endpoints are. Clients
 * insert the well-known path before the path of the site (RFC 8414, section 3.1) or of its MCP server (RFC
 * 9728, section 3.1). Other paths are returned unchanged.
 */
export function metadataPath(path: string): string {
  const server = /^\/\.well-known\/oauth-authorization-server(\/.+?)\/?$/.exec(path)?.[1];
  if (server !== undefined) return `${server}/${authorizationServerPath}`;
  const resource = /^\/\.well-known\/oauth-protected-resource(\/.*)?\/mcp\/?$/.exec(path);
  return resource ? `${resource[1] ?? ""}/${protectedResourcePath}` : path;
}
