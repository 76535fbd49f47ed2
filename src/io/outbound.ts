/** The one way in which a request leaves for an address that a stranger named. */
import { lookup as lookUp } from "node:dns";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "./public-address.ts";

/** Told alike whatever the reason, so that nobody can learn which hosts and ports there are. */
export const refusal = "The address is not allowed";

export class RefusedAddress extends Error {
  constructor() {
    super(refusal);
  }
}

export interface OutboundOptions {
  method: string;
  headers: Record<string, string | string[]>;
  signal: AbortSignal;
  /** For a server that runs on its only user's machine. */
  allowPrivate?: boolean;
  /** How names become addresses; the system's way by default. */
  lookup?: typeof lookUp;
}

/** Opens a request; what is sent as its body is the caller's part. The address is checked when the connection is made. */
export function openRequest(url: URL, options: OutboundOptions): ClientRequest {
  checkUrl(url, options.allowPrivate === true);
  const { method, headers, signal } = options;
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return send(url, { method, headers, signal, agent: false, lookup: checkedLookup(options), insecureHTTPParser: false });
}

export function responseOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    request.once("error", reject);
  });
}

function checkUrl(url: URL, allowPrivate: boolean): void {
  if (url.protocol !== "https:" && url.protocol !== "http:") throw new RefusedAddress();
  if (url.username || url.password) throw new RefusedAddress();
  if (allowPrivate) return;
  // Mail, databases and the like answer below; web servers have their two ports or a high one.
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if (port < 1024 && port !== 80 && port !== 443) throw new RefusedAddress();
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) && !isPublicAddress(host)) throw new RefusedAddress();
}

/** Looks a name up once, refuses it when any of its addresses is not public, and connects to one that was looked at. */
function checkedLookup({ allowPrivate, lookup = lookUp }: OutboundOptions): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, "", 4);
      const isAllowed = addresses.length > 0 && (allowPrivate || addresses.every(({ address }) => isPublicAddress(address)));
      if (!isAllowed) return callback(new RefusedAddress(), "", 4);
      if (options.all) return callback(null, addresses);
      const [{ address, family }] = addresses as [{ address: string; family: number }];
      callback(null, address, family);
    });
  };
}
