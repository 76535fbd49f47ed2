/** Decides how browsers and proxies cache the files of a site. */

import type { ServerResponse } from "node:http";
import type { Access } from "../base/access.ts";
import { isImmutableAsset } from "../layout/site-layout.ts";
import type { HostedSite } from "./hosted-site.ts";

/** Sets the caching headers of a file. Restricted files aren't cached, and other sites can't load them. */
export function setCaching(response: ServerResponse, site: HostedSite, access: Access, path: string): void {
  const isPublic = access === "anyone";
  const isImmutable = isImmutableAsset(path) && !site.isPreview;
  if (!isPublic) response.setHeader("cross-origin-resource-policy", "same-origin");
  response.setHeader(
    "cache-control",
    !isPublic
      ? "private, no-store"
      : isImmutable
        ? "public, max-age=31536000, immutable"
        : "public, max-age=0, must-revalidate",
  );
}
