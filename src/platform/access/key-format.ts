/** API keys: a prefix that says what they are for, chance, and a checksum by which scanners of source code know them for sure. */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { KeyType } from "../tables.ts";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const chance_letters = 36;
const checksum_letters = 6;
const prefixes: Record<KeyType, string> = { admin: "oct_", assistant: "oct_pub_" };

export function makeKey(type: KeyType, random: (bytes: number) => Uint8Array): string {
  let chance = "";
  while (chance.length < chance_letters) {
    // Bytes beyond the last whole multiple of 62 would make some letters likelier.
    for (const byte of random(chance_letters)) if (byte < 248 && chance.length < chance_letters) chance += alphabet[byte % 62];
  }
  const body = prefixes[type] + chance;
  return body + checksum(body);
}

/** What is kept of a key. It has more chance than can be guessed, so a fast hash does. */
export function hashKey(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

function checksum(text: string): string {
  let rest = crc32(text);
  let letters = "";
  for (let i = 0; i < checksum_letters; i++) {
    letters = alphabet[rest % 62]! + letters;
    rest = Math.floor(rest / 62);
  }
  return letters;
}
