/**
 * Remembers the files that a build wrote to a folder, as a text with one line per file: key, size in bytes, modification time in
 * milliseconds and path. A build usually writes the same files in the same order, so most lines are found and kept without parsing the text.
 */

export interface WrittenFile {
  key: string;
  bytes: number;
  mtime_ms: number;
}

/** The files of an earlier build. */
export class EarlierFiles {
  private readonly text: string;
  /** Position of the line after the last one that was found. */
  private next = 0;
  /** Positions of all lines by path, once a line isn't the next one. */
  private positions: ReadonlyMap<string, number> | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns a file and its line. Undefined if the earlier build didn't write it. */
  find(path: string): (WrittenFile & { line: string }) | undefined {
    const next = this.lineAt(this.next, path);
    if (next) return next;
    this.positions ??= positionsIn(this.text);
    const position = this.positions.get(path);
    return position === undefined ? undefined : this.lineAt(position, path);
  }

  /** Returns the file whose line is at a position. Undefined if it has a different path. */
  private lineAt(position: number, path: string): (WrittenFile & { line: string }) | undefined {
    const end = this.text.indexOf("\n", position) + 1;
    if (!this.text.startsWith(`${path}\n`, end - path.length - 1)) return undefined;
    const line = this.text.slice(position, end);
    const [key = "", bytes = "", mtime_ms = ""] = line.split(" ", 3);
    if (key.length + bytes.length + mtime_ms.length + path.length + 4 !== line.length) return undefined;
    this.next = end;
    return { key, bytes: Number(bytes), mtime_ms: Number(mtime_ms), line };
  }
}

/** Returns the line of a file. Empty if its path contains a line break, so that the next build generates the file again. */
export function lineOf(path: string, { key, bytes, mtime_ms }: WrittenFile): string {
  return path.includes("\n") ? "" : `${key} ${bytes} ${mtime_ms} ${path}\n`;
}

function positionsIn(text: string): Map<string, number> {
  const positions = new Map<string, number>();
  let position = 0;
  for (const line of text.split("\n")) {
    positions.set(line.split(" ").slice(3).join(" "), position);
    position += line.length + 1;
  }
  return positions;
}
