/** Entry point of a thread of a build process, which compiles and indexes pages, and writes files. */

import { writeFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import {
  pagesPerTurn_count,
  type ThreadData,
  type ThreadRequest,
  type ThreadResponse,
} from "../builder/build-threads.ts";
import { usePatterns } from "../builder/use-patterns.ts";
import { indexRun } from "../engine/search/index-segment.ts";
import { IndexTerms } from "../engine/search/index-terms.ts";
import { compileInThread, type StoreValue } from "../engine/site/pages/compile-in-thread.ts";
import { PageClaims } from "../engine/site/sources/page-claims.ts";
import { docsFolderFiles } from "../io/docs-folder-files.ts";

usePatterns(new URL("./patterns/", import.meta.url));

const { folder, thread, threads_count, ...options } = workerData as ThreadData;
const terms = new Map<string, IndexTerms>();
let sent_count = 0;

const send = (response: ThreadResponse, bytes: ArrayBuffer[] = []) =>
  parentPort!.postMessage(response, bytes);

const start = new Promise<Extract<ThreadRequest, { table: unknown }>>((resolve) => {
  parentPort!.on("message", (request: ThreadRequest) => {
    if ("table" in request) return resolve(request);
    if ("fragments" in request)
      return void compiled.then((compile) => sendFragments(compile(request.fragments)));
    if ("file" in request) return send({ isWritten: isWritten(request.file) });
    const { language, pages } = request.run;
    if (!terms.has(language)) terms.set(language, new IndexTerms(language));
    send({ run: indexRun(terms.get(language)!, pages) });
  });
});

function sendFragments(values: readonly StoreValue[]): void {
  const { copies, bytes } = copied(values);
  send({ fragments: copies }, [bytes]);
}

/**
 * Copies values, since small ones can be views of a buffer that others share. `bytes`: the buffer of all
 * copies.
 */
function copied(values: readonly StoreValue[]): { copies: StoreValue[]; bytes: ArrayBuffer } {
  const bytes = new Uint8Array(values.reduce((sum, [, , value]) => sum + value.length, 0));
  let at = 0;
  const copies = values.map(([name, key, value]): StoreValue => {
    bytes.set(value, at);
    return [name, key, bytes.subarray(at, (at += value.length))];
  });
  return { copies, bytes: bytes.buffer };
}

function isWritten({ path, bytes }: { path: string; bytes: Uint8Array }): boolean {
  try {
    writeFileSync(path, bytes);
    return true;
  } catch {
    return false;
  }
}

const compiled = compileInThread(docsFolderFiles(folder).files, {
  ...options,
  clock: Date.now,
  apiChanges: async () => (await start).apiChanges,
  async claimsOf(pages_count) {
    const { table } = await start;
    return pages_count === table.length ? new PageClaims(table, thread, threads_count) : undefined;
  },
  async send(index, values) {
    const { copies, bytes } = copied(values);
    send({ index, values: copies }, [bytes]);
    // Node releases the memory of the native MDX parser only when the event loop runs.
    if (++sent_count % pagesPerTurn_count === 0) await setImmediate();
  },
});

await compiled;
