// Generates the type declarations of `octavo/engine`, and those of `octavo/client` that are written by hand.
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));
const entries = ["main/engine.d.ts", "main/client.d.ts"];

/** Writes the declarations of the entry points, and of the files whose types it uses, into a folder. */
export async function writeLibraryTypes(out) {
  const all = await mkdtemp(path.join(tmpdir(), "octavo-types-"));
  try {
    const tsc = path.join(root, "node_modules/.bin/tsc");
    // Errors are about types that can't be named in declarations of other files. A test checks the types in
    // dist/.
    await promisify(execFile)(tsc, [
      "-p",
      path.join(root, "scripts/build/tsconfig.json"),
      "--outDir",
      all,
    ]).catch(() => {});
    const found = new Set(entries);
    for (const file of found) {
      const text = await readFile(path.join(all, file), "utf8");
      for (const [, specifier] of text.matchAll(/ from "(\.[^"]+)\.ts"/g))
        found.add(path.join(path.dirname(file), `${specifier}.d.ts`));
      await cp(path.join(all, file), path.join(out, file));
    }
  } finally {
    await rm(all, { recursive: true });
  }
}
