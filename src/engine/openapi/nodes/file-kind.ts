import { type Located, own, ownText, texts } from "./refs.ts";

const fileFamilies =
  /^(?:(?:image|audio|video|font)\/.*|application\/(?:octet-stream|pdf|zip|gzip|x-gzip|x-tar|tar|x-7z-compressed|x-rar-compressed|vnd\.rar))$/i;

/** Returns how a text contains a file. Undefined for other texts. */
export function fileKind(nodes: readonly Located[]): "binary" | "base64" | undefined {
  for (const { value } of nodes) {
    const type = own(value, "type");
    if (type !== undefined && type !== "string" && type !== "file" && !texts(type).includes("string"))
      continue;
    if (type === "file") return "binary";
    const format = ownText(value, "format");
    if (format === "binary") return "binary";
    if (format === "base64") return "base64";
    const mediaType = ownText(value, "contentMediaType");
    if (mediaType !== undefined && fileFamilies.test(mediaType))
      return /^base64(?:url)?$/i.test(ownText(value, "contentEncoding") ?? "") ? "base64" : "binary";
  }
  return undefined;
}
