/** Tests the playground's proxy over HTTP, with a server that records the requests that it receives. */

import { createServer, type IncomingHttpHeaders, type Server, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { proxyPath } from "../layout/site-layout.ts";
import { answerProxy } from "./playground-proxy.ts";

const operation = "_octavo/api/x/operation-1.js";
let target: Server;
let proxy: Server;
let targetOrigin: string;
let proxyOrigin: string;
let allowPrivate = true;
const arrived: { method: string; url: string; headers: string[]; body: string }[] = [];

const listening = (server: Server) =>
  new Promise<string>((resolve) =>
    server.listen(0, "127.0.0.1", () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ),
  );

beforeAll(async () => {
  target = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    arrived.push({ method: request.method!, url: request.url!, headers: request.rawHeaders, body });
    if (request.url === "/page")
      response.writeHead(200, { "content-type": "text/html", "set-cookie": "a=b" }).end("<script>1</script>");
    else if (request.url === "/away") response.writeHead(302, { location: "http://169.254.169.254/" }).end();
    else if (request.url!.startsWith("/large/"))
      response.writeHead(200).end(Buffer.alloc(Number(request.url!.slice("/large/".length))));
    else if (request.url === "/events") {
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
      setTimeout(() => response.end("data: 2\n\n"), 1_000);
    } else response.writeHead(201, { "x-answer": "yes" }).end("fine");
  });
  targetOrigin = await listening(target);
  proxy = createServer((request, response) => {
    if (request.url === `/${proxyPath}`)
      void answerProxy(request, response, { origins: new Map([[operation, [targetOrigin]]]), allowPrivate });
  });
  proxyOrigin = await listening(proxy);
});
afterAll(() => {
  for (const server of [target, proxy]) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  allowPrivate = true;
  arrived.length = 0;
});

interface Call {
  method?: string;
  to?: string;
  as?: string;
  operation?: string;
  headers?: [string, string][];
  body?: string | Buffer;
  own?: Record<string, string>;
}

function call({
  method = "POST",
  to = `${targetOrigin}/x`,
  as = "POST",
  operation: name = `/${operation}`,
  headers = [],
  body = "",
  own = {},
}: Call) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: string; firstAt: number }>(
    (resolve, reject) => {
      const request = send(
        `${proxyOrigin}/${proxyPath}`,
        {
          method,
          headers: {
            origin: proxyOrigin,
            "sec-fetch-site": "same-origin",
            "octavo-target": to,
            "octavo-method": as,
            "octavo-operation": name,
            "octavo-headers": Buffer.from(JSON.stringify(headers)).toString("base64url"),
            ...own,
          },
        },
        (response) => {
          let text = "";
          let firstAt = 0;
          response.on("data", (chunk) => {
            firstAt ||= Date.now();
            text += chunk;
          });
          response.on("end", () =>
            resolve({ status: response.statusCode!, headers: response.headers, body: text, firstAt }),
          );
          response.on("error", reject);
        },
      );
      request.on("error", reject);
      request.end(body);
    },
  );
}

const envelope = (headers: IncomingHttpHeaders) =>
  JSON.parse(Buffer.from(String(headers["octavo-response"]), "base64url").toString());

