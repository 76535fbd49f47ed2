/**
 * Domains of sites: a host name or a host name with the path that the site is below, such as
 * `example.com/docs`.
 */

import { readBasePath } from "./base-path.ts";
import { readHostName } from "./host-name.ts";

/**
 * Normalizes a domain: the host name as `readHostName` does, and the path without a slash at its end.
 * Undefined if it's invalid.
 */
export function readSiteDomain(text: string): string | undefined {
  const { host, path } = splitDomain(text);
  const [name, basePath] = [readHostName(host), readBasePath(path)];
  return name === undefined || basePath === undefined ? undefined : name + basePath;
}

/** Splits a domain into its host name and its path, which is empty or starts with a slash. */
export function splitDomain(domain: string): { host: string; path: string } {
  const slash = domain.indexOf("/");
  return slash < 0 ? { host: domain, path: "" } : { host: domain.slice(0, slash), path: domain.slice(slash) };
}
