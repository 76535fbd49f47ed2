/**
 * Tests that files that are sent again without resolving the request are those that the site has now, for
 * everyone who may read them and nobody else.
 */

import { expect, test } from "vitest";
import { siteOf } from "../../test/engine/build.ts";
import { browser, useHost } from "../../test/host/host.ts";
import { hashPassword } from "../base/password.ts";

const answered: string[] = [];
const host = useHost({ onFile: ({ projectId, page }) => answered.push(`${projectId} ${page}`) });
const name = "docs.acme.test";
const text = (word: string) => siteOf({ "index.mdx": "Home", "guide.mdx": `The word is ${word}.` });
const read = async (target = "/guide") => (await host.ask(name, target, browser)).text;

test("a ready file isn't looked up again, and each response is counted", async () => {
  await host.listen();
  await host.directory.publish(name, text("alder"));
  await read();
  const { byHost } = host.directory;
  let lookups = 0;
  host.directory.byHost = (...where) => {
    lookups++;
    return byHost.apply(host.directory, where);
  };
  answered.length = 0;
  expect(await read()).toMatch("alder");
  expect(lookups).toBe(0);
  // `ask` sends each request twice.
  expect(answered).toEqual(Array(2).fill(`project of ${name} /guide`));
});

test("a new deployment, other settings and the end of a site take effect with the next request", async () => {
  expect(await read()).toMatch("alder");
  await host.directory.publish(name, text("birch"));
  expect(await read()).toMatch("birch");

  const passwordHash = await hashPassword("open sesame");
  host.directory.change(name, { signIn: { mode: "password", passwordHash, groups: [] } });
  expect((await host.ask(name, "/guide", browser)).status).toBe(302);
  expect((await host.ask(name, "/guide", { ...browser, "if-none-match": "*" })).status).toBe(302);

  host.directory.sites.delete(name);
  expect((await host.ask(name, "/guide", browser)).status).toBe(404);
});

test("what was found before a change isn't kept after it", async () => {
  await host.directory.publish(name, text("alder"));
  const { byHost } = host.directory;
  host.directory.byHost = async (...where) => {
    const found = await byHost.apply(host.directory, where);
    await host.directory.publish(name, text("cedar"));
    host.directory.byHost = byHost;
    return found;
  };
  const first = await host.raw(`GET /guide HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
  expect(first.text).toMatch("alder");
  const second = await host.raw(`GET /guide HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
  expect(second.text).toMatch("cedar");
});

test("a repeated host name is refused, although the file is ready", async () => {
  await host.directory.publish(name, text("alder"));
  await read();
  const { status } = await host.raw(
    `GET /guide HTTP/1.1\r\nHost: ${name}\r\nHost: other.test\r\nAccept: ${browser.accept}\r\nConnection: close\r\n\r\n`,
  );
  expect(status).toBe(400);
});

test("variants aren't mixed up", async () => {
  await host.directory.publish(name, text("alder"));
  for (let round = 0; round < 2; round++)
    for (const [accept, encoding, type, sent] of [
      ["text/html", "gzip", "text/html; charset=utf-8", "gzip"],
      ["text/html", "br", "text/html; charset=utf-8", "br"],
      ["text/markdown", "identity", "text/markdown; charset=utf-8", undefined],
      ["text/html", "identity", "text/html; charset=utf-8", undefined],
    ] as const) {
      const { headers } = await host.ask(name, "/guide", { accept, "accept-encoding": encoding });
      expect([headers["content-type"], headers["content-encoding"]]).toEqual([type, sent]);
    }
});
