/** Serves sites by host name: resolves a request to a file and checks the reader's access. */

import type { lookup } from "node:dns";
import type { IncomingMessage, ServerResponse } from "node:http";
import { mayRead, type Reader } from "../base/access.ts";
import { pathBelow } from "../base/base-path.ts";
import { type RateLimit, rateLimitInMemory } from "../base/rate-limit.ts";
import { encodePath } from "../engine/paths.ts";
import { operatorFile, operatorPath, type SiteFeatures } from "../engine/site/features.ts";
import type { AllowedHosts } from "../io/allowed-hosts.ts";
import { isNavigation, isSignInOrOut, mcpPath, proxyPath } from "../layout/site-layout.ts";
import { setCaching } from "./cache-control.ts";
import { homeLinkOf, sendError } from "./card-page.ts";
import { typeOf } from "./content-type.ts";
import { FileCache } from "./file-cache.ts";
import type { BasePaths, HostedSite, SiteDirectory } from "./hosted-site.ts";
import { linkHeader } from "./link-headers.ts";
import { accessOf, fileAt } from "./manifest-files.ts";
import { countedPathOf, variantFor } from "./page-paths.ts";
import { sendPending } from "./pending-page.ts";
import { answerProxy, operationOf } from "./playground-proxy.ts";
import { type AnsweredFile, type Arrival, ReadyFiles } from "./ready-files.ts";
import { bearerTokenOf, wantsHtml, wantsMarkdown } from "./request-headers.ts";
import { type RequestTarget, requestTarget } from "./request-target.ts";
import { hostName } from "./requested-host.ts";
import { notFoundPage, redirectsHome, resolvePath, targetOf } from "./resolve-path.ts";
import { sendReaderNavigation } from "./section-navigation.ts";
import { contentSecurityPolicyOfFile, setSecurityHeaders } from "./security-headers.ts";
import { type FileStore, sendFile } from "./send-file.ts";
import { sendText } from "./send-text.ts";
import { ClientAuthorization, metadataPath } from "./sign-in/client-authorization.ts";
import { ReaderSessions } from "./sign-in/session.ts";
import { SignInPages, signInPath } from "./sign-in/sign-in-pages.ts";
import { type SiteTables, TablesOfSites } from "./site-tables.ts";

export interface HostingOptions {
  directory: SiteDirectory;
  /**
   * Caches of the sites' files and tables, if they are shared with other code. If absent, new caches are
   * created.
   */
  tables?: TablesOfSites;
  /** Handlers of the endpoints of every site, by path with a leading slash. */
  endpoints?: ReadonlyMap<string, SiteEndpointHandler>;
  /**
   * Secret that the keys of session cookies are derived from. All processes of a service must use the same
   * one.
   */
  secret: Buffer;
  /** Whether readers connect over https. */
  isSecure: boolean;
  /** Rate limit. Default: counts requests in memory, which is only correct for a single process. */
  rateLimit?: RateLimit;
  /**
   * Returns the base paths of a request, for sites with relative links, which work below any path. Default:
   * the path that the site was built for, or the root of the host if its links are relative. `path`: path of
   * the request. `built`: path that the site was built for.
   */
  basePathsOf?(request: IncomingMessage, path: string, built: string): BasePaths;
  /**
   * Returns the IP address of the visitor, even behind trusted proxies. If absent, the address of the
   * connection is used.
   */
  addressOf?(request: IncomingMessage): string;
  /**
   * Called after each response for a page or other file, including HEAD requests and status 304 or 416. Not
   * called for the "page not found" page.
   */
  onFile?(answered: AnsweredFile & { request: IncomingMessage }): void;
  /** Called for internal errors, such as an unreachable store or database. */
  onFault?(error: unknown): void;
  /** Allows playgrounds and sign-in to connect to private addresses. For tests. */
  allowPrivate?: boolean;
  /** Hosts that playgrounds and sign-in may connect to in addition to the public internet. Default: none. */
  allowed?: AllowedHosts;
  lookup?: typeof lookup;
}

/** A request to an endpoint of a site, with any method. */
export interface EndpointVisit {
  request: IncomingMessage;
  response: ServerResponse;
  site: HostedSite;
  host: string;
  /** Path that readers see the site below. */
  basePath: string;
  /** The signed-in reader. Always undefined on public sites. */
  reader: Reader | undefined;
  /** IP address of the visitor. */
  address: string;
  /** Whether the widget on another website sent the request. It has no reader. */
  isWidget?: boolean;
  /** Origins of the websites that can show the assistant. */
  widgetOrigins: ReadonlySet<string>;
}

/**
 * Sends the response. If the handler rejects, the host sends 503 or, if the response has started, closes the
 * connection.
 */
