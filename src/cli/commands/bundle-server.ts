import type { Command } from "../command.ts";

export const bundleServer: Command = {
  name: "bundle-server",
  summary: "Fetches, checks and serves the bundle of a static export.",
  usage: "bundle-server [--rollback]",
  example: "octavo bundle-server   (with OCTAVO_BUNDLE_URL in the environment)",
  positionals: 0,
  options: { rollback: { type: "boolean", description: "Serves the bundle before the last one, and fetches none." } },
  run: ({ values }, terminal) => terminal.bundleServer({ isRollback: values.rollback === true }),
};
