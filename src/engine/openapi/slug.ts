/** Paths of generated pages. The order of the replacements matches other platforms, so that existing links keep working. */

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
      .replace(/[?#%\\\u0000-\u001f\u007f]/g, "")
  );
}

export interface OperationNaming {
  kind: "operation" | "webhook";
  method: string;
  path: string;
  summary?: string | undefined;
  tag?: string | undefined;
}

/** Maximum bytes of one path segment. File systems allow 255, and an extension is added. */
const part_bytes = 200;

/** `directory/tag/summary`; an operation without a summary is named by method and path, a webhook by its name. */
export function operationRoute(directory: string, { kind, method, path, summary, tag }: OperationNaming): string {
  const fallback = kind === "webhook" ? slugPart(path) || "webhook" : `${method.toLowerCase()}-${slugPart(path) || "root"}`;
  const parts = [directory, tag && slugPart(tag), (summary && slugPart(summary)) || fallback];
  return parts
    .filter(Boolean)
    .map((part) => (part === directory ? part : shorten(part!)))
    .join("/");
}

function shorten(part: string): string {
  let shortened = "";
  let bytes = 0;
  for (const character of part) {
    bytes += new TextEncoder().encode(character).length;
    if (bytes > part_bytes) break;
    shortened += character;
  }
  return shortened;
}
