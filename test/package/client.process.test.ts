/** Uses `octavo/client` from the packed product, without other packages, with a real service. */

import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientTypes } from "../../scripts/build/client-types.js";
import { endpoints } from "../../src/service/app/endpoints.ts";
import { filesBelow, root, temporaryFolder, writeFiles } from "../engine/build.ts";
import { docs } from "../service/deploying.ts";
import type { OpenTestService } from "../service/open-test-service.ts";
import { operatorToken } from "../service/service.ts";
import { tarOf } from "../service/tar.ts";
import { openTestService } from "../shared/service.ts";

const execute = promisify(execFile);
const folder = temporaryFolder();
const packed = path.join(folder, "node_modules/octavo");
let service: OpenTestService;
let env: Record<string, string>;

/** Programs of the documentation, by name. Each runs after the ones before it. */
const examples = filesBelow(path.join(root, "docs"))
  .filter((file) => file.endsWith(".mdx"))
  .flatMap((file) => [
    ...readFileSync(path.join(root, "docs", file), "utf8").matchAll(
      /^ *```ts (\S+\.mts)\n([\s\S]*?)^ *```$/gm,
    ),
  ])
  .filter(([, , code]) => code!.includes('"octavo/client"'))
  .map(([, name, code]) => ({ name: name!, code: code! }));

/** From an organization to its end, without a cast. */
const life = `
import { createClient, type Deployment, OctavoError } from "octavo/client";

const { OCTAVO_URL: url = "", OPERATOR_TOKEN: token = "" } = process.env;
const operator = createClient({ url, key: token });
const { id: organizationId } = await operator.post("/operator/v1/organizations", { body: { name: "Life", plan: "enterprise" } });
const path = { organizationId };
const { key } = await operator.post("/operator/v1/organizations/{organizationId}/keys", { path, body: { name: "life" } });
const octavo = createClient({ url, key });
const { id: projectId, source } = await octavo.post("/v1/projects", {
  body: { name: "Life", subdomain: "life", source: { kind: "upload" } },
  idempotencyKey: "life",
});
const again = await octavo.post("/v1/projects", {
  body: { name: "Life", subdomain: "life", source: { kind: "upload" } },
  idempotencyKey: "life",
});

const archive = await (await import("node:fs/promises")).readFile("docs.tar.gz");
async function deploy(body: Blob | Uint8Array | ReadableStream<Uint8Array>): Promise<Deployment> {
  const { id } = await octavo.post("/v1/projects/{projectId}/deployments", { path: { projectId }, body });
  for (;;) {
    const deployment = await octavo.get("/v1/deployments/{id}", { path: { id } });
    if (deployment.status === "success") return deployment;
    if (deployment.status === "failure") throw new Error(deployment.summary ?? "failed");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
const first = await deploy(new Blob([archive]));
const second = await deploy(archive);
const third = await deploy(new Blob([archive]).stream());
await octavo.post("/v1/deployments/{id}/rollback", { path: { id: first.id } });
const live = await octavo.get("/v1/projects/{projectId}", { path: { projectId } });

const ids: string[] = [];
for await (const { id } of octavo.all("/v1/projects/{projectId}/deployments", { path: { projectId }, query: { limit: 1 } })) ids.push(id);
const renamed = await octavo.patch("/v1/projects/{projectId}", { path: { projectId }, body: { name: "Lives" } });
let sources: string[] = [];
for await (const item of octavo.all("/v1/analytics/{projectId}/feedback", { path: { projectId } }))
  sources.push(item.source === "code_snippet" ? item.code : item.source);
for await (const event of octavo.all("/v1/analytics/{projectId}/changes", { path: { projectId } }))
  if (event.recordType === "feedback") sources.push(event.data?.path ?? event.recordId);

const nothing: undefined = await operator.delete("/operator/v1/projects/{projectId}", { path: { projectId } });
const error: unknown = await octavo.get("/v1/projects/{projectId}", { path: { projectId } }).catch((reason) => reason);
console.log(JSON.stringify({
  isReplayed: again.id === projectId,
  kind: source.kind,
  isRolledBack: live.liveDeploymentId === first.id,
  areListed: ids.join() === [third.id, second.id, first.id].join(),
  name: renamed.name,
  sources,
  nothing: nothing ?? null,
  status: error instanceof OctavoError && error.status,
}));
`;

/** Calls with errors in their types. */
const mistakes = [
  'client.get("/v1/project");',
  'client.post("/v1/projects/{projectId}", { path: { projectId: "p" } });',
  'client.get("/v1/projects/{projectId}");',
  'client.get("/v1/projects/{projectId}", { path: { id: "p" } });',
  'client.get("/v1/projects", { query: { limit: "many" } });',
  'client.post("/v1/projects", { body: { name: "A" } });',
  'client.post("/v1/projects", { body: { name: "A", subdomain: "a", source: { kind: "folder" } } });',
  'client.all("/v1/projects/{projectId}", { path: { projectId: "p" } });',
  'client.stream("/v1/projects", { body: { name: "A", subdomain: "a" } });',
  '(await client.get("/v1/projects")).projects[0]?.nothing;',
];

