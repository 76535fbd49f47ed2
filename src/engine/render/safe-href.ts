/** Schemes that a link may have. What runs code in the reader's page is not among them. */
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

/** The address, or `#` when following it could run code. Relative addresses pass. */
export function safeHref(href: string): string {
  // Browsers drop control characters and spaces before they look for the scheme.
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href.replace(/[\u0000-\u0020\u007f-\u009f]/g, ""))?.[1];
  return scheme === undefined || schemes.has(scheme.toLowerCase()) ? href : "#";
}
