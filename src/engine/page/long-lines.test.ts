/** Long texts take time in proportion to their length. With quadratic time, these tests wouldn't end. */

import type { Root } from "mdast";
import { expect, test } from "vitest";
import { cleanSvg } from "../html/clean-svg.ts";
import { checkImageSizes } from "./check-text.ts";
import { withoutExternalSvg } from "./external-svg.ts";
import { prepare } from "./prepare-mdx.ts";
import { withoutQuotesInUrls } from "./quoted-urls.ts";

const characters = 1_000_000;
const prepared = (text: string) =>
  prepare(text, { file: "a.mdx", linesBefore: 0, variables: new Map(), math: true, report() {} }).text;

function withLink(url: string): Root {
  const position = {
    start: { line: 1, column: 1, offset: 0 },
    end: { line: 1, column: 1, offset: url.length },
  };
  const link = { type: "link" as const, url, children: [{ type: "text" as const, value: url }], position };
  return { type: "root", children: [{ type: "paragraph", children: [link] }] };
}

test.each<[string, () => unknown]>([
  ["blanks in a heading", () => prepared(`# a${" ".repeat(characters)}x {#`)],
  ["dollars", () => prepared("$a ".repeat(characters / 3))],
  ["comments", () => prepared("<!-- ".repeat(characters / 5))],
  ["code", () => prepared("`$5` ".repeat(characters / 5))],
  ["starts of URLs", () => withoutQuotesInUrls(withLink("http://"), `"${"http://".repeat(characters / 7)}`)],
  [
    "quotes in a URL",
    () => withoutQuotesInUrls(withLink(`http://a${'"'.repeat(characters)}x`), `http://a${'"'.repeat(9)}`),
  ],
  ...[
    "<!DOCTYPE",
    "<!DOCTYPE [",
    "<!DOCTYPE>",
    "<!DOCTYPE []>",
    "<!--",
    "<![CDATA[",
    "<?",
    "&#65;",
    "<style>",
    "<style>@import",
    "<style></style>",
    "<script>",
    "<a ",
    "<a b='",
    "<a b=",
    "<image href='",
    " =",
    "]",
    "<a b='c'",
    "<a b='c' ",
    "&a",
    "<!ENTITY a 'b'>",
  ].map((part): [string, () => unknown] => [
    `${part} in an SVG file`,
    () => withoutExternalSvg(Buffer.from(`<svg>${part.repeat(characters / part.length)}`)),
  ]),
  [
    "attributes in an SVG file",
    () => withoutExternalSvg(Buffer.from(`<svg${" a='b'".repeat(characters / 6)}/>`)),
  ],
  [
    "imports in an SVG file",
    () => withoutExternalSvg(Buffer.from(`<style>${"@import".repeat(140_000)}</style>`)),
  ],
  [
    "digits after an image's URL",
    () => checkImageSizes(`![a](b =${"1".repeat(characters)}`, { file: "a.mdx" }, () => undefined),
  ],
  ["comments in an icon", () => cleanSvg(`<svg>${"<!--".repeat(characters / 4)}`)],
  ["instructions in an icon", () => cleanSvg(`<svg>${"<?".repeat(49_000)}`)],
  ["doctypes in an icon", () => cleanSvg(`<svg>${"<!DOCTYPE".repeat(11_000)}`)],
])("%s", { timeout: 30_000 }, (_name, read) => {
  expect(() => read()).not.toThrow();
});
