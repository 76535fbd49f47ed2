import type { Command } from "../command.ts";

export const bundleServer: Command = {
  name: "bundle-server",
  summary: "Download, verify, and serve a static export bundle.",
  usage: "bundle-server [--rollback] [--approve VERSION]",
  example: "octavo bundle-server   (with OCTAVO_BUNDLE_URL in the environment)",
  positionals: 0,
  options: {
    rollback: { type: "boolean", description: "Serve the previous bundle without downloading a new one." },
    approve: {
      type: "string",
      argument: "VERSION",
      description: "Approve the waiting bundle of the running server, and exit.",
    },
  },
  run: ({ values }, terminal) =>
    terminal.bundleServer({
      isRollback: values.rollback === true,
      approved: typeof values.approve === "string" ? values.approve : undefined,
    }),
};
