import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../../test/engine/build.ts";

const picture = readFileSync("docs/images/themes/mint-light.jpg");
const drawing = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="560px" height='170.6' viewBox="0 0 1 1"/>`;

test.each([
  ["an image of the site", "![Picture](/picture.jpg)", 'width="768" height="480"'],
  ["an image with a width", '<img src="/picture.jpg" width="384" />', 'width="384" height="240"'],
  ["the image of a card", '<Card title="T" img="/picture.jpg" />', 'width="768" height="480"'],
  ["an SVG image with a size", "![Drawing](/drawing-picture.svg)", 'width="560" height="171"'],
  ["an image with both", '<img src="/picture.jpg" width="10" height="10" />', 'width="10" height="10"'],
])("%s reserves its space", async (_, text, expected) => {
  const site = await buildSiteFrom({
    ...siteOf({ "index.mdx": text }),
    "picture.jpg": picture,
    "drawing-picture.svg": drawing,
  });
  const image = /<img [^>]*picture[^>]*>/.exec(site.read("index.html"))![0];
  for (const attribute of expected.split(" ")) expect(image).toContain(attribute);
});

/** Returns the start of a JPEG file with 20 × 10 pixels and an orientation of Exif (TIFF tag 0x0112). */
function photo(orientation: number): Uint8Array {
  const tiff = [
    0x49,
    0x49,
    42,
    0,
    8,
    0,
    0,
    0,
    1,
    0,
    0x12,
    1,
    3,
    0,
    1,
    0,
    0,
    0,
    orientation,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
  ];
  const exif = [...Buffer.from("Exif\0\0", "latin1"), ...tiff];
  const frame = [8, 0, 10, 0, 20, 1, 1, 0x11, 0];
  return Uint8Array.from([
    ...[0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2, ...exif],
    ...[0xff, 0xc0, 0, frame.length + 2, ...frame, 0xff, 0xd9],
  ]);
}

test.each([
  [1, 'width="20" height="10"'],
  [4, 'width="20" height="10"'],
  [5, 'width="10" height="20"'],
  [8, 'width="10" height="20"'],
])("a photo with the orientation %i", async (orientation, expected) => {
  const site = await buildSiteFrom({
    ...siteOf({ "index.mdx": "![Photo](/photo.jpg)" }),
    "photo.jpg": photo(orientation),
  });
  const image = /<img [^>]*photo[^>]*>/.exec(site.read("index.html"))![0];
  for (const attribute of expected.split(" ")) expect(image).toContain(attribute);
});

test.each([
  ["sized by a class", '<img src="/picture.jpg" className="h-10" />'],
  ["sized by a style", '<img src="/picture.jpg" style={{ height: 40 }} />'],
  ["damaged", "![Picture](/damaged.png)"],
  ["without a size", "![Drawing](/drawing.svg)"],
  ["on another host", "![Picture](https://example.com/picture.jpg)"],
])("an image %s keeps its size to itself", async (_, text) => {
  const site = await buildSiteFrom({
    ...siteOf({ "index.mdx": text }),
    "picture.jpg": picture,
    "damaged.png": "no image",
    "drawing.svg": '<svg viewBox="0 0 9 9" stroke-width="2"/>',
  });
  const image = /<main[\s\S]*?(<img [^>]*>)/.exec(site.read("index.html"))![1]!;
  expect(image).not.toMatch(/ width=/);
});

test("only the first image of a page is loaded before it is in view", async () => {
  const site = await buildSiteFrom({
    ...siteOf({ "index.mdx": "![One](/picture.jpg)\n\n![Two](/picture.jpg?2)" }),
    "picture.jpg": picture,
  });
  const [first, second] = site.read("index.html").match(/<img [^>]*picture[^>]*>/g)!;
  expect([first, second].map((image) => image!.includes('loading="lazy"'))).toEqual([false, true]);
});

test.each([
  ["in the folder", "![One](/picture.jpg)", true],
  ["on another host", "![One](https://example.com/picture.jpg)", true],
  ["without a file", "![One](/none.png)", false],
  ["without a file, in a custom size", '<img src="/none.svg" width="10" height="10" />', false],
])("an image %s is enlarged: %s", async (_, text, isEnlargeable) => {
  const files = { ...siteOf({ "index.mdx": text }), "picture.jpg": picture };
  const site = await buildSiteFrom(files, { kind: "cloud", links: "clean" });
  expect(/<main[\s\S]*?(<img [^>]*>)/.exec(site.read("index.html"))![1]!.includes("data-zoom")).toBe(
    isEnlargeable,
  );
});

test.each([
  ["index.mdx", "../images/x.png"],
  ["guides/start.mdx", "../../images/x.png"],
  ["guides/start.mdx", "/../images/x.png"],
])("an image in %s with a path outside the folder starts at the root: %s", async (page, url) => {
  const files = siteOf({ [page]: `![One](${url})` });
  expect((await buildSiteFrom(files)).problems.map(({ message }) => message)).toEqual([
    "Image not found: /images/x.png",
  ]);
  const site = await buildSiteFrom({ ...files, "images/x.png": picture });
  expect(site.problems).toEqual([]);
  expect(site.read(page.replace(".mdx", ".html"))).toContain(
    `src="${page === "index.mdx" ? "" : "../"}images/x.png"`,
  );
});
