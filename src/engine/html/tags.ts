/**
 * Reads and changes the tags of rendered HTML. Values of attributes are in quotes, and `<` in text is
 * escaped.
 */

/** Elements whose content isn't markup. */
const textElements = new Set(["script", "style", "textarea", "title"]);

/** Finds the next occurrences of texts in HTML, in linear time if the positions of the calls only grow. */
class NextTexts {
  private readonly html: string;
  /** The last result for each text: the position of the search, and of the occurrence or -1. */
  private readonly found = new Map<string, { from: number; at: number }>();

  constructor(html: string) {
    this.html = html;
  }

  /** Like `indexOf`. */
  next(text: string, from: number): number {
    const known = this.found.get(text);
    if (known && from >= known.from && (known.at < 0 || known.at >= from)) return known.at;
    const at = this.html.indexOf(text, from);
    this.found.set(text, { from, at });
    return at;
  }
}

interface Attribute {
  /** In lowercase. */
  name: string;
  /** As in the HTML, where it's escaped. */
  value: string;
  /** Position of the whitespace before the name. */
  start: number;
  /** Position after the closing quote. */
  end: number;
}

/** A start tag, or the end tag of an element. */
export class Tag {
  private readonly html: string;
  /** In lowercase. */
  readonly name: string;
  readonly isEnd: boolean;
  readonly start: number;
  /** Position after the name. */
  private readonly nameEnd: number;
  /** Position after `>`. */
  readonly end: number;
  private texts: NextTexts | undefined;
  private read: Attribute[] | undefined;

  /**
   * `start`: position of `<`. `nameStart`: position of the first letter. `texts`: of all tags of the HTML.
   */
  constructor(html: string, start: number, nameStart: number, texts?: NextTexts) {
    this.html = html;
    this.texts = texts;
    this.start = start;
    this.isEnd = nameStart > start + 1;
    this.nameEnd = endOfName(html, nameStart);
    this.name = html.slice(nameStart, this.nameEnd).toLowerCase();
    this.end = endOfTag(html, this.nameEnd);
  }

  get text(): string {
    return this.html.slice(this.start, this.end);
  }

  get attributes(): readonly Attribute[] {
    return (this.read ??= attributesIn(this.html, this.nameEnd, this.end));
  }

  /**
   * Returns the value of an attribute as in the HTML, where it's escaped. Undefined if the tag doesn't have
   * the attribute.
   */
  value(name: string): string | undefined {
    return this.attributes.find((attribute) => attribute.name === name)?.value;
  }

  /**
   * Returns the tag with other attributes: `changed` contains HTML by name, such as ` class="a"`, and `added`
   * follows the tag's name.
   */
  withAttributes(changed: Readonly<Record<string, string | undefined>>, added = ""): string {
    let text = this.html.slice(this.start, this.nameEnd) + added;
    let done = this.nameEnd;
    for (const { name, start, end } of this.attributes) {
      const other = Object.hasOwn(changed, name) ? changed[name] : undefined;
      if (other === undefined) continue;
      text += this.html.slice(done, start) + other;
      done = end;
    }
    return text + this.html.slice(done, this.end);
  }

  /**
   * Returns the position after the next end tag with this name. If there is none, returns the position after
   * this tag.
   */
  elementEnd(): number {
    this.texts ??= new NextTexts(this.html);
    const end = this.texts.next(`</${this.name}>`, this.end);
    return end < 0 ? this.end : end + this.name.length + 3;
  }
}

/** Yields the start tags and end tags in HTML, except those in style sheets, scripts and comments. */
export function* tagsIn(html: string): Generator<Tag> {
  const texts = new NextTexts(html);
  let at = html.indexOf("<");
  while (at >= 0) {
    const isEnd = html.charCodeAt(at + 1) === 47;
    const nameStart = isEnd ? at + 2 : at + 1;
    let end = at + 1;
    if (isLetter(html.charCodeAt(nameStart))) {
      const tag = new Tag(html, at, nameStart, texts);
      yield tag;
      end = tag.end;
      if (!isEnd && textElements.has(tag.name)) end = Math.max(end, texts.next(`</${tag.name}`, end));
    } else if (html.startsWith("<!--", at)) end = Math.max(end, texts.next("-->", at));
    at = html.indexOf("<", end);
  }
}

/** What to insert instead of a tag. `end`: end of the replaced part. Default: the end of the tag. */
export interface TagReplacement {
  text: string;
  end?: number;
}

/**
 * Replaces tags in HTML. `replace` is called for each tag that isn't in a replaced part. The tag is kept if
 * the result is undefined.
 */
export function replaceTags(html: string, replace: (tag: Tag) => TagReplacement | undefined): string {
  let replaced = "";
  let done = 0;
  for (const tag of tagsIn(html)) {
    if (tag.start < done) continue;
    const replacement = replace(tag);
    if (!replacement) continue;
    replaced += html.slice(done, tag.start) + replacement.text;
    done = replacement.end ?? tag.end;
  }
  return done === 0 ? html : replaced + html.slice(done);
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

/** Whether a character ends a name: whitespace, `/`, `=` or `>`. */
function endsName(code: number): boolean {
  return code === 62 || code === 61 || code === 47 || code <= 32;
}

function endOfSpace(html: string, start: number): number {
  let at = start;
  while (html.charCodeAt(at) <= 32) at++;
  return at;
}

function endOfName(html: string, start: number): number {
  let at = start;
  while (at < html.length && !endsName(html.charCodeAt(at))) at++;
  return at;
}

/** Returns the position after the `>` that isn't in a quoted value. */
function endOfTag(html: string, start: number): number {
  let at = start;
  for (; at < html.length; at++) {
    const code = html.charCodeAt(at);
    if (code === 62) return at + 1;
    if (code === 34 || code === 39) at = endOfQuotes(html, at) - 1;
  }
  return at;
}

/** Returns the position after a quoted value. `start`: position of the opening quote. */
function endOfQuotes(html: string, start: number): number {
  const end = html.indexOf(html[start]!, start + 1);
  return end < 0 ? html.length : end + 1;
}

function attributesIn(html: string, start: number, end: number): Attribute[] {
  const attributes: Attribute[] = [];
  let at = start;
  while (at < end - 1) {
    const space = at;
    at = endOfSpace(html, at);
    const nameEnd = endOfName(html, at);
    const name = html.slice(at, nameEnd).toLowerCase();
    // A `/` at the end of a tag.
    if (name === "") {
      at++;
      continue;
    }
    at = nameEnd;
    let value = "";
    const equals = endOfSpace(html, nameEnd);
    if (html.charCodeAt(equals) === 61) {
      const valueStart = endOfSpace(html, equals + 1);
      const isQuoted = html[valueStart] === '"' || html[valueStart] === "'";
      at = isQuoted ? endOfQuotes(html, valueStart) : endOfName(html, valueStart);
      value = isQuoted ? html.slice(valueStart + 1, at - 1) : html.slice(valueStart, at);
    }
    attributes.push({ name, value, start: space, end: at });
  }

  return attributes;
}
