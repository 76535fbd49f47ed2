import { expect, test } from "vitest";
import { replaceTags, tagsIn } from "./tags.ts";

const start = (html: string) => [...tagsIn(html)].map(({ name, isEnd }) => (isEnd ? `/${name}` : name));

test.each([
  ["start tags and end tags", "<P>a <b>c</b></P>", ["p", "b", "/b", "/p"]],
  ["a value with angle brackets", "<a title=\"1 > 0\" alt='<b>'>x</a>", ["a", "/a"]],
  ["text and names that aren't tags", "1 < 2 <\0a> <3 </ p", []],
  [
    "content of scripts, style sheets, text fields and titles",
    "<style>a<b>{}</style><script>'<i>'</script><title><u></title>",
    ["style", "/style", "script", "/script", "title", "/title"],
  ],
  ["comments", "<!doctype html><!-- <p> --><br/>", ["br"]],
  ["a tag without an end", '<p>text <a href="x', ["p", "a"]],
])("%s", (_name, html, expected) => {
  expect(start(html)).toEqual(expected);
});

test("values of attributes", () => {
  const [tag] = tagsIn(`<img SRC="a b" alt="src=&quot;c&quot; x" hidden width=10 data-x='"' />`);
  expect(tag!.attributes.map(({ name, value }) => [name, value])).toEqual([
    ["src", "a b"],
    ["alt", "src=&quot;c&quot; x"],
    ["hidden", ""],
    ["width", "10"],
    ["data-x", '"'],
  ]);
});

test("replaced tags and elements", () => {
  const html = '<p id="a" class="b">x<video><source></video><br class="c"></p>';
  const replaced = replaceTags(html, (tag) => {
    if (tag.name === "video" && !tag.isEnd) return { text: "-", end: tag.elementEnd() };
    if (tag.name === "source") throw new Error("is in a replaced part");
    return tag.value("class") === undefined
      ? undefined
      : { text: tag.withAttributes({ class: "" }, " lang=en") };
  });
  expect(replaced).toBe('<p lang=en id="a">x-<br lang=en></p>');
});

// Quadratic time would take minutes.
test.each(["<style>", "<textarea>", "<title>", "<!--", "<video>"])(
  "200,000 times %s without an end take linear time",
  (start) => {
    let isPastEnd = false;
    for (const tag of tagsIn(start.repeat(200_000))) isPastEnd ||= tag.elementEnd() !== tag.end;
    expect(isPastEnd).toBe(false);
  },
);

test("the end of an element is found from each of its start tags", () => {
  const html = "<i><b></i></b><i></i><b>";
  const ends = [...tagsIn(html)].filter(({ isEnd }) => !isEnd).map((tag) => tag.elementEnd());
  expect(ends).toEqual([10, 14, 21, 24]);
});
