import type { Command } from "../command.ts";

export const rotateSecret: Command = {
  name: "rotate-secret",
  summary: "Replaces a service's secret, and encrypts its stored secrets for the new one.",
  usage: "rotate-secret [--discard]",
  example: "octavo rotate-secret   (with OCTAVO_NEW_SECRET, and the settings of the service, which is stopped)",
  positionals: 0,
  options: {
    discard: { type: "boolean", description: "Goes on when the present secret is lost. Stored secrets have to be entered again." },
  },
  async run({ values }, terminal) {
    const result = await terminal.rotateSecret({ isDiscarding: values.discard === true });
    if (typeof result === "string") terminal.note(result);
    else
      terminal.out(
        result.file === undefined
          ? "Rotated. Start the service with the new secret as OCTAVO_SECRET."
          : `Rotated. ${result.file} has the new secret.`,
      );
    return typeof result === "string" ? 2 : 0;
  },
};
