/**
 * Generates a documentation site with any number of pages. The same number always results in the same site.
 * Each page has about 600 words, two code blocks, a table, a list and a callout, and each group has fifty
 * pages. `flavor` is the syntax of callouts.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

export type Flavor = "octavo" | "directive" | "vitepress" | "hugo";

const pagesPerGroup = 50;

const words =
  "ledger harbor signal matrix orchard vector copper lantern archive bridge canvas delta ember fabric glacier hollow island jigsaw kernel lattice meadow nectar oracle prairie quarry ripple sector timber umbra valley window xenon yonder zephyr account balance channel driver engine filter gateway handler invoice journal key limit monitor notice object parcel queue report schema token update value worker zone accept build check deploy enable fetch grant hold include join keep load merge notify open pause query reset send track use verify watch yield after before while until because when if then each every some most few both either only also never often soon later first second third last next same other new old fast slow small large open closed safe exact plain quiet sharp clear the a an of to in for with from by on at as is are was be has have will can may must should not and or but so than that this these those it its they them".split(
    " ",
  );

const nouns = [
  "client",
  "session",
  "project",
  "webhook",
  "bucket",
  "worker",
  "deployment",
  "invoice",
  "customer",
  "token",
  "schema",
  "report",
];

/** Mulberry32, a small deterministic random number generator. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Path of a page, without extension. */
export function routeOf(index: number): string {
  return `group-${Math.floor(index / pagesPerGroup)}/page-${index}`;
}

/** The text of a page in a site with `pages` pages. */
export function page(index: number, pages: number, flavor: Flavor): string {
  const random = generator(7_919 + index * 104_729);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const word = () => words[Math.floor(words.length * random() ** 1.6)]!;
  const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1);
  const sentence = () => {
    const list = Array.from({ length: 8 + Math.floor(random() * 14) }, word);
    if (random() < 0.18) list[2] = `\`${pick(nouns)}.${word()}\``;
    if (random() < 0.12) list[4] = `**${list[4]}**`;
    if (random() < 0.1)
      list[5] = `[${list[5]}](/${routeOf(Math.floor(random() * pages))}${flavor === "hugo" ? "/" : ""})`;
    return `${capital(list.join(" "))}.`;
  };
  const paragraph = (sentences: number) => Array.from({ length: sentences }, sentence).join(" ");
  const noun = pick(nouns);
  const Noun = capital(noun);
  const title = `${capital(word())} ${word()} ${noun} ${index}`;
  const limit = 10 + Math.floor(random() * 90);
  const typescript = [
    `\`\`\`ts${flavor === "hugo" ? "" : ` title="${noun}.ts"`}`,
    `import { ${Noun}Client, type ${Noun} } from "@acme/sdk";`,
    "",
    `interface Create${Noun} {`,
    "  name: string;",
    `  retries?: number; // ${word()} ${word()}`,
    "  tags: Array<string | null>;",
    "}",
    "",
    `export async function create${Noun}(input: Create${Noun}): Promise<${Noun}> {`,
    `  const client = new ${Noun}Client({ apiKey: process.env.ACME_API_KEY!, timeout: ${limit * 100} });`,
    `  for (let attempt = 0; attempt < (input.retries ?? ${1 + (limit % 5)}); attempt++) {`,
    `    const response = await client.${noun}s.create({ ...input, tags: input.tags.filter(Boolean) });`,
    `    if (response.status === 200) return response.data as ${Noun};`,
    `    await new Promise((done) => setTimeout(done, 2 ** attempt * ${limit}));`,
    "  }",
    `  throw new Error(\`could not create ${noun}: \${input.name}\`);`,
    "}",
    "```",
  ];
  const shell = [
    "```bash",
    `# ${word()} ${word()} ${word()}`,
    `export ACME_API_KEY="key_${Math.floor(random() * 1e9).toString(36)}"`,
    `npm install @acme/sdk@^${1 + (limit % 9)}.0.0`,
    `curl -sS -X POST "https://api.example.com/v1/${noun}s?limit=${limit}" \\`,
    '  -H "Authorization: Bearer $ACME_API_KEY" \\',
    `  -d '{"name": "${word()}", "retries": ${limit % 9}}' | jq '.data[] | .id'`,
    "```",
  ];
  const table = [
    "| Name | Type | Default | Description |",
    "| --- | --- | --- | --- |",
    ...Array.from(
      { length: 6 },
      () =>
        `| \`${word()}_${pick(nouns)}\` | ${pick(["string", "number", "boolean"])} | ${Math.floor(random() * 100)} | ${word()} ${word()} ${word()} ${word()} |`,
    ),
  ];
  const list = Array.from({ length: 5 }, () => `- ${sentence()}`);
  return [
    `---\ntitle: ${title}\ndescription: ${paragraph(1).replace(/[`*[\]():]/g, "")}\n---`,
    paragraph(4),
    `## Before ${word()} ${noun}`,
    paragraph(4),
    callout(flavor, sentence()),
    `## Create ${word()} ${noun}`,
    paragraph(3),
    typescript.join("\n"),
    paragraph(4),
    `### Options of ${noun} ${word()}`,
    table.join("\n"),
    paragraph(4),
    `## Run ${word()}`,
    list.join("\n"),
    shell.join("\n"),
    paragraph(5),
    `## Next ${word()}`,
    paragraph(4),
    "",
  ].join("\n\n");
}

