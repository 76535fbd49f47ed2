/**
 * A network between the service and its S3 store that drops everything for a while: the API works, pages that
 * can't be read are refused in limited time, and a deployment goes on when the network is back.
 */

import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deploy, docs, ended, upload, visit } from "../../../test/service/deploying.ts";
import { Network } from "../../../test/service/network.ts";
import {
  newOrganization,
  type RunningService,
  type TestOrganization,
} from "../../../test/service/service.ts";
import { tarOf } from "../../../test/service/tar.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { startService } from "../../../test/shared/service.ts";
import { missingSwift, startSwift } from "../../../test/shared/swift.js";

const noS3 = missingSwift();
if (noS3) console.error(`Not tested with S3: ${noS3}.`);

let swift: Awaited<ReturnType<typeof startSwift>>;
let network: Network;
let service: RunningService;
let organization: TestOrganization;

beforeAll(async () => {
  if (noS3) return;
  swift = await startSwift();
  await swift.createBucket("partitioned");
  const storage = new URL(swift.storage("partitioned"));
  const endpoint = new URL(storage.searchParams.get("endpoint")!);
  network = new Network(new URL(endpoint));
  endpoint.port = String(await network.listen());
  storage.searchParams.set("endpoint", endpoint.origin);
  service = await startService({
    databaseUrl: await createDatabase(),
    storage: storage.href,
    env: swift.env,
  });
  organization = await newOrganization(service);
}, 240_000);
afterAll(async () => {
  network?.heal();
  await service?.stop();
  network?.stop();
  await swift?.stop();
});

test.skipIf(noS3)("a network to S3 that drops everything", { timeout: 300_000 }, async () => {
  const host = `${organization.subdomain}.localhost`;
  const before = await deploy(organization, docs("Before"));
  expect(before.status).toBe("success");
  await service.until(async () => (await visit(service, host)).text.includes("Before"));

  network.partition();
  const started = upload(organization, tarOf(docs("After")));
  const start = performance.now();
  const page = await visit(service, host);
  expect([200, 503]).toContain(page.status);
  expect(performance.now() - start).toBeLessThan(180_000);
  for (let i = 0; i < 20; i++) {
    const asked = performance.now();
    expect((await organization.ask(`/v1/projects/${organization.projectId}`)).status).toBe(200);
    expect(performance.now() - asked).toBeLessThan(5_000);
    await wait(500);
  }

  network.heal();
  const answer = await started;
  console.log("the upload and the page:", answer.status, page.status);
  expect([202, 503]).toContain(answer.status);
  const deployment =
    answer.status === 202
      ? await ended(organization, answer.json.id)
      : await deploy(organization, docs("After"));
  expect(deployment.status).toBe("success");
  await service.until(async () => (await visit(service, host)).text.includes("After"));
});
