/** A file that an import writes. */
export interface ImportedFile {
  /** Path in the new site. */
  path: string;
  kind: "page" | "file" | "settings";
  read(): Uint8Array;
}

/** A site that can't be converted. The message says how to fix it. */
export class UnreadableSite extends Error {}
