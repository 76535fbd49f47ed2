/** Resolves the URLs of an API document: servers with their variables, and other URLs. */

import type { Server } from "../../engine/openapi/request/operation.ts";

export interface ServerUrl {
  /** The server's URL with its variables filled in, for display. */
  text: string;
  /**
   * Absolute URL without query, fragment and trailing slash. A relative URL is resolved against the origin of
   * the site. Undefined if it's invalid or requests to the server aren't allowed.
   */
  url?: string;
  /** Absolute URL that URLs of security schemes are relative to. Undefined if `url` is undefined. */
  base?: string;
  /** Origin that the credentials belong to. Undefined if `url` is undefined. */
  origin?: string;
}

/**
 * Resolves the URL of a server. `variables`: the reader's values by name. Other variables get their default
 * values.
 */
export function serverUrlOf(server: Server | undefined, variables: Record<string, string>): ServerUrl {
  if (!server) return { text: "" };

  const text = server.url.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const known = server.variables.find((variable) => variable.name === name);
    return known ? (Object.hasOwn(variables, name) ? variables[name]! : known.default) : whole;
  });

  const url = resolved(text);

  // Documents are untrusted. Requests are only sent to http and https URLs without user name and password.
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return { text };

  return {
    text,
    url: url.href.replace(/[?#].*$/, "").replace(/\/+$/, ""),
    base: url.href,
    origin: url.origin,
  };
}

function resolved(text: string): URL | undefined {
  try {
    return new URL(text, new URL("/", location.href));
  } catch {
    return undefined;
  }
}

/**
 * Resolves a URL from the OpenAPI document. `base`: absolute URL of the server. Undefined if the URL is
 * missing or invalid, is relative without a `base`, or isn't an http or https URL.
 */
export function webUrl(text: string | undefined, base: string | undefined): string | undefined {
  if (!text) return undefined;
  try {
    const url = new URL(text, base);
    return /^https?:$/.test(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}
