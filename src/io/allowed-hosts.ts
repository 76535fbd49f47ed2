/**
 * Parses the list of hosts, networks and ports that the operator allows requests to, in addition to the
 * public internet: `api.corp.example *.corp.example:8443 10.20.0.0/16:8000-8999 [fd12::/64]:443`.
 */

import { isIP } from "node:net";
import { networkTest } from "../base/networks.ts";
import { parseUrl } from "../base/url.ts";
import { isMetadataAddress, isWebPort } from "./public-address.ts";

interface Entry {
  matches(host: string, address: string): boolean;
  /** Allowed ports, inclusive. Undefined to allow the ports of web servers. */
  ports: { first: number; last: number } | undefined;
}

/** A parsed list of allowed hosts. */
export class AllowedHosts {
  private readonly entries: readonly Entry[];

  constructor(entries: readonly Entry[]) {
    this.entries = entries;
  }

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  /** Whether requests to a host are allowed. `address` is the resolved IP address of `host`. */
  allows(host: string, port: number, address: string): boolean {
    const name = nameOf(host);
    return this.entries.some(
      ({ matches, ports }) =>
        (ports ? port >= ports.first && port <= ports.last : isWebPort(port)) && matches(name, address),
    );
  }
}

/** Name of the environment variable with the list. */
export const allowSetting = "OCTAVO_OUTBOUND_ALLOW";

/**
 * Explains why a host isn't called, and how to change that. Doesn't say whether a name exists, which would
 * reveal the names of an internal network. `entry`: the host as an entry of the list.
 */
export function notReached(host: string, { isName, entry }: { isName: boolean; entry: string }): string {
  if (!isName)
    return `this docs server isn't allowed to call ${host}. To allow it, add ${entry} to ${allowSetting}`;
  return `${host} can't be found, or this docs server isn't allowed to call it. Check the host name, or add ${entry} to ${allowSetting}`;
}

export const noHosts = new AllowedHosts([]);

/** Allows all hosts and ports, except link-local addresses and metadata services. */
export const anyPrivateHost = new AllowedHosts([
  { ports: { first: 1, last: 65_535 }, matches: (_host, address) => !isMetadataAddress(address) },
]);

/**
 * Parses entries that are separated by commas or spaces. Invalid entries are left out. For each of them,
 * `problems` contains a message for the operator.
 */
export function parseAllowedHosts(text: string): { hosts: AllowedHosts; problems: string[] } {
  const problems: string[] = [];
  const entries: Entry[] = [];
  for (const word of text.split(/[\s,]+/).filter(Boolean)) {
    const entry = parseEntry(word);
    if (typeof entry === "string") problems.push(`${allowSetting}: ${word} ${entry}`);
    else entries.push(entry);
  }
  return { hosts: new AllowedHosts(entries), problems };
}

const notAnEntry = "isn't a host name, IP address, or CIDR range, with an optional :port or :from-to";

function parseEntry(word: string): Entry | string {
  const isBareIpv6 = isIP(word.split("/")[0]!) === 6;
  const [, target, first, last = first] =
    (isBareIpv6 ? [word, word] : /^(.+?)(?::(\d+)(?:-(\d+))?)?$/.exec(word)) ?? [];
  if (target === undefined) return notAnEntry;

  const ports = first === undefined ? undefined : { first: Number(first), last: Number(last) };
  if (ports && (ports.first < 1 || ports.last > 65_535 || ports.first > ports.last))
    return "has an invalid port. Use a port from 1 to 65535, or a range such as 8000-8999.";
  const host = target.replace(/^\[(.*)\]$/, "$1");
  const [base = "", prefix] = host.split("/");

  // IPv6 addresses with a zone aren't supported.
  if (base.includes("%")) return notAnEntry;
  const family = isIP(base);
  if (family === 0) return nameEntry(host, ports);

  const bits = family === 4 ? 32 : 128;
  if (prefix !== undefined && (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits)) return notAnEntry;
  return networkEntry(base, prefix === undefined ? bits : Number(prefix), bits, ports);
}

function networkEntry(base: string, prefix: number, bits: number, ports: Entry["ports"]): Entry | string {
  const isSingle = prefix === bits;
  if (!isSingle && isMetadataAddress(base))
    return "is a link-local or metadata network. List each IP address instead.";
  const isInside = networkTest([`${base}/${prefix}`]);
  return { ports, matches: (_, address) => isInside(address) && (isSingle || !isMetadataAddress(address)) };
}

function nameEntry(host: string, ports: Entry["ports"]): Entry | string {
  const isWildcard = host.startsWith("*.");
  const name = nameOf(parseUrl(`http://${isWildcard ? host.slice(2) : host}`)?.hostname ?? "");
  if (!/^[\w-]+(?:\.[\w-]+)*$/.test(name) || isIP(name) || /[/:?#@]/.test(host)) return notAnEntry;
  // A host name may resolve to any IP address, so an entry with a name doesn't allow the addresses of
  // metadata services.
  return {
    ports,
    matches: (requested, address) =>
      (isWildcard ? requested.endsWith(`.${name}`) : requested === name) && !isMetadataAddress(address),
  };
}

function nameOf(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}
