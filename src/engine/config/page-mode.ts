/** Layouts of a page. */
export const pageModes = ["default", "wide", "custom", "frame", "center", "assistant"] as const;
export type PageMode = (typeof pageModes)[number];
