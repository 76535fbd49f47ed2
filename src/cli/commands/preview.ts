import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { filesOfBundle } from "../../bundle/read-bundle.ts";
import { readProxyOrigins } from "../../host/playground-proxy.ts";
import { readRedirectTable } from "../../host/resolve-path.ts";
import { proxyTablePath, redirectTablePath } from "../../layout/site-layout.ts";
import { type Command, UsageError } from "../command.ts";
import {
  allowHostOption,
  listen,
  type ReadableSite,
  readAllowHost,
  readPort,
  siteServer,
} from "../preview-server.ts";

export const preview: Command = {
  name: "preview",
  summary: "Serve a built folder or archive locally.",
  usage: "preview DIR|FILE [--port PORT] [--allow-host HOSTS]",
  example: "octavo preview site.tar.gz",
  positionals: 1,
  options: {
    port: {
      type: "string",
      argument: "PORT",
      description: "Port to listen on. Default: 4000, or the next free port.",
    },
    "allow-host": allowHostOption,
  },
  async run({ positionals, values }, terminal) {
    const at = positionals[0];
    if (!at || !existsSync(at))
      throw new UsageError(at ? `File or folder not found: ${at}` : "Missing folder or archive to serve");
    const port = readPort(values.port, 4000);
    if (port === undefined) throw new UsageError("--port must be a number between 0 and 65535");

    const allowedHosts = readAllowHost(values["allow-host"]);
    const source = statSync(at).isDirectory() ? folderSource(realpathSync(at)) : await openArchive(at);
    const bytes = await source.read(redirectTablePath);
    if (!bytes)
      throw new UsageError(
        `${at} wasn't built by Octavo. Create a site with octavo build or octavo export first.`,
      );

    const table = readRedirectTable(bytes);
    const origins = readProxyOrigins(await source.read(proxyTablePath));
    const { outboundAllow } = terminal;
    const server = siteServer({
      source: () => source,
      redirects: () => table,
      proxyOrigins: () => origins,
      allowedHosts,
      outboundAllow,
    });

    terminal.out(`Serving ${at} at ${await listen(server, port)}`);
    await terminal.interrupted;
    server.closeAllConnections();
    server.close();

    return 0;
  },
};

function folderSource(root: string): ReadableSite {
  /**
   * Returns the real path of a file inside `root`, whose path must contain no symbolic links. Undefined if
   * there is no such file.
   */
  const inside = (file: string) => {
    const named = path.resolve(root, file);
    if (!existsSync(named)) return undefined;
    const full = realpathSync(named);
    return full.startsWith(root + path.sep) && statSync(full).isFile() ? full : undefined;
  };

  return {
    has: (file) => inside(file) !== undefined,
    read: async (file) => {
      const full = inside(file);
      return full === undefined ? undefined : readFileSync(full);
    },
  };
}

async function openArchive(file: string): Promise<ReadableSite> {
  try {
    return await archiveSource(file);
  } catch (error) {
    throw new UsageError(`${file} isn't an archive from octavo export: ${(error as Error).message}`);
  }
}

async function archiveSource(file: string): Promise<ReadableSite> {
  const files = new Map<string, Uint8Array>();
  for await (const { name, bytes } of filesOfBundle(file)) files.set(name, bytes);
  return { has: (name) => files.has(name), read: async (name) => files.get(name) };
}
