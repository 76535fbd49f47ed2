import { describe, expect, it } from "vitest";
import { siteCss, svgUrl } from "./site-css.ts";
import { themes } from "./themes.ts";

describe("siteCss", () => {
  it.each(Object.keys(themes))("writes the theme %s", (theme) => {
    expect(siteCss({ theme, colors: { primary: "#0d9373" }, navIcons: new Map() })).toContain("--o-accent:");
  });

  it("keeps untrusted values inside their quotes", () => {
    const css = siteCss({
      theme: "mint",
      colors: { primary: "red;}body{display:none" },
      background: { image: { light: 'x") ; } body { color: red' } },
      fonts: { body: { family: 'A"; } </style><script>' }, faces: [{ family: "F", url: 'a") b', weight: "1;}" }] },
      navIcons: new Map([["o-i-a", '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>']]),
    });
    expect(css).not.toContain("</style>");
    expect(css).not.toContain('x")');
    expect(css).not.toContain("1;}");
    expect(css).not.toContain("display:none");
  });

  it("quotes an icon", () => {
    expect(svgUrl('<a b="#c">')).toBe(`url("data:image/svg+xml,%3Ca b='%23c'%3E")`);
  });
});
