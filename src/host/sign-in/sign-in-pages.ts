/** Serves the pages where readers of a site sign in and out, and receives their forms. */

import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isCrossOrigin } from "../../base/cross-origin.ts";
import { isPassword } from "../../base/password.ts";
import type { RateLimit } from "../../base/rate-limit.ts";
import type { ReaderData } from "../../base/reader-data.ts";
import type { SignIn } from "../../base/reader-sign-in.ts";
import { operatorPath } from "../../engine/site/features.ts";
import type { AllowedHosts } from "../../io/allowed-hosts.ts";
import {
  signInPath as signInEndpoint,
  signInPagePath,
  signOutPath as signOutEndpoint,
  siteFolder,
} from "../../layout/site-layout.ts";
import {
  type Card,
  cardPage,
  cardPolicy,
  errorHtml,
  homeLinkOf,
  noIcon,
  sendCard,
  sendError,
} from "../card-page.ts";
import type { FileCache } from "../file-cache.ts";
import type { HostedSite } from "../hosted-site.ts";
import { fileAt } from "../manifest-files.ts";
import type { RequestTarget } from "../request-target.ts";
import { originOf } from "../requested-host.ts";
import type { SiteTables } from "../site-tables.ts";
import { CookieSigner } from "./cookie-signer.ts";
import { SiteCookie } from "./cookies.ts";
import { groupsOf, verifyReaderToken } from "./jwt.ts";
import type { OpenIdChecks, OpenIdProviders } from "./open-id.ts";
import { readForm } from "./read-form.ts";
import { readerDataOf } from "./reader-data.ts";
import { returnPath } from "./return-path.ts";
import type { ReaderSessions } from "./session.ts";

/** Timeout for signing in at the customer's login page or OpenID provider. */
const pendingSignIn_s = 10 * 60;

/** Path of the sign-in page, without the base path. `/jwt`, `/jwt.js` and `/oidc` are below it. */
export const signInPath = `/${signInEndpoint}`;
const signOutPath = `/${signOutEndpoint}`;

function signInLink(basePath: string) {
  return { label: "Sign in", href: basePath + signInPath };
}

export interface SignInPagesOptions {
  secret: Buffer;
  isSecure: boolean;
  sessions: ReaderSessions;
  files: FileCache;
  rateLimit: RateLimit;
  addressOf(request: IncomingMessage): string;
  allowPrivate?: boolean;
  allowed?: AllowedHosts;
}

export interface SignInVisit {
  request: IncomingMessage;
  response: ServerResponse;
  site: HostedSite;
  /** Target of the request, without the base path. */
  target: RequestTarget;
  /** Path that readers see the site below. */
  basePath: string;
  tables: SiteTables;
}

type Visit = SignInVisit & { signIn: SignIn };

/**
 * Content of the cookie that is set while the reader signs in at the customer's login page or OpenID
 * provider.
 */
interface PendingSignIn {
  project: string;
  to: string;
  checks: OpenIdChecks;
}

export class SignInPages {
  private readonly options: SignInPagesOptions;
  private readonly pendingSigner: CookieSigner;
  private readonly pendingCookie: SiteCookie;
  private loadedProviders: Promise<OpenIdProviders> | undefined;

  constructor(options: SignInPagesOptions) {
    this.options = options;
    this.pendingSigner = new CookieSigner(options.secret, "way to sign in");
    this.pendingCookie = new SiteCookie("octavo_sign_in", options.isSecure);
  }

  /**
   * Answers a request. Resolves with false, without a response, if the path isn't one of these pages or the
   * site has no sign-in.
   */
  async answer(visit: SignInVisit): Promise<boolean> {
    const { request, response, site, target, basePath } = visit;
    const { signIn } = site;
    if (!signIn) return false;

    const page = this.pageAt(target.path, { ...visit, signIn });
    if (!page) return false;
    response.setHeader("cache-control", "private, no-store");

    // HEAD is only supported for the sign-in page.
    const method = request.method === "HEAD" && target.path === signInPath ? "GET" : request.method;
    const answer = page[method as "GET" | "POST"];
    if (answer) await answer();
    else {
      response.setHeader(
        "allow",
        [...(target.path === signInPath ? ["HEAD"] : []), ...Object.keys(page)].sort().join(", "),
      );
      sendError(request, response, 405, {
        title: "Method not allowed",
        text: "Open the sign-in page again.",
        link: signInLink(basePath),
        site: nameOf(visit),
      });
    }

    return true;
  }

