import { createPrivateKey, createPublicKey } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { isPrivateKey } from "../bundle/signature.ts";
import { UsageError } from "./command.ts";

/**
 * Reads an Ed25519 key in PEM format. Throws `UsageError` if the file is missing or contains a different key.
 */
export function readKey(file: string, type: "private" | "public"): string {
  if (!existsSync(file)) throw new UsageError(`File not found: ${file}`);
  const pem = readFileSync(file, "utf8");
  try {
    const key =
      type === "private" ? createPrivateKey(pem) : isPrivateKey(pem) ? undefined : createPublicKey(pem);
    if (key?.asymmetricKeyType === "ed25519") return pem;
  } catch {}
  throw new UsageError(`${file} isn't a ${type} Ed25519 key in PEM format`);
}
