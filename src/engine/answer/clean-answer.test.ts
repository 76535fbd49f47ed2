import fc from "fast-check";
import type { Nodes, Root } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { describe, expect, test } from "vitest";
import { CitationSupport } from "./citation-support.ts";
import { AnswerCleaner, cited } from "./clean-answer.ts";

const options = {
  origin: "https://docs.example.com",
  isOwnPath: (path: string) => !path.includes("hidden"),
  sections_count: 3,
};

function clean(text: string, cuts: readonly number[] = [], support?: CitationSupport): string {
  const cleaner = new AnswerCleaner({ ...options, ...(support ? { support } : {}) });
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  let out = "";
  let from = 0;
  for (const place of [...places, text.length]) {
    out += cleaner.push(text.slice(from, place));
    from = place;
  }
  return out + cleaner.end();
}

const parser = unified().use(remarkParse).use(remarkGfm);

/** Links, images, HTML and bare URLs in the rendered text. */
function live(markdown: string): string[] {
  const found: string[] = [];
  const visit = (node: Nodes) => {
    if (
      node.type === "html" ||
      node.type.startsWith("image") ||
      node.type === "definition" ||
      node.type.startsWith("footnote")
    )
      found.push(node.type);
    if (node.type === "link" && !/^(?:https:\/\/docs\.example\.com)?\/(?!\/)/.test(node.url))
      found.push(`link ${node.url}`);
    if (node.type === "link" && node.url.includes("hidden")) found.push(`link ${node.url}`);
    if ("children" in node) for (const child of node.children) visit(child);
  };
  visit(parser.parse(markdown) as Root);
  // Renderers can turn URLs in text, but not in code, into links.
  const tree = parser.runSync(parser.parse(markdown)) as Root;
  const texts = (node: Nodes): string[] =>
    node.type === "text"
      ? [node.value]
      : "children" in node && node.type !== "link"
        ? node.children.flatMap(texts)
        : [];
  for (const text of texts(tree))
    if (/https?:\/\/|\bwww\.|[\w.+-]@[\w-]+\.\w/i.test(text)) found.push(`text ${text}`);
  return found;
}