  private pageAt(path: string, visit: Visit): { GET?(): Promise<void>; POST?(): Promise<void> } | undefined {
    const { mode } = visit.signIn;
    if (path === signOutPath) return { GET: () => this.signOut(visit), POST: () => this.signOut(visit) };
    if (path === signInPath && mode === "password")
      return { GET: () => this.show(visit, 200, ["form"]), POST: () => this.checkPassword(visit) };
    if (path === signInPath) return { GET: () => this.redirectToProvider(visit) };
    if (path === fragmentScriptPath && mode === "jwt")
      return { GET: async () => sendFragmentScript(visit.response) };
    if (path === `${signInPath}/jwt` && mode === "jwt")
      return { GET: () => this.receiveToken(visit), POST: () => this.token(visit) };
    if (path === `${signInPath}/oidc` && mode === "oidc") return { GET: () => this.finishOpenId(visit) };
    return undefined;
  }

  /**
   * Sends the site's sign-in page with the given parts visible. A preview has a page that doesn't depend on
   * its files, because they can be a stranger's.
   */
  private async show(visit: Visit, status: number, parts: readonly Part[]): Promise<void> {
    const { site, tables, response, request, basePath } = visit;
    const entry = site.isPreview ? undefined : fileAt(site.manifest, signInPagePath);
    const page = entry ? (await this.options.files.whole(entry)).toString() : plainPage(visit);
    const html = parts.reduce(
      (text, part) => text.replace(`id="o-sign-in-${part}" hidden`, `id="o-sign-in-${part}"`),
      page,
    );

    const policy = entry
      ? signInPolicy(
          tables.contentSecurityPolicy(site.features, "anyone"),
          originOf(request, this.options.isSecure) + basePath,
        )
      : cardPolicy();
    response.setHeader("content-security-policy", policy);

    response.writeHead(status, {
      "content-type": "text/html; charset=utf-8",
      "content-length": Buffer.byteLength(html),
    });

    response.end(request.method === "HEAD" ? undefined : html);
  }

  private async checkPassword(visit: Visit): Promise<void> {
    const { request, response, site, signIn, target } = visit;
    if (signIn.mode !== "password") return;
    if (!isSameOrigin(request)) return sendBlocked(visit, "Sign in with the form on this site.");

    const form = await readForm(request);
    if (!form)
      return sendTooLong(visit, { title: "The password is too long", text: "Enter a shorter password." });

    const { wait_s, uncount } = await this.options.rateLimit("site-password", {
      site: site.projectId,
      address: this.options.addressOf(request),
    });

    if (wait_s > 0) {
      response.setHeader("retry-after", String(wait_s));
      return this.show(visit, 429, ["wait"]);
    }

    if (!(await isPassword(form.get("password") ?? "", signIn.passwordHash)))
      return this.show(visit, 401, ["wrong", "form"]);

    // Only wrong passwords count toward the rate limit.
    await uncount();
    this.startSession(visit, signIn.groups ?? [], {}, new URLSearchParams(target.query).get("to"));
  }

  /** Redirects to the customer's login page or OpenID provider. */
  private async redirectToProvider(visit: Visit): Promise<void> {
    const { site, signIn, target, basePath } = visit;
    const to = returnPath(new URLSearchParams(target.query).get("to"), basePath);
    const back = `${originOf(visit.request, this.options.isSecure)}${basePath}${signInPath}`;
    if (signIn.mode === "oidc") {
      const { url, checks } = await (await this.providers()).begin(signIn, `${back}/oidc`, {
        owner: site.organizationId,
      });
      return this.send(visit, { project: site.projectId, to, checks }, url);
    }
    if (signIn.mode !== "jwt") return;
    const state = randomBytes(24).toString("base64url");
    const url = new URL(signIn.loginUrl);
    url.searchParams.set("state", state);
    url.searchParams.set("redirect_uri", `${back}/jwt`);
    this.send(visit, { project: site.projectId, to, checks: { state, nonce: "", verifier: "" } }, url);
  }

  private send({ response, basePath }: Visit, pending: PendingSignIn, url: URL): void {
    const value = this.pendingSigner.sign(pending, Date.now() + pendingSignIn_s * 1_000);
    this.pendingCookie.set(response, basePath, value, pendingSignIn_s);
    response.writeHead(302, { location: url.href, "content-length": 0 }).end();
  }

