import { mimes } from "mrmime";
import { apiCatalogPath } from "../layout/site-layout.ts";

/** Media types by file extension: those of `mrmime`, with a few additions and corrections. */
const types = new Map(
  Object.entries({
    ...mimes,
    eot: "application/vnd.ms-fontobject",
    ico: "image/x-icon",
    xml: "application/xml",
    yaml: "application/yaml",
    yml: "application/yaml",
  }),
);

/**
 * Returns the `Content-Type` of a file. `application/octet-stream` for an unknown extension, which hosts send
 * as a download.
 */
export function typeOf(path: string): string {
  if (path === apiCatalogPath)
    return 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
  const type = types.get(/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "") ?? "application/octet-stream";
  return /^text\/|^application\/(?:json|xml|yaml)$/.test(type) ? `${type}; charset=utf-8` : type;
}
