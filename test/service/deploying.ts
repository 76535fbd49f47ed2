/** Creates small documentation folders, deploys them, and sends requests to their sites. */

import { endpoints } from "../../src/service/app/endpoints.ts";
import type { TestOrganization, TestService } from "./service.ts";
import { send } from "./service.ts";
import { tarOf } from "./tar.ts";

/**
 * Files of a documentation folder with `text` on the home page. Additional MDX files are in the navigation.
 */
export function docs(
  text: string,
  more: Record<string, string> = {},
  settings: object = {},
): Record<string, string> {
  const pages = [
    "index",
    ...Object.keys(more).flatMap((name) => (name.endsWith(".mdx") ? [name.slice(0, -4)] : [])),
  ];
  return {
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "Acme",
      colors: { primary: "#0D9373" },
      navigation: { pages },
      ...settings,
    }),
    "index.mdx": `---\ntitle: Home\n---\n\n${text}`,
    ...more,
  };
}

export function upload(
  { ask, projectId }: TestOrganization,
  archive: Uint8Array,
  headers: Record<string, string> = {},
) {
  const path = `/v1/projects/${projectId}/deployments`;
  return ask(path, {
    method: "POST",
    body: archive,
    headers: { "content-type": "application/gzip", ...headers },
  });
}

/** Runs the service's jobs and waits until the deployment has ended. */
export async function ended(
  { client, runJobs }: Pick<TestOrganization, "client" | "runJobs">,
  id: string,
  atMost_ms = 60_000,
) {
  await runJobs();
  for (let waited_ms = 0; waited_ms < atMost_ms; waited_ms += 50) {
    const deployment = await client(endpoints.getDeployment, { params: { id } });
    if (deployment.status === "success" || deployment.status === "failure") return deployment;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The deployment ${id} did not end`);
}

export async function deploy(organization: TestOrganization, files: Record<string, string>) {
  const answer = await upload(organization, tarOf(files));
  return ended(organization, answer.json.id);
}

/** Requests a path of the site at a host. */
export function visit(
  service: Pick<TestService, "port">,
  host: string,
  path = "/",
  headers: Record<string, string> = {},
) {
  return send({
    port: service.port,
    path,
    host: host.includes(":") ? host : `${host}:${service.port}`,
    headers,
  });
}
