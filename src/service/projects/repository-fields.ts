import type { ProjectSource } from "../core/tables.ts";
import { field } from "../ui/read-form.ts";

/** Reads a git source from the fields of a form; undefined if the URL is empty. */
export function sourceOf(form: URLSearchParams): Extract<ProjectSource, { kind: "git" }> | undefined {
  const [url, directory] = [field(form, "url"), field(form, "directory")];
  if (url === "") return undefined;
  return { kind: "git", url, branch: field(form, "branch") || "main", ...(directory === "" ? {} : { directory }) };
}
