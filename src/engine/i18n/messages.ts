/** Defines the types of a locale's messages, and fills their placeholders. */

type English = typeof import("./en.json");

type Translated<Group> = Record<keyof Group, string>;

/**
 * The messages of a documentation site's interface in one language. `{name}` is a placeholder that `fill`
 * replaces.
 */
export interface Messages {
  /** Messages on pages. */
  site: Translated<English["site"]>;
  /** Messages of search and assistant. */
  asking: Translated<English["asking"]>;
  /** Messages in answers that the server writes. */
  answer: Translated<English["answer"]>;
  /** Messages of the request playground. */
  playground: Translated<English["playground"]>;
  /**
   * Constraints of a value, by keyword, on API pages and in the playground. See `fillCount` for messages with
   * a `|`.
   */
  constraints: Translated<English["constraints"]>;
}

export type SiteMessages = Messages["site"];
export type AskingMessages = Messages["asking"];
export type ConstraintMessages = Messages["constraints"];
/** Messages that the playground's script loads. */
export type PlaygroundMessages = Messages["playground"] & Pick<Messages, "constraints">;

/** Replaces each `{name}` with the value of that name. Placeholders without a value are unchanged. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}

/**
 * Fills `{value}` in a message that can have a form for 1 before a `|`, as in `{value} item|{value} items`.
 */
export function fillCount(text: string, value: string): string {
  const [one, other = one] = text.split("|") as [string, string?];
  return fill(value === "1" ? one : other, { value });
}
