/**
 * Defines tests that run on both databases: PostgreSQL in `npm test`, and the embedded one in `npm run
 * test:long`.
 */

import { describe } from "vitest";
import { openTestService, sharedService } from "../shared/service.ts";
import { sharedEnvironment } from "../shared/settings.ts";
import type { OpenServiceOptions, OpenTestService } from "./open-test-service.ts";

/**
 * `start` returns the shared service, or a new one if options are given. Both use the database of the current
 * run.
 */
export function onEachDatabase(
  name: string,
  tests: (start: (options?: OpenServiceOptions) => Promise<OpenTestService>) => void,
): void {
  if (process.env.TEST_DATABASE === "embedded")
    describe(`${name}, embedded database`, () =>
      tests((options = { env: sharedEnvironment }) => openTestService(options)));
  else
    describe(`${name}, PostgreSQL`, () =>
      tests((options) => (options ? openTestService(options) : sharedService())));
}
