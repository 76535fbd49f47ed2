/** Explains errors of the operating system in plain language. */

const reasons: Record<string, string> = {
  EACCES: "Permission denied",
  EPERM: "Permission denied",
  EROFS: "The file system is read-only",
  ENOSPC: "The disk is full",
  EDQUOT: "Disk quota exceeded",
  ENOENT: "No such file or folder",
  ENOTDIR: "Part of the path isn't a folder",
  EISDIR: "Expected a file, but found a folder",
  EMFILE: "Too many open files",
  ENFILE: "Too many open files",
  ENAMETOOLONG: "The file name is too long",
  EADDRINUSE: "The port is in use",
};

/**
 * Returns the reason and, if known, the path or port of a system error, such as `The disk is full:
 * /srv/site/index.html`. Undefined for other errors and for unknown codes.
 */
export function systemErrorText(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, path: file, port } = error as NodeJS.ErrnoException & { port?: number };
  const reason = code === undefined ? undefined : reasons[code];
  const place = file ?? port;
  return reason && (place === undefined ? reason : `${reason}: ${place}`);
}

/** Whether the disk of this process, of its build process, or of the database is full. */
export function isDiskFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "53100"].includes((error as { code?: string } | undefined)?.code ?? "");
}
