/** The check of a domain's certificate. */

import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { selfSignedCertificate } from "../../../test/service/git-server.ts";
import { parseAllowedHosts } from "../../io/allowed-hosts.ts";
import { inspectTls } from "./inspect-tls.ts";

const server = createServer(selfSignedCertificate(temporaryFolder(), "localhost"), (_request, response) =>
  response.end(),
);
let port: number;
const { signal } = new AbortController();

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

const inspect = (url: string, at = port, allow = `localhost:${at}`) =>
  inspectTls({ url, allowed: parseAllowedHosts(allow).hosts }, "localhost", signal, at);

test("a certificate that browsers don't trust is invalid", async () => {
  expect(await inspect("https://docs.example.com")).toEqual({
    state: "invalid",
    reason: "The certificate is self-signed.",
  });
});

test("without a server, the domain is unreachable", async () => {
  expect(await inspect("https://docs.example.com", 1)).toEqual({
    state: "unreachable",
    reason: "No server responded on port 443.",
  });
});

test("domains in the internal network aren't contacted", async () => {
  const result = await inspect("https://docs.example.com", port, "other.example");
  expect(result).toEqual({ state: "unreachable", reason: "The domain isn't on the public internet." });
});

test.each(["http://localhost:4000", "http://127.0.0.1"])("%s: nothing is checked", async (url) => {
  expect(await inspect(url)).toEqual({ state: "not-checked" });
});
