import type { EndpointVisit } from "../../host/hosting.ts";
import type { SiteDocs } from "../assistant/site-docs.ts";
import type { RequestedSite } from "../http/call.ts";

/** A request to the MCP server of a site. */
export interface McpCall {
  visit: EndpointVisit;
  site: RequestedSite;
  docs: SiteDocs;
}
