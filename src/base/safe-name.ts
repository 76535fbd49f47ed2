/** Validates untrusted paths from archives and repositories. */

/** Maximum length of a path, in bytes. */
const fileName_bytes = 1_000;
/** Maximum length of a path segment, in bytes. */
const fileNameSegment_bytes = 255;

/**
 * Returns why a path isn't safe to write to a folder, such as `is an absolute path`. Undefined if the path is
 * safe. Paths must be relative, with forward slashes.
 */
export function unsafeName(name: string): string | undefined {
  if (name.startsWith("/")) return "is an absolute path";
  if (/^[a-z]:/i.test(name)) return "starts with a drive letter";
  if (name.includes("\\")) return "contains a backslash";
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffd]/.test(name)) return "contains an invalid character";
  const segments = name.split("/");
  if (segments.some((segment) => segment === ".." || segment === "." || segment === ""))
    return "points outside the folder";
  if (segments.some((segment) => segment.toLowerCase() === ".git")) return "is in a .git folder";
  if (bytesOf(name) > fileName_bytes) return `is longer than ${fileName_bytes} bytes`;
  if (segments.some((segment) => bytesOf(segment) > fileNameSegment_bytes))
    return `contains a file or folder name longer than ${fileNameSegment_bytes} bytes`;
  return undefined;
}

const encoder = new TextEncoder();

function bytesOf(text: string): number {
  return encoder.encode(text).length;
}
