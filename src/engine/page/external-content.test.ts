import { describe, expect, test } from "vitest";
import { externalAsLinks } from "./external-content.ts";

describe("content from other hosts", () => {
  const outside = '<video src="https://other.test/a.mp4"></video>';

  test("becomes a link, also in an element that loads nothing itself", () => {
    const html = `<video src="a.mp4"></video><object>${outside}</object>${outside}`;
    const replaced = externalAsLinks(html, false);
    expect(replaced).toContain('<video src="a.mp4"></video>');
    expect(replaced.match(/<video/g)).toHaveLength(1);
    expect(replaced.match(/href="https:\/\/other\.test\/a\.mp4"/g)).toHaveLength(2);
  });

  // Quadratic time would take minutes.
  test("is searched in 100,000 elements with one end in linear time", () => {
    const html = `${'<video src="a.mp4">'.repeat(100_000)}</video>`;
    expect(externalAsLinks(html, true)).toBe(html);
  });
});
