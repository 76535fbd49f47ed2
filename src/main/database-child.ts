/** Entry point of the child process that runs the embedded database. */

import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { runEmbeddedPostgres } from "../io/embedded-postgres-process.ts";

/** Reads a file of PGlite from the product's build. */
const read = (name: string) =>
  brotliDecompressSync(readFileSync(new URL(`./database/${name}.br`, import.meta.url)));

await runEmbeddedPostgres(process.argv[2]!, {
  pgliteWasmModule: await WebAssembly.compile(read("pglite.wasm")),
  initdbWasmModule: await WebAssembly.compile(read("initdb.wasm")),
  fsBundle: new Blob([read("pglite.data")]),
});
