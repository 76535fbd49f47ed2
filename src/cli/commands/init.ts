import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { titleFromSlug } from "../../base/title-from-slug.ts";
import { linkIn } from "../../io/plain-folder.ts";
import { type Command, UsageError } from "../command.ts";
import { outputPath } from "../output-path.ts";
import { starterFiles } from "../starter.ts";

export const init: Command = {
  name: "init",
  summary: "Create a starter site.",
  usage: "init [DIR] [--name NAME]",
  example: "octavo init docs --name Acme",
  positionals: 1,
  options: {
    name: { type: "string", argument: "NAME", description: "Site name. Default: the folder name." },
  },
  async run({ positionals, values }, terminal) {
    const folder = outputPath(positionals[0] ?? ".");
    const name = typeof values.name === "string" ? values.name : titleFromSlug(path.basename(folder));
    if (exists(path.join(folder, "docs.json")))
      throw new UsageError(`${folder} already has a docs.json. Choose a different folder.`);

    for (const [file, text] of Object.entries(starterFiles(name))) {
      const target = path.join(folder, file);
      if (exists(target)) continue;
      const link = linkIn(folder, file);
      if (link !== undefined) {
        terminal.note(`Skipped ${file}, because ${link} is a symbolic link. Replace the link with a folder.`);
        continue;
      }
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text, { flag: "wx" });
      terminal.note(`Created ${file}`);
    }

    const site = positionals[0] ?? ".";
    const run = (command: string) => `  ${terminal.executable} ${command}`;
    terminal.out(
      [
        "Site created. To preview it, and to build it as static files, run:",
        "",
        run(`dev ${site}`),
        run(`build ${site} --output site`),
      ].join("\n"),
    );

    return 0;
  },
};

/** Whether there is something at a path, including a link without a target. */
function exists(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}
