/** A shared cache in front of the service, with the configuration in our documentation. */

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deploy, docs, visit } from "../../../test/service/deploying.ts";
import { allowReceivers } from "../../../test/service/event-receiver.ts";
import {
  newOrganization,
  type RunningService,
  send,
  type TestOrganization,
} from "../../../test/service/service.ts";
import { trusting } from "../../../test/service/test-sites.ts";
import { isVarnishInstalled, startVarnish } from "../../../test/service/varnish.ts";
import { startService } from "../../../test/shared/service.ts";
import { endpoints } from "./endpoints.ts";

if (!isVarnishInstalled)
  console.error("No shared cache is tested: Debian's varnish package is not installed.");

const configuration = /```vcl default\.vcl\n([\s\S]*?)\n```/.exec(
  readFileSync("docs/service/scale.mdx", "utf8"),
)![1]!;
const toMarkdown = { accept: "text/markdown" };

describe.skipIf(!isVarnishInstalled)("a site behind Varnish", () => {
  let service: RunningService;
  let cache: Awaited<ReturnType<typeof startVarnish>>;
  let organization: TestOrganization;
  let host: string;

  beforeAll(async () => {
    service = await startService({ env: { ...trusting, ...allowReceivers } });
    cache = await startVarnish(configuration, service);
    organization = await newOrganization(service);
    host = `${organization.subdomain}.localhost`;
    const body = {
      url: `http://127.0.0.1:${cache.port}/purge/YOUR_TOKEN/${host}`,
      events: ["site.published" as const],
    };
    await organization.client(endpoints.createWebhook, { body });
    expect((await deploy(organization, docs("First text"))).status).toBe("success");
  }, 120_000);
  afterAll(async () => {
    await cache?.stop();
    await service?.stop();
  });

  /** Requests a path through the cache. `isHit`: whether the cache answered without the service. */
  const get = async (path = "/", headers: Record<string, string> = {}) => {
    const answer = await visit({ port: cache.port }, host, path, headers);
    return { ...answer, isHit: String(answer.headers["x-varnish"]).includes(" ") };
  };
  const expectText = (text: string) =>
    expect.poll(async () => (await get()).text, { timeout: 20_000 }).toContain(text);

  test("answers from the cache, in the representation that the client prefers", async () => {
    await expectText("First text");
    const page = await get();
    expect(page).toMatchObject({ status: 200, isHit: true });
    expect(page.headers["cache-control"]).toBe("public, max-age=0, must-revalidate");
    expect(await get("/", { "if-none-match": String(page.headers.etag) })).toMatchObject({
      status: 304,
      isHit: true,
    });
    for (const isHit of [false, true]) {
      const markdown = await get("/", toMarkdown);
      expect(markdown.headers["content-type"]).toMatch("text/markdown");
      expect(markdown.isHit).toBe(isHit);
    }
    expect((await get()).headers["content-type"]).toMatch("text/html");
  });

  test("shows a new deployment and a rollback, because the cache is purged", async () => {
    const deployments = await organization.ask(`/v1/projects/${organization.projectId}/deployments`);
    const first = deployments.json.deployments[0].id as string;
    await deploy(organization, docs("Second text"));
    await expectText("Second text");
    expect((await get()).isHit).toBe(true);
    await organization.client(endpoints.rollBack, { params: { id: first } });
    await expectText("First text");
  });

  test("never caches restricted pages, also not those that were public", async () => {
    expect((await get()).isHit).toBe(true);
    await organization.client(endpoints.changeProject, {
      params: { projectId: organization.projectId },
      body: { signIn: { mode: "password", password: "a password for readers" } },
    });
    await expect.poll(async () => (await get()).status, { timeout: 20_000 }).toBe(401);
    for (const _ of [1, 2]) expect(await get()).toMatchObject({ isHit: false });
  });

  test("rejects purges with a wrong token", async () => {
    const purge = (token: string) =>
      send({ port: cache.port, method: "POST", path: `/purge/${token}/${host}`, host });
    expect((await purge("another")).status).toBe(405);
    expect((await purge("YOUR_TOKEN")).status).toBe(204);
  });
});
