/** Limits of a question to the assistant, checked by browser scripts and by hosts. Separate constants keep the scripts small. */

/** Characters of a question, and of each attached text. */
export const question_chars = 10_000;
/** Characters of the current page's path. */
export const currentPath_chars = 200;
/** Attached texts of a question. */
export const context_count = 10;