export type SiteEndpointHandler = (visit: EndpointVisit) => Promise<void>;

/** Answers a request. Never rejects: errors are passed to `onFault`. */
export type Hosting = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const badRequest = {
  title: "Bad request",
  text: "The server can't read this URL. Check it for typing errors.",
  link: homeLinkOf(""),
};
const longUrl = {
  title: "The URL is too long",
  text: "Shorten the URL and try again.",
  link: homeLinkOf(""),
};
const wrongMethod = { title: "Method not allowed", text: "Open the page instead of sending data to it." };
const missingPage = {
  title: "Page not found",
  text: "The page doesn't exist, or you don't have access to it.",
};

function unknownSite(host: string) {
  return {
    title: "Site not found",
    text: `There's no site at ${host}. Check the URL. If this is your domain, check that it's listed as verified in your project's settings.`,
  };
}

export function hosting(options: HostingOptions): Hosting {
  const host = new Host(options);
  return async (request, response) => {
    if (!host.ready.send(request, response)) await host.answer(request, response);
  };
}

/**
 * Returns the value of `Content-Disposition` for a download. Contains the file name if it has only ASCII
 * letters, digits, `_`, `.` and `-`.
 */
function attachment(path: string): string {
  const name = path.split("/").at(-1)!;
  return /^[\w.-]+$/.test(name) ? `attachment; filename="${name}"` : "attachment";
}

/** A request to a known site. */
interface Visit {
  request: IncomingMessage;
  response: ServerResponse;
  site: HostedSite;
  /** Target of the request, without the base path. */
  target: RequestTarget;
  /** Path that readers see the site below. */
  basePath: string;
  tables: SiteTables;
  reader: Reader | undefined;
  arrival: Arrival;
  paths: BasePaths;
}

class Host {
  readonly ready: ReadyFiles;
  private readonly options: HostingOptions;
  private readonly store: FileStore;
  private readonly tables: TablesOfSites;
  private readonly rateLimit: RateLimit;
  private readonly addressOf: (request: IncomingMessage) => string;
  private readonly sessions: ReaderSessions;
  private readonly signInPages: SignInPages;
  private readonly clients: ClientAuthorization;

