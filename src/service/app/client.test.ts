/** The API client of commands, with a server that sends too much, too slowly, or the same again. */

import { createServer, type ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listen } from "../../../test/shared/listen.ts";
import { listProjects } from "../projects/contract.ts";
import { createClient, itemsOf } from "./client.ts";

let answer: (response: ServerResponse, url: URL) => void;
const server = createServer((request, response) => answer(response, new URL(request.url!, "http://a")));
let url: string;
beforeAll(async () => {
  url = await listen(server);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const client = (limits: { silence_ms?: number; answer_bytes?: number } = {}) =>
  createClient({ url, key: "oct_x", ...limits });

test.each<[string, typeof answer]>([
  ["before the answer", () => {}],
  ["within the answer", (response) => response.write('{"projects": [')],
  ["within an error", (response) => response.writeHead(500).write("{")],
])("a call ends if nothing arrives %s", async (_when, silent) => {
  answer = silent;
  await expect(client({ silence_ms: 100 })(listProjects)).rejects.toThrow("nothing arrived in 0.1 seconds");
});

test("a slow answer is read as long as something arrives", async () => {
  answer = (response) => {
    const parts = ['{"projects":', "[", "]", ', "nextCursor": null', ', "hasMore": false}'];
    const timer = setInterval(() => {
      response.write(parts.shift());
      if (parts.length > 0) return;
      clearInterval(timer);
      response.end();
    }, 60);
  };
  expect(await client({ silence_ms: 200 })(listProjects)).toMatchObject({ hasMore: false });
});

test.each([200, 502])("an answer with status %i that is too large isn't read to its end", async (status) => {
  let sent = 0;
  answer = (response) => {
    response.writeHead(status);
    const more = () => {
      while (!response.closed && response.write(" ".repeat(64_000))) sent += 64_000;
    };
    response.on("drain", more);
    more();
  };
  await expect(client({ answer_bytes: 100_000 })(listProjects)).rejects.toThrow("is larger than");
  expect(sent).toBeLessThan(20_000_000);
});

const page = (items: number, nextCursor: string | null, hasMore: boolean) =>
  JSON.stringify({ projects: Array.from({ length: items }, (_, id) => ({ id })), nextCursor, hasMore });

async function countOf(): Promise<number> {
  let count = 0;
  for await (const _item of itemsOf(client(), listProjects)) count++;
  return count;
}

test("a list whose pages repeat ends with an error", async () => {
  answer = (response) => response.end(page(2, "same", true));
  await expect(countOf()).rejects.toThrow("the same page again");
});

test("a list that promises more, but has no items, ends with an error", async () => {
  let requests = 0;
  answer = (response) => response.end(page(0, `c${requests++}`, true));
  await expect(countOf()).rejects.toThrow("promises more");
});

test("a list with an empty page in between is read to its end", async () => {
  const pages: Record<string, string> = {
    "": page(2, "a", true),
    a: page(0, "b", true),
    b: page(3, null, false),
  };
  answer = (response, { searchParams }) => response.end(pages[searchParams.get("cursor") ?? ""]);
  expect(await countOf()).toBe(5);
});
