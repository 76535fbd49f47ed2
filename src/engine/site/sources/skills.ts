/**
 * Finds the skills for agents in a documentation folder: `skill.md` at the root, and the folders with a
 * `SKILL.md` in `skills` and `.mintlify/skills`. See https://agentskills.io/specification.
 */

import { byCodeUnit, type Files, readText } from "../../../base/files.ts";
import { oneLine } from "../../../base/one-line.ts";
import type { Problem } from "../../../base/problem.ts";
import { splitPage } from "../../config/frontmatter.ts";
import { slugOf } from "../../html/anchor-ids.ts";

/** Maximum length of a skill's description, in characters. */
const description_chars = 1_024;

export interface Skill {
  /** Name in URLs. Unique. */
  name: string;
  description: string;
  /** Access rules in the frontmatter. */
  groups?: readonly string[];
  public?: boolean;
  /** Names of the files in the skill's folder and their paths. The first file is `SKILL.md`. */
  files: readonly (readonly [name: string, path: string])[];
}

/** Matches the path of a file in a folder that can be a skill's, and captures the folder. */
const inFolder = /^((?:\.mintlify\/)?skills\/[^/]+\/)./;

/** Returns the folder of a skill that a file could belong to. Undefined if there is none. */
export function skillFolder(path: string): string | undefined {
  return inFolder.exec(path)?.[1];
}

/** Whether a path is that of a skill's main file. */
export function isSkill(path: string): boolean {
  return /^(?:(?:\.mintlify\/)?skills\/[^/]+\/)?skill\.md$/i.test(path);
}

/** Returns the files that pages can load: those that aren't part of a skill. */
export function withoutSkills(paths: Iterable<string>, skills: readonly Skill[]): string[] {
  const inSkills = new Set(skills.flatMap((skill) => skill.files.map(([, path]) => path)));
  return [...paths].filter((path) => !inSkills.has(path));
}

/**
 * Reads the skills. `paths`: paths of the files that can be published, without pages that the navigation
 * lists.
 */
export function readSkills(files: Files, paths: readonly string[]): { skills: Skill[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const byFolder = new Map<string, string[]>();
  for (const path of paths) {
    const folder = skillFolder(path);
    if (folder !== undefined) byFolder.set(folder, [...(byFolder.get(folder) ?? []), path]);
  }

  const names = new Set<string>();
  const skills = paths
    .filter(isSkill)
    .sort(byCodeUnit)
    .map((main): Skill => {
      const folder = skillFolder(main) ?? "";
      const { frontmatter, body, problems: found } = splitPage(readText(files, main) ?? "", main);
      problems.push(...found.filter(({ code }) => code !== "no-effect"));
      const title = frontmatter.name ?? folder.split("/").at(-2);
      const name = uniqueName(title ? slugOf(String(title)) : "skill", names);
      const firstLine = body.split("\n").find((line) => /^[^#\s]/.test(line)) ?? name;
      const below = (byFolder.get(folder) ?? [])
        .filter((path) => path !== main && !isSkill(path))
        .sort(byCodeUnit);
      return {
        name,
        description: oneLine(frontmatter.description ?? firstLine).slice(0, description_chars),
        ...(frontmatter.groups === undefined ? {} : { groups: frontmatter.groups }),
        ...(frontmatter.public === undefined ? {} : { public: frontmatter.public }),
        files: [["SKILL.md", main], ...below.map((path) => [path.slice(folder.length), path] as const)],
      };
    });

  return { skills, problems };
}

function uniqueName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted}-${n}`;
  taken.add(name);
  return name;
}
