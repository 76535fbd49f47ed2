/** Uses `octavo/client` in a page whose server adds the key. */

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useChromium } from "../browser/chromium.ts";
import { docs } from "../service/deploying.ts";
import type { OpenTestService } from "../service/open-test-service.ts";
import { newOrganization, type TestOrganization } from "../service/service.ts";
import { tarOf } from "../service/tar.ts";
import { listen } from "../shared/listen.ts";
import { openTestService } from "../shared/service.ts";

type Library = typeof import("../../src/main/client.ts");
/** The operations of the test. */
interface Api {
  "/v1/projects/{projectId}/deployments": {
    post: { path: { projectId: string }; body: Blob; response: { id: string } };
    get: { path: { projectId: string }; response: { deployments: { id: string }[]; hasMore: boolean } };
  };
  "/v1/deployments/{id}": { get: { path: { id: string }; response: { id: string } } };
}

const { open } = useChromium();
const html = `<!doctype html><title>Page</title><script type="module">
import * as client from "/client.js";
globalThis.library = client;
</script>`;
const archive = tarOf(docs("Text")).toString("base64");
let service: OpenTestService;
let organization: TestOrganization;
let url: string;

const server = createServer(async (request, response) => {
  if (!request.url!.startsWith("/api/")) {
    const isScript = request.url === "/client.js";
    response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" });
    response.end(isScript ? readFileSync("dist/client.js") : html);
    return;
  }
  const { method, headers } = request;
  const answer = await fetch(`http://localhost:${service.port}${request.url!.slice("/api".length)}`, {
    method,
    headers: {
      authorization: `Bearer ${organization.key}`,
      ...(headers["content-type"] ? { "content-type": headers["content-type"] } : {}),
    },
    ...(method === "POST" ? { body: Readable.toWeb(request), duplex: "half" } : {}),
  } as RequestInit);
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" });
  response.end(await answer.text());
});

beforeAll(async () => {
  service = await openTestService();
  organization = await newOrganization(service);
  url = await listen(server);
});
afterAll(async () => {
  server.close();
  await service?.stop();
});

test("uploads a blob, lists it, and gets an error", async () => {
  await open(url, async (page, complaints) => {
    const result = await page.evaluate(
      async ({ projectId, archive }) => {
        const { createClient, OctavoError } = (globalThis as unknown as { library: Library }).library;
        const octavo = createClient<Api>({ url: "/api" });
        const body = await (await fetch(`data:application/gzip;base64,${archive}`)).blob();
        const path = { projectId };
        const { id } = await octavo.post("/v1/projects/{projectId}/deployments", { path, body });
        const ids: string[] = [];
        for await (const deployment of octavo.all("/v1/projects/{projectId}/deployments", { path }))
          ids.push(deployment.id);
        const error = await octavo
          .get("/v1/deployments/{id}", { path: { id: "x" } })
          .catch((reason: unknown) => reason);
        return { isListed: ids.join() === id, status: error instanceof OctavoError && error.status };
      },
      { projectId: organization.projectId, archive },
    );
    expect(result).toEqual({ isListed: true, status: 404 });
    expect(complaints.list.splice(0).join()).toContain("404");
  });
});
