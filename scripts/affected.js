// Selects the test files of the long lane that a change can affect, and a third of the others.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";

/** Files whose imports are followed. */
const code = /^(?:src|test|scripts)\/.*\.(?:tsx?|js)$/;
/** Entry points of the executables and of the scripts of pages. */
const executable = /^src\/(?:main|browser)\/[^/]+\.tsx?$/;
/** Files that tests neither import nor execute. */
const irrelevant = /^(?:docs\/|eval\/|bench\/|[A-Z]+(?:\.md)?$|\.gitignore$)/;

/**
 * Paths of the files that a test file depends on: what it imports, directly or not, and the whole product if
 * one of these files starts an executable or reads what the build has written.
 */
function dependencies(file, read, product) {
  const found = new Set();
  const visit = (name) => {
    if (found.has(name)) return;
    found.add(name);
    const { imports, startsProduct } = read(name);
    for (const imported of imports) visit(imported);
    if (startsProduct) for (const entry of product) visit(entry);
  };
  visit(file);
  return found;
}

/**
 * Returns a function that returns a file's relative imports, and whether it refers to the built product.
 * Results are cached.
 */
function reader(root, files) {
  const known = new Map();
  return (name) => {
    let result = known.get(name);
    if (result) return result;
    const text = readFileSync(path.join(root, name), "utf8");
    const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)]
      .map(([, to]) => path.posix.join(path.posix.dirname(name), to))
      .filter((to) => files.has(to));
    result = { imports, startsProduct: /bin\/octavo\.js|["'/]dist["'/]/.test(text) };
    known.set(name, result);
    return result;
  };
}

/**
 * Selects files of `tests`. `changed`: paths of the changed files, or undefined if they aren't known, which
 * selects all tests. `third`: 0, 1 or 2, the third of the unaffected tests that is selected, too. Undefined
 * for none.
 */
export function selectTests(root, tests, changed, third) {
  if (changed === undefined) return tests;
  const relevant = changed.filter((file) => !irrelevant.test(file));
  const files = new Set(linesOf("git", ["ls-files"], root).filter((file) => code.test(file)));
  // Settings of the tests, packages, styles, the chart and so on may affect any test. So may a file that was
  // deleted.
  if (relevant.some((file) => !files.has(file))) return tests;
  const read = reader(root, files);
  const product = [...files].filter((file) => executable.test(file) && !file.endsWith(".test.ts"));
  const changes = new Set(relevant);
  return tests.filter((file) => {
    const isAffected = [...dependencies(file, read, product)].some((name) => changes.has(name));
    return isAffected || thirdOf(file) === third;
  });
}

/** Divides files evenly into thirds, independently of other files. */
function thirdOf(file) {
  return createHash("sha256").update(file).digest().readUInt32BE() % 3;
}

/** Lines that a command prints. Throws an Error if it fails. */
export function linesOf(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(" ")}: ${stderr}`);
  return stdout.split("\n").filter(Boolean);
}
