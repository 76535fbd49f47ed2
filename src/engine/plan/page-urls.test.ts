import { expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../test/engine/build.ts";

const fields = `<ParamField query="userId" type="string">Text.</ParamField>

## Body limits

### Why move()?

## \`--dry-run\`, in short

## Größe & Form

`;

test.each([
  ["the id", "#param-user-id", "#param-user-id"],
  ["the name of the parameter", "#userId", "#param-user-id"],
  ["its name in kebab case", "#user-id", "#param-user-id"],
  ["the name after its section", "#query-user-id", "#param-user-id"],
  ["a heading", "#body-limits", "#body-limits"],
  ["a heading with doubled hyphens", "#body--limits", "#body-limits"],
  ["a heading in capitals", "#Body_Limits", "#body-limits"],
  ["a heading without its question mark", "#why-move-", "#why-move-?"],
  ["a heading with its question mark", "#why-move-?", "#why-move-?"],
  ["a heading without the hyphen for parentheses", "#why-move?", "#why-move-?"],
  ["a heading of a flag without its first hyphens", "#dry-run-in-short", "#--dry-run,-in-short"],
  ["a percent-encoded heading", "#gr%C3%B6%C3%9Fe-form", "#gr%C3%B6%C3%9Fe-&amp;-form"],
])("a link to a parameter or heading by %s works", async (_, anchor, href) => {
  const site = await buildSiteFrom(
    siteOf({ "index.mdx": `[Other](/api${anchor})`, "api.mdx": `${fields}[Same](${anchor})` }),
  );
  expect(site.problems).toEqual([]);
  expect(site.read("index.html")).toContain(`href="api.html${href}">Other`);
  expect(site.read("api.html")).toContain(`href="${href}">Same`);
});

test.each([
  ["#body-limit", "Did you mean #body-limits?"],
  ["#path-none", undefined],
  ["#--", undefined],
])("a link to %s is reported", async (anchor, hint) => {
  const { problems } = await buildSiteFrom(
    siteOf({ "index.mdx": `[Other](/api${anchor})`, "api.mdx": fields }),
  );
  expect(problems.map(({ code, hint }) => [code, hint])).toEqual([["dead-anchor", hint]]);
});

test("characters without a standard meaning, such as those of icon fonts, and control characters in text are kept", async () => {
  const text = "Press \ue000 or \x7f.";
  const site = await buildSiteFrom(siteOf({ "index.mdx": `${text}\n\n\`${text}\`\n\n## A \ue001\n\nMore.` }));
  expect(site.read("index.html")).toContain(`<p>${text}</p>`);
  expect(site.read("index.html")).toContain(`<code>${text}</code>`);
  expect(site.read("index.md")).toContain(`${text}\n\n\`${text}\`\n\n## A \ue001`);
});
