import { expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../test/engine/build.ts";

test("problems in a snippet don't have a line of the page that includes it", async () => {
  const { problems } = await buildSiteFrom(
    siteOf({
      "index.mdx": 'import Part from "/snippets/part.mdx"\n\n<Part>\n  [Broken](/gone-1)\n</Part>\n',
      "snippets/part.mdx":
        'One.\n\nTwo.\n\n<Icon icon="no-such-icon-here" />\n\n[Broken](/gone-2)\n\n{children}\n',
    }),
  );
  expect(problems.map(({ message, file, line }) => [message, file, line])).toEqual([
    ["Page not found: /gone-2", "index.mdx", undefined],
    ['Icon not found: "no-such-icon-here"', "index.mdx", undefined],
    ["Page not found: /gone-1", "index.mdx", 4],
  ]);
});
