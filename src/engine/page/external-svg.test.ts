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
  svg('<image href = "http://cdn.example/a.png"/>'),
  svg('<image constructor="" href="http://cdn.example/a.png"/>'),
  svg('<style/><image href="//cdn.example/a.png"/><style></style>'),
  svg('<title/><image href="//cdn.example/a.png"/><title></title>'),
  svg('<style><g></g>@import "//cdn.example/a.css";</style>'),
  svg('<style><style></style>@im<g/>port "//cdn.example/a.css";</style>'),
  svg('<style>rect { fill: image-set("//cdn.example/a.png" 1x) }</style>'),
  svg('<filter id="f"><feImage href="//cdn.example/a.png"/></filter>'),
  svg('<script>fetch("//cdn.example/a")</script>'),
  svg('<g onclick="fetch(`//cdn.example/a`)"/>'),
  svg('<foreignObject><iframe src="data:text/html,&lt;img src=//cdn.example/a>"/></foreignObject>'),
  svg('<foreignObject><textarea><img src="//cdn.example/a"/></textarea></foreignObject>'),
  svg('<foreignObject><meta http-equiv="refresh" content="0;url=//cdn.example/a"/></foreignObject>'),
  svg("&x;", `<!DOCTYPE svg [<!ENTITY x "<image href='//cdn.example/a.png'/>">]>`),
  svg('<image href="&x;"/>', '<!DOCTYPE svg [<!ENTITY x "http://cdn.example/a.png">]>'),
  svg("<image/>", '<!DOCTYPE svg [<!ATTLIST image href CDATA "http://cdn.example/a.png">]>'),
])("%s", (text) => {
  for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`, "utf16le")]) {
    expect(cleaned(bytes)).not.toContain("cdn.example");
    expect(cleaned(bytes)).toContain('<path d="M0 0h9"/>');
  }
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
