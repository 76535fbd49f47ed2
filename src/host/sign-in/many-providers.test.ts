/** One organization's sign-in providers can't keep the readers of others from signing in. */

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { siteOf } from "../../../test/engine/build.ts";
import { useHost } from "../../../test/host/host.ts";
import { requestLimits } from "../../io/request-slots.ts";

const host = useHost({ allowPrivate: true });
const held: ServerResponse[] = [];
const provider = createServer((_request, response) => void held.push(response));
const most = requestLimits["open-id"].total / 4;
const sites_count = most + 4;

beforeAll(async () => {
  await new Promise<void>((resolve) => void provider.listen(0, "0.0.0.0", resolve));
  const { port } = provider.address() as AddressInfo;
  const content = siteOf({ "index.mdx": "Text." });
  await host.directory.publish("first.localhost", content);
  const first = (await host.directory.byHost("first.localhost"))!;
  const names = Array.from({ length: sites_count }, (_, index) => `busy-${index}.localhost`);
  for (const [index, name] of [...names, "other.localhost"].entries())
    host.directory.change(name, {
      ...first,
      projectId: name,
      organizationId: name.split(/[-.]/)[0]!,
      signIn: {
        mode: "oidc",
        issuer: `http://127.0.0.${2 + (index % 8)}:${port}`,
        clientId: name,
        clientSecret: "secret",
      },
    });
  await host.listen();
});
afterAll(() => {
  provider.closeAllConnections();
  provider.close();
});

test("an organization has a quarter of the requests, and another's is sent", async () => {
  const signIn = (name: string) => host.ask(name, "/_octavo/sign-in?to=/").catch(() => undefined);
  const busy = Array.from({ length: sites_count }, (_, index) => signIn(`busy-${index}.localhost`));
  await expect.poll(() => held.length, { timeout: 10_000 }).toBe(most);
  const other = signIn("other.localhost");
  await expect.poll(() => held.length, { timeout: 10_000 }).toBe(most + 1);

  while (held.length) held.pop()!.destroy();
  await expect.poll(() => held.length, { timeout: 10_000 }).toBe(sites_count - most);
  while (held.length) held.pop()!.destroy();
  await Promise.all([...busy, other]);
});
