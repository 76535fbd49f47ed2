/** The law of the house: which room may import which, no circles, no dead files. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const source = path.resolve(import.meta.dirname, "../src");

/** Rooms by floor; an arrow goes to a lower floor only. `engine` is a stack of its own. */
const floors: readonly (readonly string[])[] = [
  ["base"],
  ["engine", "io", "contract"],
  ["platform", "reader", "browser", "dashboard"],
  ["api", "worker", "cli"],
  ["main"],
];

const engineFloors: readonly (readonly string[])[] = [
  [".", "i18n"],
  ["config", "author", "openapi", "search"],
  ["mdx", "render", "components", "answer"],
  ["site"],
  ["export"],
];

/** Arrows that the floors alone would allow or forbid. */
const exceptions: Record<string, readonly string[]> = {
  // The view-model is data that the site fills in and the layout prints.
  browser: ["base", "engine"],
};

/** Files that nobody imports because they are where things start: executables, and what makes our reference pages. */
const entries =
  /^(?:main\/|engine\/config\/reference\.ts$|browser\/(?:page|analytics|dashboard|reference|oauth|islands|mermaid|mermaid-elk)\.ts$|browser\/dashboard\/charts\.ts$|browser\/(?:playground|search|assistant)\.tsx$)/;

const files = (readdirSync(source, { recursive: true }) as string[])
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => /\.tsx?$/.test(file) && !/\.(?:test|fixture)\.tsx?$/.test(file));

const imports = new Map(
  files.map((file) => {
    const text = readFileSync(path.join(source, file), "utf8");
    const found = [...text.matchAll(/(?:from|import)\s*\(?["'](\.[^"']+)["']/g)].map((match) =>
      path.posix.join(path.posix.dirname(file), match[1]!),
    );
    return [file, found] as const;
  }),
);

function floorOf(file: string, plan: readonly (readonly string[])[]): number {
  const room = file.includes("/") ? file.split("/")[0]! : ".";
  return plan.findIndex((floor) => floor.includes(room));
}

describe("the house", () => {
  test("every file lies in a room", () => {
    expect(files.filter((file) => floorOf(file, floors) < 0)).toEqual([]);
  });

  test("arrows between rooms go down", () => {
    const upward: string[] = [];
    for (const [file, targets] of imports) {
      for (const target of targets) {
        const [from, to] = [file.split("/")[0]!, target.split("/")[0]!];
        if (from === to || exceptions[from]?.includes(to)) continue;
        if (floorOf(target, floors) >= floorOf(file, floors)) upward.push(`${file} → ${target}`);
      }
    }
    expect(upward).toEqual([]);
  });

  test("arrows inside of the engine go down", () => {
    const inEngine = (file: string) => file.slice("engine/".length);
    const upward: string[] = [];
    for (const [file, targets] of imports) {
      if (!file.startsWith("engine/")) continue;
      for (const target of targets) {
        if (!target.startsWith("engine/")) continue;
        const [from, to] = [inEngine(file), inEngine(target)];
        // Components are part of rendering, in a folder of their own.
        const room = (name: string) => (name.includes("/") ? name.split("/")[0]!.replace("components", "render") : ".");
        if (room(from) !== room(to) && floorOf(to, engineFloors) >= floorOf(from, engineFloors)) upward.push(`${file} → ${target}`);
      }
    }
    expect(upward).toEqual([]);
  });

  test("no circles, types included", () => {
    const circles: string[] = [];
    const state = new Map<string, "open" | "done">();
    const visit = (file: string, trail: string[]) => {
      if (state.get(file) === "done") return;
      if (state.get(file) === "open") {
        circles.push([...trail.slice(trail.indexOf(file)), file].join(" → "));
        return;
      }
      state.set(file, "open");
      for (const target of imports.get(file) ?? []) visit(target, [...trail, file]);
      state.set(file, "done");
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });

  test("no file that nobody imports", () => {
    const imported = new Set([...imports.values()].flat());
    expect(files.filter((file) => !imported.has(file) && !entries.test(file))).toEqual([]);
  });

  test("no drawer without a name", () => {
    expect(files.filter((file) => /(?:^|\/)(?:index|utils|helpers|types|common)\.tsx?$|\/(?:utils|helpers)\//.test(file))).toEqual([]);
  });

  test("only executables read the environment", () => {
    expect(
      files.filter(
        (file) => !file.startsWith("main/") && /process\.env\b|import\.meta\.env/.test(readFileSync(path.join(source, file), "utf8")),
      ),
    ).toEqual([]);
  });

  test("the engine reads no clock, no chance and no disk", () => {
    const banned = /Math\.random\(|new Date\(\)|performance\.now\(|from "node:(?:fs|net|http|https|child_process|os)/;
    expect(files.filter((file) => file.startsWith("engine/") && banned.test(readFileSync(path.join(source, file), "utf8")))).toEqual([]);
  });
});
