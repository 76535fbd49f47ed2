/**
 * Creates and verifies signed download links for objects in a folder. The links work without credentials
 * until they expire.
 */

import { createHmac, timingSafeEqual } from "node:crypto";
import { checkKey } from "./object-key.ts";

export interface LinkSigner {
  /** Base URL of the API, which serves the downloads. */
  url: string;
  secret: string;
}

/** Path of the downloads below the base URL. */
export const linkPath = "/_objects/";

/**
 * Returns the URL of a download. Throws if the key is invalid. `fileName` is the name under which browsers
 * save the file.
 */
export function signLink(
  { url, secret }: LinkSigner,
  key: string,
  fileName: string,
  expiresAt: Date,
): string {
  const expires = String(Math.floor(expiresAt.getTime() / 1_000));
  const query = new URLSearchParams({
    expires,
    name: fileName,
    signature: signature(secret, url, key, expires, fileName),
  });
  return `${url}${linkPath}${checkKey(key)}?${query}`;
}

/**
 * Verifies a link. Undefined if the link is invalid, was modified, is for a different host, or has expired.
 */
export function readLink(
  { url, secret }: LinkSigner,
  link: string,
  now: Date,
): { key: string; fileName: string } | undefined {
  if (!link.startsWith(`${url}${linkPath}`)) return undefined;
  const [key = "", search = ""] = link.slice(url.length + linkPath.length).split("?");
  const query = new URLSearchParams(search);
  const [expires, fileName] = [query.get("expires") ?? "", query.get("name") ?? ""];
  const given = Buffer.from(query.get("signature") ?? "");
  const expected = Buffer.from(signature(secret, url, key, expires, fileName));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  if (query.size !== 3 || now.getTime() >= Number(expires) * 1_000) return undefined;
  return { key, fileName };
}

function signature(secret: string, ...parts: string[]): string {
  return createHmac("sha256", secret)
    .update(JSON.stringify(["object link", ...parts]))
    .digest("hex");
}
