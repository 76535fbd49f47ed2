/** The command line and the service with other versions of Node.js than that of the tests. */

import { createHash } from "node:crypto";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { readFiles, root, runOctavo, temporaryFolder } from "../engine/build.ts";
import { newOrganization } from "../service/service.ts";
import { startService } from "../shared/service.ts";
import { nodeOfVersion, nodeVersions } from "./node-versions.ts";

const work = temporaryFolder();
const docs = path.join(root, "docs");
const warnings = { NODE_OPTIONS: "--trace-warnings" };

/** Builds the docs without cached pages. Returns a hash of all files. */
async function build(node: string): Promise<string> {
  const folder = path.join(work, createHash("sha256").update(node).digest("hex"));
  const args = ["build", docs, "--output", folder, "--no-cache"];
  const { code, err } = await runOctavo(args, { node, env: { ...process.env, ...warnings } });
  expect([code, err]).toEqual([0, expect.not.stringMatching(/warning|deprecat/i)]);
  return createHash("sha256")
    .update(JSON.stringify(readFiles(folder)))
    .digest("hex");
}

/** Starts a service and creates its first deployment, of the docs. */
async function deployFirst(node: string): Promise<void> {
  const service = await startService({ node, env: warnings });
  const { projectId, key } = await newOrganization(service);
  const { code, out, err } = await runOctavo(["deploy", docs, "--project", projectId], {
    node,
    env: { ...process.env, OCTAVO_URL: `http://localhost:${service.port}`, OCTAVO_API_KEY: key },
  });
  expect([code, out, err]).toEqual([0, expect.stringMatching(/^Live\b/), expect.anything()]);
  expect(await service.stop()).toBe(0);
  expect(service.output()).not.toMatch(/deprecat|\(node:\d+\)/i);
}

let expected: string;
beforeAll(async () => {
  expected = await build(process.execPath);
});

describe.each(nodeVersions)("with Node.js %s", (version) => {
  const node = nodeOfVersion(version);
  const install = `npm install --prefix ~/.cache/octavo/node/${version} node@${version}`;
  if (node === undefined) console.error(`Node.js ${version} isn't tested. To install it, run: ${install}`);
  const isMissing = node === undefined;

  test.skipIf(isMissing)("octavo build writes the same files", async () => {
    expect(await build(node!)).toBe(expected);
  });

  test.skipIf(isMissing)("octavo check finds no problems", async () => {
    const { code, err } = await runOctavo(["check", docs, "--strict", "--no-cache"], { node: node! });
    expect([code, err]).toEqual([0, expect.not.stringMatching(/warning|deprecat/i)]);
  });

  // With the newest version, three services keep the machine busy.
  const services = version === nodeVersions.at(-1) ? [1, 2, 3] : [1];
  test.skipIf(isMissing)(
    `the first deployment goes live without errors (${services.length} at once)`,
    async () => {
      await Promise.all(services.map(() => deployFirst(node!)));
    },
  );
});
