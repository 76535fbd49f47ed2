/**
 * Reports files that no reader can open, because nothing is known to refer to them and they could belong to
 * restricted content.
 */

import { plural } from "../../base/plural.ts";
import { type Problem, problem } from "../../base/problem.ts";
import { Audiences } from "../plan/audiences.ts";
import type { ExportTarget } from "../plan/export-target.ts";
import type { Site } from "../site/build-site.ts";

/** Maximum number of files that the problem names. */
const named_count = 10;

/** Returns one problem that names the files, or none. */
export function closedFiles(site: Site, target: ExportTarget): Problem[] {
  const files = new Audiences(site, target).unreferencedFiles;
  if (files.length === 0) return [];
  const more = files.length > named_count ? `, and ${files.length - named_count} more` : "";
  const message = `${plural(files.length, "file")} can't be opened, because the site has restricted content and nothing that readers can see refers to ${files.length === 1 ? "it" : "them"}: ${files.slice(0, named_count).join(", ")}${more}`;
  const hint =
    'To make a file public, refer to it from a public page, or add it to "publicFiles". To leave it out, add it to .octavoignore.';
  return [problem("file-closed", { file: "docs.json" }, message, hint)];
}
