/**
 * Minimal pages with a playground, and servers for them: an API that records requests, and an authorization
 * server.
 */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import path from "node:path";
import { build } from "esbuild";
import { escapeKey, isRaw, type Raw } from "../../src/engine/openapi/nodes/refs.ts";
import type { OperationData, PlaygroundSettings } from "../../src/engine/openapi/request/operation-data.ts";
import { answerProxy } from "../../src/host/playground-proxy.ts";
import { root } from "../engine/build.ts";
import { listen } from "../shared/listen.ts";

/** Writes the scripts and styles of a site to a folder. */
export async function bundlePlayground(folder: string): Promise<void> {
  const entry = `import { startPlayground } from ${JSON.stringify(path.join(root, "src/browser/playground/open-playground.ts"))}; startPlayground();`;
  const common = {
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2020",
    jsx: "automatic",
    jsxImportSource: "preact",
  } as const;
  const assets = path.join(folder, "assets");
  await build({
    ...common,
    entryPoints: [path.join(root, "src/browser/playground.tsx"), path.join(root, "src/browser/oauth.ts")],
    outdir: assets,
  });
  await build({
    ...common,
    stdin: { contents: entry, resolveDir: root, loader: "ts" },
    outfile: path.join(assets, "reference.js"),
  });
  await build({
    bundle: true,
    entryPoints: {
      octavo: path.join(root, "src/engine/frame/styles/main.css"),
      playground: path.join(root, "src/engine/frame/styles/playground.css"),
      reference: path.join(root, "src/engine/frame/styles/reference/all.css"),
    },
    outdir: assets,
  });
  writeFileSync(path.join(assets, "words.js"), "octavoWords({});");
  writeFileSync(
    path.join(folder, "oauth.html"),
    page("Signing in", '<script src="assets/oauth.js"></script>'),
  );
}

const settings: PlaygroundSettings = {
  mode: "interactive",
  proxy: false,
  credentials: false,
  prefill: false,
  languages: ["bash", "python", "javascript"],
  optional: true,
};

export interface PageOptions extends Partial<PlaygroundSettings> {
  proxyHref?: string;
  words?: string;
}

