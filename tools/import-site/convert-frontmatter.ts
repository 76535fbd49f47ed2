/** Converts the frontmatter of Docusaurus and Starlight pages. */

import { quoted } from "./convert-body.ts";
import { isRecord, listAt, textAt, valueAt } from "./static-values.ts";

type Rule = (value: unknown) => Record<string, unknown> | undefined;

const same =
  (key: string): Rule =>
  (value) => ({ [key]: value });
const ignored: Rule = () => ({});
const when =
  (expected: unknown, result: Record<string, unknown>): Rule =>
  (value) =>
    value === expected ? result : {};
const keywords: Rule = (value) => ({
  keywords: (Array.isArray(value) ? value : [value])
    .map((tag) => textAt(tag, "label") ?? (typeof tag === "string" ? tag : ""))
    .filter(Boolean),
});

/** Keys and their conversions. A rule returns undefined for a value that can't be converted. */
const rules: Record<string, Rule> = {
  title: same("title"),
  description: same("description"),
  keywords,
  tags: keywords,
  sidebar_label: same("sidebarTitle"),
  unlisted: when(true, { hidden: true }),
  hide_table_of_contents: when(true, { mode: "wide" }),
  canonical_url: same("canonical"),
  last_update: (value) =>
    valueAt(value, "date") === undefined ? undefined : { lastUpdatedDate: valueAt(value, "date") },
  tableOfContents: (value) => (value === false ? { mode: "wide" } : undefined),
  template: when("splash", { mode: "custom" }),
  lastUpdated: (value) => (typeof value === "boolean" ? { timestamp: value } : { lastUpdatedDate: value }),
  pagefind: when(false, { searchable: false }),
  prev: (value) => (value === false ? { hideFooterPagination: true } : undefined),
  next: (value) => (value === false ? { hideFooterPagination: true } : undefined),
  pagination_prev: (value) => (value === null ? { hideFooterPagination: true } : undefined),
  pagination_next: (value) => (value === null ? { hideFooterPagination: true } : undefined),
  sidebar: (value) =>
    isRecord(value)
      ? {
          ...(textAt(value, "label") ? { sidebarTitle: textAt(value, "label") } : {}),
          ...(value.hidden === true ? { hidden: true } : {}),
          ...(value.badge ? { tag: textAt(value, "badge") ?? textAt(value, "badge", "text") } : {}),
        }
      : undefined,
  // Read elsewhere: these keys determine a page's path, order and hero, and whether it's imported.
  // `hide_breadcrumbs` has no equivalent and is dropped without a report.
  ...Object.fromEntries(
    ["id", "slug", "sidebar_position", "draft", "hero", "hide_breadcrumbs"].map((key) => [key, ignored]),
  ),
};

/** Converts the frontmatter. `report` is called for each key that can't be converted. */
export function convertFrontmatter(
  given: Record<string, unknown>,
  report: (key: string) => void,
): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    const converted = Object.hasOwn(rules, key) ? rules[key]!(value) : undefined;
    if (!converted) report(key);
    else if (converted.keywords)
      out.keywords = [...new Set([...listAt(out, "keywords"), ...listAt(converted, "keywords")])];
    else Object.assign(out, converted);
  }
  return out;
}

/**
 * Converts the hero of a Starlight page to MDX. `onHtmlImage` is called if the hero's image is HTML, which
 * can't be converted.
 */
export function heroText(
  hero: unknown,
  title: string,
  linkTo: (url: string) => string,
  onHtmlImage: () => void,
): string {
  const actions = listAt(hero, "actions").flatMap((action) => {
    const [text, link] = [textAt(action, "text"), textAt(action, "link")];
    return text && link ? [`- [${text}](${linkTo(link)})`] : [];
  });
  const image = valueAt(hero, "image");
  if (textAt(image, "html")) onHtmlImage();
  return [
    `# ${textAt(hero, "title") ?? title}`,
    textAt(hero, "tagline"),
    actions.join("\n"),
    heroImage(image, linkTo),
  ]
    .filter(Boolean)
    .map((part) => `${part}\n\n`)
    .join("");
}

/**
 * Returns the hero's images as MDX: one for both color modes, or one for each. Undefined if neither is set.
 */
function heroImage(image: unknown, linkTo: (url: string) => string): string | undefined {
  const alt = quoted(textAt(image, "alt") ?? "");
  const tag = (file: string, more = "") => `<img${more} src=${quoted(linkTo(file))} alt=${alt} />`;
  const [file, light, dark] = [textAt(image, "file"), textAt(image, "light"), textAt(image, "dark")];
  if (file) return tag(file);
  if (light && dark)
    return `${tag(light, ' className="block dark:hidden"')}\n${tag(dark, ' className="hidden dark:block"')}`;
  return undefined;
}
