/** Finds the origins of the servers and token endpoints that playgrounds send requests to. */

import { parseUrl } from "../../base/url.ts";
import { isRaw, own, ownText } from "../openapi/nodes/refs.ts";
import type { Server } from "../openapi/request/operation.ts";
import type { Site } from "../site/build-site.ts";
import type { Playgrounds } from "./playgrounds.ts";

/**
 * Returns the origins that playgrounds call from the browser: the origins of servers and of the endpoints of
 * OAuth flows, and `https:` for OpenID Connect. A variable at the start of a host name becomes `*`.
 */
export function playgroundOrigins(site: Site, playgrounds: Playgrounds): Set<string> {
  const hosts = new Set<string>();
  for (const page of site.pages.values()) {
    const playground = playgrounds.of(page);
    if (!playground) continue;
    const { data, servers } = playground;
    for (const origin of serverOrigins(servers)) hosts.add(origin);
    for (const { url } of servers) {
      const [, scheme, rest] = /^(https?):\/\/\{[^{}]+\}(\.[\w.-]+\.\w+(?::\d+)?)/i.exec(url) ?? [];
      if (rest) hosts.add(`${scheme}://*${rest}`);
    }
    const schemes = own(own(data.root, "components"), "securitySchemes");
    for (const scheme of isRaw(schemes) ? Object.values(schemes) : []) {
      // The URL of the token endpoint is only in the provider's metadata, so all hosts are allowed.
      if (own(scheme, "type") === "openIdConnect") hosts.add("https:");
      const flows = own(scheme, "flows");
      for (const flow of isRaw(flows) ? Object.values(flows) : [])
        for (const key of ["deviceAuthorizationUrl", "tokenUrl", "refreshUrl"]) {
          const text = ownText(flow, key) ?? "";
          for (const base of [undefined, ...serverOrigins(servers)]) {
            const url = parseUrl(text, base);
            if (url) hosts.add(url.origin);
          }
        }
    }
  }

  return hosts;
}

/**
 * Returns the http and https origins of servers, without duplicates. Variables are expanded to the values of
 * their enum, or else to their default. At most 100 combinations per server are used.
 */
export function serverOrigins(servers: readonly Server[]): string[] {
  const origins = servers.flatMap(({ url, variables }) => {
    let urls = [url];
    for (const { name, enum: values, default: value } of variables)
      urls = urls
        .flatMap((text) =>
          text.includes(`{${name}}`)
            ? (values.length ? values : [value]).map((filled) => text.replaceAll(`{${name}}`, filled))
            : text,
        )
        .slice(0, 100);
    return urls.flatMap((text) => parseUrl(text)?.origin ?? []);
  });
  return [...new Set(origins)].filter((origin) => /^https?:/.test(origin));
}
