import { expect, test } from "vitest";
import { AnswerSlots } from "./answer-slots.ts";

/** Takes slots until one is refused. Returns functions that free them. */
function takeAll(slots: AnswerSlots, organization: string, project: string, visitors = 300): (() => void)[] {
  const taken: (() => void)[] = [];
  for (let visitor = 0; visitor < visitors; visitor++)
    try {
      const address = `198.51.${Math.floor(visitor / 250)}.${visitor % 250}`;
      for (;;) taken.push(slots.take({ organization: { id: organization }, projectId: project, address }));
    } catch {}
  return taken;
}

test("one visitor, one site, and one organization leave slots to others", () => {
  const slots = new AnswerSlots();
  const visitor = takeAll(slots, "one", "first", 1).length;
  expect(visitor).toBeGreaterThan(25);
  expect(visitor).toBeLessThanOrEqual(38);

  const site = visitor + takeAll(slots, "one", "first").length;
  expect(site).toBeGreaterThanOrEqual(150);
  expect(site).toBeLessThanOrEqual(200);

  let organization = site;
  for (let project = 0; project < 30; project++)
    organization += takeAll(slots, "one", `project ${project}`).length;
  expect(organization).toBeGreaterThan(450);
  expect(organization).toBeLessThanOrEqual(480);
  expect(takeAll(slots, "two", "other").length).toBeGreaterThanOrEqual(30);
  expect(takeAll(slots, "three", "another").length).toBeGreaterThanOrEqual(15);
});

test("API calls without a visitor have the site's slots, and freed slots are used again", () => {
  const slots = new AnswerSlots();
  const calls = () => {
    const taken: (() => void)[] = [];
    try {
      for (;;) taken.push(slots.take({ organization: { id: "one" }, projectId: "first" }));
    } catch {}
    return taken;
  };
  const first = calls();
  expect(first.length).toBe(200);
  expect(calls().length).toBe(0);
  for (const free of first) free();
  expect(calls().length).toBe(200);
});
