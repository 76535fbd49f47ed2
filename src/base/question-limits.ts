/**
 * Limits of a question to the assistant, checked by browser scripts and by hosts. They are separate constants so that scripts
 * stay small.
 */

/** Maximum number of characters of a question, and of each attached text. */
export const question_chars = 10_000;
/** Maximum number of characters of the current page's path. */
export const currentPath_chars = 200;
/** Maximum number of attached texts of a question. */
export const context_count = 10;
