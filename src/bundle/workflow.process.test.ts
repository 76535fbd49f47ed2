/**
 * Runs the shell steps of the workflow in examples/ like a CI runner, against the service. Helm is replaced
 * by a stub.
 */

import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { load } from "js-yaml";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startBundleServer } from "../../test/bundle/server.ts";
import { schemaProblems } from "../../test/chart/render-chart.ts";
import { deployedOrganization, docs } from "../../test/service/exports.ts";
import { newOrganization, type RunningService } from "../../test/service/service.ts";
import { startService } from "../../test/shared/service.ts";
import { endpoints } from "../service/app/endpoints.ts";

interface Workflow {
  jobs: {
    "roll-out": {
      env: Record<string, string>;
      steps: { name?: string; run?: string; env?: Record<string, string> }[];
    };
  };
}

const text = readFileSync("examples/export-and-upgrade.yml", "utf8");
const job = (load(text) as Workflow).jobs["roll-out"];

let service: RunningService;
let folder: string;
let temp: string;
let organization: Awaited<ReturnType<typeof deployedOrganization>>;

beforeAll(async () => {
  service = await startService();
  organization = await deployedOrganization(service, docs(3));
  folder = mkdtempSync(path.join(tmpdir(), "octavo-workflow-"));
  mkdirSync(path.join(folder, "bin"));
  // The stub stores its arguments, the values file and the kubeconfig.
  writeFileSync(
    path.join(folder, "bin/helm"),
    `#!/bin/bash
printf '%s\\n' "$@" > "$RUNNER_TEMP/helm-arguments"
cp "$RUNNER_TEMP/bundle.json" "$RUNNER_TEMP/helm-values"
cp "$KUBECONFIG" "$RUNNER_TEMP/helm-kubeconfig"
exit "\${HELM_CODE:-0}"
`,
  );
  chmodSync(path.join(folder, "bin/helm"), 0o755);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

let run = 0;
beforeEach(() => {
  temp = mkdtempSync(path.join(folder, "temp-"));
  run++;
});

interface Outcome {
  code: number | null;
  output: string;
  /** Name of the first step that failed. Empty if none failed. */
  step: string;
}

/**
 * Runs the steps in order, with expressions replaced by their values. After a failure, only "Clean up" runs.
 */
async function runWorkflow(
  env: Record<string, string>,
  onOutput: (output: string) => void = () => {},
): Promise<Outcome> {
  const known: Record<string, string> = {
    "vars.OCTAVO_URL": `http://localhost:${service.port}`,
    "vars.DOCS_DOMAIN": organization.domain,
    "secrets.OCTAVO_API_KEY": organization.key,
    "secrets.KUBECONFIG": "kubeconfig-of-the-test",
    ...env,
  };
  const value = (text: string) =>
    text.replace(/\$\{\{ *(\S+) *\}\}/g, (_, name: string) => known[name] ?? "");
  const outcome: Outcome = { code: 0, output: "", step: "" };
  for (const step of job.steps) {
    if (!step.run || (outcome.code !== 0 && step.name !== "Clean up")) continue;
    const settings = Object.fromEntries(
      Object.entries({ ...job.env, ...step.env }).map(([name, text]) => [name, value(text)]),
    );
    const script = path.join(temp, "step.sh");
    writeFileSync(script, step.run);
    const code = await new Promise<number | null>((resolve) => {
      const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], {
        cwd: folder,
        env: {
          PATH: `${path.join(folder, "bin")}:${process.env.PATH}`,
          RUNNER_TEMP: temp,
          GITHUB_RUN_ID: String(1_000 + run),
          GITHUB_RUN_ATTEMPT: "1",
          ...settings,
          ...(env.HELM_CODE ? { HELM_CODE: env.HELM_CODE } : {}),
          ...(env.EXPORT_SECONDS && step.name === "Export" ? { EXPORT_SECONDS: env.EXPORT_SECONDS } : {}),
        },
      });
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk: Buffer) => {
          outcome.output += chunk.toString();
          onOutput(outcome.output);
        });
      child.once("exit", resolve);
    });
    rmSync(script);
    if (code !== 0 && outcome.code === 0) Object.assign(outcome, { code, step: step.name });
  }
  expect(outcome.output).not.toContain(known["secrets.OCTAVO_API_KEY"]);
  // The links and the cluster's credentials have been removed.
  expect(readdirSync(temp).filter((name) => !name.startsWith("helm-"))).toEqual([]);
  return outcome;
}

