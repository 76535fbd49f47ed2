/**
 * A printed page has all of its content: what readers can open or scroll to on the screen, and nothing that
 * only works there.
 */

import path from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { runOctavo, siteOf, temporaryFolder, writeFiles } from "../engine/build.ts";
import { useChromium } from "./chromium.ts";
import { pdfText } from "./pdf-text.ts";

const folder = temporaryFolder();
const { open } = useChromium();

const long = "a-very-long-word-".repeat(20);
const page = `---
title: Print me
---

<Tabs>
<Tab title="First tab">ALPHA</Tab>
<Tab title="Second tab">BRAVO

<Tabs><Tab title="Inner one">Text.</Tab><Tab title="Inner two">KILO</Tab></Tabs>
</Tab>
</Tabs>

<AccordionGroup>
<Accordion title="Question">CHARLIE

<Accordion title="Inner question">LIMA</Accordion>
</Accordion>
</AccordionGroup>

<CodeGroup>
\`\`\`bash one.sh
echo ECHO
\`\`\`
\`\`\`bash two.sh
echo ${long} FOXTROT
\`\`\`
</CodeGroup>

<CodeGroup dropdown>
\`\`\`bash three.sh
echo three
\`\`\`
\`\`\`bash four.sh
echo MIKE
\`\`\`
</CodeGroup>

<Expandable title="more"><ResponseField name="x" type="string">GOLF</ResponseField></Expandable>

\`\`\`json expandable
${Array.from({ length: 60 }, (_, i) => `"k${i}": 1,`).join("\n")}
"last": "HOTEL"
\`\`\`

\`\`\`bash lines
curl -X POST https://api.example.com/${long} INDIA
\`\`\`

\`\`\`text {1}
${long} NOVEMBER
\`\`\`

<pre>${long} OSCAR</pre>

| A | B | C | D |
| --- | --- | --- | --- |
| ${long} | ${long} | ${long} | JULIETT |

<details><summary>Fold</summary>PAPA</details>

$$
${Array.from({ length: 40 }, (_, i) => `x_{${i}}`).join(" + ")} + Q
$$

<Prompt description="Ask an agent">QUEBEC</Prompt>

<View title="One">ROMEO</View>

<View title="Two">SIERRA</View>
`;

beforeAll(async () => {
  await runOctavo([
    "build",
    writeFiles(path.join(folder, "docs"), siteOf({ "index.mdx": page })),
    "--out",
    path.join(folder, "site"),
  ]);
});

test.each([true, false])("with scripts: %s", (javaScriptEnabled) =>
  open(
    pathToFileURL(path.join(folder, "site/index.html")).href,
    async (opened) => {
      const text = pdfText(await opened.pdf({ format: "A4" }));
      const words =
        "ALPHA BRAVO CHARLIE ECHO FOXTROT GOLF HOTEL INDIA JULIETT KILO LIMA MIKE NOVEMBER OSCAR PAPA QUEBEC ROMEO SIERRA";
      expect(words.split(" ").filter((word) => !text.includes(word))).toEqual([]);
      const titles =
        "First tab|Second tab|Inner one|Inner two|Question|Inner question|one.sh|two.sh|three.sh|four.sh|more|Fold";
      expect(titles.split("|").filter((title) => !text.includes(title.replaceAll(" ", "")))).toEqual([]);
      expect(text).not.toMatch(/Expand|Collapse/);
    },
    { javaScriptEnabled },
  ),
);

test("on paper, no line of code and no table is wider than the page", () =>
  open(
    pathToFileURL(path.join(folder, "site/index.html")).href,
    async (opened) => {
      await opened.emulateMedia({ media: "print" });
      const wide = await opened.evaluate(
        "[...document.querySelectorAll('.o-body pre, .o-body table, .o-body td')].filter((element) => element.getBoundingClientRect().right > innerWidth || element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0).map((element) => element.outerHTML.slice(0, 60))",
      );
      expect(wide).toEqual([]);
    },
    { viewport: { width: 700, height: 900 } },
  ));
