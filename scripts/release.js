// npm run release: checks the product, and writes the files of the release in package.json to release/.
// Publishes nothing. With --no-tests, the tests aren't run.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBuilt, ensureInstalled, root, run } from "./prepare.js";
import { packExtension } from "./vscode-extension.js";

const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const output = (command, ...args) =>
  execFileSync(command, args, { cwd: root, encoding: "utf8", maxBuffer: 100 * 1024 * 1024 });

/**
 * Reasons why a version can't be released. `changed`: output of `git status --porcelain`. `tags`: names of
 * the repository's tags.
 */
export function releaseProblems({ version, changelog, changed, tags }) {
  const [, first] = /^## (.*)$/m.exec(changelog) ?? [];
  return [
    changed && "There are uncommitted changes. Commit them first.",
    first !== version &&
      `The first heading in CHANGELOG.md is "${first}". Change it to "${version}", or change the version in package.json.`,
    tags.includes(`v${version}`) && `The tag v${version} exists. Increase the version in package.json.`,
  ].filter(Boolean);
}

/**
 * Packs the built product, and writes the packages in each image as CycloneDX, and the checksums of all
 * files, into a folder. `addFiles`: writes further files into the folder.
 */
export async function writeRelease(folder, addFiles = () => {}) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  output("npm", "pack", "--silent", "--pack-destination", folder);
  const installed = JSON.parse(output("npm", "sbom", "--sbom-format", "cyclonedx"));
  const bundled = JSON.parse(readFileSync(path.join(root, "dist/.packages.json"), "utf8"));
  for (const [image, folders] of Object.entries(bundled)) {
    const names = new Set(folders.map(nameOf));
    const isIncluded = ({ "bom-ref": name, properties = [] }) =>
      names.has(name) ||
      (image === "octavo" && !properties.some((property) => property.name === "cdx:npm:package:development"));
    writeFileSync(
      path.join(folder, `${image}-${version}.cdx.json`),
      `${JSON.stringify(materialsOf(image, installed, isIncluded), undefined, 2)}\n`,
    );
  }
  await addFiles(folder);
  const sums = readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${createHash("sha256")
          .update(readFileSync(path.join(folder, name)))
          .digest("hex")}  ${name}\n`,
    );
  writeFileSync(path.join(folder, "SHA256SUMS"), sums.join(""));
}

/** Name of the package in a folder in a bill of materials, such as `preact@10.0.0`. */
function nameOf(folder) {
  const { name, version } = JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8"));
  return `${name}@${version}`;
}

/** Bill of materials of an image: the part of `installed` that it includes. */
function materialsOf(image, installed, isIncluded) {
  // npm marks bundled packages as development dependencies, because they aren't installed with the product.
  const components = installed.components
    .filter(isIncluded)
    .map(({ properties: _, ...component }) => component);
  const known = new Set(components.map((component) => component["bom-ref"]));
  const product = { ...installed.metadata.component, type: "application", name: image };
  const dependencies = installed.dependencies
    .filter(({ ref }) => known.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((name) => known.has(name)) }));
  return {
    ...installed,
    metadata: { ...installed.metadata, component: product },
    components,
    dependencies: [{ ref: product["bom-ref"], dependsOn: [...known] }, ...dependencies],
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = releaseProblems({
    version,
    changelog: readFileSync(path.join(root, "CHANGELOG.md"), "utf8"),
    changed: output("git", "status", "--porcelain"),
    tags: output("git", "tag").split("\n"),
  });
  for (const problem of problems) console.error(problem);
  if (problems.length) process.exit(1);
  ensureInstalled();
  if (!process.argv.includes("--no-tests") && run(".ci/run", []) !== 0) process.exit(1);
  await ensureBuilt();
  const folder = path.join(root, "release");
  await writeRelease(folder, packExtension);
  console.log(
    `${readdirSync(folder).join("\n")}\n\nThe files are in release/. CONTRIBUTING.md describes how to publish them.`,
  );
}
