/** Messages between a build process and its parent. */

import type { Access } from "../base/access.ts";
import type { Problem } from "../base/problem.ts";
import type { ArchiveLabel } from "../bundle/bundle-manifest.ts";
import type { CheckedAudience } from "../engine/export/audience-report.ts";
import type { ExportTarget } from "../engine/plan/export-target.ts";
import type { ExternalLink } from "../engine/site/references/external-links.ts";
import type { NotPage } from "../engine/site/sources/classify-files.ts";
import type { CompareJob, SiteComparison } from "./compare-sites.ts";
import type { EditorAnswer, EditorQuestion } from "./editor-answers.ts";
import type { ProblemCounts } from "./limit-problems.ts";
import type { SiteOutline } from "./site-outline.ts";
import type { SiteSizes } from "./site-sizes.ts";

export interface BuildJob {
  folder: string;
  /** Folder of the cache of compiled pages. Undefined if there is no cache. */
  cacheFolder?: string;
  /** Pages that crashed an earlier process, each with the problem that replaces the page. */
  crashed: [file: string, problem: Problem][];
  /** Maximum number of threads that compile pages, including the main thread. Default: 1. */
  threads?: number;
  /** External documents from a snapshot, by URL. If set, no documents are fetched. */
  documents?: Record<string, string>;
  /** Copies of external documents from an earlier build, by URL. Used for documents that can't be fetched. */
  lastDocuments?: Record<string, string>;
  /** Whether to limit the problems of the result with `limitProblems`. Used for the sites of tenants. */
  limitsProblems?: boolean;
  /** See `BuildOptions`. */
  checksAccessibility?: boolean;
  /** Whether the result lists the links to other sites, if there is no output. */
  listsExternalLinks?: boolean;
  /**
   * Whether the folder is the user's own, so that its pages can link to the remote repository of a git
   * checkout.
   */
  isCheckout?: boolean;
  /** Texts that replace files of the folder or are new files, by path. Never written to disk. */
  unsaved?: Record<string, string>;
  /**
   * Output of the build: none (only problems), an outline of the site for an editor, a folder, an archive, or
   * files that are kept in memory for a preview.
   */
  output:
    | { kind: "none" }
    | { kind: "outline" }
    /** The answer to a question of an editor. */
    | { kind: "answer"; question: EditorQuestion }
    /**
     * `isTemporary`: the result lists the files, no later build writes to the folder, and problems in
     * `unreadableConfig` end the build.
     */
    | { kind: "folder"; path: string; target: ExportTarget; isTemporary?: boolean }
    /** `signingKey`: private Ed25519 key in PEM format. */
    | {
        kind: "archive";
        path: string;
        target: ExportTarget;
        label?: ArchiveLabel;
        delta?: DeltaFiles;
        signingKey?: string;
      }
    /** `first`: route of the page that is shown before the other pages are compiled. */
    | { kind: "hold"; target: ExportTarget; first?: string };
}

/** Paths for a delta. `from`: the previous archive, which is read. `out`: the delta, which is written. */
export interface DeltaFiles {
  from: string;
  out: string;
}

/** What the parent asks for. Each request is answered by one message with its `id`. */
export type BuildRequest =
  /** Builds a site. Answered by `built` or `failed`. */
  | { id: number; do: "build"; job: BuildJob }
  /** Reads a file of the site that the last build kept in memory. Answered by `file`, also during a build. */
  | { id: number; do: "file"; path: string }
  /** Compares a built site with the live one. Answered by `compared` or `failed`. */
  | { id: number; do: "compare"; job: CompareJob }
  /**
   * Unpacks an uploaded archive at the path `archive` into the new folder `folder`. Answered by `unpacked` or
   * `failed`.
   */
  | { id: number; do: "unpack"; archive: string; folder: string };

export interface BuildResult {
  pages: number;
  /**
   * Number of pages that the output leaves out, because not everyone may see them or they weren't selected.
   */
  leftOut?: number;
  /** Pages of the folder that the output doesn't have, with the reasons. */
  missing?: NotPage[];
  /** Uncompressed sizes of the site's files. Empty if no files were written. */
  sizes: SiteSizes;
  /** Version in the manifest of the written archive. Undefined for other outputs. */
  version?: string;
  problems: Problem[];
  /** Numbers of the problems that aren't listed because the job limits them. Undefined if it doesn't. */
  unlisted?: ProblemCounts;
  /**
   * What an export for an audience leaves out, and files that contain texts of it. Undefined for other
   * outputs.
   */
  audience?: { report: CheckedAudience; leaks: string[] };
  /**
   * Text of the site's external documents, by URL. Documents that couldn't be fetched and have no copy are
   * missing.
   */
  documents: Record<string, string>;
  /**
   * Files that were written to a folder, with their access. Undefined unless the folder is temporary and the
   * site was built.
   */
  files?: { path: string; access: Access }[];
  /** Paths of the site's files, if they are kept in memory for a preview. Undefined otherwise. */
  paths?: string[];
  answer?: EditorAnswer;
  externalLinks?: ExternalLink[];
  /** The outline of the site, if the output is one and it has changed since the process last sent it. */
  outline?: SiteOutline;
}

/**
 * The page that the process starts to read. Processes with a file at `page_descriptor` write it there instead
 * of sending it. `done`: number of pages before it.
 */
export interface PageMessage {
  event: "page";
  file: string;
  done: number;
  total: number;
}

/** What the build process sends: the progress of a build, and the answer to a request, which has its `id`. */
export type BuildMessage =
  | PageMessage
  /** The files of a preview whose pages aren't all compiled. The message `built` follows. */
  | { event: "outlined"; paths: string[] }
  /** Numbers of files and of pages that are written, and of all that will be. */
  | { event: "written"; done: number; total: number; pages: number; totalPages: number }
  /** The build has ended, with or without problems of the author. */
  | { event: "built"; id: number; result: BuildResult }
  /** The archive is unpacked, or isn't accepted. `refusal`: the reason, for the user. */
  | { event: "unpacked"; id: number; refusal?: string }
  | { event: "compared"; id: number; comparison: SiteComparison }
  /** The content of a file. Undefined if the site has no such file. */
  | { event: "file"; id: number; bytes: Uint8Array | undefined }
  /** An internal error, not an error of the author. */
  | { event: "failed"; id: number; message: string; detail: string; code?: string };

/** File descriptor of the build process for the file of `PageNote`. */
export const page_descriptor = 4;
