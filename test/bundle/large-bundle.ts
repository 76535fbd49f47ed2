/** Writes bundles of any size: pages and Markdown, which compress well, and images, which don't. */

import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { tar } from "../service/tar.ts";

export interface LargeBundle {
  version: string;
  pages: number;
  pictures: number;
  picture_bytes?: number;
  /** Compression level of gzip. 0 is the fastest. */
  level?: number;
}

const words =
  "account archive bridge channel client deploy engine export filter handler invoice journal ledger limit monitor notice object queue report schema session signal token update value webhook window worker the a of to in for with from by is are can must and or".split(
    " ",
  );
const scaffold =
  `<link rel="stylesheet" href="_octavo/site.css"><nav>${words.map((word) => `<a href="${word}.html">${word}</a>`).join("")}</nav>`.repeat(
    4,
  );

/** Writes a bundle. The same options give the same bundle. */
export async function writeLargeBundle(
  file: string,
  options: LargeBundle,
): Promise<{ bytes: number; files: number }> {
  const { level = 6 } = options;
  const packed = createGzip({ level });
  let files = 0;
  const counted = async function* () {
    for await (const bytes of entries(options)) {
      files++;
      yield bytes;
    }
  };
  await pipeline(Readable.from(counted()), packed, createWriteStream(file));
  // An export always writes this value to the header, but fast compression levels write a different one.
  const handle = await open(file, "r+");
  await handle.write(Buffer.from([0]), 0, 1, 8);
  const { size } = await handle.stat();
  await handle.close();
  return { bytes: size, files: files - 2 };
}

function* entries({ version, pages, pictures, picture_bytes = 100_000 }: LargeBundle): Generator<Buffer> {
  const random = chance(7);
  const listed: { path: string; sha256: string; bytes: number }[] = [];
  const entry = (path: string, content: string | Buffer) => {
    const bytes = Buffer.from(content as string);
    listed.push({ path, sha256: createHash("sha256").update(bytes).digest("hex"), bytes: bytes.length });
    return tar([{ name: path, content: bytes }], Buffer.alloc(0));
  };
  yield entry("_octavo/redirects.json", '{"redirects":[],"notFound":"page"}');
  yield entry("_octavo/security.json", `{"contentSecurityPolicy":"default-src 'self'"}`);
  yield entry("404.html", "<h1>Not found</h1>");
  yield entry("index.html", `<h1>${version}</h1>`);
  for (let index = 0; index < pages; index++) {
    const text = Array.from({ length: 900 }, () => words[Math.floor(random() * words.length)]).join(" ");
    yield entry(
      `group-${index % 50}/page-${index}.html`,
      `<h1>Page ${index}</h1>${scaffold}<main>${text}${text}</main>`,
    );
    yield entry(`group-${index % 50}/page-${index}.md`, `# Page ${index}\n\n${text}\n`);
  }
  for (let index = 0; index < pictures; index++) {
    const bytes = Buffer.alloc(picture_bytes);
    for (let at = 0; at + 4 <= bytes.length; at += 4)
      bytes.writeUInt32LE(Math.floor(random() * 4_294_967_296), at);
    yield entry(`images/${index}.png`, bytes);
  }
  const manifest = { formatVersion: 1, version, generator: "test", deployment: null, files: listed };
  yield tar([{ name: "manifest.json", content: JSON.stringify(manifest) }], Buffer.alloc(0));
  yield Buffer.alloc(1_024);
}

/** Mulberry32, a small deterministic random number generator. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
