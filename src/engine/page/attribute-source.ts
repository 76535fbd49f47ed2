/** Reads the attributes of JSX tags as they are in the source. */

import type { MdxJsxAttribute, MdxJsxExpressionAttribute } from "mdast-util-mdx";

/** Returns an attribute as JSX. */
export function attributeSource(attribute: MdxJsxAttribute | MdxJsxExpressionAttribute): string {
  if (attribute.type === "mdxJsxExpressionAttribute") return `{${attribute.value}}`;
  const { name, value } = attribute;
  if (value === null || value === undefined) return name;
  return `${name}={${typeof value === "string" ? JSON.stringify(value) : value.value}}`;
}

/** Parses a simple constant without a JavaScript parser. Undefined for other expressions. */
export function constant(source: string): string | number | boolean | undefined {
  const text = source.trim();
  if (text === "true") return true;
  if (text === "false") return false;
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(text)) return Number(text);
  return /^"[^"\\]*"$|^'[^'\\]*'$/.test(text) ? text.slice(1, -1) : undefined;
}
