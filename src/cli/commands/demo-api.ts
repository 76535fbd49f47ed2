import { type Command, UsageError } from "../command.ts";
import { demoApi } from "../demo/plant-shop-api.ts";
import { listen, readPort } from "../preview-server.ts";

export const demoApiCommand: Command = {
  name: "demo-api",
  summary: "Runs a small plant shop to try the playground on.",
  usage: "demo-api [--port 4010]",
  example: "octavo demo-api",
  positionals: 0,
  options: { port: { type: "string", argument: "PORT", description: "Default: 4010, or the next free one." } },
  async run({ values }, terminal) {
    const port = readPort(values.port, 4010);
    if (port === undefined) throw new UsageError("--port is a number between 0 and 65535");
    const server = demoApi();
    terminal.out(`The plant shop of the documentation answers at ${await listen(server, port)}/v1`);
    await terminal.interrupted;
    server.closeAllConnections();
    server.close();
    return 0;
  },
};
