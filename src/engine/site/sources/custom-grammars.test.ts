import { describe, expect, test, vi } from "vitest";
import { buildPage, buildSiteFrom, siteOf } from "../../../../test/engine/build.ts";
import { MemoryStore } from "../../incremental/store.ts";

const grammar = {
  name: "Acme",
  aliases: ["ac"],
  scopeName: "source.acme-lang",
  patterns: [{ match: "\\b(?:route|serve)\\b", name: "keyword.control" }],
};

function page(files: Record<string, unknown>, fence = "acme", code = "route home") {
  const beside = Object.fromEntries(
    Object.entries(files).map(([file, content]) => [
      file,
      typeof content === "string" ? content : JSON.stringify(content),
    ]),
  );
  const styling = { codeblocks: { languages: { custom: Object.keys(files).map((file) => `/${file}`) } } };
  return buildPage(`\`\`\`${fence}\n${code}\n\`\`\``, beside, { styling });
}

describe("a grammar in the folder", () => {
  test.each(["acme", "Acme", "ac", "acme-lang"])("colors the language %s", async (fence) => {
    const { html, problems } = await page({ "acme.json": grammar }, fence);
    expect(html).toContain("<span class=k>route</span> home");
    expect(problems).toEqual([]);
  });

  test("has the colors of a named theme", async () => {
    const settings = {
      styling: { codeblocks: { theme: "github-dark", languages: { custom: ["acme.json"] } } },
    };
    const { html } = await buildPage(
      "```acme\nroute\n```",
      { "acme.json": JSON.stringify(grammar) },
      settings,
    );
    expect(html).toContain("--o-l:#F97583");
  });

  test.each([
    ["not JSON", "{", /can't be used: line 1: /],
    ["not a grammar", { name: "acme" }, /no scopeName/],
    ["too large", JSON.stringify({ ...grammar, comment: "x".repeat(2 * 1024 * 1024) }), /larger than 2 MB/],
    ["too deep", `{"scopeName":"a","patterns":${"[".repeat(400)}${"]".repeat(400)}}`, /nesting/],
  ])("that is %s is reported, and its code is not highlighted", async (_, content, reason) => {
    const { html, problems } = await page({ "acme.json": content });
    expect(html).toContain(">route home</code>");
    expect(problems).toMatchObject([
      {
        code: "config-value",
        file: "docs.json",
        line: expect.any(Number),
        message: expect.stringMatching(reason),
      },
    ]);
  });

  test("that is outside the folder is not read", async () => {
    const settings = { styling: { codeblocks: { languages: { custom: ["../secret.json"] } } } };
    const { problems } = await buildPage("Hi", {}, settings);
    expect(problems).toMatchObject([
      { code: "config-value", message: expect.stringMatching(/file not found/) },
    ]);
  });

  test("that backtracks forever is stopped once for the whole site", async () => {
    const slow = { ...grammar, patterns: [{ match: "(?:a+)+$", name: "keyword" }] };
    const code = `${"a".repeat(60)}!`;
    const { html, problems } = await page(
      { "acme.json": slow },
      "acme",
      `${code}\n\`\`\`\n\n\`\`\`acme\n${code}`,
    );
    expect(html).toContain(`>${code}</code>`);
    expect(problems).toMatchObject([
      { code: "config-value", file: "acme.json", message: expect.stringMatching(/longer than/) },
    ]);
  }, 10_000);

  test("that is stopped once is used again by the next build", async () => {
    const files = siteOf(
      {
        "index.mdx": "```acme\nserve\n```\n\n```acme\nroute home\n```\n",
        "acme.json": JSON.stringify(grammar),
      },
      { styling: { codeblocks: { languages: { custom: ["acme.json"] } } } },
    );
    const store = new MemoryStore(true);
    let now = 0;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => (now += 31_000));
    const stopped = await buildSiteFrom(files, {}, store).finally(() => clock.mockRestore());
    expect(stopped.read("index.html")).toContain(">route home</code>");
    expect((await buildSiteFrom(files, {}, store)).read("index.html")).toContain(
      "<span class=k>route</span> home",
    );
  });

  test("that takes long for many blocks is stopped when the time limit of the build is reached", async () => {
    let now = 0;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => (now += 900));
    const blocks = Array.from({ length: 40 }, (_, i) => `serve ${i}`).join("\n```\n\n```acme\n");
    const { html, problems } = await page({ "acme.json": grammar }, "acme", blocks).finally(() =>
      clock.mockRestore(),
    );
    expect(html).toContain("<span class=k>serve</span> 1");
    expect(html).toContain(">serve 39<");
    expect(problems).toMatchObject([
      {
        code: "config-value",
        file: "acme.json",
        message: expect.stringMatching(/longer than 30 seconds in total/),
      },
    ]);
  });
});
