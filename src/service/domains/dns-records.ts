/** Looks up the DNS records of a domain. */

import { resolve4, resolve6, resolveCname, resolveTxt } from "node:dns/promises";
import { splitDomain } from "../../base/site-domain.ts";
import { isPublicAddress } from "../../io/public-address.ts";
import type { DomainCheck } from "../core/tables.ts";
import type { DomainTarget } from "./domain-target.ts";

/** Maximum number of IP addresses in a result. */
const shown_count = 5;

/** Returns the name of the TXT record that verifies the domain. It's the same for all paths of a host. */
export function recordName(domain: string): string {
  return `_octavo.${splitDomain(domain).host}`;
}

/**
 * Looks up the TXT record that verifies the domain, and returns its state. A failed lookup counts as
 * `missing`.
 */
export async function findTxt(row: {
  domain: string;
  verification_token: string;
}): Promise<"found" | "missing" | "different"> {
  const texts = (await orNone(resolveTxt(recordName(row.domain)))).map((parts) => parts.join(""));
  if (texts.includes(row.verification_token)) return "found";
  return texts.length ? "different" : "missing";
}

/**
 * Checks whether the domain points to the target, with a CNAME record or with the same IP addresses.
 * `not-checked` for a target on localhost, and for a domain with a path, whose host points to a proxy. The
 * result contains only public IP addresses, since the service's resolver may also know internal names. The
 * domain's owner must have been verified.
 */
export async function inspectHost(domain: string, target: DomainTarget): Promise<DomainCheck["host"]> {
  const isLocal = target.addresses.length === 0 && /(?:^|\.)localhost$/.test(target.host);
  if (isLocal || splitDomain(domain).path !== "") return { state: "not-checked", found: [], addresses: [] };

  const [names, found, ofTarget] = await Promise.all([
    orNone(resolveCname(domain)),
    addressesOf(domain),
    addressesOf(target.host),
  ]);

  const addresses = (target.addresses.length ? [...target.addresses] : ofTarget).slice(0, shown_count);
  const isByName = names.some((name) => name.toLowerCase() === target.host);
  const isByAddress =
    found.length > 0 &&
    found.every((address) => ofTarget.includes(address) || target.addresses.includes(address));
  if (isByName || isByAddress) return { state: "found", found: [], addresses };

  const elsewhere = found.filter(isPublicAddress);
  return {
    state: elsewhere.length ? "elsewhere" : "missing",
    found: elsewhere.slice(0, shown_count),
    addresses,
  };
}

async function addressesOf(host: string): Promise<string[]> {
  return (await Promise.all([orNone(resolve4(host)), orNone(resolve6(host))])).flat();
}

/** Returns the records, or an empty list if there are none or the lookup fails. */
function orNone<T>(records: Promise<T[]>): Promise<T[]> {
  return records.catch(() => []);
}