/** Writes a page for one operation of a document, with its data scripts; returns the page's path. */
export function writePage(
  folder: string,
  name: string,
  document: Raw,
  method: string,
  at: string,
  options: PageOptions = {},
): string {
  const { proxyHref = null, words = "assets/words.js", ...own } = options;
  const components = (document["components"] ?? {}) as Raw;
  const data: OperationData = {
    root: { ...document, components: { securitySchemes: components["securitySchemes"] } },
    pathItem: `#/paths/${escapeKey(at)}`,
    method,
    path: at,
    kind: "operation",
    settings: { ...settings, ...own },
  };
  const nodes = Object.entries(components)
    .filter(([kind]) => kind !== "securitySchemes")
    .flatMap(([kind, list]) =>
      isRaw(list)
        ? Object.entries(list).map(([key, node]): [string, unknown] => [
            `#/components/${kind}/${escapeKey(key)}`,
            node,
          ])
        : [],
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
  // Two components per file, so that several files are loaded.
  const chunks = nodes.flatMap((_, i) => (i % 2 === 0 ? [nodes.slice(i, i + 2)] : []));
  const pieces = path.join(folder, "_octavo/api", name);
  mkdirSync(pieces, { recursive: true });
  writeFileSync(path.join(pieces, "operation.js"), `octavoOperation(${asScript(data)});`);
  writeFileSync(
    path.join(pieces, "index.js"),
    `octavoChunks(${JSON.stringify(chunks.map((chunk) => chunk[0]![0]))});`,
  );
  chunks.forEach((chunk, i) =>
    writeFileSync(
      path.join(pieces, `${i}.js`),
      `octavoComponents(${i}, ${asScript(Object.fromEntries(chunk))});`,
    ),
  );
  const places = {
    operation: `_octavo/api/${name}/operation.js`,
    components: `_octavo/api/${name}/`,
    script: "assets/playground.js",
    style: "assets/playground.css",
    words,
    proxy: proxyHref,
    oauth: "oauth.html",
  };
  const body = `<main><h1>${name}</h1><button type="button" class="o-primary o-try-it">Try it</button>
<pre data-sample="bash" style="overflow: auto"></pre></main>
<script type="application/json" id="oReference">${JSON.stringify(places).replaceAll("<", "\\u003c")}</script>
<script src="assets/reference.js"></script>`;
  writeFileSync(path.join(folder, `${name}.html`), page(name, body));
  return `${name}.html`;
}

/**
 * A script expression for a JSON value. An object literal would not create a property for the key
 * `__proto__`.
 */
function asScript(value: unknown): string {
  return `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en" class="js"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="assets/octavo.css"><link rel="stylesheet" href="assets/reference.css"><meta name="viewport" content="width=device-width"></head><body>${body}</body></html>`;
}

export interface Recorded {
  method: string;
  url: string;
  headers: Record<string, string | string[] | undefined>;
  /** Names and values of the request headers, as received. */
  lines: [string, string][];
  body: Buffer;
}

export interface Recorder {
  url: string;
  requests: Recorded[];
  /** Ends the pending responses of `/events` and `/slow`. */
  release(): void;
  close(): void;
}

/**
 * Serves the pages over HTTP. `origins`: servers that the proxy may call, for all operations or by operation.
 */
export async function serveSite(
  folder: string,
  origins?: string[] | ReadonlyMap<string, readonly string[]>,
): Promise<{ url: string; close(): void }> {
  const types: Record<string, string> = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
  };
  const server = createServer((request, response) => {
    const file = path.join(folder, decodeURIComponent(new URL(request.url!, "http://x").pathname));
    if (origins && request.url === "/_octavo/proxy") {
      const operation = String(request.headers["octavo-operation"] ?? "").replace(/^\//, "");
      const known = Array.isArray(origins)
        ? new Map([[operation, origins]])
        : (origins as ReadonlyMap<string, readonly string[]>);
      return void answerProxy(request, response, { origins: known, allowPrivate: true });
    }
    if (!existsSync(file)) return void response.writeHead(404).end();
    response
      .writeHead(200, { "content-type": types[path.extname(file)] ?? "application/octet-stream" })
      .end(readFileSync(file));
  });
  const url = await listen(server);
  return {
    url,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Starts an API with CORS that records requests. The first path segment selects the response. */
export async function startRecorder(): Promise<Recorder> {
  const requests: Recorded[] = [];
  let waiting: (() => void)[] = [];
  const answers: Record<string, (request: Recorded, response: ServerResponse) => void> = {
    events(_request, response) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('data: {"n":1}\n\nevent: note\ndata: two\n\n');
      waiting.push(() => response.end("data: last\n\n"));
    },
    moved(_request, response) {
      response.writeHead(302, { location: "/big" });
      response.end();
    },
    slow(_request, response) {
      waiting.push(() => response.end());
    },
    big(_request, response) {
      response.writeHead(200, { "content-type": "application/json", "x-total": "3" });
      response.end(
        '{"id":9007199254740993,"price":1.10,"list":[1,2,3],"again":1,"again":2,"text":"<img src=x onerror=alert(1)>"}',
      );
    },
    long(_request, response) {
      response.writeHead(200, { "content-type": "text/plain" });
      const block = "0123456789abcdef".repeat(65_536);
      for (let i = 0; i < 30; i++) response.write(block);
      response.end();
    },
    image(_request, response) {
      response.writeHead(200, { "content-type": "image/svg+xml" });
      response.end(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="teal"/><script>document.title="bad"</script></svg>',
      );
    },
    html(_request, response) {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<h1>Hello</h1><script>document.title='bad'</script>");
    },
    bytes(_request, response) {
      response.writeHead(200, {
        "content-type": "application/octet-stream",
        "content-disposition": 'attachment; filename="data.bin"',
      });
      response.end(Buffer.from([0, 1, 2, 3]));
    },
  };
  const server = createServer(async (request, response) => {
    const origin = request.headers.origin;
    const closed = request.url!.startsWith("/closed");
    if (origin && !closed) {
      response.setHeader("access-control-allow-origin", origin);
      response.setHeader(
        "access-control-allow-headers",
        request.headers["access-control-request-headers"] ?? "*",
      );
      response.setHeader("access-control-allow-methods", "*, PUT, PATCH, DELETE");
      response.setHeader("access-control-expose-headers", "*, x-total");
    }
    if (request.method === "OPTIONS" && request.headers["access-control-request-method"]) {
      response.writeHead(closed ? 403 : 204).end();
      return;
    }
    const { method, url, headers, rawHeaders } = request;
    const lines = rawHeaders.flatMap((name, i): [string, string][] =>
      i % 2 ? [] : [[name, rawHeaders[i + 1]!]],
    );
    const recorded: Recorded = { method: method!, url: url!, headers, lines, body: await bodyOf(request) };
    requests.push(recorded);
    const answer = answers[/^\/(\w+)/.exec(request.url!)?.[1] ?? ""];
    if (answer) return answer(recorded, response);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        method: recorded.method,
        url: recorded.url,
        headers: recorded.headers,
        body: recorded.body.toString("utf8"),
      }),
    );
  });
  const url = await listen(server);
  return {
    url,
    requests,
    release() {
      for (const end of waiting) end();
      waiting = [];
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Starts a small authorization server, which checks PKCE, redirect URI and client, and issues
 * `token-<grant>`.
 */
export async function startAuthorization(): Promise<{
  url: string;
  asked: Record<string, string>[];
  wrongState: { now: boolean };
  /** The response of the device authorization endpoint, and the next errors of the token endpoint. */
  device: { device_code: string; interval: number; errors: string[] };
  close(): void;
}> {
  const device = { device_code: "device-1", interval: 1, errors: [] as string[] };
  const asked: Record<string, string>[] = [];
  const wrongState = { now: false };
  const codes = new Map<string, { challenge: string; redirect: string }>();
  const server = createServer(async (request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "authorization");
    const url = new URL(request.url!, "http://x");
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (url.pathname === "/.well-known/openid-configuration") {
      const base = `http://${request.headers.host}`;
      return void json(200, {
        authorization_endpoint: `${base}/authorize`,
        device_authorization_endpoint: `${base}/device`,
        token_endpoint: `${base}/token`,
        scopes_supported: ["openid", "email"],
        grant_types_supported: ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"],
      });
    }
    if (url.pathname === "/authorize") {
      const query = Object.fromEntries(url.searchParams);
      asked.push(query);
      const back = new URL(query["redirect_uri"]!);
      const state = wrongState.now ? "someone-else" : query["state"]!;
      if (query["response_type"] === "token")
        back.hash = new URLSearchParams({ access_token: "token-implicit", state }).toString();
      else {
        const code = `code-${codes.size}`;
        codes.set(code, { challenge: query["code_challenge"]!, redirect: query["redirect_uri"]! });
        back.search = new URLSearchParams({ code, state }).toString();
      }
      return void response.writeHead(302, { location: back.href }).end();
    }
    const form = Object.fromEntries(new URLSearchParams((await bodyOf(request)).toString()));
    asked.push({ ...form, path: url.pathname, authorization: request.headers.authorization ?? "" });
    if (url.pathname === "/device")
      return void json(200, {
        user_code: "WDJB-MJHT",
        verification_uri: "https://example.com/device",
        ...device,
      });
    if (form["device_code"]) {
      const [error] = device.errors.splice(0, 1);
      return void (error ? json(400, { error }) : json(200, { access_token: "token-device" }));
    }
    if (form["grant_type"] === "authorization_code") {
      const known = codes.get(form["code"]!);
      const challenge = createHash("sha256").update(form["code_verifier"]!).digest("base64url");
      if (!known || known.challenge !== challenge || known.redirect !== form["redirect_uri"])
        return void json(400, { error: "invalid_grant" });
    }
    if (form["grant_type"] === "password" && form["password"] !== "right")
      return void json(400, { error: "invalid_grant", error_description: "Wrong password" });
    json(200, { access_token: `token-${form["grant_type"]}`, token_type: "Bearer" });
  });
  return { url: await listen(server), asked, wrongState, device, close: () => server.close() };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
