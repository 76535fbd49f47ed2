/** Runs the commands in the README. */

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../src/service/app/endpoints.ts";
import { siteOf, temporaryFolder, writeFiles } from "./engine/build.ts";
import { printed } from "./service/dashboard.ts";
import { clientFor, type RunningService } from "./service/service.ts";
import { startService } from "./shared/service.ts";

const root = process.cwd();
const readme = readFileSync(path.join(root, "README.md"), "utf8");
/** A small site in place of our own documentation, whose content doesn't matter to the commands. */
const docs = writeFiles(
  temporaryFolder(),
  siteOf({ "index.mdx": "Welcome.", "guides/install.mdx": "Install it." }),
);
let service: RunningService;
let projectId: string;

beforeAll(async () => {
  service = await startService({ env: { OCTAVO_DOCS: docs } });
  projectId = await printed(service, "Project ID");
});
afterAll(() => service.stop());

/** Runs all code blocks below a heading in one shell. */
function paste(heading: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const section = readme.split(`## ${heading}\n`)[1]!.split("\n## ")[0]!;
  const script = [...section.matchAll(/```bash\n([\s\S]*?)```/g)].map((match) => match[1]).join("\n");
  return new Promise((resolve) => {
    const child = spawn(
      "bash",
      ["-e", "-o", "pipefail", "-c", `cd "$(mktemp -d)" && ln -s "${docs}" docs\n${script}`],
      {
        env: {
          PATH: process.env.PATH,
          OCTAVO_URL: `http://localhost:${service.port}`,
          OCTAVO_API_KEY: service.firstKey,
          PROJECT_ID: projectId,
        },
      },
    );
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.once("exit", (code) => resolve({ code, stdout, stderr }));
  });
}

test("deploy, static export and conversations, pasted right after the first start", async () => {
  const { code, stdout, stderr } = await paste("Use the service");
  expect(stderr).not.toMatch(/error|curl: /i);
  expect(code).toBe(0);
  expect(stdout).toContain('"status":"queued"');
  expect(stdout).toContain('"status":"completed"');
  expect(stdout).toContain("manifest.json");
  expect(stdout).toContain('{"conversations":[],"nextCursor":null,"hasMore":false}');
  const client = clientFor(service.port, service.firstKey);
  const { deployments } = await client(endpoints.listDeployments, { params: { projectId } });
  expect(deployments.map(({ trigger }) => trigger)).toContain("start");
}, 240_000);
