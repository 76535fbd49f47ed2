/** OpenAPI documents that docs.json names by address: fetched anew, or the copy of last time when that fails. */
import type { Files } from "../base/files.ts";
import { problem } from "../base/problem.ts";
import { readDocsJson } from "../engine/config/docs-json.ts";
import { configuredSources, type FetchedDocument, isUrl } from "../engine/site/api-documents.ts";
import type { PageStore } from "../engine/site/page-cache.ts";
import type { AllowedHosts } from "../io/allowed-hosts.ts";
import { fetchDocument } from "../io/fetch-document.ts";

export function addressesIn(files: Files): string[] {
  return [...configuredSources(readDocsJson(files, { hasSignIn: true }).config)].filter(isUrl);
}

export interface FetchDocumentsOptions {
  /** What the operator allows besides https on the public internet. */
  allowed?: AllowedHosts;
  /** By address: copies from an earlier build, for those that cannot be fetched now. */
  last?: Readonly<Record<string, string>> | undefined;
}

export async function fetchDocuments(
  addresses: readonly string[],
  store: PageStore | undefined,
  { allowed, last = {} }: FetchDocumentsOptions = {},
): Promise<Map<string, FetchedDocument>> {
  const lastOf = (address: string) => (Object.hasOwn(last, address) ? last[address] : undefined);
  const answers = await Promise.all(addresses.map((address) => fetched(address, store, lastOf(address), allowed)));
  return new Map(addresses.map((address, index) => [address, answers[index]!]));
}

/** The documents of a snapshot, so that a later build has what the first one had. */
export function keptDocuments(addresses: readonly string[], documents: Readonly<Record<string, string>>): Map<string, FetchedDocument> {
  return new Map(
    addresses.map((address) => {
      const text = Object.hasOwn(documents, address) ? documents[address] : undefined;
      return [
        address,
        text === undefined ? { problem: problem("openapi-fetch", { file: "docs.json" }, `${address}: not fetched`) } : { text },
      ];
    }),
  );
}

async function fetched(
  address: string,
  store: PageStore | undefined,
  last: string | undefined,
  allowed: AllowedHosts | undefined,
): Promise<FetchedDocument> {
  const kept = `fetched\n${address}`;
  try {
    const text = await fetchDocument(address, allowed ? { allowed } : {});
    store?.write(kept, text);
    return { text };
  } catch (error) {
    const message = `${address}: ${(error as Error).message}`;
    const text = last ?? store?.read(kept);
    if (text === undefined) return { problem: problem("openapi-fetch", { file: "docs.json" }, message) };
    return { text, problem: problem("openapi-stale", { file: "docs.json" }, `${message}. The copy of the last build is used`) };
  }
}