  /**
   * Accepts a token in the query. If there is none, sends a page with a script that submits the token in the
   * fragment, since browsers don't send fragments.
   */
  private async receiveToken(visit: Visit): Promise<void> {
    const query = new URLSearchParams(visit.target.query);
    const token = query.get("token");
    if (token !== null) return this.acceptToken(visit, token, query.get("state"));
    const { response, basePath } = visit;
    response.setHeader(
      "content-security-policy",
      "default-src 'none'; img-src data:; script-src 'self'; form-action 'self'",
    );
    // With "no-referrer", browsers would send "Origin: null" with the form.
    response.setHeader("referrer-policy", "same-origin");
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(fragmentPage(basePath));
  }

  private async token(visit: Visit): Promise<void> {
    if (!isSameOrigin(visit.request))
      return sendBlocked(visit, "The token must be sent by this site's sign-in page.");
    const form = await readForm(visit.request);
    if (!form) return sendTooLong(visit, { title: "The token is too large", text: "Sign in again." });
    await this.acceptToken(visit, form.get("token") ?? "", form.get("state"));
  }

  /** Loads the OpenID client when the first reader signs in, because it takes 10 MB of memory. */
  private providers(): Promise<OpenIdProviders> {
    this.loadedProviders ??= import("./open-id.ts").then(
      (module) => new module.OpenIdProviders(this.options),
    );
    return this.loadedProviders;
  }

  private async acceptToken(visit: Visit, token: string, state: string | null): Promise<void> {
    const { request, site, signIn } = visit;
    const pending = this.pendingOf(visit);
    if (signIn.mode !== "jwt" || !pending) return this.show(visit, 400, ["failed"]);
    const found = await verifyReaderToken(token, {
      publicKey: signIn.publicKey,
      host: request.headers.host!.toLowerCase(),
      projectId: site.projectId,
      once: this.options.rateLimit,
    });
    if (!found || (found.state ?? state) !== pending.checks.state) return this.show(visit, 401, ["failed"]);
    this.startSession(visit, found.groups, found.data, pending.to);
  }

  private async finishOpenId(visit: Visit): Promise<void> {
    const { request, site, signIn, target, basePath } = visit;
    const pending = this.pendingOf(visit);
    if (signIn.mode !== "oidc" || !pending) return this.show(visit, 400, ["failed"]);
    try {
      const callbackUrl = new URL(
        `${originOf(request, this.options.isSecure)}${basePath}${target.path}${target.query}`,
      );
      const providers = await this.providers();
      const claims = await providers.finish(signIn, callbackUrl, pending.checks, site.organizationId);
      const groups = groupsOf(claims?.[signIn.groupsClaim ?? "groups"]);
      this.startSession(visit, groups, readerDataOf(claims), pending.to);
    } catch {
      await this.show(visit, 401, ["failed"]);
    }
  }

  private pendingOf({ request, site, basePath }: Visit): PendingSignIn | undefined {
    const cookie = this.pendingCookie.read(request, basePath);
    const pending =
      cookie === undefined
        ? undefined
        : (this.pendingSigner.verify(cookie, Date.now()) as PendingSignIn | undefined);
    return pending?.project === site.projectId ? pending : undefined;
  }

  private startSession(
    { response, site, basePath }: Visit,
    groups: readonly string[],
    data: ReaderData,
    to: string | null,
  ): void {
    this.pendingCookie.remove(response, basePath);
    this.options.sessions.begin(response, site, basePath, { groups, data });
    response.writeHead(303, { location: returnPath(to, basePath), "content-length": 0 }).end();
  }

  private async signOut(visit: Visit): Promise<void> {
    const { request, response, basePath } = visit;
    const site = request.headers["sec-fetch-site"];
    if (request.method === "POST" ? !isSameOrigin(request) : site !== "same-origin" && site !== "none") {
      // Shows a button instead, so that links on other sites can't sign readers out.
      return sendCard(response, 403, signOutCard(visit));
    }
    this.options.sessions.end(request, response, basePath);
    // The browser's storage contains the reader's conversations. Below a path, it also contains the data of
    // other sites.
    if (basePath) return sendCard(response, 200, signedOutCard(visit));
    response.writeHead(303, { location: "/", "clear-site-data": '"storage"', "content-length": 0 }).end();
  }
}

/**
 * Returns the policy of the sign-in page: of a site's scripts and style sheets, the page loads only those
 * that Octavo adds.
 */
