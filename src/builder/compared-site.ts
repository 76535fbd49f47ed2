import type { Access } from "../base/access.ts";

/** The files of a built site. */
export interface ComparedSite {
  folder: string;
  /** URL of the site, without a trailing slash. */
  origin: string;
  files: ComparedFile[];
}

export interface ComparedFile {
  path: string;
  access: Access;
  /** Name of the file in the folder. Default: its path. Null if the folder doesn't have it. */
  name?: string | null;
}
