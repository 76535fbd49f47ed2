import { existsSync } from "node:fs";
import path from "node:path";
import type { ApiVersions, ReadVersions } from "../base/api-versions.ts";
import { listingOf, objectsOf, readListing, readObjects } from "../io/api-versions.ts";
import { findCheckout, readCheckoutWithGit } from "../io/checkout-git.ts";
import { readStoredVersions } from "../io/git-versions.ts";

/**
 * Returns a function that reads the versions of files in a folder from Git. `known`: receives the objects of
 * the files in each commit, for later builds.
 */
export function versionsIn(folder: string, known: Map<string, Map<string, string>>): ReadVersions {
  const git = (args: readonly string[]) => readCheckoutWithGit(folder, args);

  return (settings, files): ApiVersions => {
    const stored = readStoredVersions(folder);
    if (stored) return stored;

    const objectsIn = (commit: string): Map<string, string> => {
      const key = [commit, ...files].join("\n");
      const objects = known.get(key) ?? readObjects(git(objectsOf(commit, files)));
      known.set(key, objects);
      return objects;
    };

    const textOf = (object: string): string | undefined => {
      try {
        return git(["cat-file", "blob", object]);
      } catch {
        return undefined;
      }
    };

    try {
      const { versions, history } = readListing(git(listingOf(settings, files, "HEAD")), settings);
      const isCut = existsSync(path.join(findCheckout(folder)!.commonFolder, "shallow"));
      return {
        history: isCut ? "cut" : history,
        versions: versions.map(({ label, date, commit }) => {
          const objects = objectsIn(commit);
          return {
            label,
            date,
            idOf: (file) => objects.get(file),
            textOf: (file) => textOf(objects.get(file)!),
          };
        }),
      };
    } catch {
      return { versions: [], history: "none" };
    }
  };
}
