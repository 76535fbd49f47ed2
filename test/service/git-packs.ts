/** Writes pack files that Git itself wouldn't write. */

import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

/** A line of Git's protocol. */
export const packet = (text: string) =>
  `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, "0")}${text}`;

/** A pack file with the objects, and with the number of objects that its header names. */
export function packOf(objects: readonly Buffer[], count = objects.length): Buffer {
  const head = Buffer.alloc(12);
  head.write("PACK");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(count, 8);
  const content = Buffer.concat([head, ...objects]);
  return Buffer.concat([content, createHash("sha1").update(content).digest()]);
}

const types = { commit: 1, tree: 2, blob: 3, "ref-delta": 7 };

/** An object of a pack file. `size`: the size that its header names. */
export function packedObject(
  type: keyof typeof types,
  content: Buffer,
  size = content.length,
  base = "",
): Buffer {
  const bytes = [];
  let rest = BigInt(size);
  let byte = (types[type] << 4) | Number(rest & 15n);
  rest >>= 4n;
  while (rest > 0n) {
    bytes.push(byte | 128);
    byte = Number(rest & 127n);
    rest >>= 7n;
  }
  bytes.push(byte);
  return Buffer.concat([Buffer.from(bytes), Buffer.from(base, "hex"), deflateSync(content)]);
}

export const hashOf = (type: string, content: Buffer) =>
  createHash("sha1").update(`${type} ${content.length}\0`).update(content).digest("hex");

export function commitOf(tree: string, parent?: string): Buffer {
  const who = "Eve <eve@example.com> 1700000000 +0000";
  return Buffer.from(
    `tree ${tree}\n${parent ? `parent ${parent}\n` : ""}author ${who}\ncommitter ${who}\n\nHostile\n`,
  );
}

/** Two objects in 17 KB: a blob of 16 MB, and a delta that repeats it `count` times. */
export function deltaOf(count: number): Buffer[] {
  const base = Buffer.alloc(0xffffff);
  const copy = Buffer.from([0b1111_0000, 0xff, 0xff, 0xff]);
  const delta = [
    variableLength(base.length),
    variableLength(base.length * count),
    ...Array(count).fill(copy),
  ];
  return [
    packedObject("blob", base),
    packedObject("ref-delta", Buffer.concat(delta), undefined, hashOf("blob", base)),
  ];
}

/** A number in the format of deltas: seven bits per byte, lowest first. */
function variableLength(number: number): Buffer {
  const bytes = [];
  let rest = BigInt(number);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}
