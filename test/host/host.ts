/** A host for sites that are exported in this process, and a raw HTTP client for it. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Readable } from "node:stream";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { afterAll } from "vitest";
import { filesFrom } from "../../src/base/files.ts";
import type { Problem } from "../../src/base/problem.ts";
import type { SignIn } from "../../src/base/reader-sign-in.ts";
import { exportSite } from "../../src/engine/export/export-site.ts";
import { buildSite } from "../../src/engine/site/build-site.ts";
import type { HostedSite, PendingState, SiteDirectory } from "../../src/host/hosted-site.ts";
import { type HostingOptions, hosting } from "../../src/host/hosting.ts";
import { fileKey, type SiteManifest } from "../../src/layout/site-manifest.ts";
import { productAssets, type Sources } from "../engine/build.ts";

export interface Published {
  manifest: SiteManifest;
  problems: Problem[];
}

const packedByHash = new Map<string, Record<"br" | "gzip", Buffer>>();

/** Compresses a file. Results are cached, because all sites share the same assets. */
function pack(hash: string, bytes: Uint8Array): Record<"br" | "gzip", Buffer> {
  const known = packedByHash.get(hash);
  if (known) return known;
  const packed = {
    br: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
    gzip: gzipSync(bytes, { level: 1 }),
  };
  packedByHash.set(hash, packed);
  return packed;
}

/** Sites by host name, with files in memory. `opened` counts the files that were opened. */
export class MemoryDirectory implements SiteDirectory {
  readonly sites = new Map<string, HostedSite>();
  readonly objects = new Map<string, Buffer>();
  /** Sites without a live deployment. */
  readonly pending = new Map<string, PendingState>();
  opened = 0;

  async byHost(host: string): Promise<HostedSite | undefined> {
    return this.sites.get(host);
  }

  versionOf(host: string): unknown {
    return this.sites.get(host);
  }

  async pendingAt(host: string): Promise<PendingState | undefined> {
    return this.pending.get(host);
  }

  async open(...[entry, encoding, range]: Parameters<SiteDirectory["open"]>): Promise<Readable> {
    this.opened++;
    const bytes = this.objects.get(fileKey(entry.hash, encoding))!;
    return Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes]);
  }

  /** Builds, exports and stores a site as a deployment does. */
  async publish(
    host: string,
    files: Sources,
    { signIn, ...site }: Partial<HostedSite> & { origin?: string } = {},
  ): Promise<Published> {
    const readers = signIn ? "signed-in" : "anyone";
    const { site: built, problems } = await buildSite(filesFrom(files), {
      generator: "test",
      clock: Date.now,
      hasSignIn: signIn !== undefined,
      ...(site.origin === undefined ? {} : { origin: site.origin }),
    });
    const manifest: SiteManifest = { formatVersion: 1, hasSignIn: false, files: {} };
    const target = {
      kind: "cloud",
      links: "clean",
      origin: site.origin ?? `http://${host}`,
      readers,
    } as const;
    for await (const file of exportSite(built, target, { assets: productAssets })) {
      const hash = createHash("sha256").update(file.bytes).digest("hex");
      const packed = pack(hash, file.bytes);
      const encodings: SiteManifest["files"][string]["encodings"] = {};
      this.objects.set(fileKey(hash), Buffer.from(file.bytes));
      for (const [encoding, bytes] of Object.entries(packed) as ["br" | "gzip", Buffer][]) {
        if (bytes.length >= file.bytes.length) continue;
        encodings[encoding] = bytes.length;
        this.objects.set(fileKey(hash, encoding), bytes);
      }
      manifest.files[file.path] = { hash, bytes: file.bytes.length, encodings, access: file.access };
    }
    this.sites.set(host, {
      projectId: `project of ${host}`,
      deploymentId: createHash("sha256").update(JSON.stringify(manifest)).digest("hex"),
      isPreview: false,
      manifest,
      ...site,
      ...(signIn ? { signIn } : {}),
    });
    return { manifest, problems };
  }

  /** Changes settings of a published site. */
  change(host: string, site: Partial<HostedSite> & { signIn?: SignIn }): void {
    this.sites.set(host, { ...this.sites.get(host)!, ...site });
  }
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
  /** Values of all `Set-Cookie` headers. */
  cookies: string[];
  body: Buffer;
  text: string;
}

export class TestHost {
  readonly directory = new MemoryDirectory();
  readonly server: Server;
  port = 0;

  constructor(options: Partial<HostingOptions> = {}) {
    const answer = hosting({
      // Discards analytics events.
      endpoints: new Map([["/_octavo/events", async ({ response }) => void response.writeHead(204).end()]]),
      directory: this.directory,
      secret: Buffer.alloc(32, 7),
      isSecure: false,
      ...options,
    });
    this.server = createServer((request, response) => void answer(request, response));
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.port = (this.server.address() as AddressInfo).port;
    return this;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** Sends exactly these bytes and reads one response. */
  raw(request: string | Buffer): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, "127.0.0.1", () => socket.write(request));
      const chunks: Buffer[] = [];
      socket.on("data", (chunk) => chunks.push(chunk));
      socket.on("error", reject);
      socket.on("close", () => resolve(readReply(Buffer.concat(chunks))));
      socket.setTimeout(10_000, () => socket.destroy(new Error("no answer")));
    });
  }

  /**
   * Sends a request to a site without normalizing the request target. Rejects if the same request for a public
   * file is answered differently the second time.
   */
  async ask(
    host: string,
    target: string,
    headers: Record<string, string> = {},
    method = "GET",
    body = "",
  ): Promise<Reply> {
    const lines = Object.entries({
      host,
      connection: "close",
      ...(body ? { "content-length": String(Buffer.byteLength(body)) } : {}),
      ...headers,
    });
    const request = `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`;
    const reply = await this.raw(request);
    if (method === "GET" && /^public/.test(reply.headers["cache-control"] ?? "")) {
      const again = await this.raw(request);
      assert.deepStrictEqual(withoutDate(again), withoutDate(reply));
    }
    return reply;
  }
}

function withoutDate({ headers: { date, ...headers }, ...reply }: Reply) {
  return { ...reply, headers };
}

/** Starts a host for the tests of a file. */
export function useHost(options: Partial<HostingOptions> = {}): TestHost {
  const host = new TestHost(options);
  afterAll(() => host.close());
  return host;
}

/** Headers of a browser that opens a page. */
export const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

function readReply(bytes: Buffer): Reply {
  const end = bytes.indexOf("\r\n\r\n");
  const [first = "", ...lines] = bytes
    .subarray(0, end < 0 ? bytes.length : end)
    .toString("latin1")
    .split("\r\n");
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (const line of lines) {
    const [, name = "", value = ""] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    if (name.toLowerCase() === "set-cookie") cookies.push(value);
    headers[name.toLowerCase()] = value;
  }
  const rest = end < 0 ? Buffer.alloc(0) : bytes.subarray(end + 4);
  const body = headers["transfer-encoding"] === "chunked" ? unchunked(rest) : rest;
  return { status: Number(first.split(" ")[1]), headers, cookies, body, text: body.toString() };
}

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.subarray(at, line).toString(), 16);
    if (!size) break;
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  return Buffer.concat(parts);
}
