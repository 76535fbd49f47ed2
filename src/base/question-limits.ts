/**
 * Limits for a question to the assistant, checked by browser scripts and by hosts. They are separate from `limits`, so that
 * scripts don't contain the other limits.
 */

/** Maximum number of characters of a question, and of each attached text. */
export const question_chars = 10_000;
/** Maximum number of characters of the path of the page that the reader is on. */
export const currentPath_chars = 200;
/** Maximum number of attached texts of a question. */
export const context_count = 10;
