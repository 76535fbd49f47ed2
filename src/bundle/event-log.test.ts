import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/engine/build.ts";
import { EventLog } from "./event-log.ts";

const report = (error: unknown) => {
  throw error;
};

test("one network can't use up the day's limit for the others", async () => {
  const folder = temporaryFolder();
  const log = new EventLog(folder, report);
  const event = { type: "answer-feedback", code: "x".repeat(4_000), comment: "x".repeat(4_000) };
  for (let index = 0; index < 400; index++) log.add(event, `203.0.113.${index % 250}`);
  await log.flush();
  log.add({ type: "view", path: "/by-another-network" }, "198.51.100.7");
  await log.flush();
  const [name] = readdirSync(folder);
  const text = readFileSync(path.join(folder, name!), "utf8");
  expect(text.length).toBeLessThan(1024 * 1024 + 200);
  expect(text).toContain("/by-another-network");
  expect(text).not.toContain("203.0.113");
});

test.each(["x", "\u00e9", "\u6587", "\u{1f419}", "\u0001", '"', "\ud800"])(
  "long texts of %j take little space, so a visitor can't fill the log",
  async (character) => {
    const folder = temporaryFolder();
    const log = new EventLog(folder, report);
    const code = character.repeat(10_000);
    const comment = "A short comment";
    for (let index = 0; index < 30; index++)
      log.add({ type: "feedback", path: "/", code, filename: code, comment }, "203.0.113.1");
    await log.flush();
    const lines = readFileSync(path.join(folder, readdirSync(folder)[0]!), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines).toHaveLength(30);
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThan(4_500);
    const event = JSON.parse(lines[0]!) as Record<string, string>;
    expect(event).toMatchObject({ type: "feedback", path: "/", comment });
    expect(event.code).toMatch(/…$/);
    expect(event.code!.startsWith(character.repeat(300))).toBe(true);
  },
);

test("the oldest files are removed if all of them together are too large", async () => {
  const folder = temporaryFolder();
  for (let day = 1; day <= 28; day++) {
    const file = path.join(folder, `2020-02-${String(day).padStart(2, "0")}.jsonl`);
    writeFileSync(file, "");
    // Sparse files, which take no space.
    truncateSync(file, 50 * 1024 * 1024);
  }
  const log = new EventLog(folder, report);
  log.add({ type: "view" }, "198.51.100.7");
  await log.flush();
  const names = readdirSync(folder).sort();
  expect(names.at(-2)).toBe("2020-02-28.jsonl");
  expect(names.reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0)).toBeLessThan(
    1024 * 1024 * 1024,
  );
  expect(names.length).toBeGreaterThan(15);
});
