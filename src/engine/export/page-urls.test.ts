import { expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../test/engine/build.ts";

const fields = `<ParamField query="userId" type="string">Text.</ParamField>

## Body limits

`;

test.each([
  ["the id", "#param-user-id", "#param-user-id"],
  ["the name of the parameter", "#userId", "#param-user-id"],
  ["its name in kebab case", "#user-id", "#param-user-id"],
  ["a heading", "#body-limits", "#body-limits"],
])("a link to a parameter or heading by %s works", async (_, anchor, href) => {
  const site = await buildSiteFrom(siteOf({ "index.mdx": `[Other](/api${anchor})`, "api.mdx": `${fields}[Same](${anchor})` }));
  expect(site.problems).toEqual([]);
  expect(site.read("index.html")).toContain(`href="api.html${href}">Other`);
  expect(site.read("api.html")).toContain(`href="${href}">Same`);
});

test.each([
  ["#query-user-id", "Did you mean #param-user-id?"],
  ["#path-none", undefined],
])("a link to %s is reported", async (anchor, hint) => {
  const { problems } = await buildSiteFrom(siteOf({ "index.mdx": `[Other](/api${anchor})`, "api.mdx": fields }));
  expect(problems.map(({ code, hint }) => [code, hint])).toEqual([["dead-anchor", hint]]);
});

test("characters without a standard meaning, such as those of icon fonts, and control characters in text are kept", async () => {
  const text = "Press \ue000 or \x7f.";
  const site = await buildSiteFrom(siteOf({ "index.mdx": `${text}\n\n\`${text}\`\n\n## A \ue001\n\nMore.` }));
  expect(site.read("index.html")).toContain(`<p>${text}</p>`);
  expect(site.read("index.html")).toContain(`<code>${text}</code>`);
  expect(site.read("index.md")).toContain(`${text}\n\n\`${text}\`\n\n## A \ue001`);
});
