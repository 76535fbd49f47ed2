/** How the assistant is opened. */
export interface Opening {
  question?: string;
  /** The question is sent at once. */
  sends?: boolean;
  attachment?: Attachment;
  /** It takes no focus: the reader came for the page. */
  isQuiet?: boolean;
}

/** A part of the page that goes along with the next question, as the message endpoint has it. */
export interface Attachment {
  type: "code" | "textSelection";
  value: string;
  path: string;
}

/** Kept while the assistant stands beside the page: it does on the next page too. `themeInit` reads it before the first paint. */
export const openKey = "octavo-assistant-open";

/** From here on it stands beside the text. */
export const besideText = "(min-width: 64rem)";
