import { type Files, readText } from "../../src/base/files.ts";
import { type Problem, problem } from "../../src/base/problem.ts";
import { unsafeName } from "../../src/base/safe-name.ts";
import { fromMintJson } from "../../src/engine/config/mint-json.ts";
import { parseJson } from "../../src/engine/json-positions.ts";
import { isPageFile } from "../../src/engine/paths.ts";
import { type ImportedFile, UnreadableSite } from "./imported-file.ts";

/**
 * Yields the files of a folder with mint.json: docs.json instead of mint.json, and all other files unchanged.
 */
export function* mintFiles(files: Files, report: (found: Problem) => void): Generator<ImportedFile> {
  const { settings, leftOut } = fromMintJson(readSettings(files));
  for (const key of leftOut)
    report(
      problem(
        "import-left-out",
        { file: "mint.json" },
        `The key "${key}" wasn't imported, because Octavo has no equivalent`,
      ),
    );
  yield {
    path: "docs.json",
    kind: "settings",
    read: () => new TextEncoder().encode(`${JSON.stringify(settings, undefined, 2)}\n`),
  };
  for (const path of files.paths)
    if (path !== "mint.json" && !unsafeName(path))
      yield {
        path,
        kind: isPageFile(path) ? "page" : "file",
        read: () => files.read(path) ?? new Uint8Array(),
      };
}

function readSettings(files: Files): Record<string, unknown> {
  try {
    const value = parseJson(readText(files, "mint.json") ?? "");
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new UnreadableSite("mint.json isn't a JSON object. Fix it, and import again.");
}
