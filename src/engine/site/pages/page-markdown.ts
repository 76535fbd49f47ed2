import { withoutMarks } from "../../section-marks.ts";
import type { Site } from "../build-site.ts";
import { type LinkTargets, sitePath } from "../navigation/link-targets.ts";
import type { Page } from "../page.ts";
import { fragmentKey } from "./compile-fragments.ts";

/**
 * Returns the Markdown of a page for programs and language models. Includes the generated API reference,
 * unless `markdown.schema` is false. `root`: URL or path of the site, which root-relative links start with.
 */
export function pageMarkdown(page: Page, site: Site, root: string): string {
  const { own, reference } = partsOf(page, site, root);
  return [own, reference.toString()].filter(Boolean).join("\n\n");
}

/**
 * Like `pageMarkdown`, but returns parts to be joined. The reference, which can be long, isn't decoded. Empty
 * if there is no text.
 */
export function markdownParts(page: Page, site: Site, root: string): (string | Buffer)[] {
  const { own, reference } = partsOf(page, site, root);
  if (reference.length === 0) return own ? [own] : [];
  return own ? [`${own}\n\n`, reference] : [reference];
}

/** Returns the Markdown of a schema that pages share, as parts to be joined. */
export function fragmentParts(id: string, { bodies, linkTargets }: Site, root: string): Buffer[] {
  return [encodedLinksBelow(bodies.encodedBody(fragmentKey(id)).reference, root, linkTargets)];
}

function partsOf(
  page: Page,
  { bodies, config, linkTargets }: Site,
  root: string,
): { own: string; reference: Buffer } {
  const { markdown, reference } = bodies.encodedBody(page.storedName);
  const hasReference = config.settings.markdown?.schema !== false;
  const own = linksBelow(withoutMarks(markdown.toString()).trim(), root, linkTargets);
  if (!hasReference) return { own, reference: Buffer.alloc(0) };
  return { own, reference: encodedLinksBelow(reference, root, linkTargets) };
}

/** Like `linksBelow`, but decodes the text, which can be long, only if it contains a root-relative link. */
function encodedLinksBelow(markdown: Buffer, root: string, targets: LinkTargets): Buffer {
  if (root === "" || !markdown.includes("](/")) return markdown;
  return Buffer.from(linksBelow(markdown.toString(), root, targets));
}

/** Matches code, and the starts of links and images with a root-relative URL. */
const codeOrLink = /^([ \t>]*)(`{3,}|~{3,})[\s\S]*?^\1\2[ \t]*$|`[^`\n]+`|\]\((\/(?!\/)[^\s)]*)/gm;

/**
 * Replaces the base path in a Markdown text's root-relative links, if they start with it, by `prefix`, and
 * otherwise adds `prefix`.
 */
export function linksBelow(markdown: string, prefix: string, targets: LinkTargets): string {
  if (prefix === "" && targets.basePath === "") return markdown;
  return markdown.replace(codeOrLink, (text, _indent, _fence, url?: string) =>
    url === undefined ? text : `](${prefix}${sitePath(url, targets)}`,
  );
}
