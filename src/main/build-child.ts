/**
 * Entry point of the build process. Handles the requests of the parent process and exits when the parent
 * disconnects.
 */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import type { BuildMessage, BuildRequest } from "../builder/build-protocol.ts";
import { BuildRunner } from "../builder/build-runner.ts";
import { notePage } from "../builder/page-note.ts";
import { usePatterns } from "../builder/use-patterns.ts";
import { allowSetting, parseAllowedHosts } from "../io/allowed-hosts.ts";

/** The bundler replaces this with a string that identifies the build of the product. */
declare const OCTAVO_GENERATOR: string;

// Without these flags, a build of 1,103 pages takes 1.15 times the CPU time, and one of the GitHub API 1.62
// times (`npm run bench`, alternating builds, median). A build ends within seconds, so V8's optimizing
// compiler would cost more than it saves for most functions. With this budget, fewer functions are optimized.
// The default is about 67,600 in Node 20.
setFlagsFromString("--interrupt-budget=600000");
// Inlines less into each function than the default of 920 bytes, which takes less time to compile.
setFlagsFromString("--max-inlined-bytecode-size-cumulative=400");
setFlagsFromString("--always-sparkplug");
setFlagsFromString("--no-flush-bytecode");
// Compiles regular expressions once, to machine code. The highlighter's take as long to compile to bytecode,
// and then once more.
setFlagsFromString("--no-regexp-tier-up");

usePatterns(new URL("./patterns/", import.meta.url));

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};
const runner = new BuildRunner({
  assets: fileURLToPath(new URL("./assets", import.meta.url)),
  gzipModule: fileURLToPath(new URL("./gzip.js", import.meta.url)),
  threadModule: fileURLToPath(new URL("./build-thread.js", import.meta.url)),
  generator: OCTAVO_GENERATOR,
  version,
  allowed: parseAllowedHosts(process.env[allowSetting] ?? "").hosts,
  send: (message: BuildMessage) => {
    if (message.event === "page") notePage(message);
    else process.send?.(message);
  },
});

let queue = Promise.resolve();
process.on("message", (request: BuildRequest) => {
  // A preview shows its last files while it is built again.
  if (request.do === "file") void runner.answer(request);
  else queue = queue.then(() => runner.answer(request));
});
process.on("disconnect", () => process.exit());
