/**
 * Tests names of imports, exports, properties and components in non-Latin scripts, which JavaScript allows.
 */

import { expect, test } from "vitest";
import { briefly, buildPage, mainOf } from "../../../../test/engine/build.ts";

const snippets = {
  "snippets/요구사항.mdx": "Snippet says {이름}.",
  "snippets/parts.jsx":
    "export const Über = ({ größe }) => <i>{größe + 1}</i>;\nexport const größe = 7;\nexport const 计数 = () => { const [n] = useState(3); return <b>{n}</b>; };",
};

const rows: [mdx: string, html: RegExp][] = [
  ['import 요구사항 from "/snippets/요구사항.mdx"\n\n<요구사항 이름="x" />', /Snippet says x\./],
  ['import { Über, größe as maß } from "/snippets/parts.jsx"\n\n{maß} <Über größe={maß} />', /7 ?<i>8<\/i>/],
  ['import * as части from "/snippets/parts.jsx"\n\n<части.Über größe={1} />', /<i>2<\/i>/],
  [
    'import { 计数 } from "/snippets/parts.jsx"\n\n<计数 />',
    /<octavo-island[^>]*data-component="计数"[\s\S]*<b>3<\/b>/,
  ],
  [
    'export const Имя = "Мир"\nexport const Кнопка = ({ текст }) => <b>{текст}</b>\n\n{Имя} <Кнопка текст="жми" />',
    /Мир ?<b>жми<\/b>/,
  ],
  ["export const α_1 = 2\n\n{α_1 * 2}", /4/],
];

test.each(rows)("%s", async (mdx, html) => {
  const { site, problems } = await buildPage(mdx, snippets);
  expect(briefly(problems)).toEqual([]);
  expect(mainOf(site.read("index.html"))).toMatch(html);
});

test("an unknown component in another script is reported", async () => {
  const { problems } = await buildPage("<요구사항 />");
  expect(briefly(problems)).toEqual(["unknown-component index.mdx:1"]);
});
