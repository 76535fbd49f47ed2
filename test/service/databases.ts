/** The tests of the service run on both databases. */
import { describe } from "vitest";
import { startPostgres } from "./postgres.ts";
import { type RunningService, type ServiceOptions, startService } from "./service.ts";

/** `start` gives a fresh service on the database at hand. */
export function onBothDatabases(name: string, tests: (start: (options?: ServiceOptions) => Promise<RunningService>) => void): void {
  describe(`${name}, embedded`, () => tests((options) => startService(options)));
  describe(`${name}, PostgreSQL`, () =>
    tests(async (options) => {
      const server = await startPostgres();
      const service = await startService({ ...options, databaseUrl: await server.createDatabase() });
      return {
        ...service,
        async stop() {
          const code = await service.stop();
          await server.stop();
          return code;
        },
      };
    }));
}