beforeAll(async () => {
  const archive = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], {
    encoding: "utf8",
  });
  mkdirSync(packed, { recursive: true });
  execFileSync("tar", ["-xzf", archive.trim(), "--strip-components=1", "-C", packed], { cwd: folder });
  mkdirSync(path.join(folder, "node_modules/@types"));
  for (const name of ["@types/node", "undici-types"])
    symlinkSync(path.join(root, "node_modules", name), path.join(folder, "node_modules", name));
  writeFileSync(path.join(folder, "docs.tar.gz"), tarOf(docs("Run `keys rotate` to rotate a key.")));

  service = await openTestService({ background: true });
  const { id } = await service.operator(endpoints.createOrganization, {
    body: { name: "Acme", plan: "enterprise" },
  });
  const params = { organizationId: id };
  const project = await service.operator(endpoints.createProject, {
    params,
    body: { name: "Acme", subdomain: "acme" },
  });
  const keyOf = async (body: object) => (await service.operator(endpoints.createKey, { params, body })).key;
  env = {
    OCTAVO_URL: `http://localhost:${service.port}`,
    OPERATOR_TOKEN: operatorToken,
    PROJECT_ID: project.id,
    DOMAIN: "acme.localhost",
    OCTAVO_API_KEY: await keyOf({ name: "admin" }),
    OCTAVO_ASSISTANT_KEY: await keyOf({ name: "assistant", type: "assistant", projectId: project.id }),
  };
});
afterAll(async () => {
  await service?.stop();
});

/** Runs a program that was written in TypeScript. Returns its output. */
async function run(name: string): Promise<string> {
  const { build } = await import("esbuild");
  const outfile = path.join(folder, `${path.parse(name).name}.mjs`);
  await build({ entryPoints: [path.join(folder, name)], format: "esm", outfile });
  const { stdout } = await execute(process.execPath, [outfile], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
  });
  return stdout;
}

/** The compiler's errors in programs. `lib` without the DOM is Node, whose types are then used. */
function errorsOf(files: string[], lib: string[]): string {
  const compilerOptions = {
    module: "NodeNext",
    target: "ES2023",
    lib,
    types: lib.includes("DOM") ? [] : ["node"],
    strict: true,
    noEmit: true,
  };
  writeFiles(folder, { "tsconfig.json": JSON.stringify({ compilerOptions, files }) });
  try {
    execFileSync(path.join(root, "node_modules/.bin/tsc"), ["-p", "."], { cwd: folder, stdio: "pipe" });
    return "";
  } catch (error) {
    return String((error as { stdout: Buffer }).stdout);
  }
}

test("has at most 100 KB, with its types, and no imports", () => {
  const files = ["dist/client.js", "dist/types/client.d.ts", "dist/types/main/client.d.ts"];
  const sizes = files.map((file) => statSync(path.join(packed, file)).size);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(100_000);
  expect(readFileSync(path.join(packed, "dist/client.js"), "utf8")).not.toMatch(/\bimport\b|\brequire\(/);
  expect(readdirSync(path.join(packed, "..")).toSorted()).toEqual(["@types", "octavo", "undici-types"]);
});

test("its types have every operation of the API's description", () => {
  const types = readFileSync(path.join(packed, "dist/types/client.d.ts"), "utf8");
  const description = JSON.parse(readFileSync(path.join(root, "docs/openapi/octavo.json"), "utf8"));
  expect(types).toBe(clientTypes(description));
  for (const { path: route } of Object.values(endpoints))
    expect(types).toContain(`  ${JSON.stringify(route)}: {`);
});

test("the life of a project and the documentation's examples have correct types", () => {
  writeFiles(folder, { "life.mts": life });
  for (const { name, code } of examples) writeFiles(folder, { [name]: code });
  expect(errorsOf(["life.mts", ...examples.map(({ name }) => name)], ["ES2023"])).toBe("");
});

test("the types are those of browsers, too, and wrong calls are errors", () => {
  const start =
    'import { createClient } from "octavo/client";\nexport const client = createClient({ url: "/api" });\n';
  writeFiles(folder, { "browser.mts": start, "mistakes.mts": `${start}${mistakes.join("\n")}\n` });
  expect(errorsOf(["browser.mts"], ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"])).toBe("");
  const found = errorsOf(["mistakes.mts"], ["ES2023"]);
  const lines = [...found.matchAll(/^mistakes\.mts\((\d+),/gm)].map(([, line]) => Number(line));
  expect([...new Set(lines)], found).toEqual(mistakes.map((_, index) => index + 3));
});

test("the life of a project", async () => {
  expect(JSON.parse(await run("life.mts"))).toEqual({
    isReplayed: true,
    kind: "upload",
    isRolledBack: true,
    areListed: true,
    name: "Lives",
    sources: [],
    nothing: null,
    status: 404,
  });
}, 120_000);

test("the documentation's examples", async () => {
  expect(examples.length).toBeGreaterThan(4);
  const outputs: Record<string, string> = {};
  for (const { name } of examples) outputs[name] = (await run(name)).trim();
  const questions = expect.stringMatching(/^\S+Z How do I rotate a key\?$/);
  expect(outputs).toEqual({
    "deploy.mts": expect.stringMatching(/^success http:/),
    "ask.mts": expect.stringMatching(/keys rotate[\s\S]*\nHome: http:/),
    "questions.mts": questions,
    "errors.mts": expect.stringMatching(/^400 .*subdomain/s),
    "export.mts": expect.stringMatching(/^[0-9a-f]{16} \d+$/),
  });
  const { size } = statSync(path.join(folder, "bundle.tar.gz"));
  expect(outputs["export.mts"]!.split(" ")[1]).toBe(String(size));
}, 240_000);
