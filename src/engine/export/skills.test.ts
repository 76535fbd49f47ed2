/** Skills for agents: files, indexes, and access. */

import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type BuiltSite, buildSiteFrom, type Sources, siteOf } from "../../../test/engine/build.ts";
import { MemoryDirectory } from "../../../test/host/host.ts";
import { fileKey } from "../../layout/site-manifest.ts";
import type { ExportTarget } from "../plan/export-target.ts";

const water = "---\nname: Water plants\ndescription: Waters plants.\n---\n\n# Water {braces}\r\n";
const files: Sources = {
  ...siteOf({ "index.mdx": "Text.", "skills/about.mdx": "Text." }),
  "skill.md": "# Acme\n\nUses Acme.\n",
  ".mintlify/skills/water/SKILL.md": water,
  ".mintlify/skills/water/references/when.md": "When {it} is dry.",
  ".mintlify/skills/water/scripts/run.ts": "export const a = 1;\n",
  ".mintlify/other/secret.md": "Text.",
  "skills/feed/SKILL.md": "---\nname: Water plants\ndescription: Feeds plants.\n---\n",
  "skills/feed/how.md": "{how}",
  "skills/feed/form.css": "p { color: red }",
  "skills/feed/run.js": "document.title = 'run';",
};
const staff = {
  ".mintlify/skills/staff/SKILL.md": "---\nname: staff\ndescription: canary.\ngroups: [staff]\n---\n",
  ".mintlify/skills/staff/notes.md": "canary",
  "skills/team/SKILL.md": "---\nname: team\ndescription: canary.\naudience: staff\n---\n",
  "skills/team/logo.svg": "<svg><title>canary</title></svg>",
};
const origin = "https://acme.dev/docs";
const build = (more: Sources = {}, target: Partial<ExportTarget> = {}) =>
  buildSiteFrom({ ...files, ...more }, { links: "clean", origin, ...target });
const namesIn = (site: BuiltSite, folder: string) =>
  (JSON.parse(site.read(`.well-known/${folder}/index.json`)) as { skills: { name: string }[] }).skills.map(
    ({ name }) => name,
  );

describe.each(["skills", "agent-skills"])(".well-known/%s", (folder) => {
  test("contains the files of skills byte for byte", async () => {
    const site = await build();
    expect(site.problems).toEqual([]);
    expect(site.paths.filter((path) => path.startsWith(`.well-known/${folder}/`))).toEqual(
      [
        "index.json",
        "skill/SKILL.md",
        "water-plants-2/SKILL.md",
        "water-plants-2/form.css",
        "water-plants-2/how.md",
        "water-plants-2/run.js",
        "water-plants/SKILL.md",
        "water-plants/references/when.md",
        "water-plants/scripts/run.ts",
      ].map((path) => `.well-known/${folder}/${path}`),
    );
    expect(site.read(`.well-known/${folder}/water-plants/SKILL.md`)).toBe(water);
    expect(site.read(`.well-known/${folder}/water-plants/references/when.md`)).toBe("When {it} is dry.");
    expect(site.read("skills/feed/how.md")).toBe("{how}");
    expect(site.read("index.html")).not.toMatch(/run\.js|form\.css/);
    expect(site.paths.filter((path) => /mintlify|how\.html|secret/.test(path))).toEqual([]);
  });

  test("its index lists only skills that everyone may read", async () => {
    for (const target of [
      {},
      { readers: "signed-in" },
      { audience: { hasSignIn: true, groups: [] } },
    ] as const)
      expect(namesIn(await build(staff, target), folder)).toEqual([
        "water-plants",
        "skill",
        "water-plants-2",
      ]);
  });
});

test("the index has URLs and digests", async () => {
  const { $schema, skills } = JSON.parse((await build()).read(".well-known/agent-skills/index.json"));
  expect($schema).toBe("https://schemas.agentskills.io/discovery/0.2.0/schema.json");
  expect(skills[0]).toEqual({
    name: "water-plants",
    type: "skill-md",
    description: "Waters plants.",
    url: `${origin}/.well-known/agent-skills/water-plants/SKILL.md`,
    digest: `sha256:${createHash("sha256").update(water).digest("hex")}`,
  });
  expect(skills[1].description).toBe("Uses Acme.");
});

test("a site without skills has no index", async () => {
  const site = await buildSiteFrom(siteOf({ "index.mdx": "Text." }));
  expect(site.paths.filter((path) => path.includes("skills"))).toEqual([]);
});

test("an author's files in .well-known are exported, and replace generated ones", async () => {
  const own = { ".well-known/skills/index.json": "{}", ".well-known/acme.json": "[1]" };
  const site = await build(own);
  expect([site.read(".well-known/skills/index.json"), site.read(".well-known/acme.json")]).toEqual([
    "{}",
    "[1]",
  ]);
});

describe("restricted skills", () => {
  test("are only for their readers on sites with sign-in", async () => {
    const directory = new MemoryDirectory();
    const signIn = { kind: "password", password: "secret" } as never;
    const { manifest, problems } = await directory.publish("docs.test", { ...files, ...staff }, { signIn });
    const closed = Object.entries(manifest.files).filter(([, { hash }]) =>
      directory.objects.get(fileKey(hash, undefined))!.includes("canary"),
    );
    expect(closed.map(([path]) => path).sort()).toEqual([
      ".well-known/agent-skills/staff/SKILL.md",
      ".well-known/agent-skills/staff/notes.md",
      ".well-known/skills/staff/SKILL.md",
      ".well-known/skills/staff/notes.md",
    ]);
    for (const [, { access }] of closed) expect(access).toEqual(["staff"]);
    expect(manifest.files[".well-known/agent-skills/index.json"]!.access).toBe("readers");
    expect(manifest.files[".well-known/agent-skills/water-plants/SKILL.md"]!.access).toBe("readers");
    expect(problems.map(({ code, file }) => [code, file])).toContainEqual([
      "unknown-access-rule",
      "skills/team/SKILL.md",
    ]);
  });

  test("are left out of exports without sign-in", async () => {
    const site = await build(staff);
    expect(site.paths.filter((path) => site.read(path).includes("canary"))).toEqual([]);
    expect(site.paths.filter((path) => /staff|team/.test(path))).toEqual([]);
  });
});
