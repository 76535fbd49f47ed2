/**
 * Linters have no findings in the API's description, generators support all operations, and a generated
 * client runs the whole life of a project. Each part is skipped if its program isn't installed.
 */

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { docs } from "../../../test/service/deploying.ts";
import type { OpenTestService } from "../../../test/service/open-test-service.ts";
import { operatorToken } from "../../../test/service/service.ts";
import { tarOf } from "../../../test/service/tar.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { endpoints } from "./endpoints.ts";
import { describeApi } from "./openapi-description.ts";

const folder = mkdtempSync(path.join(tmpdir(), "octavo-clients-"));
const document = path.join(folder, "api.json");
const operations_count = Object.keys(endpoints).length;
let service: OpenTestService;

beforeAll(async () => {
  service = await openTestService({ background: true });
  writeFileSync(document, JSON.stringify(describeApi("https://docs.octavo.test")));
  writeFileSync(path.join(folder, "ruleset.yaml"), "extends: spectral:oas\n");
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function isInstalled(command: string): boolean {
  const found = spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0;
  if (!found) console.error(`The API's description isn't checked with ${command}: it isn't installed.`);
  return found;
}

function run(command: string, ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: "utf8" });
  return { status, output: stdout + stderr };
}

test.skipIf(!isInstalled("redocly"))(
  "Redocly's recommended rules",
  () => {
    const { status, output } = run(
      "redocly",
      "lint",
      document,
      "--extends",
      "recommended",
      "--format",
      "json",
    );
    const { totals } = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1));
    expect([status, totals], output).toEqual([0, { errors: 0, warnings: 0, ignored: 0 }]);
  },
  120_000,
);

test.skipIf(!isInstalled("spectral"))(
  "Spectral's recommended rules",
  () => {
    const { status, output } = run(
      "spectral",
      "lint",
      document,
      "--ruleset",
      "ruleset.yaml",
      "--fail-severity",
      "hint",
    );
    expect([status, status === 0 ? "" : output]).toEqual([0, ""]);
  },
  120_000,
);

test.skipIf(!isInstalled("openapi-python-client"))(
  "openapi-python-client has all operations",
  () => {
    run("openapi-python-client", "generate", "--path", document, "--output-path", "python", "--meta", "none");
    const modules = (readdirSync(path.join(folder, "python/api"), { recursive: true }) as string[]).filter(
      (file) => file.endsWith(".py") && !file.endsWith("__init__.py"),
    );
    expect(modules.length).toBe(operations_count);
  },
  120_000,
);

test.skipIf(!isInstalled("openapi-typescript"))(
  "openapi-typescript has all operations",
  () => {
    run("openapi-typescript", document, "-o", "types.d.ts");
    const types = readFileSync(path.join(folder, "types.d.ts"), "utf8");
    const ids = Object.values(endpoints).map(({ operationId }) => operationId);
    expect(ids.filter((id) => !types.includes(`operations["${id}"]`))).toEqual([]);
  },
  120_000,
);

/** The life of a project with the client of `@hey-api/openapi-ts`, without a cast. */
const life = `
import { createClient } from "./client/client/index.js";
import * as api from "./client/sdk.gen.js";

export async function life(url: string, token: string, archive: Blob, name: string) {
  const throwOnError = true;
  const operator = createClient({ baseUrl: url, auth: token });
  const created = await api.createOrganization({ client: operator, body: { name, plan: "enterprise" }, throwOnError });
  const path = { organizationId: created.data.id };
  const project = await api.createProject({
    client: operator,
    path,
    headers: { "Idempotency-Key": name },
    body: { name, subdomain: name, source: { kind: "upload" } },
    throwOnError,
  });
  const projectId = project.data.id;
  const key = await api.createKey({ client: operator, path, body: { name }, throwOnError });
  const client = createClient({ baseUrl: url, auth: key.data.key });
  const deploy = async () => {
    const { data } = await api.createDeployment({ client, path: { projectId }, body: archive, throwOnError });
    for (;;) {
      const { data: current } = await api.getDeployment({ client, path: { id: data.id }, throwOnError });
      if (current.status === "success") return data.id;
      if (current.status === "failure") throw new Error(current.summary ?? "failed");
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  const first = await deploy();
  await deploy();
  const list = await api.listDeployments({ client, path: { projectId }, query: { limit: 1 }, throwOnError });
  await api.rollBackDeployment({ client, path: { id: first }, throwOnError });
  const live = await api.getProject({ client, path: { projectId }, throwOnError });
  const exported = await api.listConversations({ client, path: { projectId }, throwOnError });
  const gone = await api.deleteProject({ client: operator, path: { projectId }, throwOnError });
  return {
    hasMore: list.data.hasMore,
    isRolledBack: live.data.liveDeploymentId === first,
    conversations: exported.data.conversations.length,
    status: gone.response.status,
  };
}
`;

test.skipIf(!isInstalled("openapi-ts"))(
  "a client of openapi-ts runs the life of a project",
  async () => {
    run("openapi-ts", "-i", document, "-o", "client", "-c", "@hey-api/client-fetch");
    const sdk = readFileSync(path.join(folder, "client/sdk.gen.ts"), "utf8");
    expect(sdk.match(/^export const \w+ = <ThrowOnError/gm)?.length).toBe(operations_count);
    writeFileSync(path.join(folder, "life.ts"), life);
    const compiled = run(
      process.execPath,
      path.resolve("node_modules/typescript/bin/tsc"),
      ...["--strict", "--skipLibCheck", "--module", "esnext", "--moduleResolution", "bundler"],
      ...["--target", "es2022", "--lib", "es2023,dom,dom.iterable", "--noEmit", "life.ts"],
    );
    expect(compiled).toEqual({ status: 0, output: "" });

    const { build } = await import("esbuild");
    const outfile = path.join(folder, "life.mjs");
    await build({ entryPoints: [path.join(folder, "life.ts")], bundle: true, format: "esm", outfile });
    expect(existsSync(outfile)).toBe(true);
    const { life: runLife } = await import(outfile);
    const archive = new Blob([tarOf(docs("Text")) as BlobPart], { type: "application/gzip" });
    expect(await runLife(`http://localhost:${service.port}`, operatorToken, archive, "life")).toEqual({
      hasMore: true,
      isRolledBack: true,
      conversations: 0,
      status: 204,
    });
  },
  300_000,
);
