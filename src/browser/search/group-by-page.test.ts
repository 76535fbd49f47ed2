import { expect, test } from "vitest";
import { groupByPage } from "./group-by-page.ts";

const section = (route: string, heading: string) => ({
  route,
  anchor: heading,
  title: route,
  headings: heading ? [heading] : [],
  breadcrumbs: [],
  snippet: [],
});

test("results are grouped by page, with up to three sections and one question of each page", () => {
  const sections = [
    section("faq", "Is it free?"),
    section("keys", "Create"),
    section("faq", "Is it fast?"),
    section("keys", ""),
    section("keys", "Rotate"),
    section("keys", "Revoke"),
    section("faq", "Contact"),
  ];
  expect(
    groupByPage(sections).map(({ route, sections }) => [route, sections.map(({ anchor }) => anchor)]),
  ).toEqual([
    ["faq", ["Is it free?", "Contact"]],
    ["keys", ["Create", "", "Rotate"]],
  ]);
});
