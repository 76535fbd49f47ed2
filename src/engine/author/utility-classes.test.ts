import { describe, expect, test } from "vitest";
import { classNamesIn, utilitiesCss } from "./utility-classes.ts";

describe("utility classes become CSS", () => {
  test.each([
    ["flex", ".flex{display:flex;}"],
    ["mt-4", ".mt-4{margin-top:1rem;}"],
    ["-mt-2", ".-mt-2{margin-top:-0.5rem;}"],
    ["w-1/2", ".w-1\\/2{width:50%;}"],
    ["hover:underline", ".hover\\:underline:hover{text-decoration-line:underline;}"],
    [
      "md:grid-cols-3",
      "@media (min-width: 768px){.md\\:grid-cols-3{grid-template-columns:repeat(3,minmax(0,1fr));}}",
    ],
    ["dark:hidden", ".dark .dark\\:hidden{display:none;}"],
    ["!p-4", ".\\!p-4{padding:1rem !important;}"],
    ["p-[5px]", ".p-\\[5px\\]{padding:5px;}"],
    ["w-[calc(100%-2rem)]", ".w-\\[calc\\(100\\%-2rem\\)\\]{width:calc(100% - 2rem);}"],
    [
      "bg-[#1da1f2]",
      ".bg-\\[\\#1da1f2\\]{--un-bg-opacity:1;background-color:rgb(29 161 242 / var(--un-bg-opacity));}",
    ],
    ["md:max-w-[640px]", "@media (min-width: 768px){.md\\:max-w-\\[640px\\]{max-width:640px;}}"],
    ["[&>p]:mt-4", ".\\[\\&\\>p\\]\\:mt-4>p{margin-top:1rem;}"],
  ])("%s", async (token, css) => {
    expect(await utilitiesCss([token])).toBe(css);
  });

  test("names that are not utility classes have no CSS", async () => {
    expect(await utilitiesCss([])).toBe("");
    expect(await utilitiesCss(["my-card", "callout", "__proto__", "constructor"])).toBe("");
  });

  test("the CSS doesn't depend on the order and number of equal classes", async () => {
    const tokens = ["shadow-lg", "flex", "md:p-4", "rotate-45", "p-2", "dark:text-white", "animate-spin"];
    expect(await utilitiesCss([...tokens].reverse())).toBe(await utilitiesCss([...tokens, ...tokens]));
  });

  test("classes can use the site's colors", async () => {
    const css = await utilitiesCss(
      ["bg-primary", "text-primary-light", "bg-primary/10", "dark:hover:bg-background-dark"],
      {
        primary: "#7a1fa2",
        "primary-light": "#c58be0",
        "background-dark": "#0b0c0e",
      },
    );
    for (const rule of [
      /\.bg-primary\{[^}]*122 31 162/,
      /\.text-primary-light\{[^}]*197 139 224/,
      /\.bg-primary\\\/10\{[^}]*0\.1/,
      /11 12 14/,
    ])
      expect(css).toMatch(rule);
  });

  test("CSS variables are added only for classes that use them", async () => {
    expect(await utilitiesCss(["rotate-45"])).toContain("--un-rotate:0");
    expect(await utilitiesCss(["flex"])).not.toContain("--un");
  });
});

test("classes that an island sets at runtime are found in its script", async () => {
  const script = "h('div',{className:on?'text-red-500 p-4':\"mt-4\",title:`${n} flex`})";
  expect(await utilitiesCss(classNamesIn(script))).toBe(
    await utilitiesCss(["text-red-500", "p-4", "mt-4", "flex"]),
  );
});

describe("unsafe class names are ignored", () => {
  test.each([
    "[color:red;}body{display:none}]",
    "content-['</style><script>']",
    "before:content-['x']",
    "bg-[url(https://evil.example/x)]",
    "bg-[url('//evil.example')]",
    "flex}body{color:red",
    "text-red-500;}",
    "bg-url(//evil.example)",
    "bg-[url(/x.png)]",
    "bg-[image-set(//evil.example)]",
    "w-[calc(1px]",
    "w-[1px",
    "w-[1px)]",
    "w-[/*1px]",
    "p-[5px;}body{color:red]",
    "w-(--x)",
    "p-4\\",
    'p-4"',
    "x".repeat(10_000),
  ])("%s", async (token) => {
    expect(await utilitiesCss([token])).toBe("");
    expect([...classNamesIn(`a("${token}")`)].filter((name) => name === token)).toEqual([]);
  });

  test("the number of classes is limited", { timeout: 30_000 }, async () => {
    const css = await utilitiesCss(Array.from({ length: 200_000 }, (_, index) => `p-${index}`));
    expect(css.match(/\{/g)).toHaveLength(5_000);
  });
});
