/**
 * HTML with holes. Long parts of a page that are already in UTF-8 are inserted without being decoded, and a
 * layout that many pages share is rendered only once.
 */

/**
 * Matches holes. Authors can't write them: `<` is escaped in all texts and attributes, and no tag name starts
 * with this character.
 */
const holes = /<\0(\w+)>/;

/** Returns HTML that stands for a part, which `Template` inserts. */
export function hole(name: string): string {
  return `<\0${name}>`;
}

export class Template {
  /** Every second piece is the name of a part. */
  private readonly pieces: readonly string[];

  constructor(html: string) {
    this.pieces = html.split(holes);
  }

  /** Returns the pieces of the document, in order. `parts`: HTML by name. */
  fill<Part>(parts: Readonly<Record<string, Part>>): (string | Part)[] {
    return this.pieces.map((piece, index) => (index % 2 ? parts[piece]! : piece));
  }
}
