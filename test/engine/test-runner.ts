/** Creates the part of the build process that builds sites, in the test's process. */

import path from "node:path";
import { BuildRunner, type RunnerOptions } from "../../src/builder/build-runner.ts";
import { noHosts } from "../../src/io/allowed-hosts.ts";

const product = path.resolve(import.meta.dirname, "../../dist");

/** Creates a runner with the built product, which may fetch documents from no host by default. */
export function testRunner(options: Partial<RunnerOptions> & Pick<RunnerOptions, "send">): BuildRunner {
  return new BuildRunner({
    assets: path.join(product, "assets"),
    gzipModule: path.join(product, "gzip.js"),
    threadModule: path.join(product, "build-thread.js"),
    generator: "test",
    version: "0",
    allowed: noHosts,
    ...options,
  });
}
