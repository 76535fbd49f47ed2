/**
 * Where sections begin in a page's Markdown: marks around its text that no reader sees. So the search knows which heading
 * a sentence belongs to, with the id that the page itself gives it.
 */

/** A heading, or a block with a title that links may lead to. */
const open = "\ue001";
const openEnd = "\ue002";
/** The level of blocks with titles, which lie below all headings; and of entries of a changelog, which are of the second level. */
export const blockLevel = 7;
export const updateLevel = 8;

/** A section begins: what follows on its line is its title. `level` as of headings, 1 to 6, or of blocks. */
export function openSection(level: number, id: string): string {
  return `${open}${level}${id}${openEnd}`;
}

/** A block ends, and what follows belongs to the section around it. Headings need none. */
export const closeSection = "\ue003";

export function withoutMarks(text: string): string {
  return text.replace(/\ue001[^\ue001\ue002]*\ue002|[\ue001-\ue003]/g, "");
}

export interface PageSection {
  /** Id of its heading; empty for what stands before the first one. */
  anchor: string;
  /** Titles from the outermost heading to its own, as Markdown. */
  headings: string[];
  /** Markdown, without the heading. */
  text: string;
}

interface OpenSection extends PageSection {
  level: number;
  /** Sections that were open when it began. */
  around: readonly OpenSection[];
}

interface OpenBlock {
  /** What goes on when the block ends. */
  before: OpenSection;
  section: OpenSection;
}

/** In the order of the page; the beginning is left out when there is nothing before the first heading. */
export function sectionsOf(marked: string): PageSection[] {
  const first: OpenSection = { anchor: "", headings: [], text: "", level: 0, around: [] };
  const sections = [first];
  const blocks: OpenBlock[] = [];
  let current = first;
  let position = 0;
  const take = (end: number) => {
    current.text += `\n\n${marked.slice(position, end)}`;
  };
  for (const match of marked.matchAll(/\ue001(\d)([^\ue001\ue002]*)\ue002([^\n\ue001-\ue003]*)|\ue003/g)) {
    take(match.index);
    position = match.index + match[0].length;
    if (match[0] === closeSection) {
      current = blocks.pop()?.before ?? current;
      continue;
    }
    const [, kind, anchor = "", title = ""] = match;
    const level = Number(kind) === updateLevel ? 2 : Number(kind);
    const inside = blocks.at(-1)?.section;
    const around = [...current.around, current].filter((section) => section.level < level || section === inside);
    const section: OpenSection = {
      anchor,
      headings: [...(around.at(-1)?.headings ?? []), plainHeading(title)],
      text: "",
      level,
      around,
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

/** What a block left at the edges: the marks of a list or of a quotation that the whole section stands in. */
function tidy(text: string): string {
  const trimmed = text.replace(/\n{3,}/g, "\n\n").replace(/^\n+|[\s>]+$/g, "");
  const lines = trimmed.split("\n");
  const filled = lines.filter((line) => line.trim() !== "");
  if (filled.length && filled.every((line) => /^ *>/.test(line))) return tidy(lines.map((line) => line.replace(/^ *> ?/, "")).join("\n"));
  const by = Math.min(...filled.map((line) => /^ */.exec(line)![0].length));
  return by > 0 && Number.isFinite(by) ? lines.map((line) => line.slice(by)).join("\n") : trimmed;
}
