/** Damages texts of sources in the ways in which editors, merges and attackers do. */

const odd = [
  "{",
  "}",
  "<",
  "</",
  "/>",
  "<Card",
  "</Steps>",
  "<Tabs><Tab title=",
  "<!--",
  "-->",
  "```",
  "~~~~",
  "$$",
  "---\n",
  "\n---\n",
  "| a |\n| - |\n",
  "import X from './x.mdx'\n",
  "\nexport const a = () => { while (true) {} }\n\n{a()}\n",
  "{(() => { throw 1 })()}",
  "{[].constructor}",
  '"',
  "'",
  "\\",
  "\u0000",
  "\ud800",
  "\ufeff",
  "\u202e",
  "\u2028",
  "\r",
  "\t",
  "&#0;",
  "&#xD800;",
  "[a]: <",
  "[^1]",
  "![](",
  "__proto__",
  "constructor",
  "1e400",
  "-0",
  "null",
  "*a: &a [*a]\n",
  ": &x !!js/function 'x'\n",
  "<<<<<<< HEAD\n",
  "=======\n",
  ">>>>>>> other\n",
  "%00",
  "../../../../etc/passwd",
  "javascript:alert(1)",
  "{".repeat(2_000),
  "[".repeat(2_000),
  "<a>".repeat(1_000),
  "- ".repeat(1_000),
  "> ".repeat(1_000),
  "*".repeat(2_000),
  "`".repeat(2_000),
  "a".repeat(100_000),
  "😀".repeat(5_000),
];

/** Returns a damaged copy of a text. `other`: text that a part is taken from. */
export function damaged(text: string, other: string, random: (below: number) => number): string {
  const place = () => random(text.length + 1);
  const [from, to] = [place(), place()].sort((a, b) => a - b) as [number, number];
  const part = text.slice(from, Math.min(to, from + 2_000));
  const token = odd[random(odd.length)]!;

  switch (random(8)) {
    case 0:
      return text.slice(0, from) + text.slice(to);
    case 1:
      return text.slice(0, from) + part + part + text.slice(from);
    case 2:
      return text.slice(0, from);
    case 3:
      return text.slice(0, from) + other.slice(random(other.length + 1)).slice(0, 5_000) + text.slice(from);
    case 4:
      return text.replace(/[\w"'<{:[\]}>/]/g, (sign) => (random(400) ? sign : token.slice(0, 20)));
    case 5:
      return text.split("\n").reverse().join("\n");
    default:
      return text.slice(0, from) + token + text.slice(from);
  }
}