  constructor(options: HostingOptions) {
    const { directory, secret, isSecure } = options;
    this.options = options;
    this.tables = options.tables ?? new TablesOfSites(new FileCache(directory));
    this.ready = new ReadyFiles(options, this.tables.files);
    this.store = { directory, cache: this.tables.files };
    this.rateLimit = options.rateLimit ?? rateLimitInMemory();
    this.addressOf = options.addressOf ?? ((request) => request.socket.remoteAddress ?? "");
    this.sessions = new ReaderSessions(secret, isSecure);

    const { sessions, rateLimit, addressOf } = this;
    this.signInPages = new SignInPages({
      ...options,
      sessions,
      files: this.store.cache,
      rateLimit,
      addressOf,
    });
    this.clients = new ClientAuthorization({ secret, isSecure, sessions, rateLimit, addressOf });
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.route(request, response);
    } catch (error) {
      this.options.onFault?.(error);
      if (response.headersSent) response.destroy();
      else {
        response.setHeader("retry-after", "5");
        sendError(request, response, 503, {
          title: "Site temporarily unavailable",
          text: "Try again in a few seconds.",
        });
      }
    }
  }

  private async route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { isSecure, directory } = this.options;

    // HSTS applies to the whole host, which a site below a path shares with others.
    setSecurityHeaders(response, { isSecure: false, isPreview: false });
    const host = hostName(request);
    const requested = requestTarget(request);
    if (host === undefined || requested === 400) return sendError(request, response, 400, badRequest);
    if (requested === 414) return sendError(request, response, 414, longUrl);
    const whole = { ...requested, path: metadataPath(requested.path) };

    const arrival = { host, path: whole.path, version: directory.versionOf(host, whole.path) };
    const site = await directory.byHost(host, whole.path);
    if (!site) {
      const pending = await directory.pendingAt?.(host, whole.path);
      return pending
        ? sendPending(request, response, pending)
        : sendError(request, response, 404, unknownSite(host));
    }

    const tables = await this.tables.of(site);
    const paths =
      this.options.basePathsOf?.(request, whole.path, tables.redirects.basePath) ?? builtFor(tables);
    const { received, shown: basePath } = paths;
    setSecurityHeaders(response, { isSecure: isSecure && basePath === "", isPreview: site.isPreview });
    const path = pathBelow(whole.path, received);
    if (path === undefined) {
      if (whole.path === "/") return redirect(response, 302, `${basePath}/`);
      return sendError(request, response, 404, {
        ...missingPage,
        link: homeLinkOf(basePath),
        site: tables.name,
      });
    }

    // Relative links on the home page need the slash.
    if (received !== "" && whole.path === received && !tables.redirects.isClean) {
      // The path can depend on a header of a proxy.
      response.setHeader("cache-control", "no-store");
      return redirect(response, 308, `${basePath}/${whole.query}`);
    }

    const target: RequestTarget = { path, query: whole.query };
    const reader = site.signIn && (await this.readerOf(request, site, target, basePath));
    const visit: Visit = { request, response, site, target, basePath, tables, reader, arrival, paths };
    if (target.path === `/${operatorPath}` && site.features) return sendOperatorFile(response, site.features);
    if (target.path === `/${proxyPath}`) return this.proxy(visit);

    // An author's file replaces a generated one.
    const isOwnFile =
      target.path.startsWith("/.well-known/") && fileAt(site.manifest, target.path.slice(1)) !== undefined;
    const endpoint = isOwnFile ? undefined : this.options.endpoints?.get(target.path);
    if (endpoint) {
      const { widgetOrigins } = tables;
      const address = this.addressOf(request);
      return endpoint({ request, response, site, host, basePath, reader, address, widgetOrigins });
    }
    if (!isOwnFile && this.hasMcp && (await this.clients.answer(visit))) return;
    if (isSignInOrOut(target.path.slice(1)) && (await this.signInPages.answer(visit))) return;

    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      return sendError(request, response, 405, {
        ...wrongMethod,
        link: homeLinkOf(basePath),
        site: tables.name,
      });
    }

    if (isNavigation(target.path.slice(1))) return this.readerNavigation(visit);
    await this.page(visit);
  }

  private get hasMcp(): boolean {
    return this.options.endpoints?.has(`/${mcpPath}`) ?? false;
  }

  /** Returns the signed-in reader. The MCP server also accepts access tokens. */
  private async readerOf(
    request: IncomingMessage,
    site: HostedSite,
    target: RequestTarget,
    basePath: string,
  ): Promise<Reader | undefined> {
    const token = /^\/mcp\/?$/.test(target.path) ? bearerTokenOf(request) : undefined;
    return token === undefined
      ? this.sessions.readerOf(request, site, basePath)
      : this.clients.readerOf(token, site);
  }

  private async readerNavigation({ response, site, target, reader }: Visit): Promise<void> {
    const entry = reader && fileAt(site.manifest, target.path.slice(1));
    await sendReaderNavigation(
      response,
      entry && (await this.store.directory.open(entry, undefined)),
      reader,
    );
  }

  private async page(visit: Visit): Promise<void> {
    const { request, response, site, target, basePath, tables, reader, arrival, paths } = visit;
    const { files } = site.manifest;
    const source = { has: (path: string) => Object.hasOwn(files, path) };
    const found = resolvePath(target.path, source, tables.redirects, wantsMarkdown(request.headers.accept));
    if ("location" in found) {
      const at = found.at ?? targetOf(found.location, source, tables.redirects);
      // On sites with sign-in, a missing file is treated like a restricted one.
      const access = at === undefined || (at === "" && !site.signIn) ? "anyone" : accessOf(site, at);
      if (!mayRead(access, reader)) return this.refuse(visit);
      setCaching(response, site, access, "");
      const own = found.location.startsWith("/") ? basePath + found.location : found.location;
      return redirect(response, found.status, /[?#]/.test(own) ? own : own + target.query);
    }

    if (found.status === 404 || !mayRead(accessOf(site, found.path), reader)) return this.refuse(visit);
    const variant = variantFor(found.path, site, tables, reader);
    const entry = fileAt(site.manifest, variant ?? found.path)!;
    const access = accessOf(site, variant ?? found.path);

    // A response that depends on the reader must not be cached for others.
    setCaching(response, site, variant === undefined ? access : "readers", found.path);

    response.setHeader(
      "vary",
      /\.(?:html|md)$/.test(found.path) ? "Accept, Accept-Encoding" : "Accept-Encoding",
    );

    const links = linkHeader(found.path, site, reader, basePath);
    if (links) response.setHeader("link", links);
    const isHtmlFile = tables.redirects.htmlFiles.has(found.path);
    response.setHeader(
      "content-security-policy",
      contentSecurityPolicyOfFile(found.path, {
        page: tables.contentSecurityPolicy(site.features, access),
        isHtmlFile,
        isAirGapped: site.features?.kind === "air-gapped",
      }),
    );

    const type = typeOf(found.path);
    if (type === "application/octet-stream" || tables.redirects.downloads.has(found.path))
      response.setHeader("content-disposition", attachment(found.path));
    const file = await sendFile(request, response, entry, this.store, { status: 200, type });
    const { projectId, isPreview } = site;
    const answered = { projectId, isPreview, page: countedPathOf(found.path, site, tables) };
    this.options.onFile?.({ ...answered, request });

    if (file !== undefined && access === "anyone" && variant === undefined && !site.signIn) {
      const built = tables.redirects.basePath;
      this.ready.keep(request, response, { ...arrival, built, paths, file, answered });
    }
  }

  /**
   * Responds to a request for a missing or restricted file. The responses don't reveal whether the file
   * exists. Clients that aren't signed in to a site with sign-in get 401 or a redirect to sign-in. All others
   * get the "page not found" page. If `redirectsHome` is true for the path, clients that accept HTML and may
   * read the home page are redirected to it instead. If the path contains the base path twice, they are
   * redirected to the path that contains it once.
   */
  private async refuse({ request, response, site, target, basePath, tables, reader }: Visit): Promise<void> {
    const mustSignIn = site.signIn !== undefined && !reader;
    response.setHeader("vary", "Accept, Accept-Encoding");

    if (mustSignIn) {
      response.setHeader("cache-control", "private, no-store");
      if (!wantsHtml(request.headers.accept)) return sendText(response, 401, "Sign in to read this page");
      return redirect(
        response,
        302,
        `${basePath}${signInPath}?to=${encodeURIComponent(basePath + target.path + target.query)}`,
      );
    }

    // Authors' links can contain the base path, which isn't known when a site with relative links is built.
    const inside = basePath === "" ? undefined : pathBelow(target.path, basePath);
    if (inside !== undefined) return redirect(response, 307, basePath + encodePath(inside) + target.query);
    const hasHome = mayRead(accessOf(site, "index.html"), reader);
    if (redirectsHome(target.path, tables.redirects) && hasHome && wantsHtml(request.headers.accept)) {
      setCaching(response, site, site.signIn ? "readers" : "anyone", "");
      return redirect(response, 302, `${basePath}/`);
    }

    const page = fileAt(site.manifest, notFoundPage);

    // The links on this page are absolute, so it works only below the path that the site was built for.
    const isUsable =
      page && tables.redirects.basePath === basePath && mayRead(accessOf(site, notFoundPage), reader);
    if (!isUsable)
      return sendError(request, response, 404, {
        ...missingPage,
        link: homeLinkOf(basePath),
        site: tables.name,
      });

    setCaching(response, site, site.signIn ? "readers" : "anyone", "");

    response.setHeader(
      "content-security-policy",
      tables.contentSecurityPolicy(site.features, accessOf(site, notFoundPage)),
    );

    await sendFile(request, response, page, this.store, { status: 404, type: typeOf(notFoundPage) });
  }

  private async proxy({ request, response, site, tables, reader }: Visit): Promise<void> {
    const operation = operationOf(request);
    const isAllowed =
      operation !== undefined &&
      site.features?.playground !== false &&
      mayRead(accessOf(site, operation), reader);

    const access = isAllowed ? "allowed" : site.signIn && !reader ? "sign-in" : "denied";
    const { allowPrivate, allowed, lookup } = this.options;
    const wait_s = async () =>
      (await this.rateLimit("proxy", { site: site.projectId, address: this.addressOf(request) })).wait_s;
    await answerProxy(request, response, {
      origins: tables.proxyOrigins,
      owner: site.organizationId,
      access,
      wait_s,
      ...(allowPrivate ? { allowPrivate } : {}),
      ...(allowed ? { allowed } : {}),
      // Air-gapped sites may only call hosts that the operator allows.
      ...(site.features?.kind === "air-gapped" ? { onlyAllowed: true } : {}),
      ...(lookup ? { lookup } : {}),
    });
  }
}

/** Returns the path that a site was built for. A site with relative links is at the root of its host. */
function builtFor({ redirects }: SiteTables): BasePaths {
  const path = redirects.isClean ? redirects.basePath : "";
  return { received: path, shown: path };
}

function redirect(response: ServerResponse, status: number, location: string): void {
  response.writeHead(status, { location, "content-length": 0 }).end();
}

/**
 * Sends octavo.config.js, which pages load before they are displayed. Browsers cache it for 10 seconds, so
 * changes take effect quickly.
 */
function sendOperatorFile(response: ServerResponse, features: SiteFeatures): void {
  const body = operatorFile(features);
  response
    .writeHead(200, {
      "content-type": "text/javascript; charset=utf-8",
      "content-length": Buffer.byteLength(body),
      "cache-control": "public, max-age=10",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    })
    .end(body);
}
