/** Fetches the OpenAPI documents that docs.json references by URL. Falls back to copies from an earlier build. */

import type { Files } from "../base/files.ts";
import { problem } from "../base/problem.ts";
import { isHttpUrl } from "../base/url.ts";
import { readDocsJson } from "../engine/config/docs-json.ts";
import type { Store } from "../engine/incremental/store.ts";
import { configuredSources, type FetchedDocument } from "../engine/site/api-documents.ts";
import type { AllowedHosts } from "../io/allowed-hosts.ts";

/** Returns the URLs of OpenAPI documents in docs.json. */
export function documentUrls(files: Files): string[] {
  return [...configuredSources(readDocsJson(files, { hasSignIn: true }).config).keys()].filter(isHttpUrl);
}

export interface FetchDocumentsOptions {
  /** Hosts that the operator allows in addition to https on the public internet. */
  allowed?: AllowedHosts;
  /** Copies from an earlier build, by URL. */
  last?: Readonly<Record<string, string>> | undefined;
}

/**
 * Fetches documents concurrently. The result for a document that can't be fetched has a problem and, if there is a copy in `last` or
 * `store`, the text of the copy.
 */
export async function fetchDocuments(
  urls: readonly string[],
  store: Store | undefined,
  { allowed, last = {} }: FetchDocumentsOptions = {},
): Promise<Map<string, FetchedDocument>> {
  const lastOf = (url: string) => (Object.hasOwn(last, url) ? last[url] : undefined);
  const results = await Promise.all(urls.map((url) => fetched(url, store, lastOf(url), allowed)));
  return new Map(urls.map((url, index) => [url, results[index]!]));
}

/**
 * Returns the documents from a snapshot instead of fetching them, so that a rebuild uses the same documents. The result for a document that
 * isn't in the snapshot has a problem and no text.
 */
export function snapshotDocuments(urls: readonly string[], documents: Readonly<Record<string, string>>): Map<string, FetchedDocument> {
  return new Map(
    urls.map((url) => {
      const text = Object.hasOwn(documents, url) ? documents[url] : undefined;
      return [url, text === undefined ? { problem: problem("openapi-fetch", { file: "docs.json" }, `${url}: not fetched`) } : { text }];
    }),
  );
}

async function fetched(
  url: string,
  store: Store | undefined,
  last: string | undefined,
  allowed: AllowedHosts | undefined,
): Promise<FetchedDocument> {
  const name = `fetched\n${url}`;
  try {
    // Loaded here, because most builds don't fetch anything.
    const { fetchDocument } = await import("../io/fetch-document.ts");
    const text = await fetchDocument(url, allowed ? { allowed } : {});
    store?.keep(name, "", text);
    return { text };
  } catch (error) {
    const message = `${url}: ${(error as Error).message}`;
    const text = last ?? store?.get(name, "")?.toString();
    if (text === undefined) return { problem: problem("openapi-fetch", { file: "docs.json" }, message) };
    return {
      text,
      problem: problem("openapi-stale", { file: "docs.json" }, `${message}, so the cached copy from an earlier build is used`),
    };
  }
}