const helmValues = () => JSON.parse(readFileSync(path.join(temp, "helm-values"), "utf8"));

describe("against the service", () => {
  test("exports, waits, and upgrades with a link that a bundle server accepts", {
    timeout: 120_000,
  }, async () => {
    const { code, output } = await runWorkflow({});
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toMatch(/Export se_\w+ of /);
    expect(output).toContain("completed, 100%, 3 pages");
    const helmArguments = readFileSync(path.join(temp, "helm-arguments"), "utf8");
    expect(helmArguments.split("\n").slice(0, 6)).toEqual([
      "upgrade",
      "--install",
      "docs",
      "./chart",
      "--namespace",
      "docs",
    ]);
    expect(helmArguments).toContain("--wait");
    const values = helmValues();
    expect(schemaProblems(values)).toEqual([]);
    const { bundleUrl, version } = values.staticExport;
    expect(version).toBe(`run-${1_000 + run}-1`);
    expect(output.replaceAll(/^::add-mask::.*$/gm, "") + helmArguments).not.toContain(bundleUrl);
    expect(output).toContain(`::add-mask::${bundleUrl}\n`);
    expect(readFileSync(path.join(temp, "helm-kubeconfig"), "utf8")).toBe("kubeconfig-of-the-test");
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: bundleUrl, OCTAVO_BUNDLE_VERSION: version });
    expect(await server.settled()).toMatchObject({ code: 200, version, stale: false });
    expect((await server.get("/guides/page-1")).text).toContain("Text 1.");
    await server.stop();
  });

  test.each([
    [
      "a wrong key",
      { "secrets.OCTAVO_API_KEY": "oct_0000000000000000000000000000000000000000" },
      /::error::Can't start the export: the service responded with status 401, \w+/,
    ],
    [
      "no key",
      { "secrets.OCTAVO_API_KEY": "-" },
      /::error::Can't start the export: the service responded with status 401/,
    ],
    [
      "an unknown domain",
      { "vars.DOCS_DOMAIN": "docs.elsewhere.example" },
      /::error::Can't start the export: the service responded with status 404/,
    ],
    [
      "a domain that is a command",
      { "vars.DOCS_DOMAIN": '$(touch evil)"; touch evil' },
      /::error::Can't start the export: the service responded with status 4\d\d/,
    ],
    [
      "no service",
      { "vars.OCTAVO_URL": "http://127.0.0.1:1" },
      /::error::Can't start the export: can't reach the service at http:\/\/127\.0\.0\.1:1/,
    ],
  ])("%s: one error message, and no upgrade", { timeout: 120_000 }, async (_title, env, message) => {
    const { code, output, step } = await runWorkflow(env);
    expect([code, step]).toEqual([1, "Export"]);
    expect(output).toMatch(message);
    expect(output.match(/::error::/g)).toHaveLength(1);
    expect(existsSync(path.join(temp, "helm-arguments"))).toBe(false);
    expect(existsSync(path.join(folder, "evil"))).toBe(false);
  });

  test("a plan without exports: fails with the message of the service, as in the docs", async () => {
    const free = await newOrganization(service, "free");
    const { code, output } = await runWorkflow({ "secrets.OCTAVO_API_KEY": free.key });
    expect(code).toBe(1);
    expect(output).toBe(
      `${/^::error::.*$/m.exec(readFileSync("docs/self-host/automate.mdx", "utf8"))![0]}\n`,
    );
  });

  test("a failed export: shows the reason and does not upgrade", { timeout: 120_000 }, async () => {
    const large = await deployedOrganization(service, docs(150));
    let cancelled: Promise<unknown> | undefined;
    const { code, output, step } = await runWorkflow(
      { "vars.DOCS_DOMAIN": large.domain, "secrets.OCTAVO_API_KEY": large.key },
      (text) => {
        const jobId = /Export (se_\w+)/.exec(text)?.[1];
        if (jobId) cancelled ??= service.operator(endpoints.cancelExport, { params: { jobId } });
      },
    );
    await cancelled;
    expect([code, step]).toEqual([1, "Export"]);
    expect(output).toMatch(/::error::The export se_\w+ failed: The operator canceled the job/);
    expect(existsSync(path.join(temp, "helm-arguments"))).toBe(false);
  });

  test("a failure of Helm fails the run", { timeout: 120_000 }, async () => {
    expect(await runWorkflow({ HELM_CODE: "3" })).toMatchObject({ code: 3, step: "Upgrade" });
  });
});

