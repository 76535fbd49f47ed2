/** Reads the text of PDF documents that Chromium has printed. */

import { inflateSync } from "node:zlib";

/** Returns the text in the order in which it is drawn, without blanks and line breaks. */
export function pdfText(pdf: Buffer): string {
  const objects = new Map<string, string>();
  const source = pdf.toString("latin1");
  for (const { 1: id, index, 0: start } of source.matchAll(/(?:^|\n)(\d+) 0 obj\n/g)) {
    const at = index + start.length;
    objects.set(id!, source.slice(at, source.indexOf("endobj", at)));
  }
  const streamOf = (id: string) => {
    const object = objects.get(id) ?? "";
    const data = object.slice(object.indexOf("stream") + 7, object.lastIndexOf("endstream"));
    return /FlateDecode/.test(object) ? inflateSync(Buffer.from(data, "latin1")).toString("latin1") : data;
  };
  /** Characters of each font by the number of their glyph. */
  const fonts = new Map<string, Map<string, string>>();
  const fontOf = (id: string) => {
    const known =
      fonts.get(id) ?? glyphsOf(streamOf(/\/ToUnicode (\d+)/.exec(objects.get(id) ?? "")?.[1] ?? ""));
    fonts.set(id, known);
    return known;
  };
  // A page refers to its content. A form, which is a part of a page, contains it.
  const drawn = [...objects].filter(([, object]) => /\/Type \/Page\b|\/Subtype \/Form\b/.test(object));
  return drawn
    .map(([id, object]) => {
      const names = new Map(
        [...object.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, font]) => [name!, font!]),
      );
      const content = streamOf(/\/Contents (\d+)/.exec(object)?.[1] ?? id);
      let font = new Map<string, string>();
      return [...content.matchAll(/\/(F\d+) [\d.-]+ Tf|<([\da-fA-F]+)>/g)]
        .map(([, name, hex]) => {
          if (name !== undefined) font = fontOf(names.get(name)!);
          const digits_count = [...font.keys()][0]?.length ?? 4;
          return (hex?.match(new RegExp(`.{${digits_count}}`, "g")) ?? [])
            .map((glyph) => font.get(glyph.toUpperCase()) ?? "")
            .join("");
        })
        .join("");
    })
    .join("")
    .replace(/\s/g, "");
}

function glyphsOf(map: string): Map<string, string> {
  const glyphs = new Map<string, string>();
  const textOf = (hex: string) => Buffer.from(hex, "hex").swap16().toString("utf16le");
  for (const [, block] of map.matchAll(/beginbfchar\s([\s\S]*?)endbfchar/g))
    for (const [, glyph, text] of block!.matchAll(/<([\da-fA-F]{2,4})> <([\da-fA-F]+)>/g))
      glyphs.set(glyph!.toUpperCase(), textOf(text!));
  for (const [, block] of map.matchAll(/beginbfrange\s([\s\S]*?)endbfrange/g))
    for (const [, first, last, text] of block!.matchAll(
      /<([\da-fA-F]{2,4})> <([\da-fA-F]{2,4})> <([\da-fA-F]{4})>/g,
    ))
      for (let at = Number.parseInt(first!, 16); at <= Number.parseInt(last!, 16); at++)
        glyphs.set(
          at.toString(16).toUpperCase().padStart(first!.length, "0"),
          String.fromCharCode(Number.parseInt(text!, 16) + at - Number.parseInt(first!, 16)),
        );
  return glyphs;
}
