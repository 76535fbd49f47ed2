/**
 * Limits for a question to the assistant, checked by browser scripts and by hosts. Kept separate from
 * `limits`, so that browser scripts don't include the other limits.
 */

/** Maximum length of a question, and of each attached text, in characters. */
export const question_chars = 10_000;
/** Maximum length of `currentPath`, the path of the reader's current page, in characters. */
export const currentPath_chars = 200;
/** Maximum number of texts attached to a question. */
export const context_count = 10;
