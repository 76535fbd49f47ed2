import { describe, expect, it } from "vitest";
import { contrast, parseHex } from "./color.ts";
import { siteCss, svgUrl } from "./site-css.ts";

describe("siteCss", () => {
  it("gives an installed font the metrics of the site's font, and uses it where that one isn't loaded", () => {
    const metrics = { size: 107.3, ascent: 90, descent: 22, gap: 0 };
    const css = siteCss({
      colors: { primary: "#0d9373" },
      fonts: {
        body: { family: "Inter" },
        faces: [],
        fallbacks: [{ family: "Inter fallback", local: ["Arial"], metrics }],
      },
      navIcons: new Map(),
    });
    expect(css).toContain('@font-face{font-family:"Inter fallback";src:local("Arial");size-adjust:107.3%;');
    expect(css).toContain('--o-font:"Inter","Inter fallback",ui-sans-serif');
  });

  it("keeps untrusted values inside their quotes", () => {
    const css = siteCss({
      colors: { primary: "red;}body{display:none" },
      background: { image: { light: 'x") ; } body { color: red' } },
      fonts: {
        body: { family: 'A"; } </style><script>' },
        faces: [{ family: "F", url: 'a") b', weight: "1;}" }],
      },
      navIcons: new Map([["o-i-a", '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>']]),
    });
    expect(css).not.toContain("</style>");
    expect(css).not.toContain('x")');
    expect(css).not.toContain("1;}");
    expect(css).not.toContain("display:none");
  });

  it.each(["#141442", "#f04ac4", "#ffee00", "#808080"])(
    "makes tabs readable in code blocks that are always dark: %s",
    (primary) => {
      const css = siteCss({
        colors: { primary },
        background: { color: { dark: "#000" } },
        codeblocks: "dark",
        navIcons: new Map(),
      });
      const panel = /\.o-code-group,\.o-example-switch\{(--o-[^}]*)\}/.exec(css)?.[1];
      const accent = parseHex(/--o-accent:(#\w+)/.exec(panel ?? "")?.[1] ?? "");
      expect(accent && contrast(accent, { l: 0.25, c: 0.008, h: 0 })).toBeGreaterThanOrEqual(4.5);
      expect(css).toContain("{color-scheme:dark}");
    },
  );

  it("quotes an icon", () => {
    expect(svgUrl('<a b="#c">')).toBe(`url("data:image/svg+xml,%3Ca b='%23c'%3E")`);
  });
});
