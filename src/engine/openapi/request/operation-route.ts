/**
 * Creates the routes of generated pages, which are compatible with other platforms, so that existing links
 * keep working.
 */

/** Converts a text to a part of a route: `Get user by ID` → `get-user-by-id`. The result can be empty. */
export function slugPart(text: string): string {
  return (
    text
      .replaceAll(" ", "-")
      .replace(/\{[^{}]*\}/g, "-")
      .replace(/^-/, "")
      .replace(/-$/, "")
      .replace(/[{}(),.'/\n]/g, "")
      .replaceAll("--", "-")
      .toLowerCase()
      // Characters that are invalid in a URL path or a file name.
      .replace(/[?#\\\u0000-\u001f\u007f]/g, "")
  );
}

export interface OperationNaming {
  kind: "operation" | "webhook";
  method: string;
  path: string;
  summary?: string | undefined;
  tag?: string | undefined;
}

/**
 * Maximum length of each segment after the directory, in bytes. Common file systems allow 255, and the file
 * name also has an extension.
 */
const part_bytes = 200;

/**
 * Returns the route of an operation's page: `directory/tag/summary`. If there is no summary, the last part is
 * the method and path of an operation, or the name of a webhook.
 */
export function operationRoute(
  directory: string,
  { kind, method, path, summary, tag }: OperationNaming,
): string {
  const fallback =
    kind === "webhook" ? slugPart(path) || "webhook" : `${method.toLowerCase()}-${slugPart(path) || "root"}`;
  const parts = [directory, tag && slugPart(tag), (summary && slugPart(summary)) || fallback];
  return parts
    .filter(Boolean)
    .map((part) => (part === directory ? part : shorten(part!)))
    .join("/");
}

function shorten(part: string): string {
  // A UTF-16 code unit has at most three bytes in UTF-8.
  if (3 * part.length <= part_bytes) return part;
  let shortened = "";
  let bytes = 0;
  for (const character of part) {
    bytes += new TextEncoder().encode(character).length;
    if (bytes > part_bytes) break;
    shortened += character;
  }
  return shortened;
}
