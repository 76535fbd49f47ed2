/**
 * Where sections begin in a page's Markdown: marks around its text that no reader sees. So the search knows which heading
 * a sentence belongs to, with the id that the page itself gives it.
 */

/** A heading, or a block with a title that links may lead to. */
const open = "\ue001";
const openEnd = "\ue002";
const close = "\ue003";

/** A section begins: what follows on its line is its title. `level` as of headings, 1 to 6. */
export function openSection(level: number, id: string): string {
  return `${open}${level}${id}${openEnd}`;
}

/** A block ends, and what follows belongs to the section around it. Headings need none. */
export const closeSection = close;

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
  around: OpenSection[];
}

/** In the order of the page; sections without any text are left out unless they are a heading. */
export function sectionsOf(marked: string): PageSection[] {
  const first: OpenSection = { anchor: "", headings: [], text: "", level: 0, around: [] };
  const sections = [first];
  const blocks: OpenSection[] = [];
  let current = first;
  let position = 0;
  const take = (end: number) => {
    current.text += `\n\n${marked.slice(position, end)}`;
  };
  for (const match of marked.matchAll(/\ue001(\d)([^\ue001\ue002]*)\ue002([^\n\ue001-\ue003]*)|\ue003/g)) {
    take(match.index);
    position = match.index + match[0].length;
    if (match[0] === close) {
      current = blocks.pop() ?? current;
      continue;
    }
    const level = Number(match[1]);
    const around = [...current.around, current].filter((section) => section.level < level);
    const title = plainHeading(match[3]!);
    if (level === blockLevel) blocks.push(current);
    current = { anchor: match[2]!, headings: [...(around.at(-1)?.headings ?? []), title], text: "", level, around };
    sections.push(current);
  }
  take(marked.length);
  return sections
    .map(({ anchor, headings, text }) => ({ anchor, headings, text: tidy(text) }))
    .filter(({ anchor, text }) => anchor !== "" || text !== "");
}

/** Blocks with titles lie below all headings. */
export const blockLevel = 7;

function plainHeading(text: string): string {
  return text
    .replace(/^[#\s]+/, "")
    .replace(/^\*\*(.*)\*\*$/, "$1")
    .trim();
}

/** What a block left at the edges: the mark of a list or of a quotation whose text begins another section. */
function tidy(text: string): string {
  const trimmed = text.replace(/\n{3,}/g, "\n\n").replace(/^\n+|[\s>]+$/g, "");
  const indents = trimmed.split("\n").flatMap((line) => (line.trim() ? [/^ */.exec(line)![0].length] : []));
  const by = Math.min(...indents);
  return by > 0 && Number.isFinite(by) ? trimmed.replaceAll(new RegExp(`^ {${by}}`, "gm"), "") : trimmed;
}
