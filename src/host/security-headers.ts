/** Sets the security headers of a site's responses. */

import type { ServerResponse } from "node:http";

export interface SecurityHeaderOptions {
  /** Whether readers connect over https. */
  isSecure: boolean;
  /** Whether the site is a preview. Previews are sent with `noindex`. */
  isPreview: boolean;
}

/** Sets the security headers that don't depend on the file. */
export function setSecurityHeaders(
  response: ServerResponse,
  { isSecure, isPreview }: SecurityHeaderOptions,
): void {
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("referrer-policy", "strict-origin-when-cross-origin");
  response.setHeader("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
  response.setHeader("cross-origin-opener-policy", "same-origin-allow-popups");
  response.setHeader("x-frame-options", "SAMEORIGIN");
  if (isSecure) response.setHeader("strict-transport-security", "max-age=31536000");
  if (isPreview) response.setHeader("x-robots-tag", "noindex");
}

/**
 * Policy for SVG, XML and similar files. Scripts in them can't run when a browser opens the file as a
 * document.
 */
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/** Added to the policy for HTML files of air-gapped sites. */
const fromSameHost = "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'";

/** Policy for HTML files of authors, whose scripts run in an opaque origin. */
const htmlFilePolicy = "sandbox allow-scripts allow-forms allow-popups allow-modals; frame-ancestors 'self'";

interface PolicyOptions {
  /** The policy of the site's pages. */
  page: string;
  /** Whether the file is an HTML file of the documentation folder. */
  isHtmlFile: boolean;
  isAirGapped: boolean;
}

/** Returns the content security policy of a file. */
export function contentSecurityPolicyOfFile(
  path: string,
  { page, isHtmlFile, isAirGapped }: PolicyOptions,
): string {
  if (isHtmlFile) return isAirGapped ? `${htmlFilePolicy}; ${fromSameHost}` : htmlFilePolicy;
  if (/\.html$/i.test(path)) return page;
  return /\.(?:svg|xml|xhtml|xht|xsl|xslt|mht|mhtml|htm|shtml)$/i.test(path)
    ? picturePolicy
    : "default-src 'none'; frame-ancestors 'self'";
}
