/**
 * Stores the memoized HTML and Markdown of fields at the first level, which many pages of a document show.
 * Without it, a build of the GitHub API takes 1.14 times the CPU time, and one of the Stripe API 1.09 times
 * (`npm run bench -- --openapi --only octavo`, alternating builds, median).
 */

import type { SiteMessages } from "../i18n/messages.ts";
import type { Raw } from "../openapi/refs.ts";
import type { ChipQuota } from "./chip-quota.ts";
import type { ReferenceContext } from "./context.ts";

export interface SharedField {
  path: string;
  /** The id of the field on a page where no other field has it. */
  preferredId: string;
}

export interface SharedHtml {
  /** The HTML between the marks. Each field has two: its id, and the fragment of the link to it. */
  parts: readonly string[];
  /** The fields, in the order of their ids. */
  fields: readonly SharedField[];
  chips: ChipQuota;
  /** Texts whose links are recorded for each page that shows the field. */
  linked: readonly string[];
}

/** Memoized fields of a document. */
export interface SharedRows {
  html: Map<string, SharedHtml>;
  markdown: Map<string, string>;
  /** Total length of the memoized HTML and Markdown. */
  chars: number;
}

/**
 * Maximum length of the memoized fields of a document, in characters. All fields are dropped when it is
 * exceeded.
 */
const sharedRows_chars = 16_000_000;

/** Memoized fields by document, language and settings. */
const known = new WeakMap<Raw, WeakMap<SiteMessages, Map<string, SharedRows>>>();

/**
 * Returns the memoized fields for the pages of a document. Undefined if fields can have problems, which are
 * reported for each page.
 */
export function sharedRowsFor({
  refs,
  render,
  expanded,
  postKeys,
}: ReferenceContext): SharedRows | undefined {
  if (postKeys.length > 0) return undefined;
  const ofDocument = known.get(refs.root) ?? new WeakMap<SiteMessages, Map<string, SharedRows>>();
  known.set(refs.root, ofDocument);
  const ofLanguage = ofDocument.get(render.messages) ?? new Map<string, SharedRows>();
  ofDocument.set(render.messages, ofLanguage);
  const rows = ofLanguage.get(expanded) ?? { html: new Map(), markdown: new Map(), chars: 0 };
  ofLanguage.set(expanded, rows);
  return rows;
}

/** Drops all fields if they would take too much memory together with `added`. */
export function makeRoom(shared: SharedRows, added: readonly string[]): void {
  shared.chars += added.reduce((sum, { length }) => sum + length, 0);
  if (shared.chars <= sharedRows_chars) return;
  shared.html.clear();
  shared.markdown.clear();
  shared.chars = 0;
}
