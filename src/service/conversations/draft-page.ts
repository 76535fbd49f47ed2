/** Writes the draft of a page that answers unanswered questions. */

import { pathOf } from "../ui/url-path.ts";

/** Questions that use the same words. */
export interface DraftQuestions {
  /** The heading for the answer. */
  question: string;
  /** The same question in other spellings, as readers asked it. */
  others: readonly string[];
}

export interface DraftPage {
  /** Name of the file, with its extension. */
  name: string;
  content: string;
}

/** Maximum length of the name of the file, without its extension, in characters. */
const name_chars = 60;
/** Maximum length of a question in the draft, in characters. */
const draftQuestion_chars = 200;

/**
 * Returns an MDX file with the questions as headings, and links to related sections. `groups` must not be
 * empty. The texts are readers' words, so they are escaped.
 */
export function draftPage(
  groups: readonly DraftQuestions[],
  sections: readonly { title: string; url: string }[],
): DraftPage {
  const title = plain(groups[0]!.question);

  const headings = groups.flatMap(({ question, others }) => [
    `## ${escaped(plain(question))}`,
    others.length
      ? `{/* Also asked as: ${others.map((other) => `“${plain(other).replaceAll("*/", "* /")}”`).join(", ")} */}`
      : "{/* Write the answer here. */}",
  ]);

  const related = sections.map(({ title, url }) => `- [${escaped(plain(title))}](${hrefOf(url)})`);
  const parts = [
    `---\ntitle: ${JSON.stringify(title)}\n---`,
    "{/* Draft from questions that the assistant couldn't answer. Reword the title and the headings, and add the page to docs.json. */}",
    ...headings,
    ...(related.length ? ["## Related pages", related.join("\n")] : []),
  ];

  return { name: `${nameOf(title)}.mdx`, content: `${parts.join("\n\n")}\n` };
}

/** Returns the path of a URL, without characters that end a link in MDX. */
function hrefOf(url: string): string {
  return pathOf(url).replace(/[^\w\-./#?=&%~]/gu, (character) =>
    character === "(" ? "%28" : character === ")" ? "%29" : encodeURIComponent(character.toWellFormed()),
  );
}

function nameOf(title: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  let name = "";
  for (const word of words) if (`${name}-${word}`.length <= name_chars) name += `${name && "-"}${word}`;
  return name || "draft";
}

/**
 * Returns a text on one line, without control characters, without the marks of HTML comments, which hide what
 * is between them, and without those of variables, which are replaced even in code.
 */
function plain(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, " ")
    .replace(/<(?=!--)|--(?=>)|\{(?=\{)/g, "$& ")
    .replace(/\s+/g, " ")
    .trim();
  return line.slice(0, draftQuestion_chars).toWellFormed();
}

/**
 * Escapes plain text for use in MDX. URLs and email addresses become code, because escapes don't keep them
 * from becoming links.
 */
function escaped(text: string): string {
  return text
    .split(/((?:https?:\/\/|www\.)[^\s`]+|[^\s`@]+@[^\s`@]+)/i)
    .map((part, index) => (index % 2 ? `\`${part}\`` : part.replace(/[\\`*_~[\]<>{}|&$#!]/g, "\\$&")))
    .join("");
}
