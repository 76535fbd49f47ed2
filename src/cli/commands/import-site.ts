import { readdirSync, statSync } from "node:fs";
import { convertSite, inOrder, siteKindOf, siteKinds } from "../../../tools/import-site/convert-site.ts";
import { importSource } from "../../../tools/import-site/import-source.ts";
import { UnreadableSite } from "../../../tools/import-site/imported-file.ts";
import { plural } from "../../base/plural.ts";
import { type Problem, problem } from "../../base/problem.ts";
import { PlainFolder } from "../../io/plain-folder.ts";
import { type Command, UsageError } from "../command.ts";
import { docsFolder } from "../docs-folder.ts";
import { formatProblems, problemJson } from "../format-problems.ts";
import { outputPath } from "../output-path.ts";

export const importSite: Command = {
  name: "import-site",
  summary: "Convert a Docusaurus or Starlight site, or a folder with mint.json, to a documentation folder.",
  usage: "import-site [--from NAME] SOURCE TARGET [--json]",
  example: "octavo import-site old-site docs",
  positionals: 2,
  options: {
    from: {
      type: "string",
      argument: "NAME",
      description: "docusaurus, starlight, or mint. Default: detected from the configuration file.",
    },
    json: { type: "boolean", description: "Print the result as JSON." },
  },
  async run({ positionals: [source, target], values }, terminal) {
    if (source === undefined || target === undefined) throw new UsageError("Missing SOURCE or TARGET folder");
    const { files, problems } = importSource(docsFolder(source));
    const kind =
      values.from === undefined ? siteKindOf(files) : siteKinds.find((known) => known === values.from);
    if (!kind && values.from !== undefined)
      throw new UsageError(`--from must be one of ${siteKinds.join(", ")}`);

    if (!kind)
      throw new UsageError(
        `${source} has no docusaurus.config, astro.config or mint.json file. Check the path, or set --from.`,
      );

    const folder = newFolder(target);
    const converted = convertSite(files, kind, (found) => problems.push(found));
    const counts = await writeImported(folder, converted, problems).catch((error: unknown) => {
      throw error instanceof UnreadableSite ? new UsageError(error.message) : error;
    });
    const found = inOrder(problems);

    if (values.json) terminal.out(JSON.stringify({ ...counts, problems: found.map(problemJson) }));
    else {
      if (found.length) terminal.out(`${formatProblems(found, terminal)}\n\n`);
      terminal.out(
        `${plural(counts.pages, "page")} imported, ${plural(counts.files, "file")} copied, ${plural(found.length, "item")} not imported`,
      );
      terminal.out(`Check the site with: octavo check ${target}`);
    }

    return 0;
  },
};

/**
 * Creates the target folder and its parents. Throws `UsageError` if the path is a file or a folder that isn't
 * empty.
 */
function newFolder(target: string): PlainFolder {
  const folder = outputPath(target);
  const existing = statSync(folder, { throwIfNoEntry: false });
  if (existing && (!existing.isDirectory() || readdirSync(folder).length > 0))
    throw new UsageError(
      existing.isDirectory()
        ? `${target} isn't empty. Choose a different folder, or delete the contents of this one.`
        : `${target} is a file. Choose a different path for the new folder.`,
    );
  return new PlainFolder(folder, { mayExist: true });
}

/** Writes the files. Adds a problem for each file whose name is taken. */
async function writeImported(folder: PlainFolder, site: ReturnType<typeof convertSite>, problems: Problem[]) {
  const counts = { pages: 0, files: 0 };
  for (const file of site) {
    const isWritten = await folder.write(file.path, once(file.read()));
    if (!isWritten)
      problems.push(
        problem(
          "import-left-out",
          { file: file.path },
          "The file wasn't written, because a file or folder with this name already exists",
          "Rename one of them, and import again.",
        ),
      );
    else if (file.kind === "page") counts.pages++;
    else if (file.kind === "file") counts.files++;
  }

  return counts;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
