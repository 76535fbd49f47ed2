/** Entry point of the child process that runs the embedded database. */

import { runEmbeddedPostgres } from "../io/embedded-postgres-process.ts";

await runEmbeddedPostgres(process.argv[2]!);
