/**
 * A read-only set of files: a working folder, a checkout, an upload.
 * Paths are relative, use forward slashes and are sorted by code point.
 */
export interface Files {
  readonly paths: readonly string[];
  /** The bytes of a file, read when asked for; undefined when there is no such path. */
  read(path: string): Uint8Array | undefined;
  /** Bytes of a file, without reading it. */
  size(path: string): number;
}

/** Files held in memory: for tests, and for small sets that were fetched. */
export function filesFrom(entries: Record<string, string | Uint8Array>): Files {
  const encoder = new TextEncoder();
  const bytes = new Map(
    Object.entries(entries).map(([path, content]) => [path, typeof content === "string" ? encoder.encode(content) : content]),
  );
  return { paths: [...bytes.keys()].sort(byCodePoint), read: (path) => bytes.get(path), size: (path) => bytes.get(path)?.length ?? 0 };
}

/** The order in which every list of paths is kept, so that equal input gives equal bytes. */
export function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const decoder = new TextDecoder();

export function readText(files: Files, path: string): string | undefined {
  const bytes = files.read(path);
  return (
    bytes &&
    decoder
      .decode(bytes)
      .replace(/^\uFEFF/, "")
      .replace(/\r\n?/g, "\n")
  );
}
