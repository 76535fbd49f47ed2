/**
 * Replaces lists of fields and examples that earlier pages of llms-full.txt contain by links to these pages,
 * since operations of an API share most of their responses.
 */

import { oneLine } from "../../base/one-line.ts";
import { fill } from "../i18n/messages.ts";

/** Minimum length of a block, and of the nested fields of a field, that are replaced, in characters. */
const block_chars = 120;
const nested_chars = 300;

/** A page that contains a block. `sameAs`: the message of a link, in the page's language. */
interface BlockPage {
  title: string;
  url: string;
  sameAs: string;
}

export class RepeatedBlocks {
  /** Links to the places that contain a block, by its text. */
  private readonly known = new Map<string, string>();

  /** Returns the Markdown of a page's reference with links instead of the blocks of earlier pages. */
  replaceIn(markdown: string, page: BlockPage): string {
    const written: string[] = [];
    let heading = "";
    for (const block of blocksOf(markdown)) {
      if (block.startsWith("#")) heading = block.slice(block.indexOf(" ") + 1);
      const place = heading ? `${page.title}: ${heading}` : page.title;
      if (block.length < block_chars || !/^(?:- |```)/.test(block)) written.push(block);
      else {
        const known = this.known.get(block);
        const text = known === undefined ? block : fill(page.sameAs, { name: known });
        // A list of fields and its example are usually on the same page.
        if (known !== undefined && written.at(-1) === text) continue;
        if (known === undefined) this.known.set(block, linkTo(place, page));
        written.push(
          known === undefined && block.startsWith("- ") ? this.list(block, "", place, page) : text,
        );
      }
    }

    return written.join("\n\n");
  }

  /**
   * Returns a list with links instead of nested fields that earlier fields have. `margin`: indent of its
   * items.
   */
  private list(text: string, margin: string, place: string, page: BlockPage): string {
    if (text.length < nested_chars) return text;
    const written: string[] = [];
    for (const item of text.split(new RegExp(`\\n(?=${margin}- )`))) {
      const end = item.indexOf(`\n${margin}  - `);
      const nested = end < 0 ? "" : item.slice(end + 1);
      if (nested.length < nested_chars) {
        written.push(item);
        continue;
      }

      const head = item.slice(0, end);
      const key = nested.replaceAll(`\n${margin}`, "\n").slice(margin.length);
      const known = this.known.get(key);
      if (known === undefined) {
        const name = /^\s*- `([^`]+)`/.exec(head)?.[1];
        this.known.set(key, linkTo(name === undefined ? place : `${place}, ${name}`, page));
      }
      const below =
        known === undefined
          ? this.list(nested, `${margin}  `, place, page)
          : `${margin}  - ${fill(page.sameAs, { name: known })}`;
      written.push(`${head}\n${below}`);
    }

    return written.join("\n");
  }
}

function linkTo(name: string, { url }: BlockPage): string {
  return `[${oneLine(name).replace(/[[\]]/g, "\\$&")}](${url})`;
}

/** Splits Markdown at the empty lines outside code. */
function blocksOf(markdown: string): string[] {
  const blocks: string[] = [];
  let fence = "";
  let start = 0;
  for (let at = 0; at <= markdown.length; ) {
    const end = markdown.indexOf("\n", at);
    const line = markdown.slice(at, end < 0 ? markdown.length : end);
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === "" && mark !== undefined) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = "";
    else if (line === "" && fence === "") {
      if (start < at) blocks.push(markdown.slice(start, at - 1));
      start = at + 1;
    }

    if (end < 0) break;
    at = end + 1;
  }

  if (start < markdown.length) blocks.push(markdown.slice(start));
  return blocks;
}
