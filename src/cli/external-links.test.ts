/** The time limit of `octavo check --external`. */

import { createServer } from "node:http";
import { expect, test } from "vitest";
import { listen } from "../../test/shared/listen.ts";
import { checkExternalLinks, describeExternal } from "./external-links.ts";

test("links that aren't checked when the time is over are counted as not checked", async () => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests++;
    setTimeout(() => response.end(), 50);
  });
  const base = await listen(server);
  const links = Array.from({ length: 60 }, (_, n) => ({ url: `${base}/${n}`, file: "a.mdx" }));
  const terminal = { outboundAllow: base.slice("http://".length), progress() {} };
  const checked = await checkExternalLinks(links as never, { run_ms: 300 }, terminal);
  server.close();
  expect(checked.counts.alive).toBe(requests);
  expect(checked.counts.left).toBe(60 - requests);
  expect(requests).toBeGreaterThan(1);
  expect(requests).toBeLessThan(40);
  expect(describeExternal(checked).at(-1)).toContain(
    `Not checked: ${60 - requests} above the limits of 10,000 links and 10 minutes per run`,
  );
});
