import type { Command } from "../command.ts";

export const rotateSecret: Command = {
  name: "rotate-secret",
  summary: "Replace OCTAVO_SECRET and re-encrypt stored secrets.",
  usage: "rotate-secret [--discard]",
  example:
    "octavo rotate-secret   (with OCTAVO_NEW_SECRET and the stopped service's settings in the environment)",
  positionals: 0,
  options: {
    discard: {
      type: "boolean",
      description:
        "Delete stored secrets instead of re-encrypting them. Use this if the current OCTAVO_SECRET is lost.",
    },
  },
  async run({ values }, terminal) {
    const result = await terminal.rotateSecret({ isDiscarding: values.discard === true });
    if (typeof result === "string") terminal.note(result);
    else
      terminal.out(
        result.file === undefined
          ? "Secret rotated. Start the service with the new OCTAVO_SECRET."
          : `Secret rotated. ${result.file} contains the new secret.`,
      );
    return typeof result === "string" ? 2 : 0;
  },
};
