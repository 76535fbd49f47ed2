/**
 * Resolves the URLs of a document and its API. Servers are relative to the URL that the document was loaded
 * from, and the URLs of security schemes are relative to a server, so they can only be resolved where the
 * server is known (OpenAPI 3.0.4 and 3.1.1, "Relative References in URLs"; 3.2.0, section 4.5.2). `$self`
 * identifies the document and isn't the base of these URLs (3.2.0, section 4.5.2.1).
 */

import { own, ownText, type Raw, type Refs } from "../nodes/refs.ts";
import type { Server } from "../request/operation.ts";
import type { OperationEntry } from "../request/operation-list.ts";
import { flowUrls, type SecurityAlternative } from "../request/security.ts";

/**
 * Resolves the URLs of servers in place. `base`: URL or path of the document. URLs relative to a path start
 * with `/` afterwards.
 */
export function resolveServers(refs: Refs, operations: readonly OperationEntry[], base: string): void {
  const items = operations.flatMap(({ node, pathItem }) => [node.value, refs.follow(pathItem)?.value]);
  for (const holder of new Set([refs.root, ...items])) {
    const servers = own(holder, "servers");
    for (const server of Array.isArray(servers) ? (servers as unknown[]) : []) {
      const url = ownText(server, "url");
      if (url !== undefined) (server as Raw)["url"] = resolveUrl(url, base);
    }
  }
}

/** Returns the URL of a server with the defaults of its variables. */
export function defaultUrl({ url, variables }: Pick<Server, "url" | "variables">): string {
  return variables.reduce(
    (text, variable) => text.replaceAll(`{${variable.name}}`, () => variable.default),
    url,
  );
}

/** Resolves the URLs of security schemes against the first server. Without servers, they stay as they are. */
export function resolveSecurity(
  security: readonly SecurityAlternative[],
  servers: readonly Server[],
): readonly SecurityAlternative[] {
  const [server] = servers;
  if (!server) return security;
  const base = defaultUrl(server);
  const resolved = <T extends object>(node: T, keys: readonly string[]): T => ({
    ...node,
    ...Object.fromEntries(
      keys.flatMap((key) => (ownText(node, key) ? [[key, resolveUrl(ownText(node, key)!, base)]] : [])),
    ),
  });

  return security.map(({ title, schemes }) => ({
    title,
    schemes: schemes.map((scheme) => ({
      ...resolved(scheme, ["url"]),
      ...(scheme.type === "oauth2" ? { flows: scheme.flows.map((flow) => resolved(flow, flowUrls)) } : {}),
    })),
  }));
}

/**
 * Resolves a URL that can contain `{variables}`. `base`: a URL, or a path, in which case the result is a
 * path, too. Absolute URLs, and those that start with a variable, are returned unchanged.
 */
function resolveUrl(text: string, base: string): string {
  const url = text.trim();
  if (/^(?:[a-z][a-z\d+.-]*:|\{)/i.test(url)) return text;
  const isPath = !/^https?:/i.test(base);
  if (url.startsWith("//") && isPath) return text;
  try {
    const { href, pathname, search } = new URL(
      url.replaceAll("{", "%7B").replaceAll("}", "%7D"),
      isPath ? new URL(base, "https://site.invalid/") : base,
    );
    return (isPath ? pathname + search : href).replaceAll("%7B", "{").replaceAll("%7D", "}");
  } catch {
    return text;
  }
}
