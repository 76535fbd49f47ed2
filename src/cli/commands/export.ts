import { type Command, UsageError } from "../command.ts";
import { outputPath } from "../output-path.ts";
import { readKey } from "../read-key.ts";
import { siteOptions, writeSite } from "../write-site.ts";

export const exportCommand: Command = {
  name: "export",
  summary: "Export the site as an archive with a file manifest.",
  usage: "export [DIR] --output FILE [--kind KIND] [--url URL] [--audience GROUPS]",
  example: "octavo export docs --output site.tar.gz",
  positionals: 1,
  options: {
    output: {
      type: "string",
      short: "o",
      argument: "FILE",
      description: "Archive to write: .tar.gz or .zip.",
    },
    "signing-key": {
      type: "string",
      argument: "FILE",
      description: "Private Ed25519 key in PEM format, which signs the manifest.",
    },
    ...siteOptions,
  },
  run(args, terminal) {
    const output = args.values.output;
    if (typeof output !== "string" || !/\.(?:tar\.gz|tgz|zip)$/.test(output))
      throw new UsageError("Set --output to a file name that ends in .tar.gz or .zip");
    const key = args.values["signing-key"];
    const signingKey = typeof key === "string" ? { signingKey: readKey(key, "private") } : {};
    return writeSite(args, terminal, { kind: "archive", path: outputPath(output), ...signingKey });
  },
};
