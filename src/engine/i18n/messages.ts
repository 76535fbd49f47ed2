import type { messages as english } from "./en.ts";

type Translated<Group> = Record<keyof Group, string>;

/** Every text of the product's interface in one language. `{name}` is a placeholder that `fill` replaces. */
export interface Messages {
  /** Pages. */
  site: Translated<typeof english.site>;
  /** Search and assistant. */
  asking: Translated<typeof english.asking>;
  /** Answers that are written on the server. */
  answer: Translated<typeof english.answer>;
  /** Request playground. */
  playground: Translated<typeof english.playground>;
}

export type SiteMessages = Messages["site"];
export type AskingMessages = Messages["asking"];
export type PlaygroundMessages = Messages["playground"];

/** Replaces `{name}` by the value of that name. Placeholders without a value are unchanged. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
}