function signInPolicy(policyOfPages: string, siteUrl: string): string {
  const own = [`${siteUrl}/${siteFolder}`, `${siteUrl}/${operatorPath}`];
  const directives = policyOfPages.split(";").map((directive): string[] => {
    const [name = "", ...sources] = directive.trim().split(" ");
    if (name === "frame-ancestors") return [name, "'none'"];
    if (name === "script-src" || name === "style-src")
      return [name, ...own, ...sources.filter((source) => source.startsWith("'") && source !== "'self'")];
    return [name, ...sources];
  });
  return directives.map((words) => words.join(" ")).join("; ");
}

/** Parts of the sign-in page, which are hidden in the exported file. */
type Part = "form" | "wrong" | "wait" | "failed";

/**
 * Whether the request wasn't sent by a page of another site. Prevents other sites from signing readers in or
 * out.
 */
export function isSameOrigin({ headers }: IncomingMessage): boolean {
  return !isCrossOrigin(headers, ({ host }) => host === headers.host?.toLowerCase());
}

/** Returns the site's name for cards. Undefined for previews, whose name can be a stranger's. */
function nameOf({ site, tables }: SignInVisit): string | undefined {
  return site.isPreview ? undefined : tables.name;
}

function sendBlocked(visit: Visit, text: string): void {
  const { request, response, basePath } = visit;
  sendError(request, response, 403, {
    title: "Request blocked",
    text,
    link: signInLink(basePath),
    site: nameOf(visit),
  });
}

function sendTooLong(visit: Visit, error: { title: string; text: string }): void {
  const { request, response, basePath } = visit;
  sendError(request, response, 413, { ...error, link: signInLink(basePath), site: nameOf(visit) });
}

/** Returns the sign-in page for a deployment that was built before sign-in was enabled and has none. */
function plainPage(visit: Visit): string {
  const { basePath } = visit;
  return cardPage({
    title: "Sign in",
    site: nameOf(visit),
    bodyHtml: `<p id="o-sign-in-wrong" hidden role="alert">Incorrect password.</p><p id="o-sign-in-wait" hidden role="alert">Too many attempts. Try again later.</p><div id="o-sign-in-failed" hidden role="alert"><p>Sign-in failed.</p><p><a class="next" href="${basePath}${signInPath}">Try again</a></p></div><form id="o-sign-in-form" hidden method="post"><label>Password <input name="password" type="password" required autocomplete="current-password"></label><button type="submit">Sign in</button></form>`,
  });
}

function signOutCard(visit: Visit): Card {
  return {
    title: "Sign out",
    site: nameOf(visit),
    bodyHtml: `<p>You'll have to sign in again to read this site.</p><form method="post" action="${visit.basePath}${signOutPath}"><button type="submit">Sign out</button></form>`,
  };
}

/**
 * Returns a page that removes the data of a site below a path from the browser's storage, and then opens the
 * site.
 */
function signedOutCard(visit: Visit): Card {
  const { basePath } = visit;
  const root = `${basePath}/`;
  const script = `try{for(var s of [localStorage,sessionStorage])for(var k of Object.keys(s))if(k.endsWith(${JSON.stringify(` ${root}`)}))s.removeItem(k)}catch(e){}location.replace(${JSON.stringify(root)})`;
  return {
    title: "Signed out",
    site: nameOf(visit),
    bodyHtml: errorHtml({ text: "You're signed out.", link: homeLinkOf(basePath) }),
    script,
  };
}

const fragmentScript = `var q=new URLSearchParams(location.hash.slice(1)),f=document.forms[0];f.token.value=q.get("token")||(q.size===0||!location.hash.includes("=")?location.hash.slice(1):"");f.state.value=q.get("state")||new URLSearchParams(location.search).get("state")||"";history.replaceState(null,"",location.pathname);f.submit()`;
/**
 * Path of the script that submits a token from the fragment. The script is a separate file, since the content
 * security policy doesn't allow inline scripts.
 */
const fragmentScriptPath = `${signInPath}/jwt.js`;
function fragmentPage(basePath: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex">${noIcon}<title>Sign in</title></head><body><form method="post"><input type="hidden" name="token"><input type="hidden" name="state"></form><noscript>This sign-in method requires JavaScript.</noscript><script src="${basePath}${fragmentScriptPath}"></script></body></html>\n`;
}

function sendFragmentScript(response: ServerResponse): void {
  response.setHeader("content-security-policy", "default-src 'none'");
  response.writeHead(200, { "content-type": "text/javascript; charset=utf-8" }).end(`${fragmentScript}\n`);
}
