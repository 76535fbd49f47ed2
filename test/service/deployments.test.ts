/** Deployments from outside: an upload becomes a site, a bad one changes nothing, going back and taking back. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../src/contract/all.ts";
import { onBothDatabases } from "./databases.ts";
import { newOrganization, type RunningService, send, type TestOrganization } from "./service.ts";
import { tarGz, tarOf } from "./tar.ts";

export function docs(text: string, more: Record<string, string> = {}): Record<string, string> {
  const pages = [
    "index",
    ...Object.keys(more)
      .filter((name) => name.endsWith(".mdx"))
      .map((name) => name.slice(0, -4)),
  ];
  return {
    "docs.json": JSON.stringify({ theme: "mint", name: "Acme", colors: { primary: "#0D9373" }, navigation: { pages } }),
    "index.mdx": `---\ntitle: Home\n---\n\n${text}`,
    ...more,
  };
}

async function upload({ ask, projectId }: TestOrganization, archive: Buffer) {
  return ask(`/v1/projects/${projectId}/deployments`, { method: "POST", body: archive, headers: { "content-type": "application/gzip" } });
}

async function ended({ client }: TestOrganization, id: string) {
  for (let waited_ms = 0; waited_ms < 60_000; waited_ms += 50) {
    const deployment = await client(endpoints.getDeployment, { params: { id } });
    if (deployment.status === "success" || deployment.status === "failure") return deployment;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The deployment ${id} did not end`);
}

async function deploy(organization: TestOrganization, files: Record<string, string>) {
  const { json } = await upload(organization, tarOf(files));
  return ended(organization, json.id);
}

onBothDatabases("deployments", (start) => {
  let service: RunningService;
  let organization: TestOrganization;

  beforeAll(async () => {
    service = await start();
    organization = await newOrganization(service);
  });
  afterAll(() => service.stop());

  const page = (path: string, { subdomain } = organization) =>
    send({ port: service.port, path, host: `${subdomain}.localhost:${service.port}` });
  const seen = async (text: string, organization_ = organization) => {
    for (let waited_ms = 0; waited_ms < 2_000; waited_ms += 20) {
      const answer = await page("/", organization_);
      if (answer.text.includes(text)) return waited_ms;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`${text} was not seen within 2 s`);
  };

  test("an upload is queued, built, and read at the project's host", async () => {
    expect((await page("/")).status).toBe(404);
    const answer = await upload(organization, tarOf(docs("First text")));
    expect(answer.status).toBe(202);
    expect(answer.headers.location).toBe(`/v1/deployments/${answer.json.id}`);
    expect(answer.json).toMatchObject({ status: "queued", isLive: false, trigger: "upload", branch: null, problems: [] });
    const deployment = await ended(organization, answer.json.id);
    expect(deployment).toMatchObject({ status: "success", isLive: true, pageCount: 1, summary: "Live" });
    expect(deployment.logs.length).toBeGreaterThan(2);
    await seen("First text");
    const packed = await send({
      port: service.port,
      path: "/",
      host: `${organization.subdomain}.localhost`,
      headers: { "accept-encoding": "br" },
    });
    expect(packed.headers["content-encoding"]).toBe("br");
  });
});
