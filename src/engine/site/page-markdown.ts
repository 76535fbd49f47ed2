import { withoutMarks } from "../section-marks.ts";
import type { Site } from "./build-site.ts";
import type { Page } from "./site-page.ts";

/**
 * Returns the Markdown of a page for programs and language models. Includes the generated API reference, unless `markdown.schema` is
 * false.
 */
export function pageMarkdown(page: Page, { bodies, config }: Site): string {
  const { markdown, reference } = bodies.body(page.key);
  const hasReference = config.settings.markdown?.schema !== false;
  return [withoutMarks(markdown).trim(), hasReference ? reference.trim() : ""].filter(Boolean).join("\n\n");
}
