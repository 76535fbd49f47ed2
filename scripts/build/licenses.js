// Collects the licenses of the packages that are bundled into dist/.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Folders of the packages whose code is in bundles, such as `node_modules/preact`. `metafiles` are esbuild's.
 */
export function bundledPackages(metafiles) {
  const files = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs)),
  );
  const folders = files.flatMap((file) => /(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  return [...new Set(folders.map((folder) => folder.replace(/^.*?(?=node_modules\/)/, "")))].sort();
}

/**
 * The text of each license, preceded by the packages that it applies to. `folders`: folders of the packages.
 */
export async function licensesOf(folders) {
  const packages = new Map();
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(
      await readFile(path.join(root, folder, "package.json"), "utf8"),
    );
    const file = (await readdir(path.join(root, folder))).find((name) =>
      /^(?:licen[cs]e|copying)\b/i.test(name),
    );
    const text = file
      ? (await readFile(path.join(root, folder, file), "utf8")).trim()
      : `License: ${license}`;
    packages.set(text, [...(packages.get(text) ?? []), `${name} ${version}`]);
  }
  const sections = [...packages].map(([text, names]) => `${names.join("\n")}\n\n${text}\n`);
  return sections.join(`\n${"-".repeat(80)}\n\n`);
}
