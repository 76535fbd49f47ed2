/** Limits of a question to the assistant, which pages and hosts both check. Constants, so that scripts of pages contain only these. */

/** Characters of a question, and of a text that it is about. */
export const question_chars = 10_000;
/** Characters of the path of the page that it is asked on. */
export const currentPath_chars = 200;
/** Passages that the reader selected to ask about. */
export const context_count = 10;
