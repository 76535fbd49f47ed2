/** Cursors of lists that are ordered by a count, highest first, and then by a text. */

import { type RawBuilder, sql } from "kysely";
import { cursorParameter } from "./parameters.ts";

const pattern = /^(\d{1,15})-([\w-]{1,6000})$/;

/** Position in a list: the count and the text of the previous page's last item. */
export interface CountPosition {
  count: number;
  text: string;
}

export const countCursor = cursorParameter("`nextCursor` from the previous page.", pattern);

export function writeCountCursor({ count, text }: CountPosition): string {
  return `${count}-${Buffer.from(text).toString("base64url")}`;
}

export function readCountCursor(cursor: string | undefined): CountPosition | undefined {
  const [, count, text] = pattern.exec(cursor ?? "") ?? [];
  if (count === undefined || text === undefined) return undefined;
  // PostgreSQL's texts can't contain NUL characters.
  return { count: Number(count), text: Buffer.from(text, "base64url").toString("utf8").replaceAll("\0", "") };
}

/**
 * Returns a condition for the items after a cursor. `count` and `text` are the expressions that the list is
 * ordered by.
 */
export function afterCursor(
  cursor: string | undefined,
  count: RawBuilder<unknown>,
  text: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const after = readCountCursor(cursor);
  return after
    ? sql`(${count} < ${after.count} or ${count} = ${after.count} and ${text} > ${after.text})`
    : sql`true`;
}
