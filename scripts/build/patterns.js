// Converts the patterns of Shiki's grammars to JavaScript regular expressions, so that builds don't have to.
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { defaultJavaScriptRegexConstructor } from "shiki/engine/javascript";
import { bundledLanguages } from "shiki/langs";
import { asciiSource } from "./ascii-source.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Languages whose grammars are converted: the common ones in documentation. Others are converted when they
 * are used.
 */
const languages =
  "bash bat c csharp css dart diff docker dotenv elixir go graphql groovy hcl html http ini java javascript json json5 jsonc jsx kotlin lua make markdown mdx nginx perl php powershell prisma proto python r ruby rust scala scss shellsession solidity sql svelte swift terraform toml tsx typescript vue xml yaml".split(
    " ",
  );

/**
 * Folder with a file `<grammar>.json` for each grammar. It's created once for each version of Shiki, the
 * converter and this script.
 */
export async function patternFiles() {
  const hash = createHash("sha256");
  const sources = [
    "node_modules/shiki/package.json",
    "node_modules/oniguruma-to-es/package.json",
    "scripts/build/patterns.js",
    "scripts/build/ascii-source.js",
  ];
  for (const file of sources) hash.update(await readFile(path.join(root, file)));
  const folder = path.join(root, `node_modules/.cache/octavo/patterns-${hash.digest("hex").slice(0, 16)}`);
  if ((await readdir(folder).catch(() => [])).length > 0) return folder;
  const made = `${folder}.new`;
  await rm(made, { recursive: true, force: true });
  await mkdir(made, { recursive: true });
  const grammars = new Map();
  for (const name of languages)
    for (const grammar of (await bundledLanguages[name]()).default) grammars.set(grammar.name, grammar);
  for (const grammar of grammars.values())
    await writeFile(path.join(made, `${grammar.name}.json`), JSON.stringify(convertPatterns(grammar)));
  await rename(made, folder);
  return folder;
}

/**
 * The grammar's patterns, each with what `ConvertedPatterns` needs. Patterns that can't be converted have
 * nothing.
 */
export function convertPatterns(grammar) {
  const patterns = new Set(patternsIn(grammar).flatMap(variantsOf));
  return Object.fromEntries([...patterns].map((pattern) => [pattern, convert(pattern)]));
}

function convert(pattern) {
  try {
    const { source, flags, rawOptions } = defaultJavaScriptRegexConstructor(pattern, { target: "ES2024" });
    const forms = [source, flags, asciiSource(source, flags) ?? null];
    return rawOptions ? [...forms, rawOptions] : forms;
  } catch {
    return [];
  }
}

function patternsIn(value) {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === "string"
      ? ["match", "begin", "end", "while"].includes(key)
        ? [item]
        : []
      : patternsIn(item),
  );
}

/**
 * The forms in which the tokenizer uses a pattern: it replaces `\z`, and disables `\A` and `\G` where they
 * can't match.
 */
function variantsOf(pattern) {
  const source = replaceEscapes(pattern, { z: "$(?!\\n)(?<!\\n)" });
  const disabled = "\\\uffff";
  return [{}, { A: disabled }, { G: disabled }, { A: disabled, G: disabled }].map((escapes) =>
    replaceEscapes(source, escapes),
  );
}

function replaceEscapes(pattern, escapes) {
  return pattern.replace(/\\([\s\S])/g, (escape, letter) => escapes[letter] ?? escape);
}
