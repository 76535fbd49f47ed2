/** API keys: a prefix that says what they are for, random letters, and a checksum by which scanners of source code know them for sure. */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { KeyType } from "../core/tables.ts";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const random_letters = 36;
const checksum_letters = 6;
const prefixes: Record<KeyType, string> = { admin: "oct_", assistant: "oct_pub_" };

export function makeKey(type: KeyType, random: (bytes: number) => Uint8Array): string {
  let letters = "";
  while (letters.length < random_letters) {
    // Bytes beyond the last whole multiple of 62 would make some letters likelier.
    for (const byte of random(random_letters)) if (byte < 248 && letters.length < random_letters) letters += alphabet[byte % 62];
  }
  const body = prefixes[type] + letters;
  return body + checksum(body);
}

/** Stored instead of the key. A key has too many random bits to be guessed, so a fast hash is enough. */
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
