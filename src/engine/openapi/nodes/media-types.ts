/** Compares and classifies media types. */

/** Whether a media type is JSON, such as `application/json` or `application/problem+json`. */
export function isJson(mediaType: string): boolean {
  return /^[^/;]+\/(?:[^;]*\+)?json\s*(?:;|$)/i.test(mediaType.trim());
}

/** Whether a media type is XML, such as `text/xml` or `image/svg+xml`. */
export function isXml(mediaType: string): boolean {
  return /^[^/;]+\/(?:[^;]*\+)?xml\s*(?:;|$)/i.test(mediaType.trim());
}

/** Whether a media type is YAML, such as `application/yaml` (RFC 9512), `text/x-yaml` or `text/vnd.yaml`. */
export function isYaml(mediaType: string): boolean {
  return /^[^/;]+\/(?:[^;]*[+.-])?yaml\s*(?:;|$)/i.test(mediaType.trim());
}

/**
 * Returns the declared media type that matches an input: exactly, or else by type and subtype. Undefined if
 * there is none.
 */
export function mediaTypeOf<T extends { type: string }>(
  content: readonly T[],
  mediaType: string,
): T | undefined {
  return (
    content.find(({ type }) => type === mediaType) ??
    content.find(({ type }) => essenceOf(type) === essenceOf(mediaType))
  );
}

/** Returns a media type without parameters, in lowercase: `text/html; charset=utf-8` → `text/html`. */
export function essenceOf(mediaType: string): string {
  return mediaType.split(";", 1)[0]!.trim().toLowerCase();
}

/** Whether a media type is in a range such as `image/*`. False if `range` isn't a range. */
export function isInRange(mediaType: string, range: string): boolean {
  return range === "*/*" || (range.endsWith("/*") && mediaType.startsWith(range.slice(0, -1)));
}
