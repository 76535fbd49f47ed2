/** Adds skills for agents and their indexes, in both formats of discovery. */

import { createHash } from "node:crypto";
import { originOf } from "../../plan/absolute-urls.ts";
import { covers } from "../../plan/audiences.ts";
import type { Skill } from "../../site/sources/skills.ts";
import type { ExportContext, ExportKind } from "./kind.ts";

/** Folder of version 0.2 of Agent Skills Discovery, and of its first version. */
const folders = { current: ".well-known/agent-skills/", first: ".well-known/skills/" };
const schema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

function addSkills({ site, target, audiences, add }: ExportContext): void {
  const bytes = (path: string) => site.files.read(path) ?? new Uint8Array();
  const exported = site.skills.filter((skill) => audiences.isExported(audiences.ofSkill(skill)));
  for (const skill of exported)
    for (const folder of Object.values(folders))
      for (const [name, path] of skill.files)
        add(`${folder}${skill.name}/${name}`, () => bytes(path), audiences.ofSkill(skill));

  // Each reader of the indexes may read the skills in them.
  const access = audiences.defaultAccess;
  const listed = exported.filter((skill) => covers(audiences.ofSkill(skill), access));
  if (listed.length === 0) return;

  const root = `${originOf(site, target) ?? ""}/${folders.current}`;
  const current = ({ name, description, files }: Skill) => ({
    name,
    type: "skill-md",
    description,
    url: `${root}${name}/SKILL.md`,
    digest: `sha256:${createHash("sha256").update(bytes(files[0]![1])).digest("hex")}`,
  });
  const first = ({ name, description, files }: Skill) => ({
    name,
    description,
    files: files.map(([file]) => file),
  });
  add(`${folders.current}index.json`, () => json({ $schema: schema, skills: listed.map(current) }), access);
  add(`${folders.first}index.json`, () => json({ skills: listed.map(first) }), access);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export const skills: ExportKind = {
  name: "skills",
  after: { "folder files": "an author's file replaces a generated one" },
  add: addSkills,
};
