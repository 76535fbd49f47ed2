import { describe, expect, test } from "vitest";
import { declinedReply, replyWithoutModel } from "./reply.ts";
import type { Retrieved } from "./retrieved.ts";
import { sectionLead } from "./section-lead.ts";

/** Sections for the question "roll back", of which the first one has this title and text. */
function retrieved(title: string, text: string, isDescribed = false): Retrieved {
  const section = (route: string, name: string, content: string) => ({
    route,
    anchor: "",
    title: name,
    breadcrumbs: [],
    text: content,
    isDescribed,
    score: 1,
    best: { start: 0, end: content.length },
  });
  return {
    sections: [section("a", title, text), section("b", "Other page", "Something else about roll.")],
    terms: [
      { term: "roll", idf: 2, also: [], isKnown: true },
      { term: "back", idf: 2, also: [], isKnown: true },
    ] as unknown as Retrieved["terms"],
    language: "en",
    confidence: 0.5,
    isCovered: true,
    isRelated: true,
    category: null,
  };
}

const leadOf = (text: string, isDescribed = false) =>
  sectionLead(retrieved("Roll back", text, isDescribed))?.text;

describe("the beginning of the section that a question names", () => {
  test.each([
    [
      "a sentence and the list below it",
      "Do this:\n\n- one\n- two\n\nThen more.",
      "Do this:\n\n- one\n- two",
    ],
    [
      "a command and what it does",
      "```bash\nback\n```\n\nIt rolls back.",
      "```bash\nback\n```\n\nIt rolls back.",
    ],
    ["the first paragraph", "It rolls back.\n\nAnother paragraph.", "It rolls back."],
    ["whole sentences", `It rolls back. ${"Long ".repeat(80)}end.`, "It rolls back."],
  ])("%s", (_, text, lead) => {
    expect(leadOf(text)).toBe(lead);
  });

  test("is shown without the description of the page", () => {
    expect(leadOf("About this page.\n\nSelect **Roll back**.", true)).toBe("Select **Roll back**.");
    expect(leadOf("About this page.", true)).toBe("About this page.");
  });

  test.each([
    [
      "the fields of an operation",
      "- `id` (`string` · required): ID of the deployment.\n- `name` (`string`)",
    ],
    ["an example of an operation", '```json\n{ "id": 1 }\n```\n\n- `id` (`string`)'],
    ["a media type", "`application/json`\n\n- `id` (`string`)"],
    [
      "an introduction without what it introduces",
      "Roll back with these settings:\n\n| A | B |\n| - | - |\n| 1 | 2 |",
    ],
    ["an image", "![Roll back](/roll.png)"],
  ])("%s isn't shown", (_, text) => {
    expect(leadOf(text)).toBeUndefined();
  });

  test("isn't shown if the question isn't about it", () => {
    expect(sectionLead(retrieved("Deployments", "It rolls back."))).toBeUndefined();
  });
});

test("an operation is passed over for the guide behind it", () => {
  const both = retrieved("Roll back", "- `id` (`string` · required)");
  both.sections[1] = {
    ...both.sections[1]!,
    title: "Roll back in the dashboard",
    text: "Select **Roll back**.",
  };
  expect(sectionLead(both)).toEqual({ section: 2, text: "Select **Roll back**." });
});

test("the beginning is followed by links to other pages", () => {
  const reply = replyWithoutModel("roll back", retrieved("Roll back", "Do this:\n\n- one\n- two"), urlOf);
  expect(reply.kind).toBe("related");
  expect(reply.isCovered).toBe(true);
  expect(reply.sections).toEqual([1, 2]);
  expect(reply.text).toMatch(
    /^\*\*\[Roll back\]\(\/a\)\*\*\n\nDo this:\n\n- one\n- two\n\nThese sections may help:\n\n- \[Other page\]\(\/b\)/,
  );
});

test("a question that isn't covered has links only to sections that are likely related", () => {
  const near = { ...retrieved("Roll back", "It rolls back."), isCovered: false };
  const text = "I couldn't find an answer to this in the documentation.";
  expect(replyWithoutModel("roll back", near, urlOf)).toMatchObject({
    kind: "related",
    isCovered: false,
    text: expect.stringContaining(`${text}\n\nThese sections may help:\n\n- [Roll back](/a)`),
    sections: [1, 2],
  });
  const none = { kind: "none", isCovered: false, text, sections: [] };
  expect(replyWithoutModel("roll back", { ...near, isRelated: false }, urlOf)).toEqual(none);
  expect(declinedReply("roll back", { ...near, isRelated: false }, urlOf)).toEqual(none);
});

function urlOf({ route }: { route: string }): string {
  return `/${route}`;
}
