/** Defines tests that run on both databases: PostgreSQL in `npm test`, and the embedded one in `npm run test:long`. */

import { describe } from "vitest";
import { sharedService, startService } from "../shared/service.ts";
import { sharedEnvironment } from "../shared/settings.ts";
import type { ServiceOptions, TestService } from "./service.ts";

/** `start` returns the shared service, or a new one if options are given. Both use the database of the current run. */
export function onEachDatabase(name: string, tests: (start: (options?: ServiceOptions) => Promise<TestService>) => void): void {
  if (process.env.TEST_DATABASE === "embedded")
    describe(`${name}, embedded database`, () => tests((options = { env: sharedEnvironment }) => startService(options)));
  else describe(`${name}, PostgreSQL`, () => tests(async (options) => (options ? startService(options) : sharedService())));
}