/** Answers that could make a browser contact a different host. */
const carriers: readonly string[] = [
  "![x](https://sink.test/?q=1)",
  "![x](//sink.test/a.png)",
  "![x][r]\n\n[r]: https://sink.test/a.png",
  "![r][]\n\n[r]: https://sink.test/a.png",
  "![r]\n\n[r]: https://sink.test/a.png",
  "![x](/own.png)",
  "![x](<https://sink.test/a b.png> 'title')",
  "![a ![b](https://sink.test/b)](https://sink.test/a)",
  "[![x](https://sink.test/i.png)](/quickstart)",
  "[![x](https://sink.test/i.png)](https://sink.test)",
  "!\u200b[x](https://sink.test)",
  "\\![x](https://sink.test)",
  "a@\\_sink.test",
  "a@\\-sink.test",
  "&#33;[x](https://sink.test)",
  "! [9][x](/quickstart)",
  "![9]![x](/quickstart)",
  "!<b>[x](/quickstart)",
  '<img src="https://sink.test/a.png">',
  "<img\nsrc=https://sink.test/a.png\n>",
  "<IMG SRC=https://sink.test/a.png",
  "&lt;img src=https://sink.test/a.png&gt;",
  "<[9]img src=https://sink.test/a.png>",
  "<im<b>g src=x onerror=alert(1)>",
  "<svg><image href='https://sink.test/a'/></svg>",
  "<svg/onload=alert(1)>",
  "<a href='https://sink.test'>here</a>",
  "<iframe src=https://sink.test></iframe>",
  "<style>@import 'https://sink.test/a.css'</style>",
  "<script>fetch('https://sink.test')</script>",
  "<!-- --><img src=x><!-- -->",
  "<!--><img src=x>-->",
  "<?php echo 1 ?><img src=x>",
  "<![CDATA[<img src=x>]]>",
  "<details open ontoggle=alert(1)>",
  "<custom-element onclick=alert(1)>x</custom-element>",
  "[here](https://sink.test/?q=1)",
  "[here](//sink.test)",
  "[here](/\\sink.test)",
  "[here](\\\\sink.test)",
  "[here](/\t/sink.test)",
  "[here](https&colon;//sink.test)",
  "[here](/&sol;sink.test)",
  "[here](https:&#47;&#47;sink.test)",
  "[here](javascript:alert(1))",
  "[here](java\u200bscript:alert(1))",
  "[here](JaVaScRiPt&colon;alert(1))",
  "[here](data:text/html,<script>alert(1)</script>)",
  "[here](vbscript:x)",
  "[here](https://docs.example.com@sink.test/)",
  "[here](https://docs.example.com.sink.test/)",
  "[here](https://docs.example.com//sink.test/)",
  "[here](/hidden/page)",
  "[here]( <//sink.test> )",
  "[he\nre](https://sink.test)",
  "[here](\nhttps://sink.test)",
  "[here](https://sink.test 'a\nb')",
  "[he[re](https://sink.test)",
  "[he]re](https://sink.test)",
  "[here][r]\n\n[r]: https://sink.test",
  "[1]: https://sink.test\n\nsee [1]",
  "> [1]:\n> https://sink.test\n\nsee [1]",
  "- [1]: //sink.test\n\n[1][1]",
  "[1](https://sink.test)",
  "[1](//sink.test",
  "[1] [2](//sink.test)",
  "[1][9](//sink.test)",
  "[1]<b>(//sink.test)",
  "\\[1](//sink.test)",
  "[^1]\n\n[^1]: https://sink.test",
  "[[here]](https://sink.test)",
  "<https://sink.test>",
  "<mailto:a@sink.test>",
  "<a@sink.test>",
  "https://sink.test/a_b_(c)",
  "HTTPS://SINK.TEST",
  "hTTp\u200b://sink.test",
  "https\\://sink.test",
  "https:\\/\\/sink.test",
  "https&#58;//sink.test",
  "https&colon;//sink.test",
  "a&commat;sink.test",
  "ht[9]tps://sink.test",
  "ht<b>tps:</b>//sink.test",
  "www.sink.test",
  "www\\.sink.test",
  "ww[9]w.sink.test",
  "(www.sink.test)",
  "_www.sink.test_",
  "ftp://sink.test",
  "a@sink.test",
  "a.b+c@sink.test",
  "a\\@sink.test",
  "a&#64;sink.test",
  "a[9]@sink[9].test",
  "mailto:a@sink.test",
  "xmpp:a@sink.test/x",
  "see:https://sink.test,http://sink.test",
  "`a <img src=x>",
  "`a\n\n<img src=x>`",
  "`a\n- <img src=x>`",
  "`a\n> <img src=x>` b",
  "``a` <img src=x>",
  "`a``b` <img src=x> ``",
  "\\`<img src=x>`",
  "\\\\`<img src=x>\\`<img src=x>",
  "`a`https://sink.test`b`",
  "a\\https://sink.test",
  "[a `](https://sink.test)` b](/quickstart)",
  "| a | `x |<img src=x>|`\n|-|-|-|\n",
  "a | b\n-|-\n`c | <img src=x>`",
  "`x |<img src=x>| y`\n|-|-|-|",
  "- `x |<img src=x>| y`\n  |-|-|-|",
  "> `x |<img src=x>| y`\n> |-|-|-|",
  "```\ncode",
  "```\n<img src=x>\n``` x\n<img src=x>",
  "> ```\n> code\n<img src=x>",
  "> ```\n<img src=x>\n> ```",
  "- ```\n  code\n<img src=x>",
  "- a\n\n  ```\n<img src=x>\n  ```\n<img src=x>",
  "text\n    ```\n<img src=x>\n    ```",
  "1. ```\n   code\n   ```\n   <img src=x>",
  "~~~\n```\n~~~\n<img src=x>\n```",
  "```a`b\n<img src=x>\n```",
  `~~~${"x".repeat(400)}\n<img src=x>\n~~~\n<img src=x>`,
  "```` \n```\n<img src=x>\n````\n<img src=x>",
  "<b>```\n<img src=x>\n```",
  "```html\n<img src=x>\n```<img src=x>",
  "$$\n```\n$$\n<img src=x>\n```",
];

