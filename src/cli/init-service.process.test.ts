/** `octavo init --service`: a new site that is created, pushed, and live with one command. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../../test/engine/build.ts";
import { runCli } from "../../test/engine/run-cli.ts";
import { visit } from "../../test/service/deploying.ts";
import { runGit } from "../../test/service/git-client.ts";
import { type OpenTestService, openTestService } from "../../test/service/open-test-service.ts";
import { newOrganization } from "../../test/service/service.ts";
import { createDatabase } from "../../test/shared/database.ts";

const root = temporaryFolder();
let service: OpenTestService;
beforeAll(async () => {
  service = await openTestService({ databaseUrl: await createDatabase(), background: true });
});
afterAll(() => service.stop());

test("creates the project, pushes the first commit, and prints the URL of the live site", async () => {
  const { key, subdomain } = await newOrganization(service);
  const url = `http://localhost:${service.port}`;
  const label = `${subdomain}-init`;
  const site = path.join(root, "docs");
  const args = ["init", site, "--name", "Acme Docs", "--service", url, "--subdomain", label];
  const { code, out, err } = await runCli(args, { OCTAVO_API_KEY: key });
  expect(err).toMatch(/Created the project Acme Docs[\s\S]*Created docs\.json[\s\S]*Deploying \w{7}…/);
  const shown = `http://${label}.localhost:${service.port}`;
  expect(out).toContain(`Live: ${shown}`);
  expect(code).toBe(0);
  expect((await visit(service, `${label}.localhost`)).text).toContain("Welcome to Acme Docs");

  // The key is stored nowhere.
  expect(readFileSync(path.join(site, ".git/config"), "utf8")).not.toContain(key);
  expect((await runGit(site, ["log", "--format=%s"])).output.trim()).toBe("Add the documentation site");
  expect((await runGit(site, ["status", "--porcelain"])).output).toBe("");
  const remote = (await runGit(site, ["remote", "get-url", "origin"])).output.trim();
  expect(remote).toBe(`${url}/git/${label}.git`);

  const taken = await runCli(["init", path.join(root, "other"), "--service", url, "--subdomain", label], {
    OCTAVO_API_KEY: key,
  });
  expect(taken.err).toContain("is taken");
  expect(taken.code).toBe(2);
});

test.each([
  ["no key", ["--service", "http://localhost:1"], {}, "--service requires OCTAVO_API_KEY"],
  ["no URL", ["--service", "acme"], { OCTAVO_API_KEY: "oct_x" }, "--service must be the URL of a service"],
  ["no service", ["--subdomain", "acme"], {}, "--subdomain requires --service URL"],
])("with %s creates nothing", async (_name, args, env, reason) => {
  const site = path.join(root, "nothing");
  const { code, err } = await runCli(["init", site, ...args], env);
  expect(err).toContain(reason);
  expect(code).toBe(2);
  expect((await runGit(root, ["-C", site, "status"])).code).not.toBe(0);
});
