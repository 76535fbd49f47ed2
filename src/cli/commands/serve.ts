import { type Command, UsageError } from "../command.ts";

const roles = ["all", "web", "worker"] as const;

export const serve: Command = {
  name: "serve",
  summary: "Run the service: sites, dashboard, API, and build workers.",
  usage: "serve [--role all|web|worker]",
  example: "octavo serve   (with the service's settings in the environment)",
  positionals: 0,
  options: {
    role: { type: "string", argument: roles.join("|"), description: "Role of this process. Default: all." },
  },
  run({ values }, terminal) {
    const role = roles.find((candidate) => candidate === (values.role ?? "all"));
    if (!role) throw new UsageError(`--role must be one of ${roles.join(", ")}`);
    return terminal.serve(role);
  },
};
