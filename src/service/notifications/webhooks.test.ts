/** Hosts that webhooks may call. */

import { expect, test } from "vitest";
import { parseAllowedHosts } from "../../io/allowed-hosts.ts";
import { checkHost } from "../../io/outbound.ts";
import { receiverRules } from "./webhooks.ts";

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
