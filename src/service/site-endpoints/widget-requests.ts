/**
 * Accepts requests of the widget from the websites that docs.json lists (CORS). They have no credentials, so
 * they only read what is public.
 */

import type { EndpointVisit, SiteEndpointHandler } from "../../host/hosting.ts";
import { visitorHeader } from "../../layout/site-layout.ts";
import { isFromOtherOrigin } from "./request-handling.ts";

/** How long browsers can cache the permission to send a request, in seconds. */
const permission_s = 600;

/**
 * Wraps a handler of POST requests, so that the widget on an allowed website can send them too. Requests from
 * all other origins are passed on unchanged.
 */
export function alsoFromWidget(handler: SiteEndpointHandler): SiteEndpointHandler {
  return async (visit) => {
    const { request, response } = visit;
    response.setHeader("vary", "Origin");
    const origin = allowedOrigin(visit);
    if (origin === undefined) return handler(visit);

    response.setHeader("access-control-allow-origin", origin);
    if (request.method !== "OPTIONS") {
      response.setHeader("access-control-expose-headers", `retry-after, ${visitorHeader}`);
      return handler({ ...visit, reader: undefined, isWidget: true });
    }
    response
      .writeHead(204, {
        "access-control-allow-methods": "POST",
        "access-control-allow-headers": `content-type, ${visitorHeader}`,
        "access-control-max-age": String(permission_s),
        "cache-control": "no-store",
      })
      .end();
  };
}

/** Returns the origin of a request from an allowed website. Undefined for any other request. */
function allowedOrigin(visit: EndpointVisit): string | undefined {
  const { origin } = visit.request.headers;
  if (origin === undefined || !visit.widgetOrigins.has(origin)) return undefined;
  return isFromOtherOrigin(visit) ? origin : undefined;
}
