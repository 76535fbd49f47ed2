/**
 * A read-only set of files, such as a documentation folder, a branch of a repository or an upload.
 * Paths are relative, use forward slashes and are sorted with `byCodeUnit`.
 */
export interface Files {
  readonly paths: readonly string[];
  /** Reads a file; undefined if the path doesn't exist. */
  read(path: string): Uint8Array | undefined;
  /** Returns the size of one of `paths` in bytes, without reading the file. */
  size(path: string): number;
  /**
   * Returns a text that changes when one of `paths` is written. Undefined if it isn't known whether the file
   * changed, for example because it was written a moment ago and could be written again at the same time
   * stamp.
   */
  stamp?(path: string): string | undefined;
}

/** Creates `Files` from entries in memory: the content of each file by its path. */
export function filesFrom(entries: Record<string, string | Uint8Array>): Files {
  const encoder = new TextEncoder();
  const bytes = new Map(
    Object.entries(entries).map(([path, content]) => [
      path,
      typeof content === "string" ? encoder.encode(content) : content,
    ]),
  );
  return {
    paths: [...bytes.keys()].sort(byCodeUnit),
    read: (path) => bytes.get(path),
    size: (path) => bytes.get(path)?.length ?? 0,
  };
}

/**
 * Compares strings by their UTF-16 code units. The order doesn't depend on the locale, so sorted output is
 * reproducible.
 */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const decoder = new TextDecoder();

/** Reads a file as text, like `decodeText`. Undefined if the path doesn't exist. */
export function readText(files: Files, path: string): string | undefined {
  const bytes = files.read(path);
  return bytes && decodeText(bytes);
}

/**
 * Decodes UTF-8. Removes the byte order mark, converts line breaks to `\n`, and replaces invalid bytes with
 * U+FFFD.
 */
export function decodeText(bytes: Uint8Array): string {
  return decoder
    .decode(bytes)
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n");
}
