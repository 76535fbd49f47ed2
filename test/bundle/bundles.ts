/** Creates small valid and invalid bundles, and starts a server for them. */

import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TarEntry, tarGz } from "../service/tar.ts";

export interface BundleChange {
  /** Additional entries of the archive that the manifest doesn't list. */
  more?: readonly TarEntry[];
  /** Changes the manifest before it is written. */
  manifest?: (manifest: {
    formatVersion: number;
    version: string;
    files: { path: string; sha256: string; bytes: number }[];
  }) => void;
  /** Files to leave out of the archive, although the manifest lists them. */
  without?: readonly string[];
}

/** A bundle of a site with one page, which contains `text`. */
export function bundle(version: string, text: string, change?: BundleChange): Buffer {
  const files = {
    "_octavo/page-0123456789.js": `// ${text}\n`,
    "index.html": `<h1>${text}</h1>`,
    "guides/start.html": `<h1>Start ${text}</h1>${" ".repeat(2_000)}`,
  };
  return bundleOf(version, files, change);
}

/** A bundle with these files and those that a bundle server needs. */
export function bundleOf(
  version: string,
  pages: Record<string, string>,
  { more = [], manifest: change, without = [] }: BundleChange = {},
): Buffer {
  const files: Record<string, string> = {
    "_octavo/redirects.json": '{"redirects":[],"notFound":"page"}',
    "_octavo/security.json": `{"contentSecurityPolicy":"default-src 'self'; img-src 'self' https://pictures.example data:"}`,
    "404.html": "<h1>Not found</h1>",
    ...pages,
  };
  const manifest = {
    formatVersion: 1,
    version,
    generator: "test",
    deployment: null,
    files: Object.entries(files).map(([path, content]) => ({
      path,
      sha256: createHash("sha256").update(content).digest("hex"),
      bytes: Buffer.byteLength(content),
    })),
  };
  change?.(manifest);
  const entries = Object.entries(files).filter(([name]) => !without.includes(name));
  return tarGz([
    ...entries.map(([name, content]) => ({ name, content })),
    { name: "octavo.config.js", content: "octavoConfig = {};\n" },
    ...more,
    { name: "manifest.json", content: JSON.stringify(manifest) },
  ]);
}

/** Starts a server that handles requests with `answer`. */
export async function startStore(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  port = 0,
) {
  const store = { answer, asked: [] as IncomingMessage["headers"][] };
  const server = createServer((request, response) => {
    store.asked.push(request.headers);
    store.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return Object.assign(store, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
}

/** Sends the bytes and closes the connection after a pause in which they can arrive. */
export function breakAfter(response: ServerResponse, bytes: Buffer): void {
  response.write(bytes, () => setTimeout(() => response.destroy(), 1_000));
}
