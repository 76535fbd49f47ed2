/**
 * Returns the file name for a download: the name in `Content-Disposition`, or else a name that is based on
 * the media type.
 */
export function downloadName(headers: [string, string][], type: string): string {
  const disposition = headers.find(([name]) => name.toLowerCase() === "content-disposition")?.[1] ?? "";
  const given = /filename="?([^";]+)"?/i
    .exec(disposition)?.[1]
    ?.replace(/[/\\\0-\x1f]/g, "_")
    .trim();
  if (given) return given;
  const extension =
    type
      .split("/")[1]
      ?.replace(/^.*\+/, "")
      .replace(/[^a-z0-9]/g, "") || "bin";
  return `response.${extension === "octetstream" ? "bin" : extension === "plain" ? "txt" : extension}`;
}
