/**
 * Types and constants for opening the assistant, and for keeping it open when the reader goes to another
 * page.
 */

/** Options for opening the assistant. */
export interface Opening {
  /** A question to send immediately. */
  question?: string;
  attachment?: Attachment;
  /** Whether to leave the focus unchanged. */
  keepsFocus?: boolean;
}

/** A part of the page that is sent with the next question, in the format of the message endpoint. */
export interface Attachment {
  type: "code" | "textSelection";
  value: string;
  path: string;
}

/**
 * Key in `sessionStorage`, set while the assistant's column is open, so that the next page also opens the
 * column. `themeInit` reads the key before the first paint.
 */
export const openKey = "octavo-assistant-open";

/** Media query for screens that show the assistant as a column next to the text. */
export const columnLayout = "(min-width: 64rem)";
