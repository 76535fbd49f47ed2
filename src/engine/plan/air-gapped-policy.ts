/**
 * Adds a content security policy to the HTML files of air-gapped sites, so that they load nothing from other
 * hosts on any host or from disk. In browsers where `'self'` doesn't match files, `file:` does.
 */

const common = [
  "default-src 'self' file:",
  "style-src 'self' file: 'unsafe-inline'",
  "img-src 'self' file: data: blob:",
  "font-src 'self' file: data:",
  "media-src 'self' file: data: blob:",
  "worker-src 'self' file: blob:",
  "form-action 'self' file:",
  "base-uri 'none'",
];

/** Generated pages have no inline scripts. */
const ofPages = metaElement(common);
/** HTML files of the folder may have them. */
const ofFiles = metaElement([
  ...common,
  "script-src 'self' file: data: blob: 'unsafe-inline' 'unsafe-eval'",
  "frame-src 'self' file: data: blob:",
]);

function metaElement(directives: readonly string[]): string {
  return `<meta http-equiv="Content-Security-Policy" content="${directives.join("; ")}">`;
}

/** Adds the policy to a generated document. */
export function withPolicy(html: string): string {
  return html.replace("<head>", `<head>${ofPages}`);
}

/** Maximum size of what can be before the first element of an HTML file, in bytes. */
const start_bytes = 4_096;

/**
 * Adds the policy to an HTML file of the folder: after the doctype, where browsers read it as the first
 * element of the head, whatever follows. Its encoding must be a superset of ASCII.
 */
export function fileWithPolicy(bytes: Uint8Array): Uint8Array {
  const start = String.fromCharCode(...bytes.subarray(0, start_bytes));
  const { length } = /^(?:\xef\xbb\xbf)?(?:\s*<!doctype[^>]*>)?/i.exec(start)![0];
  const policy = new TextEncoder().encode(ofFiles);
  const whole = new Uint8Array(bytes.length + policy.length);
  whole.set(bytes.subarray(0, length));
  whole.set(policy, length);
  whole.set(bytes.subarray(length), length + policy.length);
  return whole;
}
