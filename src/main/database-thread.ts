/** Entry point of the worker thread that runs the embedded database. */

import { parentPort, workerData } from "node:worker_threads";
import { runEmbeddedPostgres } from "../io/embedded-postgres-thread.ts";

if (parentPort) await runEmbeddedPostgres(parentPort, (workerData as { folder: string }).folder);
