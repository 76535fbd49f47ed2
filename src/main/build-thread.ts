/** Entry point of a thread of a build process, which compiles pages. */

import { setImmediate } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { pagesPerTurn_count, type ThreadData, type ThreadPage } from "../builder/build-threads.ts";
import { usePatterns } from "../builder/use-patterns.ts";
import { compileInThread } from "../engine/site/compile-in-thread.ts";
import { PageClaims } from "../engine/site/page-claims.ts";
import { docsFolderFiles } from "../io/docs-folder-files.ts";

usePatterns(new URL("./patterns/", import.meta.url));

let sent_count = 0;
const { folder, table, thread, threads_count, ...options } = workerData as ThreadData;
await compileInThread(docsFolderFiles(folder).files, {
  ...options,
  clock: Date.now,
  claimsOf: (pages_count) => (pages_count === table.length ? new PageClaims(table, thread, threads_count) : undefined),
  async send(index, values) {
    // Copied, since small values can be views of a buffer that others share.
    const bytes = new Uint8Array(values.reduce((sum, [, , value]) => sum + value.length, 0));
    let at = 0;
    const sent: ThreadPage["values"] = values.map(([name, key, value]) => {
      bytes.set(value, at);
      return [name, key, bytes.subarray(at, (at += value.length))];
    });
    parentPort!.postMessage({ index, values: sent } satisfies ThreadPage, [bytes.buffer]);
    // Node releases the memory of the native MDX parser only when the event loop runs.
    if (++sent_count % pagesPerTurn_count === 0) await setImmediate();
  },
});
