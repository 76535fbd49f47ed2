import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { plainLine } from "../../base/one-line.ts";
import { plural } from "../../base/plural.ts";
import { BadBundle, type BundleSource } from "../../bundle/bundle-manifest.ts";
import { requireSignature } from "../../bundle/signature.ts";
import { compareFiles, type Difference, type ReadBundle, verifyFiles } from "../../bundle/verify-bundle.ts";
import { checkOutRevision } from "../../io/checkout-git.ts";
import { type Command, UsageError } from "../command.ts";
import { openFeedFolder } from "../feed/feed-folder.ts";
import { type VerifiedFeed, verifyFeed } from "../feed/verify-feed.ts";
import { readKey } from "../read-key.ts";
import type { Terminal } from "../terminal.ts";

export const verify: Command = {
  name: "verify",
  summary: "Check the files of a bundle or of a copied change feed.",
  usage: "verify BUNDLE [--source DIR|REV] [--public-key FILE], or verify feed FOLDER",
  example: "octavo verify site.tar.gz --source v1.4.0",
  positionals: 2,
  options: {
    source: {
      type: "string",
      argument: "DIR|REV",
      description:
        "Documentation folder, or a revision of the current repository, to rebuild the bundle from.",
    },
    "public-key": {
      type: "string",
      argument: "FILE",
      description: "Public Ed25519 key in PEM format. The bundle must be signed.",
    },
    json: { type: "boolean", description: "Print the result as JSON." },
  },
  async run({ positionals, values }, terminal) {
    const [bundle, folder] = positionals;
    if (bundle === "feed" && folder !== undefined)
      return reportFeed(await verifyFeed(await openFeedFolder(folder)), values.json === true, terminal);
    if (folder !== undefined)
      throw new UsageError(`Unexpected argument for verify: ${JSON.stringify(folder)}`);
    if (!bundle || !existsSync(bundle))
      throw new UsageError(
        bundle ? `File or folder not found: ${bundle}` : "Missing BUNDLE, a bundle to verify",
      );

    const publicKey =
      typeof values["public-key"] === "string" ? readKey(values["public-key"], "public") : undefined;
    try {
      const read = await verifyFiles(bundle);
      if (publicKey !== undefined) requireSignature(read.manifestBytes, read.signature, publicKey);
      const differences = [...read.differences];
      if (typeof values.source === "string")
        differences.push(...(await rebuilt(read, values.source, terminal)));
      return report(
        read,
        differences,
        { isJson: values.json === true, isRebuilt: values.source !== undefined },
        terminal,
      );
    } catch (error) {
      if (!(error instanceof BadBundle)) throw error;
      terminal.note(error.message);
      return 1;
    }
  },
};

function reportFeed(feed: VerifiedFeed, isJson: boolean, terminal: Terminal): number {
  if (isJson) terminal.out(JSON.stringify(feed));
  else {
    for (const { file, message } of feed.faults) terminal.note(`${file} ${message}`);
    const content = `${plural(feed.events, "event")} in ${plural(feed.files, "file")}`;
    terminal.out(
      feed.faults.length
        ? `${plural(feed.faults.length, "fault")} in the copy of ${content}`
        : `The copy is complete and unaltered: ${content}, digest ${feed.digest}`,
    );
  }
  return feed.faults.length ? 1 : 0;
}

function report(
  { manifest, unchecked }: ReadBundle,
  differences: readonly Difference[],
  { isJson, isRebuilt }: { isJson: boolean; isRebuilt: boolean },
  terminal: Terminal,
): number {
  const { version, source, files } = manifest;
  const commit = source?.commit ?? null;
  const audience = source?.target.audience ? (source.target.audience.groups ?? "public") : null;
  const url = source?.target.origin ?? null;

  if (isJson)
    terminal.out(
      JSON.stringify({ version, commit, url, audience, files: files.length, differences, unchecked }),
    );
  else {
    for (const { path: name, kind } of differences) terminal.note(`${kind}: ${plainLine(name)}`);
    const facts = [
      `version ${version}`,
      ...(url ? [`for ${url}`] : []),
      ...(audience ? [`for the audience ${[audience].flat().join(", ")}`] : []),
      ...(commit ? [`built from commit ${commit}`] : []),
    ];
    const result = differences.length
      ? `${plural(differences.length, "file")} ${differences.length === 1 ? "is" : "are"} different`
      : `All ${plural(files.length, "file")} are ${isRebuilt ? "equal to a new build" : "as in the manifest"}`;
    const notes = unchecked.map(
      (name) => `${name} isn't checked, because operators can change it. Each page runs it.`,
    );
    terminal.out([result, plainLine(facts.join(", ")), ...notes].join("\n"));
  }

  return differences.length ? 1 : 0;
}

/**
 * Builds the bundle again from a source, and returns the differences. Throws `UsageError` if it can't be
 * built.
 */
async function rebuilt({ manifest }: ReadBundle, source: string, terminal: Terminal): Promise<Difference[]> {
  const { generator, source: built, files } = manifest;
  if (!built)
    throw new UsageError(
      "The bundle's manifest doesn't say what it was built from, so it can't be built again",
    );

  const own = `octavo ${terminal.version}`;
  if (generator !== own)
    throw new UsageError(`The bundle was built by ${generator}, but this is ${own}. Use the same version.`);
  const work = mkdtempSync(path.join(tmpdir(), "octavo-verify-"));
  const builder = terminal.startBuildProcess((stage, done, total) =>
    terminal.progress(stage === "page" ? "Reading pages" : "Writing files", done, total),
  );

  try {
    const isFolder = statSync(source, { throwIfNoEntry: false })?.isDirectory() === true;
    const folder = isFolder ? path.resolve(source) : checkOut(source, built, work);
    const archive = path.join(work, "bundle.tar.gz");
    await builder.build({ folder, output: { kind: "archive", path: archive, target: built.target } });
    const again = await verifyFiles(archive);
    if (again.manifest.source?.inputs.sha256 !== built.inputs.sha256)
      terminal.note("The source isn't the one that the bundle was built from: its files are different");
    return compareFiles(again.manifest.files, files);
  } finally {
    builder.end();
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Checks out a revision of the current repository in a new folder. Returns the path of the documentation
 * folder.
 */
function checkOut(revision: string, { directory = "" }: BundleSource, work: string): string {
  const clone = path.join(work, "source");
  try {
    checkOutRevision(".", revision, clone, path.join(work, "repository"));
  } catch {
    throw new UsageError(`${revision} isn't a folder, or a revision of the repository in the current folder`);
  }

  const folder = path.resolve(clone, directory);
  if (!`${folder}${path.sep}`.startsWith(clone + path.sep) || !existsSync(folder))
    throw new UsageError(`The revision ${revision} has no folder ${directory}`);
  return folder;
}
