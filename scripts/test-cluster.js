// npm run test:cluster: tests the Helm chart on a Kubernetes control plane and on a node. Builds the programs
// first, which takes about 20 minutes the first time. With --control-plane, there's no node. With --ci,
// nothing is built: what isn't in the cache is skipped, and the tests with a node run only if the last
// successful run had a different chart, Dockerfile or bundle server. With --helm, no test runs: only Helm is
// built, which tests in `npm test` need.

import { hasImages } from "../test/cluster/images.js";
import {
  buildHelm,
  buildPrograms,
  cacheSize,
  hasControlPlane,
  hasNode,
  missingForBuild,
  missingForNode,
} from "../test/cluster/programs.js";
import { readLastRun } from "./last-run.js";
import { ensureBuilt, ensureInstalled, run } from "./prepare.js";

const isCi = process.argv.includes("--ci");
const withNode = !process.argv.includes("--control-plane");
/** Files that the tests with a node depend on. */
const relevant = /^(?:chart\/|Dockerfile|src\/(?:bundle|host|main)\/|test\/cluster\/)/;

const skip = (what, reason) => console.error(`${what} skipped: ${reason}.`);

ensureInstalled();
if (process.argv.includes("--helm")) {
  const reason = missingForBuild();
  if (reason) skip("The tests that render the chart are", reason);
  else buildHelm();
  process.exit(0);
}
if (!isCi && !hasNode()) {
  const reason = missingForBuild();
  if (!reason) {
    buildPrograms();
    console.error(`The programs are in the cache (${cacheSize()} MB).`);
  } else if (!hasControlPlane()) {
    skip("The cluster tests are", reason);
    process.exit(0);
  }
}
if (!hasControlPlane()) {
  skip(
    "The cluster tests are",
    "their programs aren't in the cache. To build them, run npm run test:cluster",
  );
  process.exit(0);
}
const projects = ["--project", "control plane"];
if (withNode) {
  const reason = reasonAgainstNode();
  if (reason) skip("The tests with a Kubernetes node are", reason);
  else {
    await ensureBuilt();
    projects.push("--project", "node");
  }
}
process.exit(run("node_modules/.bin/vitest", ["run", ...projects]));

function reasonAgainstNode() {
  if (!hasNode()) return "their programs aren't in the cache";
  const missing = missingForNode();
  if (missing || !isCi) return missing;
  if (!hasImages()) return "the base image isn't in the cache. To build it, run npm run test:cluster";
  const { changed } = readLastRun();
  return changed && !changed.some((file) => relevant.test(file))
    ? "the chart, the Dockerfile and the bundle server are unchanged"
    : undefined;
}
