import { demoApi } from "../../../examples/plant-shop/api.ts";
import { type Command, UsageError } from "../command.ts";
import { listen, readPort } from "../preview-server.ts";

export const demoApiCommand: Command = {
  name: "demo-api",
  summary: "Start a demo API (a plant shop) for the playground.",
  usage: "demo-api [--port PORT]",
  example: "octavo demo-api",
  positionals: 0,
  options: {
    port: {
      type: "string",
      argument: "PORT",
      description: "Port to listen on. Default: 4010, or the next free port.",
    },
  },
  async run({ values }, terminal) {
    const port = readPort(values.port, 4010);
    if (port === undefined) throw new UsageError("--port must be a number between 0 and 65535");
    const server = demoApi();
    terminal.out(`Demo API ready at ${await listen(server, port)}/v1`);
    await terminal.interrupted;
    server.closeAllConnections();
    server.close();
    return 0;
  },
};