describe("the playground's proxy", () => {
  test("reports that it is available", async () => {
    const { status, headers } = await call({ method: "GET" });
    expect([status, headers["octavo-proxy"]]).toEqual([204, "1"]);
  });

  test("sends method, URL, headers and body unchanged", async () => {
    const { status, headers, body } = await call({
      to: `${targetOrigin}/a%2Fb?q=%20x&q=y`,
      as: "PATCH",
      headers: [
        ["X-One", "1"],
        ["X-One", "2"],
        ["Cookie", "session=mine"],
        ["Content-Type", "text/plain"],
      ],
      body: "päck\n",
    });
    expect([status, body, envelope(headers).status]).toEqual([200, "fine", 201]);
    expect(envelope(headers).headers).toContainEqual(["x-answer", "yes"]);
    const [request] = arrived;
    expect([request!.method, request!.url, request!.body]).toEqual(["PATCH", "/a%2Fb?q=%20x&q=y", "päck\n"]);
    expect(request!.headers.join("\n")).toContain(
      "X-One\n1\nX-One\n2\nCookie\nsession=mine\nContent-Type\ntext/plain",
    );
  });

  test("doesn't send the reader's cookies of the site and connection headers", async () => {
    await call({
      own: { cookie: "secret=1", authorization: "Basic c2l0ZQ==", "x-forwarded-for": "1.2.3.4" },
      headers: [
        ["Host", "evil.example"],
        ["X-Forwarded-Host", "evil.example"],
        ["Transfer-Encoding", "chunked"],
        ["Proxy-Authorization", "x"],
        ["X_Forwarded_For", "evil.example"],
        ["X-Real-IP", "evil.example"],
        ["true_client_ip", "evil.example"],
        ["Via", "1.1 evil.example"],
        ["Client-Id", "own"],
      ],
    });
    const sent = arrived[0]!.headers.join("\n");
    expect(sent).not.toMatch(/secret|c2l0ZQ|1\.2\.3\.4|evil|chunked|proxy-/i);
    expect(sent).toContain("Client-Id\nown");
  });

  test("returns a page as bytes, without its cookies", async () => {
    const { headers } = await call({ to: `${targetOrigin}/page`, as: "GET" });
    expect(headers["content-type"]).toBe("application/octet-stream");
    expect(headers["content-disposition"]).toBe("attachment");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["set-cookie"]).toBeUndefined();
    expect(JSON.stringify(envelope(headers))).not.toContain("a=b");
  });

  test("doesn't follow redirects", async () => {
    const { headers } = await call({ to: `${targetOrigin}/away`, as: "GET" });
    expect(envelope(headers).status).toBe(302);
  });

  test("streams the response", async () => {
    const { firstAt } = await call({ to: `${targetOrigin}/events`, as: "GET" });
    expect(Date.now() - firstAt).toBeGreaterThan(500);
  });

  const refused: [string, Call, number][] = [
    ["a server that the operation does not name", { to: "https://example.com/" }, 403],
    ["a missing operation", { operation: "/_octavo/api/x/operation-2.js" }, 403],
    ["a user name before the host", { to: "http://evil@127.0.0.1/" }, 403],
    ["no URL", { to: "nowhere" }, 403],
    ["TRACE", { as: "TRACE" }, 405],
    ["CONNECT", { as: "CONNECT" }, 405],
    ["a line break in a header", { headers: [["X", "a\r\nb: c"]] }, 400],
    ["an invalid header name", { headers: [["X Y", "a"]] }, 400],
    ["headers that are no list", { own: { "octavo-headers": "%%%" } }, 400],
    ["another site's page", { own: { origin: "https://evil.example" } }, 403],
    ["another site's page by its fetch metadata", { own: { "sec-fetch-site": "cross-site" } }, 403],
    ["PUT to the proxy itself", { method: "PUT" }, 405],
    ["a body that is too large", { body: Buffer.alloc(1024 * 1024 + 1) }, 413],
  ];
  test.each(refused)("refuses %s", async (_, input, status) => {
    expect((await call(input)).status).toBe(status);
    expect(arrived).toEqual([]);
  });

  test("refuses private addresses by default", async () => {
    allowPrivate = false;
    const { status, body } = await call({});
    expect([status, JSON.parse(body).error]).toEqual([
      403,
      `Request blocked: this docs server isn't allowed to call 127.0.0.1. To allow it, add ${new URL(targetOrigin).host} to OCTAVO_OUTBOUND_ALLOW.`,
    ]);
    expect(arrived).toEqual([]);
  });

  test("aborts a response that is too large", async () => {
    const most_bytes = 5 * 1024 * 1024;
    const { body } = await call({ to: `${targetOrigin}/large/${most_bytes}`, as: "GET" });
    expect(body).toHaveLength(most_bytes);
    await expect(call({ to: `${targetOrigin}/large/${most_bytes + 1}`, as: "GET" })).rejects.toThrow();
  });
});
