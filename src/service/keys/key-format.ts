/**
 * Generates and hashes API keys. A key has a prefix for its type, random characters, and a checksum that
 * secret scanners can check.
 */

import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { KeyType } from "../core/tables.ts";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const random_chars = 36;
const checksum_chars = 6;
const prefixes: Record<KeyType, string> = { admin: "oct_", assistant: "oct_pub_" };

export function generateKey(type: KeyType, random: (bytes: number) => Uint8Array): string {
  let characters = "";
  while (characters.length < random_chars) {
    // Bytes of 248 (4 × 62) or more are skipped, which avoids modulo bias.
    for (const byte of random(random_chars))
      if (byte < 248 && characters.length < random_chars) characters += alphabet[byte % 62];
  }
  const body = prefixes[type] + characters;
  return body + checksum(body);
}

/**
 * Returns the hash that is stored instead of the key. A fast hash is enough, because generated keys have more
 * than 200 random bits.
 */
export function hashKey(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

function checksum(text: string): string {
  let rest = crc32(text);
  let characters = "";
  for (let i = 0; i < checksum_chars; i++) {
    characters = alphabet[rest % 62]! + characters;
    rest = Math.floor(rest / 62);
  }
  return characters;
}
