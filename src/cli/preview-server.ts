/**
 * Implements the HTTP server of `octavo dev` and `octavo preview`, and reads the options of commands that
 * start a server.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { readHostName } from "../base/host-name.ts";
import { parseUrl } from "../base/url.ts";
import { typeOf } from "../host/content-type.ts";
import { answerProxy } from "../host/playground-proxy.ts";
import { contentEncoding, wantsMarkdown } from "../host/request-headers.ts";
import { requestTarget } from "../host/request-target.ts";
import { hostName } from "../host/requested-host.ts";
import {
  type ExportedFiles,
  notFoundPage,
  type RedirectTable,
  redirectsHome,
  resolvePath,
} from "../host/resolve-path.ts";
import { parseAllowedHosts } from "../io/allowed-hosts.ts";
import { isImmutableAsset, proxyPath } from "../layout/site-layout.ts";
import { UsageError } from "./command.ts";

/** A site whose files can be read by path. */
export interface ReadableSite extends ExportedFiles {
  read(path: string): Promise<Uint8Array | undefined>;
}

/**
 * Listens on the port or, if that is in use, on the first free one of the next 50 ports. Resolves with the
 * server's URL.
 */
export async function listen(server: Server, port: number, host = "127.0.0.1"): Promise<string> {
  for (let candidate = port; ; candidate++) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(candidate, host, () => {
          server.off("error", reject);
          resolve();
        });
      });
      return `http://localhost:${(server.address() as AddressInfo).port}`;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE" || candidate >= port + 50) throw error;
    }
  }
}

/** The option `--allow-host`: host names separated by commas. */
export const allowHostOption = {
  type: "string",
  argument: "HOSTS",
  description: "Additional host names to allow, separated by commas.",
} as const;

/** Reads the value of `--allow-host`. Throws `UsageError` for invalid host names. */
export function readAllowHost(value: unknown): string[] {
  return String(value ?? "")
    .split(",")
    .map((text) => text.trim())
    .filter(Boolean)
    .map((text) => {
      const name = readHostName(text);
      if (name === undefined)
        throw new UsageError(
          `--allow-host accepts host names, such as docs.example.com, but ${text} isn't one`,
        );
      return name;
    });
}

export interface SiteServerOptions {
  source(): ReadableSite;
  redirects(): RedirectTable;
  /** Handles a request for an additional path. Returns false for the site's own paths. */
  handle?(path: string, response: ServerResponse): boolean;
  /** Returns the origins that playgrounds may call, by the path of an operation's data. */
  proxyOrigins(): ReadonlyMap<string, readonly string[]>;
  /** HTML to insert at the end of each page. */
  inject?: string;
  /** Accepted host names in addition to localhost. */
  allowedHosts: readonly string[];
  /** Value of `OCTAVO_OUTBOUND_ALLOW`: hosts that the proxy may call in addition to the public internet. */
  outboundAllow: string;
}

/** The loopback addresses with all ports, in the format of `OCTAVO_OUTBOUND_ALLOW`. */
const thisMachine = "127.0.0.0/8:1-65535 [::1]:1-65535";

/**
 * Creates a server for a site. The server only accepts requests to localhost and `allowedHosts`, and rejects
 * requests whose `Origin` header has a different origin.
 */
export function siteServer(options: SiteServerOptions): Server {
  const refuse = (response: ServerResponse, message: string) =>
    void response
      .writeHead(403, { "content-type": "text/plain; charset=utf-8", connection: "close" })
      .end(`${message}\n`);

  const allowed = (isLocal: boolean) =>
    parseAllowedHosts(`${options.outboundAllow} ${isLocal ? thisMachine : ""}`).hosts;
  return createServer(async (request, response) => {
    // Prevents pages of other sites from loading files of the preview, for example as scripts.
    response.setHeader("cross-origin-resource-policy", "same-origin");

    try {
      // Prevents DNS rebinding: a site whose name resolves to this machine could read the preview.
      const host = hostName(request);
      const isLocal = host !== undefined && isLocalName(host);
      if (!isLocal && !options.allowedHosts.includes(host ?? ""))
        return refuse(
          response,
          host === undefined
            ? "Request blocked: the Host header is missing or invalid."
            : `Request blocked: this preview doesn't accept requests to ${host}. To allow this host, start the preview with --allow-host ${host}`,
        );
      if (!isSameOrigin(request))
        return refuse(
          response,
          "Request blocked: it was sent by a page on a different origin. Open this preview directly instead.",
        );
      const target = requestTarget(request);
      if (typeof target === "number")
        return void response
          .writeHead(target, { "content-type": "text/plain; charset=utf-8" })
          .end(target === 414 ? "The URL is too long\n" : "Bad request\n");
      if (options.handle?.(target.path, response)) return;
      // Readers that use other host names may be on other machines. Their requests must not reach local
      // servers.
      if (target.path === `/${proxyPath}`)
        return await answerProxy(request, response, {
          origins: options.proxyOrigins(),
          allowed: allowed(isLocal),
        });
      if (request.method !== "GET" && request.method !== "HEAD")
        return void response.writeHead(405, { allow: "GET, HEAD" }).end();
      const source = options.source();
      const table = options.redirects();
      const found = resolvePath(target.path, source, table, wantsMarkdown(request.headers.accept));
      if ("location" in found)
        return void response.writeHead(found.status, { location: found.location }).end();
      if (found.status === 404 && redirectsHome(target.path, table) && source.has("index.html"))
        return void response.writeHead(302, { location: "/" }).end();
      const path = found.status === 200 ? found.path : notFoundPage;
      const type = typeOf(path);
      let bytes = await source.read(path);
      if (!bytes)
        return void response
          .writeHead(404, { "content-type": "text/plain; charset=utf-8" })
          .end("Not found\n");
      if (options.inject && type.startsWith("text/html"))
        bytes = Buffer.from(
          Buffer.from(bytes)
            .toString()
            .replace(/<\/body>/, `${options.inject}</body>`),
        );
      const isCompressed =
        /^(?:text|application\/(?:json|xml|yaml)|image\/svg)/.test(type) &&
        contentEncoding(String(request.headers["accept-encoding"] ?? ""), { gzip: 0 }) === "gzip";
      if (isCompressed) bytes = gzipSync(bytes);
      response.writeHead(found.status, {
        "content-type": type,
        "content-length": bytes.length,
        ...(table.downloads.has(path) ? { "content-disposition": "attachment" } : {}),
        "cache-control": isImmutableAsset(path) ? "public, max-age=31536000, immutable" : "no-cache",
        vary: "accept, accept-encoding",
        ...(isCompressed ? { "content-encoding": "gzip" } : {}),
      });
      response.end(request.method === "HEAD" ? undefined : bytes);
    } catch (error) {
      if (!response.headersSent) response.writeHead(500, { "content-type": "text/plain; charset=utf-8" });
      response.end(`${(error as Error).message}\n`);
    }
  });
}

function isLocalName(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.0\.0\.1|\[::1\])$/.test(host);
}

/**
 * Whether the `Origin` header has the host and port of the request. Requests without the header, such as from
 * links, are accepted.
 */
function isSameOrigin({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin === undefined || parseUrl(origin)?.host === host?.toLowerCase();
}

/**
 * Reads the value of `--port`. Returns `fallback` if the option is missing, and undefined if the value isn't
 * a port number.
 */
export function readPort(value: unknown, fallback: number): number | undefined {
  if (value === undefined) return fallback;
  const port = Number(value);
  return Number.isInteger(port) && port >= 0 && port < 65_536 ? port : undefined;
}
