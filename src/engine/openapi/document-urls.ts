/** Resolves the relative URLs of a document against its own URL, or against its path in the documentation folder. */

import type { OperationEntry } from "./operation-list.ts";
import { isRaw, own, ownText, type Raw, type Refs } from "./refs.ts";

const schemeUrls = ["authorizationUrl", "tokenUrl", "refreshUrl", "deviceAuthorizationUrl"];

/**
 * Resolves the URLs of servers and security schemes in place. `base`: URL or path of the document. URLs relative to a path start with `/`
 * afterwards.
 */
export function resolveUrls(refs: Refs, operations: readonly OperationEntry[], base: string): void {
  const { root } = refs;
  const self = ownText(root, "$self");
  const resolve = (url: string) => resolvedUrl(url, self === undefined ? base : resolvedUrl(self, base));
  const items = operations.flatMap(({ node, pathItem }) => [node.value, refs.follow(pathItem)?.value]);
  for (const holder of new Set([root, ...items])) {
    const servers = own(holder, "servers");
    for (const server of Array.isArray(servers) ? (servers as unknown[]) : []) resolveKey(server, "url", resolve);
  }
  const schemes = own(own(root, "components"), "securitySchemes");
  for (const scheme of isRaw(schemes) ? Object.values(schemes) : []) {
    resolveKey(scheme, "openIdConnectUrl", resolve);
    const flows = own(scheme, "flows");
    for (const flow of isRaw(flows) ? Object.values(flows) : []) for (const key of schemeUrls) resolveKey(flow, key, resolve);
  }
}

function resolveKey(node: unknown, key: string, resolve: (url: string) => string): void {
  const url = ownText(node, key);
  if (url !== undefined) (node as Raw)[key] = resolve(url);
}

/** Resolves a URL that can contain `{variables}`. Returns an absolute URL, and one that starts with a variable, unchanged. */
function resolvedUrl(text: string, base: string): string {
  const url = text.trim();
  if (/^(?:[a-z][a-z\d+.-]*:|\{)/i.test(url)) return text;
  const isRemote = /^https?:/i.test(base);
  if (url.startsWith("//") && !isRemote) return text;
  try {
    const { href, pathname, search } = new URL(
      url.replaceAll("{", "%7B").replaceAll("}", "%7D"),
      isRemote ? base : `https://site.invalid/${base}`,
    );
    return (isRemote ? href : pathname + search).replaceAll("%7B", "{").replaceAll("%7D", "}");
  } catch {
    return text;
  }
}
