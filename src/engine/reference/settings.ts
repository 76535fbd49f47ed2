/**
 * Reads the settings of reference pages: the playground mode of a page, and the languages of code samples.
 */

import type { DocsJson } from "../config/docs-json-schema.ts";
import type { Frontmatter } from "../config/frontmatter.ts";
import type { SiteMessages } from "../i18n/messages.ts";
import type { Refs } from "../openapi/nodes/refs.ts";
import type { Operation } from "../openapi/request/operation.ts";
import { defaultLanguages, languageKeyOf } from "../openapi/samples/sample-languages.ts";
import type { ReferenceContext } from "./context.ts";
import type { FieldMarks } from "./field-marks.ts";

export type ApiSettings = NonNullable<DocsJson["api"]>;

/** Settings of reference pages: `api` in docs.json, and whether readers can sign in. */
export interface ApiPageSettings {
  api: ApiSettings;
  hasSignIn: boolean;
  /** Returns what labels parts of a document with the versions in which they changed, if that is known. */
  changeMarks?(file: string, refs: Refs, messages: SiteMessages): FieldMarks | undefined;
}

/**
 * Returns the configured playground mode: the mode in the page's frontmatter, or else in docs.json, or else
 * `interactive`.
 */
export function playgroundMode(
  frontmatter: Frontmatter,
  api: ApiSettings,
): NonNullable<Frontmatter["playground"]> {
  return frontmatter.playground ?? api.playground?.display ?? "interactive";
}

/**
 * Returns the effective playground mode of a page. `none` for webhooks, and instead of `auth` if readers
 * can't sign in. `simple` for an operation without servers.
 */
export function playgroundOf(
  frontmatter: Frontmatter,
  { api, hasSignIn }: ApiPageSettings,
  operation: Pick<Operation, "kind" | "servers">,
): ReferenceContext["playground"] {
  const mode = playgroundMode(frontmatter, api);
  if (operation.kind !== "operation" || mode === "none" || (mode === "auth" && !hasSignIn)) return "none";
  return mode === "simple" || operation.servers.length === 0 ? "simple" : "interactive";
}

/** Returns the keys of the sample languages in display order. */
export function sampleLanguagesOf(api: ApiSettings): readonly string[] {
  const configured = (api.examples?.languages ?? []).flatMap((name) => languageKeyOf(name) ?? []);
  return configured.length ? [...new Set(configured)] : defaultLanguages;
}
