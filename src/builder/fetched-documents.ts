/**
 * Fetches the OpenAPI documents that docs.json references by URL. Falls back to copies from an earlier build.
 */

import type { Files } from "../base/files.ts";
import { problem } from "../base/problem.ts";
import { isHttpUrl } from "../base/url.ts";
import { readDocsJson } from "../engine/config/docs-json.ts";
import type { Store } from "../engine/incremental/store.ts";
import { configuredSources, type FetchedDocument } from "../engine/site/sources/api-documents.ts";
import type { AllowedHosts } from "../io/allowed-hosts.ts";
import type { FetchOptions } from "../io/fetch-document.ts";
import { requestLimits, seriesByHost } from "../io/request-slots.ts";

/** Maximum number of documents that a build fetches. */
const documents_count = 100;
/** Timeout for a document, and for all documents of a build. */
const document_ms = 30_000;
const documents_ms = 120_000;

/** Returns the URLs of OpenAPI documents in docs.json. */
export function documentUrls(files: Files): string[] {
  return [...configuredSources(readDocsJson(files, { hasSignIn: true }).config).keys()].filter(isHttpUrl);
}

export interface FetchDocumentsOptions {
  /** Hosts that the operator allows in addition to https on the public internet. */
  allowed?: AllowedHosts;
  /** Copies from an earlier build, by URL. */
  last?: Readonly<Record<string, string>> | undefined;
  /** Default: `documents_ms`. */
  total_ms?: number;
}

/**
 * Fetches documents, a few at a time, because the URLs are an author's and their hosts mustn't be flooded.
 * The result for a document that can't be fetched, or is beyond the limits, has a problem and, if there is a
 * copy in `last` or `store`, the text of the copy.
 */
export async function fetchDocuments(
  urls: readonly string[],
  store: Store | undefined,
  { allowed, last = {}, total_ms = documents_ms }: FetchDocumentsOptions = {},
): Promise<Map<string, FetchedDocument>> {
  const deadline_ms = performance.now() + total_ms;
  const results = new Map<string, FetchedDocument>();
  const find = async (url: string, refusal?: string) => {
    const timeout_ms = Math.min(document_ms, Math.floor(deadline_ms - performance.now()));
    const refused =
      refusal ??
      (timeout_ms > 0
        ? undefined
        : `not fetched, because the other documents took ${total_ms / 1_000} seconds`);
    const lastText = Object.hasOwn(last, url) ? last[url] : undefined;
    results.set(
      url,
      await fetched(url, store, lastText, refused ?? { timeout_ms, ...(allowed ? { allowed } : {}) }),
    );
  };

  const series = seriesByHost(urls.slice(0, documents_count), "document");
  const worker = async () => {
    for (let next = series.pop(); next; next = series.pop()) for (const url of next) await find(url);
  };
  await Promise.all(Array.from({ length: requestLimits.document.total }, worker));
  for (const url of urls.slice(documents_count))
    await find(url, `not fetched, because docs.json has more than ${documents_count} URLs`);

  return new Map(urls.map((url) => [url, results.get(url)!]));
}

/**
 * Returns the documents from a snapshot instead of fetching them, so that a rebuild uses the same documents.
 * The result for a document that isn't in the snapshot has a problem and no text.
 */
export function snapshotDocuments(
  urls: readonly string[],
  documents: Readonly<Record<string, string>>,
): Map<string, FetchedDocument> {
  return new Map(
    urls.map((url) => {
      const text = Object.hasOwn(documents, url) ? documents[url] : undefined;
      return [
        url,
        text === undefined
          ? { problem: problem("openapi-fetch", { file: "docs.json" }, `${url}: not fetched`) }
          : { text },
      ];
    }),
  );
}

/** `how`: the options for fetching the document, or why it isn't fetched. */
async function fetched(
  url: string,
  store: Store | undefined,
  last: string | undefined,
  how: FetchOptions | string,
): Promise<FetchedDocument> {
  const name = `fetched\n${url}`;
  try {
    if (typeof how === "string") throw new Error(how);
    // Loaded here, because most builds don't fetch anything.
    const { fetchDocument } = await import("../io/fetch-document.ts");
    const text = await fetchDocument(url, how);
    store?.keep(name, "", text);
    return { text };
  } catch (error) {
    const message = `${url}: ${(error as Error).message}`;
    const text = last ?? store?.get(name, "")?.toString();
    if (text === undefined) return { problem: problem("openapi-fetch", { file: "docs.json" }, message) };
    return {
      text,
      problem: problem(
        "openapi-stale",
        { file: "docs.json" },
        `${message}, so the cached copy from an earlier build is used`,
      ),
    };
  }
}
