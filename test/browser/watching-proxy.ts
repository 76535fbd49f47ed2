/**
 * A proxy in front of a service that collects what goes wrong in pages: scripts that fail, files that can't be
 * loaded, console errors, and violations of the content security policy. WebKitGTK's driver doesn't have them.
 */

import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const endpoint = "/_watched";

/** Reports errors by loading scripts, which most policies of the product allow. */
const script = `
const report = (text) => Object.assign(document.head.appendChild(document.createElement("script")), { src: "${endpoint}?" + encodeURIComponent(text) });
addEventListener("error", ({ message, target }) => report(message ?? "not loaded: " + (target.src ?? target.href)), true);
addEventListener("unhandledrejection", ({ reason }) => report("not handled: " + reason));
const log = console.error;
console.error = (...all) => (report("console: " + all.join(" ")), log(...all));
`;

export interface WatchingProxy {
  port: number;
  /** What went wrong, with the paths of responses that have an error status. */
  complaints: string[];
  /** Sets the port of the service. */
  forwardTo(port: number): void;
  stop(): void;
}

export async function startWatchingProxy(): Promise<WatchingProxy> {
  const complaints: string[] = [];
  let port = 0;
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url!, "http://proxy");
    if (pathname === endpoint) return void answerReport(request, response, search, complaints);
    const { "accept-encoding": _, ...headers } = request.headers;
    const forwarded = httpRequest({
      host: "127.0.0.1",
      port,
      path: request.url!,
      method: request.method!,
      headers,
    });
    forwarded.on("response", (answer) => {
      if (answer.statusCode! >= 400) complaints.push(`${answer.statusCode} ${request.method} ${request.url}`);
      void passOn(answer, response);
    });
    forwarded.on("error", () => response.destroy());
    response.on("close", () => forwarded.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    complaints,
    forwardTo: (to) => {
      port = to;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function answerReport(
  request: IncomingMessage,
  response: ServerResponse,
  search: string,
  complaints: string[],
): Promise<void> {
  let body = "";
  for await (const chunk of request) body += chunk;
  if (body) {
    const { "csp-report": report } = JSON.parse(body);
    const blocked: string = report["blocked-uri"];
    // Some policies allow only named scripts, so not this one.
    if (!blocked.includes(endpoint)) complaints.push(`policy: ${report["violated-directive"]} ${blocked}`);
  } else if (search) complaints.push(decodeURIComponent(search.slice(1)));
  response.writeHead(200, { "content-type": "text/javascript" }).end(search ? "" : script);
}

/** Adds the script to HTML documents, and the endpoint for reports to the content security policy. */
async function passOn(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  const { "content-length": length, "content-security-policy": policy, ...headers } = answer.headers;
  const isHtml = headers["content-type"]?.startsWith("text/html") && answer.statusCode !== 304;
  response.writeHead(answer.statusCode!, {
    ...headers,
    ...(policy ? { "content-security-policy": `${policy}; report-uri ${endpoint}` } : {}),
    ...(isHtml || length === undefined ? {} : { "content-length": length }),
  });
  if (!isHtml) return void answer.pipe(response);
  let html = "";
  answer.setEncoding("utf8");
  for await (const chunk of answer) html += chunk;
  response.end(html.replace("<head>", `<head><script src="${endpoint}"></script>`));
}
