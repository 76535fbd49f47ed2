/**
 * Writes and reads the invisible marks of sections in a page's Markdown. The mark at the start of a section
 * contains the section's level and id. The search index is built from these sections.
 */

/**
 * First and last character of the mark at the start of a section. Level and id are between them. In ASCII,
 * like `siteUrlMark`.
 */
const open = "\x01";
const openEnd = "\x02";
/** Level of titled blocks, which rank below all headings. */
export const blockLevel = 7;
/** Level of changelog entries, which rank like headings of level 2. */
export const updateLevel = 8;

/**
 * Returns the mark at the start of a section. The rest of the line is the section's title. `level`: 1 to 6
 * for headings, `blockLevel` or `updateLevel` for blocks.
 */
export function openSection(level: number, id: string): string {
  return `${open}${level}${id}${openEnd}`;
}

/**
 * Mark at the end of a block, after which the outer section continues. Sections of headings have no end mark.
 */
export const closeSection = "\x03";

/** Removes all marks from a text. */
export function withoutMarks(text: string): string {
  return text.replace(/\x01[^\x01\x02]*\x02|[\x01-\x03]/g, "");
}

export interface PageSection {
  /** The id of the section's heading or block. Empty for the text that is in no other section. */
  anchor: string;
  /** Titles from the outermost section to this one, as Markdown. */
  headings: string[];
  /** Markdown of the section, without its heading and the sections inside it. */
  text: string;
}

interface OpenSection extends PageSection {
  level: number;
  /** Sections that contain this section. */
  outer: readonly OpenSection[];
}

interface OpenBlock {
  /** The section that continues after the block. */
  before: OpenSection;
  section: OpenSection;
}

/** Returns the sections of a page in order. Omits the first section, which has no id, if it has no text. */
export function sectionsOf(marked: string): PageSection[] {
  const first: OpenSection = { anchor: "", headings: [], text: "", level: 0, outer: [] };
  const sections = [first];
  const blocks: OpenBlock[] = [];
  let current = first;
  let position = 0;
  const take = (end: number) => {
    current.text += `\n\n${marked.slice(position, end)}`;
  };

  for (const match of marked.matchAll(/\x01(\d)([^\x01\x02]*)\x02([^\n\x01-\x03]*)|\x03/g)) {
    take(match.index);
    position = match.index + match[0].length;
    if (match[0] === closeSection) {
      current = blocks.pop()?.before ?? current;
      continue;
    }
    const [, kind, anchor = "", title = ""] = match;
    const level = Number(kind) === updateLevel ? 2 : Number(kind);
    const inside = blocks.at(-1)?.section;
    const outer = [...current.outer, current].filter(
      (section) => section.level < level || section === inside,
    );
    const section: OpenSection = {
      anchor,
      headings: [...(outer.at(-1)?.headings ?? []), plainHeading(title)],
      text: "",
      level,
      outer,
    };
    if (Number(kind) >= blockLevel) blocks.push({ before: current, section });
    current = section;
    sections.push(section);
  }

  take(marked.length);
  return sections
    .map(({ anchor, headings, text }) => ({ anchor, headings, text: tidy(text) }))
    .filter(({ anchor, text }) => anchor !== "" || text !== "");
}

function plainHeading(text: string): string {
  return text
    .replace(/^[#\s]+/, "")
    .replace(/^\*\*(.*)\*\*$/, "$1")
    .trim();
}

/**
 * Trims a text, collapses blank lines, and removes indentation and `>` marks that all nonblank lines have in
 * common.
 */
function tidy(text: string): string {
  const trimmed = text.replace(/\n{3,}/g, "\n\n").replace(/^\n+|[\s>]+$/g, "");
  const lines = trimmed.split("\n");
  const filled = lines.filter((line) => line.trim() !== "");
  if (filled.length && filled.every((line) => /^ *>/.test(line)))
    return tidy(lines.map((line) => line.replace(/^ *> ?/, "")).join("\n"));
  const by = Math.min(...filled.map((line) => /^ */.exec(line)![0].length));
  return by > 0 && Number.isFinite(by) ? lines.map((line) => line.slice(by)).join("\n") : trimmed;
}
