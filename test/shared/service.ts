/** The service that all tests of a run share. A test creates an organization of its own in it, and never relies on being alone. */
import { readFileSync } from "node:fs";
import { inject } from "vitest";
import { clientFor, operatorToken, type TestService } from "../service/service.ts";

export function sharedService(): TestService {
  const { port, dataFolder, firstKey, log } = inject("service");
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    dataFolder,
    firstKey,
    output: () => readFileSync(log, "utf8"),
    operator: clientFor(port, operatorToken),
    // It runs on for the other tests.
    stop: async () => 0,
  };
}
