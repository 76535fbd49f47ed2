import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { titleFromSlug } from "../../base/title-from-slug.ts";
import { type Command, UsageError } from "../command.ts";

export const init: Command = {
  name: "init",
  summary: "Create a starter site.",
  usage: "init [dir] [--name NAME]",
  example: "octavo init docs --name Acme",
  positionals: 1,
  options: { name: { type: "string", argument: "NAME", description: "Name of the site. Default: the folder's name." } },
  async run({ positionals, values }, terminal) {
    const folder = path.resolve(positionals[0] ?? ".");
    const name = typeof values.name === "string" ? values.name : titleFromSlug(path.basename(folder));
    if (existsSync(path.join(folder, "docs.json"))) throw new UsageError(`${folder} already has a docs.json`);
    mkdirSync(folder, { recursive: true });
    const kept = new Set(readdirSync(folder));
    for (const [file, text] of Object.entries(starter(name))) {
      if (kept.has(file)) continue;
      writeFileSync(path.join(folder, file), text);
      terminal.note(`wrote ${file}`);
    }
    terminal.out(`Site created. Preview it with: octavo dev ${positionals[0] ?? "."}`);
    return 0;
  },
};

function starter(name: string): Record<string, string> {
  const docsJson = {
    theme: "mint",
    name,
    colors: { primary: "#2F5BD7", light: "#8DB0FF", dark: "#2F5BD7" },
    navigation: { groups: [{ group: "Get started", pages: ["index", "quickstart"] }] },
  };
  return {
    "docs.json": `${JSON.stringify(docsJson, undefined, 2)}\n`,
    "index.mdx": `---\ntitle: ${JSON.stringify(name)}\ndescription: What this product is, and what these pages hold.\n---\n\nWelcome. Change this page in \`index.mdx\`; the preview follows each save.\n\n<CardGroup cols={2}>\n  <Card title="Quickstart" icon="rocket" href="/quickstart">\n    From nothing to a first result.\n  </Card>\n</CardGroup>\n`,
    "quickstart.mdx": `---\ntitle: Quickstart\ndescription: From nothing to a first result.\n---\n\n<Steps>\n  <Step title="Install">\n    Say what to install.\n  </Step>\n  <Step title="Run">\n    \`\`\`bash\n    echo "Hello"\n    \`\`\`\n  </Step>\n</Steps>\n\n<Note>Replace these words by your own.</Note>\n`,
  };
}
