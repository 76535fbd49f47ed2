/** Messages between a build process and its parent. */

import type { Access } from "../base/access.ts";
import { limits } from "../base/limits.ts";
import type { Problem } from "../base/problem.ts";
import type { ArchiveLabel } from "../bundle/bundle-manifest.ts";
import type { CheckedAudience } from "../engine/export/audience-report.ts";
import type { ExportTarget } from "../engine/plan/export-target.ts";
import type { NotPage } from "../engine/site/sources/classify-files.ts";
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
  /**
   * Whether the folder is the user's own, so that its pages can link to the remote repository of a git
   * checkout.
   */
  isCheckout?: boolean;
  /**
   * Output of the build: none (only problems), a folder, an archive, or files that are kept in memory for a
   * preview.
   */
  output:
    | { kind: "none" }
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

export type BuildRequest =
  | { id: number; do: "build"; job: BuildJob }
  | { id: number; do: "file"; path: string }
  /** `archive`: path of an uploaded archive. `folder`: path of the new folder. */
  | { id: number; do: "unpack"; archive: string; folder: string };

export type ProblemCounts = Record<Problem["severity"], number>;

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
}

/** The page that the process starts to read. `done`: number of pages before it. */
export interface PageMessage {
  event: "page";
  file: string;
  done: number;
  total: number;
}

export type BuildMessage =
  | PageMessage
  /** The files of a preview whose pages aren't all compiled. The message `built` follows. */
  | { event: "outlined"; paths: string[] }
  | { event: "written"; done: number; total: number; pages: number; totalPages: number }
  | { event: "built"; id: number; result: BuildResult }
  /** `refusal`: why the archive isn't accepted. */
  | { event: "unpacked"; id: number; refusal?: string }
  | { event: "file"; id: number; bytes: Uint8Array | undefined }
  /** An internal error, not an error of the author. */
  | { event: "failed"; id: number; message: string; detail: string; code?: string };

/** File descriptor of the build process for the file of `PageNote`. */
export const page_descriptor = 4;

/**
 * Codes of the problems that prevent a deployment: docs.json is missing, or it or a file that it references
 * isn't JSON.
 */
export const unreadableConfig: ReadonlySet<string> = new Set(["config-missing", "config-syntax"]);
/** Codes of all problems that can prevent a deployment. */
const preventing: ReadonlySet<string> = new Set([...unreadableConfig, "config-sign-in"]);

/**
 * Returns the problems that a deployment stores: first those that prevent it, then other errors, then other
 * warnings. The rest exceeds the maximum number or size, and is only counted.
 */
export function limitProblems(problems: readonly Problem[]): {
  problems: Problem[];
  unlisted: ProblemCounts;
} {
  const listed: Problem[] = [];
  const unlisted: ProblemCounts = { error: 0, warning: 0 };
  let bytes = 0;
  const rank = ({ code, severity }: Problem) => (preventing.has(code) ? 0 : severity === "error" ? 1 : 2);
  for (const found of problems.toSorted((a, b) => rank(a) - rank(b))) {
    const size = Buffer.byteLength(JSON.stringify(found)) + 1;
    if (listed.length === limits.problems_count || bytes + size > limits.problems_bytes)
      unlisted[found.severity]++;
    else {
      bytes += size;
      listed.push(found);
    }
  }

  return { problems: listed, unlisted };
}
