/** Deploys a site to a service through the API. */

import { setTimeout as wait } from "node:timers/promises";
import type { TestOrganization } from "../test/service/service.ts";
import { tarOf } from "../test/service/tar.ts";

/** `pages`: MDX by file name. Resolves when the deployment is live. Rejects if it fails. */
export async function deploy(organization: TestOrganization, pages: Record<string, string>): Promise<void> {
  const docsJson = {
    theme: "mint",
    name: "Bench",
    colors: { primary: "#0D9373" },
    navigation: { pages: Object.keys(pages).map((file) => file.slice(0, -4)) },
  };
  const asked = await organization.ask(`/v1/projects/${organization.projectId}/deployments`, {
    method: "POST",
    headers: { "content-type": "application/gzip" },
    body: tarOf({ "docs.json": JSON.stringify(docsJson), ...pages }),
  });
  for (;;) {
    const { json } = await organization.ask(`/v1/deployments/${asked.json.id}`);
    if (json.status === "success") return;
    if (json.status === "failure" || asked.status !== 202)
      throw new Error(`The deployment failed: ${JSON.stringify(json)}`);
    await wait(200);
  }
}
