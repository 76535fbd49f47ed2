import { describe, expect, test } from "vitest";
import { cleanSvg } from "./clean-svg.ts";
import { icon, iconClass, substituteIcon, suggestIcon } from "./icons.ts";

describe("icon", () => {
  test.each<[string, Parameters<typeof icon>[1]]>([
    ["rocket", {}],
    ["fa-solid fa-rocket", {}],
    ["Rocket", {}],
    ["home", {}],
    ["cog", {}],
    ["external-link-alt", {}],
    ["github", {}],
    ["discord", { type: "brands" }],
    ["bell", { type: "regular" }],
    ["bell", { type: "sharp-light" }],
    ["key", { type: "duotone" }],
    ["square-terminal", {}],
    ["brackets-curly", {}],
    ["rocket", { library: "lucide" }],
    ["lucide:rocket", {}],
    ["brand-github", { library: "tabler" }],
    ["sparkles", {}],
  ])("%s %o is drawn", (name, options) =>
    expect(icon(name, options)).toMatch(
      /^<svg class="o-icon" viewBox="0 0 \d+ \d+" aria-hidden="true"><(?:path|g)/,
    ),
  );

  test.each(["no-such-icon", "constructor", "__proto__", ""])("%s is not known", (name) =>
    expect(icon(name)).toBeUndefined(),
  );

  test("URLs become images", () => {
    expect(icon("/logo.svg", { size: 20 })).toBe(
      '<img class="o-icon" src="\x7f/logo.svg" alt="" style="width:20px;height:20px" loading="lazy" decoding="async">',
    );
    expect(icon("https://a.b/c.png")).toContain('src="https://a.b/c.png"');
    expect(icon('/x" onerror="y')).not.toContain('" onerror');
  });
  test("a similar name is suggested", () => {
    expect(suggestIcon("rockett")).toBe("rocket");
    expect(suggestIcon("rokcet", "lucide")).toBe("rocket");
  });
  test.each([
    ["gear-complex", "gear"],
    ["cloud-bolt-moon", "cloud-bolt"],
    ["fa-thin fa-file-binary", "file"],
    ["rocket", undefined],
    ["lucide:gear-complex", undefined],
    ["no-such-icon", undefined],
  ])("instead of the paid icon %s, %s is shown", (name, shown) => {
    expect(substituteIcon(name)).toBe(shown);
    if (shown) expect(icon(name)).toBe(icon(shown));
  });
  test("class of an icon in the navigation", () => {
    expect(iconClass("rocket")).toBe("o-i-rocket");
    expect(iconClass("lucide:rocket")).toBe("o-i-lucide-rocket");
    expect(iconClass("/img/a.svg", { type: "regular" })).toBe("o-i-img-a-svg-regular");
  });
});

describe("cleanSvg", () => {
  test.each([
    ['<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>', '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>'],
    ["<svg onload=alert(1)><g></g></svg>", "<svg><g></g></svg>"],
    ["<svg><script>alert(1)</script><path d='M0'/></svg>", '<svg><path d="M0"/></svg>'],
    ["<svg><foreignObject><img src=x onerror=y></foreignObject></svg>", "<svg></svg>"],
    ['<svg><a href="javascript:x">t</a></svg>', "<svg></svg>"],
    ['<svg><use href="#a"/><use href="https://evil/x.svg#a"/></svg>', '<svg><use href="#a"/><use/></svg>'],
    ['<svg fill="url(https://evil)"><path fill="url(#g)"/></svg>', '<svg><path fill="url(#g)"/></svg>'],
    [
      '<svg fill="u&#114;l(https://evil)" aria-label="A &amp; B"></svg>',
      '<svg aria-label="A &amp; B"></svg>',
    ],
    [
      String.raw`<svg style="background-image:u\72l(https://evil)" fill="red"></svg>`,
      '<svg fill="red"></svg>',
    ],
    ["<svg><g><path/>", "<svg><g><path/></g></svg>"],
    ['<?xml version="1.0"?><!-- c --><svg></svg>', "<svg></svg>"],
    ["<svg><text>a &lt; b</text></svg>", "<svg><text>a &lt; b</text></svg>"],
  ])("%s", (source, clean) => expect(cleanSvg(source)).toBe(clean));
  test("other HTML is rejected", () => expect(cleanSvg("<img src=x>")).toBeUndefined());
});
