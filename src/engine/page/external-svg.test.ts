/** SVG files of air-gapped sites load nothing from other hosts, however it is written. */

import { expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../test/engine/build.ts";
import { withoutExternalSvg } from "./external-svg.ts";

const svg = (inside: string, before = "") =>
  `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${inside}<path d="M0 0h9"/></svg>`;
const cleaned = (bytes: Uint8Array) => new TextDecoder().decode(withoutExternalSvg(bytes));

test.each([
  svg('<image href="http://cdn.example/a.png"/>'),
  svg("<image xlink:href='//cdn.example/a.png'/>"),
  svg('<image href="&#104;ttp://cdn.example/a.png"/>'),
  svg('<image href="/&#9;/cdn.example/a.png"/>'),
  svg('<image href="\\\\cdn.example/a.png"/>'),
  svg('<s:image xmlns:s="http://www.w3.org/2000/svg" href="//cdn.example/a.png"/>'),
  svg('<use href="//cdn.example/a.svg#b"/>'),
  svg('<script href="//cdn.example/a.js"/>'),
  svg('<set attributeName="href" to="//cdn.example/a.png"/>'),
  svg("<style>@import url(//cdn.example/a.css);</style>"),
  svg('<style><![CDATA[</style>@import "//cdn.example/a.css";]]></style >'),
  svg('<style>&#64;import "//cdn.example/a.css";</style>'),
  svg("<style>/* <!-- x --> */ rect { fill: url(//cdn.example/a.svg#b) }</style>"),
  svg('<rect fill="url(//cdn.example/a.svg#b)"/>'),
  svg('<rect style="fill: url(//cdn.example/a.svg#b)"/>'),
  svg(
    '<foreignObject><img xmlns="http://www.w3.org/1999/xhtml" srcset="/a 1x, //cdn.example/b 2x"/></foreignObject>',
  ),
  svg("", '<?xml-stylesheet href="http://cdn.example/a.css"?>'),
  svg('<image href = "//cdn.example/a.png"/>'),
  svg('<style>@im<!-- a -->port "//cdn.example/a.css";</style>'),
  svg('<style>rect { fill: url("/\\a /cdn.example/a.svg#b") }</style>'),
  svg('<style>rect { fill: url("ht\\\ntp://cdn.example/a.svg#b") }</style>'),
  svg("<style>@import \"data:text/css,@import '//cdn.example/a.css';\";</style>"),
  svg('<rect style="fill: url(&apos;//cdn.example/a.svg#b&apos;)"/>'),
  svg('<a href="/b" ping="//cdn.example/a"/>'),
  svg("<rect onload=\"fetch('//cdn.example/a')\"/>"),
  svg(
    '<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="data:text/html,//cdn.example"/></foreignObject>',
  ),
  svg("&x;", `<!DOCTYPE svg [<!ENTITY x "&#60;image href='//cdn.example/a.png'/>">]>`),
  svg('<image href="&x;"/>', '<!DOCTYPE svg [<!ENTITY h "http:"><!ENTITY x "&h;//cdn.example/a.png">]>'),
  svg('<image href="&x;"/>', "<!DOCTYPE svg [<!ENTITY % a \"<!ENTITY x '//cdn.example'>\">%a;]>"),
  svg('<image href="&x;"/>', '<!DOCTYPE svg [<!ENTITY x "http://cdn.example/a.png">]>'),
  svg("<image/>", '<!DOCTYPE svg [<!ATTLIST image href CDATA "http://cdn.example/a.png">]>'),
])("%s", (text) => {
  for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`, "utf16le")]) {
    expect(cleaned(bytes)).not.toContain("cdn.example");
    expect(cleaned(bytes)).toContain('<path d="M0 0h9"/>');
  }
});

test("scripts don't run", () => {
  const text = svg("<script>fetch(location)</script><script type='module' href='/a.js'/>");
  expect(cleaned(Buffer.from(text)).match(/<script type="none"(?: href='\/a.js')?\/?>/g)).toHaveLength(2);
});

test("style sheets with elements, and references that only some browsers know", () => {
  expect(cleaned(Buffer.from(svg('<style><g/>@import "//cdn.example/a.css";</style>')))).toContain(
    '<style type="none">',
  );
  const text = svg('<image href="http&colon;//cdn.example/a.png"/>', '<!DOCTYPE svg PUBLIC "a" "b">');
  expect(cleaned(Buffer.from(text))).toContain('href="http//cdn.example/a.png"');
});

test("a file in another encoding is read like browsers read it", () => {
  // In ISO-2022-JP, the characters between the escapes are Japanese, not quotes.
  const escaped = '\x1b$B$"\x1b(B';
  const text = svg(`<image a="${escaped}" href="//cdn.example/a.png" b="${escaped}"/>`);
  expect(cleaned(Buffer.from(`<?xml version="1.0" encoding="ISO-2022-JP"?>${text}`, "latin1"))).not.toContain(
    "cdn.example",
  );
});

test.each([
  svg('<a href="https://acme.example"><path id="p" d="M0 0"/></a><use href="#p"/>'),
  svg('<image href="data:image/png;base64,AA=="/><style>path { fill: url(#a) }</style>'),
  svg(
    "<!-- http://acme.example -->",
    '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "a" "http://www.w3.org/a.dtd">',
  ),
])("unchanged: %s", (text) => {
  const bytes = Buffer.from(text);
  expect(withoutExternalSvg(bytes)).toBe(bytes);
});

test("files of the author and of data URLs, only if the site is air-gapped", async () => {
  const image = svg('<image href="http://cdn.example/a.png"/>');
  const files = {
    ...siteOf({
      "index.mdx": `![A](/a.svg)\n\n<img src="data:image/svg+xml,${encodeURIComponent(image)}" />`,
    }),
    "a.svg": image,
  };
  const closed = await buildSiteFrom(files, { kind: "air-gapped" });
  const found = closed.paths.filter((path) => path.endsWith(".svg"));
  expect(found.length).toBeGreaterThan(1);
  for (const path of found) expect(closed.read(path)).not.toContain("cdn.example");
  expect((await buildSiteFrom(files)).read("a.svg")).toBe(image);
});
