import { describe, expect, test } from "vitest";
import type { ContentNode } from "../content.ts";
import { element } from "../content.ts";
import { paramIdOf, slugOf } from "../html/anchor-ids.ts";
import { assignAnchors } from "./heading-ids.ts";

const h = (level: number, text: string, props = {}) => element(`h${level}`, props, [text]);

function idsOf(nodes: ContentNode[]): unknown[] {
  return nodes
    .flatMap((node) => (typeof node === "string" ? [] : [node.props.id, ...idsOf(node.children)]))
    .filter((id) => id !== undefined);
}

describe("id algorithm", () => {
  test.each([
    ["Config.json options", "config-json-options"],
    ["1. Unpack the parts", "1-unpack-the-parts"],
    ["Part 3 (optional). Test it!", "part-3-optional-test-it"],
    ["shelf.move(row)", "shelf-move-row"],
    ["Before — or - after", "before-—-or-after"],
    ["Every * shelf", "every-shelf"],
    ["~/.config", "/-config"],
    ["'quoted'", "quoted"],
    ["Why move()?", "why-move-?"],
    ["C++", "c++"],
    ['Say "hi"', "say-hi"],
    ["- dashes -", "dashes"],
    ["...", "section"],
    ["What’s new", "what’s-new"],
    ["Rate limits (per minute)", "rate-limits-per-minute"],
    ["Read/write access", "read/write-access"],
    ["Fees & billing", "fees-&-billing"],
    ["snake_case name", "snake_case-name"],
    ["camelCase", "camelcase"],
    ["日本語 見出し", "日本語-見出し"],
    ["Step 1: Create", "step-1:-create"],
  ])("%s → %s", (title, id) => expect(slugOf(title)).toBe(id));
});

describe("parameter ids", () => {
  test.each([
    ["userId", "param-user-id"],
    ["filter[name]", "param-filter-name"],
    ["X-Api-Key", "param-x-api-key"],
    ["user_id", "param-user-id"],
  ])("%s → %s", (name, id) => expect(paramIdOf(name)).toBe(id));
});

describe("assignAnchors", () => {
  test("duplicate ids are numbered over the whole page, including tabs", () => {
    const tree = [
      h(2, "Overview"),
      element("Tabs", {}, [element("Tab", { title: "A" }, [h(2, "Overview")])]),
      h(3, "Overview"),
    ];
    const toc = assignAnchors(tree, { mode: "default" });
    expect(toc.map((entry) => entry.id)).toEqual(["overview", "overview-2", "overview-3"]);
    expect(toc[1]!.within).toEqual(["A"]);
  });
  test("custom ids keep their case and are also unique", () => {
    const tree = [h(2, "Setup", { customId: "MyId" }), h(2, "Other", { customId: "MyId" })];
    assignAnchors(tree, { mode: "default" });
    expect(idsOf(tree)).toEqual(["MyId", "MyId-2"]);
  });
  test("headings down to level 4 have an id and an entry", () => {
    const tree = [h(2, "A"), h(3, "B"), h(4, "C")];
    expect(assignAnchors(tree, { mode: "default" }).map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(idsOf(tree)).toEqual(["a", "b", "c"]);
  });
  test("headings with noAnchor, of level 5, or without text have no id", () => {
    const tree = [
      h(2, "A", { noAnchor: true }),
      h(5, "B"),
      h(2, ""),
      element("Heading", { level: 2, noAnchor: "" }, ["C"]),
    ];
    expect(assignAnchors(tree, { mode: "default" })).toEqual([]);
    expect(idsOf(tree)).toEqual([]);
  });
  test("the table of contents omits headings in disclosures, updates, prompts and agent blocks", () => {
    const tree = ["Accordion", "Expandable", "Update", "Prompt"].map((name) =>
      element(name, {}, [h(2, name)]),
    );
    tree.push(element("Visibility", { for: "agents" }, [h(2, "Agents")]));
    expect(assignAnchors(tree, { mode: "default" })).toEqual([]);
  });
  test("the table of contents lists updates and large step titles", () => {
    const tree = [
      element("Update", { label: "v1.2" }, [h(2, "Fixes")]),
      element("Steps", { titleSize: "h3" }, [
        element("Step", { title: "Install" }),
        element("Step", { title: "Small", titleSize: "p" }),
      ]),
      element("Steps", {}, [element("Step", { title: "Plain" })]),
    ];
    expect(assignAnchors(tree, { mode: "default" })).toEqual([
      { id: "v1-2", text: "v1.2", level: 2 },
      { id: "install", text: "Install", level: 3 },
    ]);
    expect(idsOf(tree)).toEqual(["v1-2", "fixes", "install", "small", "plain"]);
  });
  test("a tab with the name of a heading does not change the heading's id", () => {
    const tree = [
      element("Tab", { title: "Node: js" }),
      element("Accordion", { title: "Usage" }),
      h(2, "Usage"),
    ];
    assignAnchors(tree, { mode: "default" });
    expect(idsOf(tree)).toEqual(["node--js", "usage-2", "usage"]);
  });
  test("the name of a field comes from query, path, body or header, in this order", () => {
    const tree = [
      element("ParamField", { header: "h", query: "userId" }),
      element("ParamField", { body: "userId" }),
      element("ResponseField", { name: "userId" }),
    ];
    assignAnchors(tree, { mode: "default" });
    expect(idsOf(tree)).toEqual(["param-user-id", "param-user-id-1", "param-user-id-2"]);
  });
  test("custom pages have only custom ids", () => {
    const tree = [h(2, "Auto"), h(2, "Own", { customId: "own" })];
    expect(assignAnchors(tree, { mode: "custom" })).toEqual([]);
    expect(idsOf(tree)).toEqual(["own"]);
  });
  test("a thousand equal headings take little time", () => {
    const tree = Array.from({ length: 20_000 }, () => h(2, "Same"));
    expect(assignAnchors(tree, { mode: "default" }).at(-1)!.id).toBe("same-20000");
  });
});