describe("against a simulated service", () => {
  async function standIn(answers: Record<string, object>) {
    const asked: [string, string | undefined][] = [];
    const server = createServer((request, response) => {
      const key = `${request.method} ${request.url}`;
      asked.push([key, request.headers["idempotency-key"] as string | undefined]);
      const { status = 200, body = answers[key] } = (answers[key] ?? { status: 500, body: {} }) as {
        status?: number;
        body?: object;
      };
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      asked,
      close: () => server.close(),
    };
  }

  const begun = { status: 202, body: { jobId: "se_1", status: "queued", progress: 0, pageCount: 0 } };
  const done = { body: { jobId: "se_1", status: "completed", progress: 100, pageCount: 1 } };
  const bundle = {
    bundleUrl: "https://store.example.com/1",
    sizeBytes: 1,
    expiresAt: "2026-01-01T00:00:00.000Z",
  };

  test.each([
    [
      "a delta",
      { ...bundle, deltaUrl: "https://store.example.com/delta" },
      "https://store.example.com/delta",
    ],
    ["no delta", { ...bundle, deltaUrl: null }, ""],
    ["no field for the delta", bundle, ""],
  ])("%s", async (_title, body, deltaUrl) => {
    const server = await standIn({
      "POST /v1/static-export/jobs": begun,
      "GET /v1/static-export/jobs/se_1": done,
      "POST /v1/static-export/jobs/se_1/bundle": { body },
    });
    expect(await runWorkflow({ "vars.OCTAVO_URL": server.url })).toMatchObject({ code: 0 });
    server.close();
    expect(server.asked).toEqual([
      ["POST /v1/static-export/jobs", `${1_000 + run}-1`],
      ["GET /v1/static-export/jobs/se_1", undefined],
      ["POST /v1/static-export/jobs/se_1/bundle", undefined],
    ]);
    const values = helmValues();
    expect(values.staticExport).toMatchObject({ bundleUrl: bundle.bundleUrl, deltaUrl });
    expect(schemaProblems(values)).toEqual([]);
  });

  test("a job that does not end: stops waiting and reports it", async () => {
    const server = await standIn({
      "POST /v1/static-export/jobs": begun,
      "GET /v1/static-export/jobs/se_1": { body: { status: "running", progress: 1, pageCount: 0 } },
    });
    const { code, output } = await runWorkflow({ "vars.OCTAVO_URL": server.url, EXPORT_SECONDS: "3" });
    server.close();
    expect(code).toBe(1);
    expect(output).toContain("::error::The export se_1 didn't finish within 3 seconds");
  });

  test("a bundle that has been deleted: reports it", async () => {
    const server = await standIn({
      "POST /v1/static-export/jobs": begun,
      "GET /v1/static-export/jobs/se_1": done,
      "POST /v1/static-export/jobs/se_1/bundle": {
        status: 410,
        body: { error: "The bundle is no longer kept" },
      },
    });
    const { code, output } = await runWorkflow({ "vars.OCTAVO_URL": server.url });
    server.close();
    expect(code).toBe(1);
    expect(output).toContain(
      "::error::Can't get the bundle of export se_1: the service responded with status 410, The bundle is no longer kept",
    );
  });
});
