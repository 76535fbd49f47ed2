import { expect, test } from "vitest";
import { buildPage } from "../../../../test/engine/build.ts";

test.each([
  ['<div className="p-4 bg-primary-500">x</div>', ["The class bg-primary-500 has no effect"]],
  ['Text.\n\n<p className="dark:hover:text-background/50">x</p>', ["dark:hover:text-background/50"]],
  [
    '<div className="border-t-primary-lighter from-background-x">x</div>',
    ["border-t-primary-lighter", "from-background-x"],
  ],
  [
    '<div className="bg-primary text-primary-light/20 dark:bg-background-dark border-primary-dark">x</div>',
    [],
  ],
  ['<div className="bg-red-500 text-primarily my-primary-500 bg-primary-own">x</div>', []],
])("colors of utility classes: %j", async (mdx, messages) => {
  const { problems } = await buildPage(mdx, { "style.css": ".bg-primary-own { color: red }" });
  expect(problems.map(({ message }) => message)).toEqual(
    messages.map((text) => expect.stringContaining(text)),
  );
  for (const found of problems)
    expect(found).toMatchObject({ code: "no-effect", file: "index.mdx", line: expect.any(Number) });
});
