/** A reader's values for pages and the playground stay in the reader's browser. */

import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { filesBelow, temporaryFolder } from "../../../test/engine/build.ts";
import { ask, bodyOf } from "../../../test/service/ask-assistant.ts";
import { docs, visit } from "../../../test/service/deploying.ts";
import { type ModelServer, startModelServer } from "../../../test/service/model-server.ts";
import { newSite, type TestSite, trusting } from "../../../test/service/test-sites.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { changeProject } from "../projects/contract.ts";

const canary = "canary-9f31c7";
/** The value as it is, and in Base64 at each position. */
const forms = [
  canary,
  ...[0, 1, 2].map((start) => Buffer.from(canary.slice(start, start + 9)).toString("base64")),
];
const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const html = { accept: "text/html", "sec-fetch-dest": "document" };
const dataFolder = temporaryFolder();
let model: ModelServer;
let site: TestSite;

beforeAll(async () => {
  model = await startModelServer();
  const env = {
    OCTAVO_LOG_LEVEL: "trace",
    OCTAVO_MODEL_PROVIDER: "openai-compatible",
    OCTAVO_MODEL_BASE_URL: model.url,
    OCTAVO_MODEL_NAME: "test-model",
  };
  const service = await openTestService({ dataFolder, env: { ...trusting, ...env } });
  site = await newSite(
    service,
    docs('Hello {user.firstName ?? "there"}, this is how you install Acme.', {
      "plan.mdx": '{user.plan ? <b>Install {user.plan}</b> : "Free"}',
    }),
  );
  const { client, projectId } = site.organization;
  const signIn = {
    mode: "jwt" as const,
    loginUrl: "https://login.example.com/docs",
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
  };
  await client(changeProject, { params: { projectId }, body: { signIn } });
  await service.until(
    async () => (await visit(service, site.host, "/", html)).headers.location !== undefined,
  );
});
afterAll(async () => {
  await site?.service.stop();
  await model?.stop();
});

const cookiesOf = (headers: Record<string, string | string[] | undefined>) =>
  [headers["set-cookie"] ?? []].flat().map((line) => line.split(";")[0]!);

test("they're in no file, log, response, or prompt", async () => {
  const first = await visit(site.service, site.host, "/", html);
  const left = await visit(site.service, site.host, String(first.headers.location), html);
  const state = new URL(String(left.headers.location)).searchParams.get("state");
  const token = await new SignJWT({
    state,
    content: { firstName: canary, plan: canary },
    apiPlaygroundInputs: { header: { "X-Key": canary } },
  })
    .setProtectedHeader({ alg: "ES256" })
    .setAudience(`${site.host}:${site.port}`)
    .setExpirationTime("1m")
    .sign(privateKey);
  const entered = await visit(site.service, site.host, `/_octavo/sign-in/jwt?token=${token}`, {
    ...html,
    cookie: cookiesOf(left.headers).join("; "),
  });
  const cookie = cookiesOf(entered.headers).join("; ");
  expect(forms.slice(1).some((form) => cookie.includes(form))).toBe(true);
  expect(entered.headers["cache-control"]).toContain("no-store");

  const responses: unknown[] = [];
  for (const at of ["/", "/plan", "/index.md", "/llms-full.txt", "/_octavo/feedback", "/missing"]) {
    const { text, headers } = await visit(site.service, site.host, at, { ...html, cookie });
    responses.push([text, headers]);
  }
  const answer = await ask({ ...site, headers: { cookie }, body: bodyOf("How do I install Acme?") });
  expect(answer.text).toContain("install");
  expect(model.asked.length).toBeGreaterThan(0);
  await site.service.runJobs();

  const files = filesBelow(dataFolder).map((file) => readFileSync(path.join(dataFolder, file), "latin1"));
  expect(files.length).toBeGreaterThan(50);
  const places = {
    responses: JSON.stringify([responses, answer]),
    prompts: JSON.stringify(model.asked.map(({ body, headers }) => [body, headers])),
    log: site.service.output(),
    files: files.join("\n"),
  };
  expect(places.responses).toContain("this is how you install Acme");
  expect(places.prompts).toContain("this is how you install Acme");
  for (const [place, text] of Object.entries(places))
    expect(
      forms.filter((form) => text.includes(form)),
      place,
    ).toEqual([]);
});
