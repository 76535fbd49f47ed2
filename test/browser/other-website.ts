/** A website at another origin that shows the widget of a documentation site, with a strict policy. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface OtherWebsite {
  origin: string;
  /** URL of a page with the widget of the documentation at `docs`. `attributes`: those of the script. */
  pageWith(docs: string, attributes?: string): string;
  stop(): Promise<void>;
}

const text = `<h1>Plant shop</h1><p>Ferns, mosses, and everything that they need.</p>
<p><a href="#order">Order a fern</a> <input aria-label="Your name"></p>
<div class="tall"></div>`;

export async function startOtherWebsite(): Promise<OtherWebsite> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url!, "http://x");
    const docs = searchParams.get("docs");
    if (docs === null) return void response.writeHead(404).end();
    const { origin } = new URL(docs);
    response
      .writeHead(200, {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": `default-src 'none'; script-src ${origin}; connect-src ${origin}; style-src 'none'; base-uri 'none'; form-action 'none'`,
      })
      .end(
        `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Plant shop</title><main>${text}</main><script src="${docs}/_octavo/widget.js" ${searchParams.get("attributes")} async></script></html>`,
      );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    pageWith: (docs, attributes = "") => `${origin}/?${new URLSearchParams({ docs, attributes })}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
