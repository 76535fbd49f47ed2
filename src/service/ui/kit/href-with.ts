export type Query = Readonly<Record<string, string | undefined>>;

/** Returns a URL path with query parameters. Omits parameters without a value. */
export function hrefWith(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value);
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}
