/** The URLs that a connected program can receive its authorization code at. */

import { parseUrl } from "../../base/url.ts";

/** Schemes of apps without a period, which RFC 8252 (section 7.1) asks for. */
const appSchemes = new Set(["cursor", "vscode", "vscode-insiders", "windsurf", "devin", "zed", "claude"]);

/**
 * Whether a program may register this redirect URI: an https URL, an http URL of the reader's own machine, or
 * a URL that opens an app. All other schemes are refused, because browsers and operating systems give some of
 * them a special meaning.
 */
export function isRedirectUri(text: string): boolean {
  const url = /^[\x21-\x7e]+$/.test(text) ? parseUrl(text) : undefined;
  if (!url || url.hash || text.includes("#") || url.username || url.password) return false;
  const scheme = url.protocol.slice(0, -1);
  if (scheme === "https") return true;
  if (scheme === "http") return isLoopback(url);
  return appSchemes.has(scheme) || /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+$/.test(scheme);
}

/**
 * Whether a requested URI was registered. On the reader's machine, the port can differ (RFC 8252, section
 * 7.3).
 */
export function isRegistered(text: string, registered: readonly string[]): boolean {
  return registered.some((known) => known === text || (isRedirectUri(text) && samePlace(known, text)));
}

/** Returns the source expression of a redirect URI for a content security policy. */
export function sourceOf(redirectUri: string): string {
  const { protocol, origin } = new URL(redirectUri);
  return protocol === "https:" || protocol === "http:" ? origin : protocol;
}

/** Says to the reader where a redirect URI leads. */
export function placeOf(redirectUri: string): string {
  const url = new URL(redirectUri);
  if (url.protocol === "https:") return url.host;
  return url.protocol === "http:" ? "an app on this computer" : `the app that opens ${url.protocol} links`;
}

function samePlace(known: string, text: string): boolean {
  const [one, other] = [new URL(known), new URL(text)];
  if (one.protocol !== "http:" || !isLoopback(one)) return false;
  one.port = other.port;
  return one.href === other.href;
}

function isLoopback({ hostname }: URL): boolean {
  return ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
}
