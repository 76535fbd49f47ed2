/** Implements the outbound HTTP client with SSRF protection, for untrusted URLs. */

import { lookup as lookUp } from "node:dns";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { hostOf } from "../base/url.ts";
import { type AllowedHosts, noHosts, notReached } from "./allowed-hosts.ts";
import { isPublicAddress, isWebPort } from "./public-address.ts";
import { type RequestSender, withSlot } from "./request-slots.ts";

/**
 * Thrown if a request isn't allowed. The message consists of fixed text and the caller's input, so it reveals
 * nothing about the network.
 */
export class RequestBlocked extends Error {}

/**
 * Thrown if neither the operator's allow-list nor the rules for the public internet allow a host and port.
 * Unless `allowPrivate` is set, also thrown for unknown names, so that the error doesn't reveal which names
 * exist in a network.
 */
export class HostNotAllowed extends RequestBlocked {
  /** The host for display, with its port if `isWebPort` is false for it. */
  readonly host: string;
  /** The host for the allow-list, with its port unless it is the default of the protocol. */
  readonly entry: string;
  constructor(url: URL) {
    const { hostname, host, port } = url;
    const name = isWebPort(Number(port || 443)) ? hostname : host;
    super(notReached(name, { isName: isIP(hostOf(url)) === 0, entry: host }));
    this.host = name;
    this.entry = host;
  }
}

export interface OutboundOptions {
  /** What sends the request, for the limits in `request-slots.ts`. */
  sender: RequestSender;
  /** Organization that the request is for, so that others can send requests, too. Default: the service. */
  owner?: string | undefined;
  method: string;
  headers: Record<string, string | string[]>;
  signal: AbortSignal;
  /** Allows any IP address and port. For URLs that the operator configures, and for tests. */
  allowPrivate?: boolean;
  /** Hosts that the operator allows in addition to the public internet. */
  allowed?: AllowedHosts;
  /** Allows only the hosts in `allowed`, not the public internet. */
  onlyAllowed?: boolean;
  /** Resolves host names. Default: the system's resolver. */
  lookup?: typeof lookUp;
}

/**
 * Sends a request, after waiting for its turn, and resolves when the headers of the response have arrived.
 * The caller must read or destroy the response. Rejects with `RequestBlocked` if the URL isn't allowed, with
 * `TooManyRequests`, or with the error of the request. The IP addresses of a name are checked when it is
 * resolved. `stall_ms`: maximum time without data.
 */
export async function sendRequest(
  url: URL,
  options: OutboundOptions,
  { body, stall_ms }: { body?: Uint8Array | undefined; stall_ms?: number } = {},
): Promise<IncomingMessage> {
  checkUrl(url, options);
  const { sender, owner, method, headers, signal } = options;
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const request = await withSlot(sender, { host: hostOf(url).replace(/\.$/, ""), owner }, signal, () =>
    send(url, {
      method,
      headers,
      signal,
      agent: false,
      lookup: checkedLookup(url, options),
      insecureHTTPParser: false,
    }),
  );

  if (stall_ms !== undefined)
    request.setTimeout(stall_ms, () =>
      request.destroy(new Error(`No data received for ${stall_ms / 1_000} seconds`)),
    );
  request.end(body);
  return responseOf(request);
}

/**
 * Checks a URL without sending a request. Rejects with `RequestBlocked`, or with an error from the resolver.
 */
export function checkHost(
  url: URL,
  options: Pick<OutboundOptions, "allowed" | "onlyAllowed">,
): Promise<void> {
  return new Promise((resolve, reject) => {
    checkUrl(url, options);
    if (isIP(hostOf(url))) return resolve();
    checkedLookup(url, options)(url.hostname, { all: true }, (error) => (error ? reject(error) : resolve()));
  });
}

function responseOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    request.once("error", reject);
  });
}

type HostRules = Omit<OutboundOptions, "sender" | "owner" | "method" | "headers" | "signal">;

function checkUrl(url: URL, options: HostRules): void {
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new RequestBlocked("only http and https URLs are allowed");
  if (url.username || url.password)
    throw new RequestBlocked("URLs with a user name or password aren't allowed");
  const host = hostOf(url);
  // A host name is checked when it is resolved.
  if (isIP(host) && !mayConnect(url, host, options)) throw new HostNotAllowed(url);
}

function mayConnect(
  url: URL,
  address: string,
  { allowPrivate, allowed = noHosts, onlyAllowed }: HostRules,
): boolean {
  if (allowPrivate) return true;
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  return (
    allowed.allows(hostOf(url), port, address) ||
    (!onlyAllowed && isPublicAddress(address) && isWebPort(port))
  );
}

function isUnknownName({ code }: NodeJS.ErrnoException): boolean {
  return code === "ENOTFOUND" || code === "ENODATA";
}

/**
 * Returns a function that resolves a name, and fails if any of its IP addresses isn't allowed. The connection
 * uses a checked IP address.
 */
function checkedLookup(url: URL, options: HostRules): LookupFunction {
  const { lookup = lookUp } = options;
  return (hostname, lookupOptions, callback) => {
    lookup(hostname, { ...lookupOptions, all: true }, (error, addresses) => {
      if (error)
        return callback(
          !options.allowPrivate && isUnknownName(error) ? new HostNotAllowed(url) : error,
          "",
          4,
        );
      const isAllowed =
        addresses.length > 0 && addresses.every(({ address }) => mayConnect(url, address, options));
      if (!isAllowed) return callback(new HostNotAllowed(url), "", 4);
      if (lookupOptions.all) return callback(null, addresses);
      const [{ address, family }] = addresses as [{ address: string; family: number }];
      callback(null, address, family);
    });
  };
}
