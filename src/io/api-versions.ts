/** Lists the versions of OpenAPI documents with git. */

import { apiVersions_count, type VersionSettings } from "../base/api-versions.ts";

interface ListedVersion {
  label: string;
  date: string;
  commit: string;
}

/** Returns the arguments for git to list the versions in the history of `head`. */
export function listingOf(
  { source }: VersionSettings,
  files: readonly string[],
  head: string,
): readonly string[] {
  return source === "days"
    ? ["--literal-pathspecs", "log", "--first-parent", "--format=%H %cI", head, "--", ...files]
    : [
        "for-each-ref",
        `--merged=${head}`,
        "--sort=version:refname",
        "--format=%(if)%(*objectname)%(then)%(*objectname) %(*committerdate:iso-strict)%(else)%(objectname) %(committerdate:iso-strict)%(end) %(refname:strip=2)",
        "refs/tags",
      ];
}

/** A semantic version without a pre-release, possibly with a name before it: `v1.2.0`, `api-2.0`. */
const release = /^(?:.*[^\d.-])?-?v?\d+(?:\.\d+){1,2}(?:\+[\w.-]+)?$/i;

/**
 * Reads the output of git for `listingOf`. Returns the versions from `since` on with the one before, the
 * oldest first.
 */
export function readListing(
  output: string,
  { source = "tags", since }: VersionSettings,
): { versions: ListedVersion[]; history: "complete" | "many" | "unknown" } {
  const listed = output.split("\n").flatMap((line): (ListedVersion & { time: number })[] => {
    const [, commit = "", at = "", name = ""] = /^([\da-f]{40,64}) (\S+) ?(.*)$/.exec(line) ?? [];
    const time = Date.parse(at);
    if (Number.isNaN(time) || (source === "releases" && !release.test(name))) return [];
    const date = new Date(time).toISOString().slice(0, 10);
    return [{ label: source === "days" ? date : name, date, commit, time }];
  });

  // Git lists commits with the newest first, and tags by their names.
  const days = new Map(listed.toReversed().map((version) => [version.label, version]));
  const ordered =
    source === "days" ? [...days.values()] : listed.toSorted((one, other) => one.time - other.time);
  const named = since === undefined ? 0 : ordered.findIndex(({ label }) => label === since);
  const first = named >= 0 ? named : ordered.findIndex(({ date }) => isDay(since!) && date >= since!);
  if (first < 0) return { versions: [], history: "unknown" };
  const from = Math.max(first - 1, 0);
  const isMany = ordered.length - from > apiVersions_count + 1;
  const versions = ordered.slice(isMany ? -apiVersions_count - 1 : from);
  return { versions, history: isMany ? "many" : "complete" };
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text);
}

/** Returns the arguments for git to list the objects of files in a commit. */
export function objectsOf(commit: string, files: readonly string[]): readonly string[] {
  return ["ls-tree", "-z", commit, "--", ...files];
}

/** Reads the output of git for `objectsOf`: the object of each file, by its path. */
export function readObjects(output: string): Map<string, string> {
  return new Map(
    output.split("\0").flatMap((record) => {
      const [, object, path] = /^100\d{3} blob ([\da-f]{40,64})\t(.+)$/s.exec(record) ?? [];
      return object && path ? [[path, object] as const] : [];
    }),
  );
}
