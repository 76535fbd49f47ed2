// node test/service/kill-workers.js [--count 300]: runs the tests that stop processes at random times, with
// this number of stops. 300 stops take about two hours.
import { parseArgs } from "node:util";
import { ensureBuilt, ensureInstalled, run } from "../../scripts/prepare.js";

const { values } = parseArgs({ options: { count: { type: "string", default: "300" } } });
ensureInstalled();
await ensureBuilt();
const env = { ...process.env, OCTAVO_KILLS: values.count };
process.exitCode = run(
  "node_modules/.bin/vitest",
  ["run", "--project", "long", "src/service/app/kills.long.test.ts"],
  { env },
);
