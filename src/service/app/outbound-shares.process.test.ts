/** One organization can't keep the playgrounds of others from sending requests. */

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deploy, docs, visit } from "../../../test/service/deploying.ts";
import { type OpenTestService, openTestService } from "../../../test/service/open-test-service.ts";
import { newOrganization, send, type TestOrganization } from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { requestLimits } from "../../io/request-slots.ts";

const hosts = ["127.0.0.2", "127.0.0.3", "127.0.0.4"];
const held: ServerResponse[] = [];
const api = createServer((request, response) => {
  if (request.url === "/held") held.push(response);
  else response.end("fine");
});
let service: OpenTestService;
let busy: TestOrganization;
let other: TestOrganization;

beforeAll(async () => {
  await new Promise<void>((resolve) => void api.listen(0, "0.0.0.0", resolve));
  const env = { OCTAVO_OUTBOUND_ALLOW: "127.0.0.0/8" };
  service = await openTestService({ databaseUrl: await createDatabase(), background: true, env });
  [busy, other] = [await newOrganization(service), await newOrganization(service)];
  const { port } = api.address() as AddressInfo;
  const document = {
    openapi: "3.1.0",
    info: { title: "API", version: "1" },
    servers: hosts.map((host) => ({ url: `http://${host}:${port}` })),
    paths: { "/held": { get: { summary: "Held", responses: { 200: { description: "Fine" } } } } },
  };
  const files = docs(
    "Text.",
    { "openapi.json": JSON.stringify(document) },
    { api: { openapi: "openapi.json" } },
  );
  files["held.mdx"] = "---\ntitle: Held\nopenapi: GET /held\n---\n";
  const navigation = { pages: ["index", "held"] };
  files["docs.json"] = JSON.stringify({ ...JSON.parse(files["docs.json"]!), navigation });
  for (const organization of [busy, other])
    expect(await deploy(organization, files)).toMatchObject({ isLive: true, problems: [] });
});
afterAll(async () => {
  for (const response of held) response.end();
  await service.stop();
  api.close();
});

async function sendInPlayground({ subdomain }: TestOrganization, target: string) {
  const host = `${subdomain}.localhost`;
  const page = (await visit(service, host, "/held")).text;
  const [, operation] = /"operation":"([^"]+)"/.exec(page)!;
  return send({
    port: service.port,
    path: "/_octavo/proxy",
    method: "POST",
    host: `${host}:${service.port}`,
    headers: {
      origin: `http://${host}:${service.port}`,
      "octavo-target": target,
      "octavo-method": "GET",
      "octavo-operation": operation!,
      "octavo-headers": Buffer.from("[]").toString("base64url"),
    },
  });
}

test("one organization's playgrounds have a quarter of the requests, and another's request is sent", async () => {
  const { port } = api.address() as AddressInfo;
  const most = requestLimits.playground.total / 4;
  const sent = Array.from({ length: most + 8 }, (_, index) =>
    sendInPlayground(busy, `http://${hosts[index % hosts.length]}:${port}/held`),
  );
  await expect.poll(() => held.length, { timeout: 20_000 }).toBe(most);

  const answer = await sendInPlayground(other, `http://${hosts[0]}:${port}/other`);
  expect([answer.status, answer.text]).toEqual([200, "fine"]);
  expect(held.length).toBe(most);

  while (held.length) held.pop()!.end();
  await expect.poll(() => held.length, { timeout: 20_000 }).toBe(8);
  while (held.length) held.pop()!.end();
  for (const { status } of await Promise.all(sent)) expect(status).toBe(200);
});
