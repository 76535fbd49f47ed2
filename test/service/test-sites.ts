/** Deployed sites with an assistant key, for tests of search, assistant and analytics. */

import { createKey } from "../../src/service/keys/contract.ts";
import { deploy, docs, visit } from "./deploying.ts";
import { newOrganization, type TestOrganization, type TestService } from "./service.ts";
import { until } from "./until.ts";

export const guide = docs(
  "Acme keeps widgets in order.",
  {
    "guides/install.mdx":
      "---\ntitle: Install\n---\n\nStart here.\n\n## With one command\n\nInstall Acme with `npm install acme`. It needs Node 20.\n\n## Remove\n\nRemove Acme with `npm uninstall acme`.\n",
    "guides/billing.mdx":
      "---\ntitle: Billing\n---\n\n## Invoices\n\nInvoices arrive on the first day of each month by mail.\n",
  },
  {
    navigation: {
      groups: [
        { group: "Start", pages: ["index", "guides/install"] },
        { group: "Money", pages: ["guides/billing"] },
      ],
    },
  },
);

/** Documentation of two products, each with a page about backups. */
export const twoProducts = docs(
  "Acme keeps widgets in order.",
  {
    "cloud/backup.mdx":
      "---\ntitle: Back up your data\n---\n\nAcme makes a backup of your data every night. You don't have to set up anything.\n",
    "server/backup.mdx":
      "---\ntitle: Back up your data\n---\n\nTo make a backup of your data, run `acme backup` every night.\n",
  },
  {
    navigation: {
      products: [
        { product: "Acme Cloud", pages: ["index", "cloud/backup"] },
        { product: "Acme Server", pages: ["server/backup"] },
      ],
    },
  },
);

export interface TestSite {
  service: TestService;
  organization: TestOrganization;
  port: number;
  host: string;
  origin: string;
  /** An assistant key of the project. */
  key: string;
}

export async function newSite(
  service: TestService,
  files = guide,
  plan: "free" | "pro" | "enterprise" = "enterprise",
): Promise<TestSite> {
  const organization = await newOrganization(service, plan);
  const deployment = await deploy(organization, files);
  if (deployment.status !== "success") throw new Error(JSON.stringify(deployment));
  const host = `${organization.subdomain}.localhost`;
  await until(async () => (await visit(service, host)).status !== 404);
  const { key } = await service.operator(createKey, {
    params: { organizationId: organization.id },
    body: { name: "integrator", type: "assistant", projectId: organization.projectId },
  });
  return { service, organization, port: service.port, host, origin: `http://${host}:${service.port}`, key };
}

/** Conversations of the site in the format of the API, newest first. */
export async function rowsOf({ organization }: TestSite) {
  const { json } = await organization.ask(`/v1/analytics/${organization.projectId}/assistant?limit=1000`);
  return json.conversations;
}

export async function rowOf(site: TestSite, id: string) {
  // biome-ignore lint/suspicious/noExplicitAny: an untyped item of the API.
  return (await rowsOf(site)).find((row: any) => row.id === id);
}

let visitors = 0;

/** Headers of a new reader with a different IP address. The service must trust local proxies (`trusting`). */
export function newReader(): Record<string, string> {
  visitors++;
  return { "x-forwarded-for": `10.${visitors >> 16}.${(visitors >> 8) & 255}.${visitors & 255}` };
}

export const trusting = { OCTAVO_TRUSTED_PROXIES: "127.0.0.0/8", OCTAVO_ANALYTICS_LIMIT: "1000000" };