describe("allowed content of an answer", () => {
  test.each(carriers.map((carrier) => [carrier]))("%j", (carrier) => {
    expect(live(clean(carrier))).toEqual([]);
    expect(live(clean(`Text before ${carrier} and after.`))).toEqual([]);
    for (let cut = 1; cut < Math.min(carrier.length, 80); cut++)
      expect(clean(carrier, [cut])).toBe(clean(carrier));
    expect(
      clean(
        carrier,
        [...carrier].map((_, i) => i),
      ),
    ).toBe(clean(carrier));
  });

  test.each([
    [
      "Plain *prose*, **strong** and `code`: 3 < 4, a_b, 50 % & more!",
      "Plain *prose*, **strong** and `code`: 3 < 4, a_b, 50 % & more!",
    ],
    ["See [the quickstart](/quickstart#run) [1][2].", "See [the quickstart](/quickstart#run) [1][2]."],
    [
      "See [here](https://docs.example.com/quickstart?x=1#run).",
      "See [here](https://docs.example.com/quickstart#run).",
    ],
    [
      "See https://docs.example.com/quickstart.",
      "See [https://docs.example.com/quickstart](https://docs.example.com/quickstart).",
    ],
    ["Use [`run()`](/api/run) now", "Use [`run()`](/api/run) now"],
    ["It is so [1, 3], not [7] [0].", "It is so [1][3], not  ."],
    [
      "In `a[1]` and\n```js\nb[1] // https://x.test\n```\n",
      "In `a[1]` and\n\n```js\nb[1] // https://x.test\n```\n",
    ],
    ["See [GitHub](https://github.com/x) or https://github.com/x.", "See GitHub or `https://github.com/x`."],
    ["1. Do\n   ```bash\n   npm i\n     x\n   ```\n2. Then", "1. Do\n\n```bash\nnpm i\n  x\n```\n2. Then"],
    ["Set <your-key> &amp; go<br>on <b>now</b>", "Set `<your-key>` & go on now"],
    ["| a | b |\n|---|---|\n| `x` | y |\n", "| a | b |\n|---|---|\n| `x` | y |\n"],
    ["> ```\n> a\n>  b\nText", "```\na\n b\n```\nText"],
    ["```a``` and b", "```a``` and b"],
    ["a\u200bb\u202ec\u00ad", "abc"],
    ["```js\nopen", "```js\nopen\n```\n"],
    ["mail a@b.test, npm i @scope/x", "mail a`@b.test`, npm i @scope/x"],
  ])("%j", (text, expected) => {
    expect(clean(text)).toBe(expected);
  });

  test("prose is output immediately", () => {
    const cleaner = new AnswerCleaner(options);
    const deltas = ["The", " quick", "start", " shows", " how it", " runs", ".\n", "Then", " **go** on"];
    expect(deltas.map((delta) => cleaner.push(delta))).toEqual(deltas);
  });

  test("the output is not delayed for long", () => {
    for (const opening of [
      "[",
      "`",
      "<img ",
      "<x ",
      "![a](",
      "[a](",
      "https://",
      "&",
      "```",
      "`".repeat(5_000),
    ]) {
      const cleaner = new AnswerCleaner(options);
      const given = cleaner.push(opening + "a".repeat(5_000)).length;
      expect(given, opening).toBeGreaterThan(2_500);
    }
  });

  const pieces = fc.constantFrom(
    ..."[ ] ( ) < > ! ` `` ``` ~~~ \\ \n \n\n | - > * _ : / // @ . & &lt; &#91; &#96; [1] [9] [1]: ](/own) ](//sink.test) https:// www. sink.test a img <img <b> $ $$ # 1. \t \u200b".split(
      " ",
    ),
    " ",
    "\n    ",
    "\n|-|-|\n",
    "\n- ",
    "\n> ",
  );
  const hostile = fc.array(pieces, { maxLength: 40 }).map((found) => found.join(""));

  test("the output does not depend on the boundaries of deltas", () => {
    fc.assert(
      fc.property(
        fc.oneof(hostile, fc.constantFrom(...carriers)),
        fc.array(fc.nat(), { maxLength: 12 }),
        (text, cuts) => {
          expect(clean(text, cuts)).toBe(clean(text));
        },
      ),
      { numRuns: 3_000, examples: [["[\\\n> ](//sink.test)", [2]]] },
    );
  });

  test("arbitrary input has no live content", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(live(clean(text))).toEqual([]);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe("citations", () => {
  test("are returned in the order of their first occurrence, without those in code", () => {
    expect(cited("A [2], `[1]` and [3][2].\n\n```\n[1]\n```\n\\[1]")).toEqual([2, 3]);
    expect(cited("```\n[1]")).toEqual([]);
  });

  test("are renumbered while the answer streams", () => {
    const order: number[] = [];
    const cleaner = new AnswerCleaner({ ...options, order });
    expect(cleaner.push("A [3] and [1], again [3], [8].\n") + cleaner.end()).toBe(
      "A [1] and [2], again [1], .\n",
    );
    expect(order).toEqual([3, 1]);
  });
});

describe("citations are compared with their sections", () => {
  const sections = [
    {
      title: "Keys",
      text: "Create a key in the settings. A key expires after 90 days and can be rotated before that, up to three times.",
    },
    {
      title: "Webhooks",
      text: "Each webhook request is signed with the secret of its endpoint. The service needs Node 20.19 and sends 1,000 bytes.",
    },
  ];
  const support = new CitationSupport({ sections, language: "en" }, "Can I use 17 keys?");
  const rows: [name: string, text: string, expected: string][] = [
    ["a supported citation", "A key expires after 90 days [1].", "A key expires after 90 days [1]."],
    [
      "a citation after the end of the sentence",
      "A key expires after 90 days. [1] Rotate it.",
      "A key expires after 90 days. [1] Rotate it.",
    ],
    ["a citation of another section", "A key expires after 90 days [2].", "A key expires after 90 days."],
    [
      "two citations, one supported",
      "A key expires after 90 days [2][1].",
      "A key expires after 90 days[1].",
    ],
    [
      "an unsourced claim",
      "The moon is made of green cheese. Rotate it.",
      "The moon is made of green cheese. [?] Rotate it.",
    ],
    [
      "an unsourced list item",
      "- The moon is made of green cheese\n- ok",
      "- The moon is made of green cheese [?]\n- ok",
    ],
    [
      "a sentence that a section contains",
      "Each webhook request is signed with the secret.",
      "Each webhook request is signed with the secret.",
    ],
    [
      "headings, questions and introductions",
      "# Where the green moon cheese is\n\nIs the moon made of green cheese?",
      "# Where the green moon cheese is\n\nIs the moon made of green cheese?",
    ],
    [
      "code",
      "```js\nconst moon = 'made of green cheese'. then\n```\n",
      "```js\nconst moon = 'made of green cheese'. then\n```\n",
    ],
    [
      "another language",
      "Der Mond ist aus grünem Käse gemacht [1].",
      "Der Mond ist aus grünem Käse gemacht [1].",
    ],
    ["a wrong number", "A key expires after 30 days [1].", "A key expires after 30 days. [?]"],
    [
      "a wrong number in another language",
      "Ein Schlüssel läuft nach 30 Tagen ab [1].",
      "Ein Schlüssel läuft nach 30 Tagen ab. [?]",
    ],
    [
      "a number of another section",
      "The service sends 1000 bytes with the secret of its endpoint [1][2].",
      "The service sends 1000 bytes with the secret of its endpoint[2].",
    ],
    [
      "a number that the section writes as a word",
      "A key can be rotated up to 3 times [1].",
      "A key can be rotated up to 3 times [1].",
    ],
    [
      "a shortened version and another separator",
      "The service needs Node 20 and sends 1.000 bytes [2].",
      "The service needs Node 20 and sends 1.000 bytes [2].",
    ],
    [
      "the number of the question",
      "You can create 17 keys in the settings [1].",
      "You can create 17 keys in the settings [1].",
    ],
    [
      "numbers of list items and in names",
      "7. A key in the settings expires with sha256 [1].",
      "7. A key in the settings expires with sha256 [1].",
    ],
  ];
  test.each(rows)("%s", (_name, text, expected) => {
    expect(clean(text, [], support)).toBe(expected);
    for (let cut = 1; cut < text.length; cut++)
      expect(clean(text, [cut], support), String(cut)).toBe(expected);
  });
});

test.each([
  ["/guide", "/docs/guide"],
  ["/docs/guide", "/docs/guide"],
  ["guide#part", "/docs/guide#part"],
  ["/docs", "/docs/"],
  ["https://example.com/docs/guide", "https://example.com/docs/guide"],
  ["https://example.com/guide", undefined],
  ["https://example.com/docsets/guide", undefined],
  ["/docs/other", undefined],
])("on a site below a path, a link to %s leads to %s", (href, expected) => {
  const isOwnPath = (path: string) => path === "/guide" || path === "/";
  const cleaner = new AnswerCleaner({ origin: "https://example.com/docs", isOwnPath, sections_count: 0 });
  const text = cleaner.push(`See [the guide](${href}).`) + cleaner.end();
  expect(text).toBe(expected === undefined ? "See the guide." : `See [the guide](${expected}).`);
});
