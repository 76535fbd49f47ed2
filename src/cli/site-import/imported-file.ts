/** A file that an import writes. */
export interface ImportedFile {
  /** Path in the new site. */
  path: string;
  kind: "page" | "file" | "settings";
  read(): Uint8Array;
}
