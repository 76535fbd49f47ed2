/** Characters that would end a literal or start an interpolation are escaped in each language. */

import { expect, test } from "vitest";
import {
  bash,
  c,
  csharp,
  dart,
  go,
  java,
  javascript,
  kotlin,
  php,
  powershell,
  python,
  ruby,
  rust,
  swift,
} from "./literals.ts";

const writers = {
  bash,
  c,
  csharp,
  dart,
  go,
  java,
  javascript,
  kotlin,
  php,
  powershell,
  python,
  ruby,
  rust,
  swift,
};

const hostile = `'"\\$x#{y}\n`;

test.each([
  ["python", `"'\\"\\\\$x#{y}\\n"`],
  ["javascript", `"'\\"\\\\$x#{y}\\n"`],
  ["java", `"'\\"\\\\$x#{y}\\n"`],
  ["go", `"'\\"\\\\$x#{y}\\n"`],
  ["csharp", `"'\\"\\\\$x#{y}\\n"`],
  ["kotlin", `"'\\"\\\\\\$x#{y}\\n"`],
  ["ruby", `"'\\"\\\\$x\\#{y}\\n"`],
  ["swift", `"'\\"\\\\$x#{y}\\n"`],
  ["rust", `"'\\"\\\\$x#{y}\\n"`],
  ["dart", `'\\'"\\\\\\$x#{y}\\n'`],
  ["c", `"'\\"\\\\$x#{y}\\n"`],
  ["php", `"'\\"\\\\\\$x#{y}\\n"`],
  ["bash", `''\\''"\\$x#{y}\n'`],
  ["powershell", `'''"\\$x#{y}\n'`],
] as const)("%s", (language, expected) => {
  expect(writers[language](hostile)).toBe(expected);
});

test.each([
  ["php", `it's $x \\`, `'it\\'s $x \\\\'`],
  ["c", "what??!", `"what?\\?!"`],
  ["bash", "a\u0000'\\", `$'a\\x00\\'\\\\'`],
  ["powershell", "\u001b\u201d$x`", '"$([char]0x1b)`\u201d`$x``"'],
] as const)("%s: %j", (language, text, expected) => {
  expect(writers[language](text)).toBe(expected);
});
