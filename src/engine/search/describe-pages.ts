/** Describes the pages of an index, for its head and its parts `d<n>`. */

import { type Head, type PageRecord, pagesOfRecords } from "./index-format.ts";
import type { IndexedPageHeader, PageDetails } from "./index-segment.ts";

/** A page and its passage numbers. */
export interface NumberedPage {
  header: IndexedPageHeader;
  details: PageDetails;
  /** Number of the first passage. */
  from: number;
  /** Number of the next page's first passage. */
  before: number;
}

/** Returns the number of each breadcrumb. */
export function numberCrumbs(pages: readonly IndexedPageHeader[]): Map<string, number> {
  const crumbs = new Map<string, number>();
  for (const { breadcrumbs } of pages)
    for (const name of breadcrumbs) if (!crumbs.has(name)) crumbs.set(name, crumbs.size);
  return crumbs;
}

export function recordOf(
  page: IndexedPageHeader,
  sections: PageRecord[4],
  crumbs: ReadonlyMap<string, number>,
): PageRecord {
  const group = page.group === undefined ? -1 : page.breadcrumbs.indexOf(page.group);
  const breadcrumbs = page.breadcrumbs.map((name) => crumbs.get(name)!);
  return [page.route, page.title, breadcrumbs, page.method ?? "", sections, group, page.isDescribed ? 1 : 0];
}

/**
 * Returns the group number of each passage, by passage number, and the number of groups. Passages with the
 * same version and product are in the same group.
 */
export function groupsOf(
  pages: readonly NumberedPage[],
  numbers_count: number,
): { groups: Uint32Array; groups_count: number } {
  const numbers = new Map<string, number>();
  const groups = new Uint32Array(numbers_count);
  for (const { header, from, before } of pages) {
    const name = JSON.stringify([header.version ?? "", header.product ?? ""]);
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    groups.fill(numbers.get(name)!, from, before);
  }
  return { groups, groups_count: Math.max(1, numbers.size) };
}

type DescribedPages = Pick<
  Head,
  "passages_count" | "numbers_count" | "sections" | "starts" | "filters" | "boosts"
>;

export function describePages(pages: readonly NumberedPage[]): DescribedPages {
  // Without prototypes, since an author can choose a name such as `constructor`.
  const filters: Head["filters"] = { version: Object.create(null), product: Object.create(null) };
  const boosts: Head["boosts"] = [];
  const sections: number[] = [];
  const starts: number[] = [];
  let passages_count = 0;
  for (const [index, { header, details, from, before }] of pages.entries()) {
    if (index % pagesOfRecords === 0) sections.push(starts.length);
    let passage = from;
    for (const count of details.counts) {
      starts.push(passage);
      passage += count;
      passages_count += count;
    }
    for (const kind of ["version", "product"] as const) {
      const name = header[kind];
      if (name !== undefined) extend((filters[kind][name] ??= []), from, before);
    }
    if (header.boost !== 1) boosts.push([from, before, header.boost]);
  }

  const numbers_count = pages.at(-1)?.before ?? 0;
  return {
    passages_count,
    numbers_count,
    sections,
    starts: base64(bits(starts, numbers_count)),
    filters,
    boosts,
  };
}

/** Adds a range. Merges it with the last range if the two are adjacent. */
function extend(ranges: number[], from: number, before: number): void {
  if (ranges.at(-1) === from) ranges[ranges.length - 1] = before;
  else ranges.push(from, before);
}

function bits(set: readonly number[], count: number): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(count / 8));
  for (const bit of set) bytes[bit >> 3]! |= 1 << (bit & 7);
  return bytes;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
}
