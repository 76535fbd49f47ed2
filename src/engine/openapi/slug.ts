/** Addresses of generated pages. The order of the steps is what other platforms do, so that links keep working. */

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
      // What an address or the name of a file cannot carry.
      .replace(/[?#%\\\u0000-\u001f\u007f]/g, "")
  );
}

export interface Named {
  kind: "operation" | "webhook";
  method: string;
  path: string;
  summary?: string | undefined;
  tag?: string | undefined;
}

/** Bytes of one part of an address: file systems take names of 255, and an ending follows. */
const part_bytes = 200;

/** `directory/tag/summary`; an operation without a summary is named by method and path, a webhook by its name. */
export function operationRoute(directory: string, { kind, method, path, summary, tag }: Named): string {
  const fallback = kind === "webhook" ? slugPart(path) || "webhook" : `${method.toLowerCase()}-${slugPart(path) || "root"}`;
  const parts = [directory, tag && slugPart(tag), (summary && slugPart(summary)) || fallback];
  return parts
    .filter(Boolean)
    .map((part) => (part === directory ? part : shorten(part!)))
    .join("/");
}

function shorten(part: string): string {
  let kept = "";
  let bytes = 0;
  for (const letter of part) {
    bytes += new TextEncoder().encode(letter).length;
    if (bytes > part_bytes) break;
    kept += letter;
  }
  return kept;
}
