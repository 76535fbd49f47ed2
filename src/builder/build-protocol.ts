/** What a build process and whoever started it say to each other. */

import type { Access } from "../base/access.ts";
import type { Problem } from "../base/problem.ts";
import type { ArchiveLabel } from "../bundle/bundle-manifest.ts";
import type { ExportTarget } from "../engine/export/export-target.ts";

export interface BuildJob {
  folder: string;
  /** Where compiled pages are kept; absent: nowhere. */
  cacheFolder?: string;
  /** Pages that ended an earlier process, with the problem that is shown in their place. */
  crashed: [file: string, problem: Problem][];
  /** Documents from elsewhere by their address, of a snapshot; absent: they are fetched anew. */
  documents?: Record<string, string>;
  /** Copies from an earlier build, for those that cannot be fetched now. */
  lastDocuments?: Record<string, string>;
  /** What to do with the site: only find problems, write a folder or an archive, or hold it for a preview. */
  output:
    | { kind: "none" }
    | { kind: "folder"; path: string; target: ExportTarget }
    | { kind: "archive"; path: string; target: ExportTarget; label?: ArchiveLabel; delta?: DeltaFiles }
    | { kind: "hold"; target: ExportTarget };
}

/** Paths: the archive that a reader may have, and where what leads on from it is written. */
export interface DeltaFiles {
  from: string;
  out: string;
}

export type Request = { id: number; do: "build"; job: BuildJob } | { id: number; do: "file"; path: string };

export interface BuildResult {
  pages: number;
  bytes: number;
  /** Of an archive: as its manifest says. */
  version?: string;
  problems: Problem[];
  /** Documents from elsewhere that the site was made with, by their address. */
  documents: Record<string, string>;
  /** What was written to a folder, and who may read it. */
  files?: { path: string; access: Access }[];
  /** Addresses of the site, when it is held for a preview. */
  paths?: string[];
}

export type Message =
  | { event: "page"; file: string; done: number; total: number }
  | { event: "written"; done: number; total: number; pages: number; totalPages: number }
  | { event: "built"; id: number; result: BuildResult }
  | { event: "file"; id: number; bytes: Uint8Array | undefined }
  /** A fault of ours, not of the author. */
  | { event: "failed"; id: number; message: string };
