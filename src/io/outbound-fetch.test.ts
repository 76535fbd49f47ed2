import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listen } from "../../test/shared/listen.ts";
import { outboundFetch } from "./outbound-fetch.ts";

let body = "";
let url = "";
const server = createServer((_request, response) => void response.end(body));
beforeAll(async () => {
  url = await listen(server);
});
afterAll(() => void server.close());

test("JSON that takes long to parse is refused", async () => {
  const fetch = outboundFetch({ sender: "open-id", allowPrivate: true, values_count: 100 });
  body = JSON.stringify({ keys: Array(90).fill({}) });
  expect(await (await fetch(url, {})).json()).toEqual(JSON.parse(body));
  body = "[".repeat(50) + '{"a":'.repeat(51);
  await expect(fetch(url, {})).rejects.toThrow("The JSON has more than 100 objects and arrays");
});
