import { expect, test } from "vitest";
import { parseAllowedHosts } from "../../io/allowed-hosts.ts";
import { checkHost } from "../../io/outbound.ts";
import { receiverRules, requireValidWebhook } from "./webhooks.ts";

const { hosts: allowed } = parseAllowedHosts("10.0.0.7:8080");

test.each([
  ["cloud", "https://1.1.1.1/", true],
  ["cloud", "http://10.0.0.7:8080/", true],
  ["cloud", "http://10.0.0.8:8080/", false],
  ["cloud", "http://[::ffff:169.254.169.254]/", false],
  ["air-gapped", "https://1.1.1.1/", false],
  ["air-gapped", "http://10.0.0.7:8080/", true],
] as const)("%s: %s is allowed: %s", async (kind, url, isAllowed) => {
  const check = checkHost(new URL(url), receiverRules({ kind, allowed }));
  await (isAllowed ? check : expect(check).rejects.toThrow("isn't allowed to call"));
});

test("a database error isn't reported as a wrong project", async () => {
  const query: object = new Proxy(
    {},
    {
      get: (_, name) => (name === "executeTakeFirst" ? () => Promise.reject(new Error("lost")) : () => query),
    },
  );
  const check = requireValidWebhook({ db: query } as never, { organizationId: "o" } as never, {
    projectId: "p",
  });
  await expect(check).rejects.toThrow("lost");
});
