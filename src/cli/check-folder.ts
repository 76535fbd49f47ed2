/** Checks a documentation folder, and selects the problems to list. */

import { newProblems } from "../base/new-problems.ts";
import type { Problem } from "../base/problem.ts";
import type { ProblemCode } from "../base/problem-codes.ts";
import type { SiteBuilder } from "../builder/build-process.ts";
import type { BuildJob, BuildResult } from "../builder/build-protocol.ts";
import type { ExternalLink } from "../engine/site/references/external-links.ts";
import { docsFolderFiles } from "../io/docs-folder-files.ts";
import type { CheckedLinks } from "./external-links.ts";
import { filePatterns } from "./file-patterns.ts";
import { problemsOfRevision } from "./problems-of-revision.ts";

/** Maximum number of problems in the output. Errors come first if there are more. */
const listed_count = 5_000;

export interface CheckJob {
  folder: string;
  /** The build job, except the folder of a revision. */
  job: Omit<BuildJob, "crashed" | "threads">;
  /** Codes of the problems to list. Undefined: all. */
  codes?: ReadonlySet<ProblemCode>;
  /** Value of `--files`. */
  files?: string;
  /** Git revision whose problems aren't listed. */
  since?: string;
  /** Checks links to other sites. Undefined if they aren't checked. */
  checkLinks?(links: readonly ExternalLink[]): Promise<CheckedLinks>;
}

export interface CheckResult {
  pages: number;
  external?: CheckedLinks;
  /** All selected problems. */
  problems: Problem[];
  /** The first `listed_count` of the problems. */
  listed: Problem[];
  missing: NonNullable<BuildResult["missing"]>;
  /** Numbers of problems that aren't listed. */
  unlisted: {
    /** The revision of `--since` has them, too. */
    known: number;
    /** Their files don't match `--files`. */
    otherFiles: number;
    /** There are more than `listed_count`. */
    overLimit: number;
  };
  /** Number of errors with codes that aren't selected. */
  otherErrors: number;
  /** Whether no file of the folder matches `--files`. */
  matchesNothing: boolean;
}

export async function checkFolder(check: CheckJob, builder: SiteBuilder): Promise<CheckResult> {
  const { folder, job, codes, since } = check;
  const earlier =
    since === undefined
      ? undefined
      : await problemsOfRevision(folder, since, (at) => builder.build({ ...job, ...at }));
  const built = await builder.build(job);
  const { pages, missing = [] } = built;
  const isSelected = check.files === undefined ? () => true : filePatterns(check.files, folder);
  const external = await check.checkLinks?.(
    newLinks(built.externalLinks ?? [], earlier?.externalLinks).filter(({ file }) => isSelected(file)),
  );
  const problems = external ? [...built.problems, ...external.problems] : built.problems;

  const ofCodes = codes ? problems.filter(({ code }) => codes.has(code)) : problems;
  const added = earlier ? newProblems(ofCodes, earlier.problems) : ofCodes;
  const selected = added.filter(({ file }) => isSelected(file));
  const listed = firstOf(selected);

  const knownFiles = new Set(earlier?.missing?.map(({ file, reason }) => JSON.stringify([file, reason])));
  const isError = ({ severity }: Problem) => severity === "error";
  return {
    pages,
    ...(external ? { external } : {}),
    problems: selected,
    listed,
    missing: missing.filter(
      ({ file, reason }) => isSelected(file) && !knownFiles.has(JSON.stringify([file, reason])),
    ),
    unlisted: {
      known: ofCodes.length - added.length,
      otherFiles: added.length - selected.length,
      overLimit: selected.length - listed.length,
    },
    otherErrors: problems.filter(isError).length - ofCodes.filter(isError).length,
    matchesNothing:
      check.files !== undefined &&
      selected.length === 0 &&
      !docsFolderFiles(folder).files.paths.some(isSelected),
  };
}

/** Returns the links whose URLs an earlier version of the site doesn't have. */
function newLinks(links: readonly ExternalLink[], earlier: readonly ExternalLink[] = []): ExternalLink[] {
  const known = new Set(earlier.map(({ url }) => url));
  return links.filter(({ url }) => !known.has(url));
}

function firstOf(problems: Problem[]): Problem[] {
  if (problems.length <= listed_count) return problems;
  const rank = ({ severity }: Problem) => (severity === "error" ? 0 : 1);
  return problems.toSorted((a, b) => rank(a) - rank(b)).slice(0, listed_count);
}
