/** Allowed schemes of links. */
const schemes = new Set([
  "http",
  "https",
  "mailto",
  "tel",
  "sms",
  "ftp",
  "vscode",
  "cursor",
  "slack",
  "git",
  "ssh",
  "irc",
  "xmpp",
  "matrix",
]);

/** Returns the URL, or `#` if its scheme isn't allowed. Relative URLs are allowed. */
export function safeHref(href: string): string {
  // Browsers may ignore control characters and spaces in the scheme.
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href.replace(/[\u0000-\u0020\u007f-\u009f]/g, ""))?.[1];
  return scheme === undefined || schemes.has(scheme.toLowerCase()) ? href : "#";
}