function callout(flavor: Flavor, text: string): string {
  switch (flavor) {
    case "octavo":
      return `<Note>\n${text}\n</Note>`;
    case "directive":
      return `:::note\n${text}\n:::`;
    case "vitepress":
      return `::: info\n${text}\n:::`;
    case "hugo":
      return `> **Note:** ${text}`;
  }
}

/** Writes the pages to a folder. For Octavo, also writes docs.json. */
export function writeCorpus(folder: string, pages: number, flavor: Flavor): void {
  const ending = flavor === "octavo" ? "mdx" : "md";
  for (let index = 0; index < pages; index++) {
    const file = path.join(folder, `${routeOf(index)}.${ending}`);
    if (index % pagesPerGroup === 0) mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, page(index, pages, flavor));
  }
  if (flavor !== "octavo") return;
  const groups = Array.from({ length: Math.ceil(pages / pagesPerGroup) }, (_, group) => ({
    group: `Group ${group}`,
    pages: Array.from({ length: Math.min(pagesPerGroup, pages - group * pagesPerGroup) }, (_, i) =>
      routeOf(group * pagesPerGroup + i),
    ),
  }));
  writeFileSync(
    path.join(folder, "docs.json"),
    `${JSON.stringify({ theme: "mint", name: "Acme", colors: { primary: "#2F5BD7" }, navigation: { groups } }, undefined, 1)}\n`,
  );
}

export interface VersionedCorpus {
  languages: number;
  versions: number;
  /** Number of pages of each version in each language. */
  pages: number;
}

const languageCodes = ["en", "fr", "pt-BR", "ko", "de", "es", "zh", "ja"];

/** Share of pages that differ from the previous version. */
const changedShare = 0.1;

export function versionedRoute(language: number, version: number, index: number): string {
  return `${languageCodes[language]}/v${version}/${routeOf(index)}`;
}

/**
 * Writes a site for Octavo in which every version has a copy of every page, as in repositories with the
 * documentation of every release.
 */
export function writeVersionedCorpus(folder: string, { languages, versions, pages }: VersionedCorpus): void {
  const random = generator(4_711);
  const navigation = Array.from({ length: languages }, (_, language) => {
    const current = Array.from({ length: pages }, (_, index) =>
      page(index, pages, "octavo").replaceAll("](/", "](../"),
    );
    const listed = Array.from({ length: versions }, (_, version) => {
      const routes = Array.from({ length: pages }, (_, index) => versionedRoute(language, version, index));
      for (const [index, route] of routes.entries()) {
        if (version > 0 && random() < changedShare) current[index] += `\n\nChanged in version ${version}.\n`;
        mkdirSync(path.dirname(path.join(folder, route)), { recursive: true });
        writeFileSync(path.join(folder, `${route}.mdx`), current[index]!);
      }
      const groups = Array.from({ length: Math.ceil(pages / 20) }, (_, group) => ({
        group: `Group ${group}`,
        pages: routes.slice(group * 20, (group + 1) * 20),
      }));
      return { version: `v${version}`, tabs: [{ tab: "Guides", groups }] };
    });
    return { language: languageCodes[language], versions: listed };
  });
  const settings = {
    theme: "mint",
    name: "Acme",
    colors: { primary: "#2F5BD7" },
    navigation: { languages: navigation },
  };
  writeFileSync(path.join(folder, "docs.json"), `${JSON.stringify(settings, undefined, 2)}\n`);
}
