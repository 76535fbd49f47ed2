import type { Command } from "../command.ts";

export const bundleServer: Command = {
  name: "bundle-server",
  summary: "Download, verify, and serve a static export bundle.",
  usage: "bundle-server [--rollback]",
  example: "octavo bundle-server   (with OCTAVO_BUNDLE_URL in the environment)",
  positionals: 0,
  options: {
    rollback: { type: "boolean", description: "Serve the previous bundle without downloading a new one." },
  },
  run: ({ values }, terminal) => terminal.bundleServer({ isRollback: values.rollback === true }),
};
