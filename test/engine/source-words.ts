/**
 * Finds the words of an MDX source that readers should see: prose, code, alternative texts and the texts in
 * props. Knows nothing of the engine: it only removes what isn't text, such as imports, comments, expressions
 * and the syntax of tags.
 */

/** Props whose values are texts. */
const textProps = new Set("alt caption cta description headline hint label placeholder title tip".split(" "));

interface SourceWord {
  word: string;
  /** `audience`: in a `<Visibility>` element. */
  kind: "prose" | "code" | "prop" | "alt" | "audience";
  line: number;
}

/** Returns the words of a page in order. */
export function sourceWords(source: string): SourceWord[] {
  const found: SourceWord[] = [];
  const frontmatter = /^\s*---\n[\s\S]*?\n---[ \t]*(?:\n|$)/.exec(source)?.[0] ?? "";
  const lines = source.slice(frontmatter.length).split("\n");
  const first = frontmatter.split("\n").length;
  let audiences = 0;
  const add = (text: string, kind: SourceWord["kind"], line: number) => {
    for (const word of wordsIn(text.replace(/\{\{\s*[\w.-]+\s*\}\}/g, " ")))
      found.push({ word, kind: audiences > 0 ? "audience" : kind, line });
  };
  let prose: { text: string; line: number }[] = [];
  const flush = () => {
    addProse(prose, add);
    prose = [];
  };
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    if (/<Visibility\b/.test(line)) {
      flush();
      audiences++;
    }
    if (/<\/Visibility>/.test(line)) {
      flush();
      audiences--;
    }
    const fence = /^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})/.exec(line);
    if (fence) {
      flush();
      const end = new RegExp(`^[\\s>]*${fence[1]![0]}{${fence[1]!.length},}\\s*$`);
      for (index++; index < lines.length && !end.test(lines[index]!); index++)
        add(lines[index]!.replace(/\[!code[^\]]*\]/, ""), "code", first + index);
    } else if (/^(?:import|export)\s/.test(line)) {
      flush();
      while (index + 1 < lines.length && !isEndOfModule(lines, index)) index++;
    } else prose.push({ text: line, line: first + index });
  }
  flush();
  return found;
}

/**
 * Whether an import or export ends at this line: a blank line follows, and all brackets of its text are
 * closed.
 */
function isEndOfModule(lines: readonly string[], index: number): boolean {
  if (lines[index + 1]!.trim() !== "") return false;
  let open = 0;
  for (let at = index; at >= 0; at--) {
    for (const c of lines[at]!) open += "([{".includes(c) ? 1 : ")]}".includes(c) ? -1 : 0;
    if (/^(?:import|export)\s/.test(lines[at]!)) break;
  }
  return open <= 0;
}

/** Adds the words of text with tags, expressions and inline code. */
function addProse(
  lines: readonly { text: string; line: number }[],
  add: (text: string, kind: SourceWord["kind"], line: number) => void,
): void {
  const text = lines.map((line) => line.text).join("\n");
  const lineAt = (offset: number) => (lines[0]?.line ?? 1) + text.slice(0, offset).split("\n").length - 1;
  const syntax =
    /(?<code>(?<ticks>`+)(?!`)(?:(?!\n\n)[\s\S])*?(?<!`)\k<ticks>(?!`))|(?<comment>\{\/\*[\s\S]*?\*\/\}|<!--[\s\S]*?-->)|(?<tag><\/?[A-Za-z][\w.-]*(?:\s+(?:[\w:-]+(?:=(?:"[^"]*"|'[^']*'|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}))?|\{[^{}]*\}))*\s*\/?>)|(?<expression>(?<!\\)\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})|!\[(?<alt>[^\]]*)\]\([^)]*\)|(?<=\])(?<url>\((?:[^()\n]|\([^()\n]*\))*\))|^\s*\[[^\]]+\]:\s*(?<target>\S.*)$|(?<id>\{#[^}]*\})/gm;
  let end = 0;
  for (const match of text.matchAll(syntax)) {
    add(text.slice(end, match.index), "prose", lineAt(end));
    end = match.index + match[0].length;
    const { code, tag, alt } = match.groups!;
    if (code !== undefined) add(code, "code", lineAt(match.index));
    if (alt !== undefined) add(alt, "alt", lineAt(match.index));
    for (const [, name, double, single] of (tag ?? "").matchAll(/\s([\w-]+)=(?:"([^"]*)"|'([^']*)')/g))
      if (textProps.has(name!))
        add(double ?? single ?? "", name === "alt" ? "alt" : "prop", lineAt(match.index));
  }
  add(text.slice(end), "prose", lineAt(end));
}

/** Returns the words of a text: at least three letters or digits, in lowercase. */
export function wordsIn(text: string): string[] {
  return (
    text
      .replace(/&(?:#\d+|#x[\da-f]+|\w+);/gi, " ")
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? []
  );
}

/** Returns how often each word is in a text. */
export function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsIn(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Returns how often each word is in an HTML page: in its text and its attributes. */
export function countWordsOfHtml(html: string): Map<string, number> {
  const inner = html.replace(/<(?:script|style)\b[\s\S]*?<\/(?:script|style)>/g, " ");
  const entities: Record<string, string> = {
    "&amp;": "&",
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&#39;": "'",
  };
  const decode = (text: string) => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!);
  // Tags in a word, such as in highlighted code, don't divide it. Other tags do.
  const joined = countWords(decode(decode(inner.replace(/<[^>]*>/g, ""))));
  const apart = countWords(decode(decode(inner.replace(/<[^>]*>/g, " "))));
  const attributes = countWords(
    decode([...inner.matchAll(/="([^"]*)"/g)].map(([, value]) => value).join(" ")),
  );
  const all = new Set([...joined.keys(), ...apart.keys(), ...attributes.keys()]);
  return new Map(
    [...all].map((word) => [
      word,
      Math.max(joined.get(word) ?? 0, apart.get(word) ?? 0) + (attributes.get(word) ?? 0),
    ]),
  );
}
