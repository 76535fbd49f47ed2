/** Scripts and styles of sites and the dashboard use nothing that the supported browsers lack. */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { transform } from "esbuild";
import { describe, expect, test } from "vitest";
import { browsers } from "../../scripts/build/browsers.js";
import { root } from "../engine/build.ts";

const dist = path.join(root, "dist");
const files = ["assets", "dashboard"].flatMap((folder) =>
  (readdirSync(path.join(dist, folder), { recursive: true }) as string[]).map((file) =>
    path.posix.join(folder, file),
  ),
);
const read = (file: string) => readFileSync(path.join(dist, file), "utf8");
const scripts = files.filter((file) => file.endsWith(".js"));
const styles = files.filter((file) => file.endsWith(".css"));

/** Features that at least one of the oldest supported browsers lacks. */
const newApis: Record<string, RegExp> = {
  "AbortSignal.any": /AbortSignal\.any\b/,
  "Array.fromAsync": /\bArray\.fromAsync\b/,
  "Array.prototype.toSorted and others": /\.(?:toSorted|toReversed|toSpliced)\(/,
  "Set methods":
    /\.(?:symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(|new Set\([^()]*\)\.(?:union|intersection|difference)\(/,
  "Promise.withResolvers and try": /\bPromise\.(?:withResolvers|try)\b/,
  "Object.groupBy": /\b(?:Object|Map)\.groupBy\b/,
  "URL.parse and canParse": /\bURL\.(?:parse|canParse)\b/,
  "iterator helpers":
    /\bIterator\.(?:from|prototype|concat)\b|(?<!Object)\.(?:(?:values|keys|entries)\(\)|matchAll\([^()]*\))\.(?:map|filter|take|drop|flatMap|toArray|some|every|find|reduce)\(/,
  "well-formed strings": /\.(?:isWellFormed|toWellFormed)\(/,
  "RegExp.escape": /\bRegExp\.escape\b/,
  "Uint8Array.fromBase64": /\bUint8Array\.from(?:Base64|Hex)\b|\.to(?:Base64|Hex)\(\)/,
  "Math.sumPrecise": /\bMath\.sumPrecise\b/,
  "ReadableStream.from": /\bReadableStream\.from\b/,
  "Intl.Segmenter": /\bIntl\.Segmenter\b/,
  "Intl.DurationFormat": /\bIntl\.DurationFormat\b/,
  requestIdleCallback: /\brequestIdleCallback\b/,
  checkVisibility: /\.checkVisibility\(/,
  popovers: /\.(?:show|hide|toggle)Popover\(/,
  "view transitions": /\.startViewTransition\(/,
  "close watchers": /\bCloseWatcher\b/,
  moveBefore: /\.moveBefore\(/,
  URLPattern: /\bnew URLPattern\b/,
  scheduler: /\bscheduler\.(?:yield|postTask)\b/,
  navigation: /\bnavigation\.(?:navigate|addEventListener)\(/,
  setHTML: /\.(?:setHTML|setHTMLUnsafe|getHTML)\(/,
};

describe.each(scripts)("%s", (file) => {
  test("has only syntax of the supported browsers", async () => {
    const options = { charset: "utf8", legalComments: "none", minifyWhitespace: true } as const;
    const [lowered, plain] = await Promise.all([
      transform(read(file), { ...options, target: browsers }),
      transform(read(file), { ...options, target: "esnext" }),
    ]);
    expect(lowered.code === plain.code).toBe(true);
  });

  test("uses only APIs of the supported browsers", () => {
    const text = read(file);
    // With a feature check, or in the profiler of a package, which nothing calls.
    let unchecked = text.replace(
      /\bIntl\.Segmenter\?.*?:|\.moveBefore&&.*?:|\bgetRecords\(\.\.\.\w\)\{.*?\}/g,
      "",
    );
    // mermaid.js, which runs first, adds what is missing.
    if (file.startsWith("assets/mermaid")) unchecked = unchecked.replaceAll("URL.canParse", "");
    expect(Object.keys(newApis).filter((name) => newApis[name]!.test(unchecked))).toEqual([]);
  });
});

test("the documentation names the oldest browsers", () => {
  const page = readFileSync(path.join(root, "docs/reference/browsers.mdx"), "utf8");
  const names = browsers.map((name) =>
    name.replace(/^\w/, (letter) => letter.toUpperCase()).replace(/\d/, " $&"),
  );
  expect(names.filter((name) => !page.includes(name) && !page.includes(name.replace(" ", " | ")))).toEqual(
    [],
  );
});

test("diagrams don't need URL.canParse", () => {
  expect(read("assets/mermaid/mermaid.js")).toContain("URL.canParse??=");
});

test.each(styles)("%s has icons in all browsers, and no rules that they skip", (file) => {
  const text = read(file);
  // Chrome before version 120 needs the prefix.
  const icons = text.match(/(?<!-webkit-)mask:var\(--[od]-i(?:con)?\)/g) ?? [];
  expect(text.match(/-webkit-mask:var\(--[od]-i(?:con)?\)/g) ?? []).toHaveLength(icons.length);
  expect(text).not.toMatch(
    /light-dark\(|@scope\b|@starting-style|@function\b|[{;}]&|\banchor\(|contrast-color\(/,
  );
});

test.each(["assets/octavo.css", "dashboard/dashboard.css"])(
  "%s has a color that old browsers know for each ground and border",
  (file) => {
    const text = read(file).replaceAll(": ", ":");
    const [fallback] = /@supports not \(color:oklch\(0 0 0\)\)\{.*?\}\}\}/.exec(text)!;
    const grounds = (css: string) => css.match(/--o-(?:bg|raised|surface(?:-2)?|border)(?=:oklch|:#)/g);
    const [light = "", dark] = [":root{color-scheme:light", ".dark{color-scheme:dark"].map(
      (start) => text.slice(text.indexOf(start)).split("}")[0]!,
    );
    const [ownLight, ownDark] = fallback.split(".dark{");
    // In light mode, some grounds are white.
    expect(grounds(ownLight!)).toEqual(grounds(light.replace(/--[\w-]+:#\w+;/g, "")));
    expect(grounds(ownDark!)).toEqual(["--o-bg", "--o-surface", "--o-surface-2", "--o-raised", "--o-border"]);
    expect(new Set(grounds(dark!))).toEqual(new Set(grounds(ownDark!)));
  },
);
