import { withoutMarks } from "../section-marks.ts";
import type { Site } from "./build-site.ts";
import type { Page } from "./page.ts";

/**
 * Returns the Markdown of a page for programs and language models. Includes the generated API reference, unless `markdown.schema` is
 * false.
 */
export function pageMarkdown(page: Page, site: Site): string {
  const { own, reference } = partsOf(page, site);
  return [own, reference.toString()].filter(Boolean).join("\n\n");
}

/** Like `pageMarkdown`, but returns parts to be joined. The reference, which can be long, isn't decoded. Empty if there is no text. */
export function markdownParts(page: Page, site: Site): (string | Uint8Array)[] {
  const { own, reference } = partsOf(page, site);
  if (reference.length === 0) return own ? [own] : [];
  return own ? [`${own}\n\n`, reference] : [reference];
}

function partsOf(page: Page, { bodies, config }: Site): { own: string; reference: Buffer } {
  const { markdown, reference } = bodies.encodedBody(page.key);
  const hasReference = config.settings.markdown?.schema !== false;
  return { own: withoutMarks(markdown.toString()).trim(), reference: hasReference ? reference : Buffer.alloc(0) };
}
