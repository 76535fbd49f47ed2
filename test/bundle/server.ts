/** Starts the bundle server as a process. */

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "../service/postgres.ts";
import { type Answer, send } from "../service/service.ts";

const root = process.cwd();

export type BundleServer = Awaited<ReturnType<typeof startBundleServer>>;

export interface Ready {
  status: string;
  version: string | null;
  stale: boolean;
  problem?: string;
}

export interface StartOptions {
  /** Folder of an existing volume. By default, a new one is created. */
  volume?: string;
  args?: string[];
  /** Command that runs the server, such as one that provides a small disk. */
  around?: string[];
  /** Root folder of the product. */
  home?: string;
  /**
   * Arguments of Node: the script, with a path in `home`, and its arguments. Default: `octavo bundle-server`.
   */
  program?: string[];
}

export async function startBundleServer(
  env: Record<string, string>,
  {
    volume,
    args = [],
    around = [],
    home = root,
    program = ["bin/octavo.js", "bundle-server"],
  }: StartOptions = {},
) {
  const [port, internalPort] = [await freePort(), await freePort()];
  const folder = volume ?? mkdtempSync(path.join(tmpdir(), "octavo-bundle-"));
  const script = program.map((argument) => (argument.endsWith(".js") ? path.join(home, argument) : argument));
  const [command, ...words] = [...around, process.execPath, ...script, ...args];
  const child = spawn(command!, words, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      OCTAVO_INTERNAL_PORT: String(internalPort),
      OCTAVO_DATA: folder,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const get = (target: string, headers: Record<string, string> = {}): Promise<Answer> =>
    send({ port, path: target, host: "docs.example.com", headers });
  const ready = async (): Promise<Ready & { code: number }> => {
    const [{ status: code }, { json }] = await Promise.all([
      get("/readyz"),
      send({ port: internalPort, path: "/status" }),
    ]);
    return { code, ...json };
  };
  /** Number of finished attempts to fetch a bundle. Each attempt prints one line. */
  const attempts = () =>
    output
      .split("\n")
      .filter((line) =>
        /serving version|is waiting for approval|was rejected|can't be (?:fetched|stored)|There is no file/.test(
          line,
        ),
      ).length;
  const startsWithAttempt = !args.includes("--rollback");
  const server = {
    port,
    folder,
    process: child,
    get,
    ready,
    ended,
    output: () => output,
    /** Waits until the first attempt has ended, with any result, and its log line has been received. */
    async settled(atMost_ms = 60_000): Promise<Ready & { code: number }> {
      for (let waited_ms = 0; waited_ms < atMost_ms; waited_ms += 20) {
        if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}: ${output}`);
        const state = await ready().catch(() => undefined);
        const isSettled = state && state.problem !== "Fetching the bundle";
        if (isSettled && (!startsWithAttempt || attempts() > 0)) return state;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`The server did not settle: ${output}`);
    },
    /**
     * Makes the server fetch the bundle again and waits until the attempt has ended. Call `settled` first.
     */
    async fetchAgain(): Promise<Ready & { code: number }> {
      const before = attempts();
      child.kill("SIGHUP");
      for (let waited_ms = 0; waited_ms < 60_000 && attempts() === before; waited_ms += 5)
        await new Promise((resolve) => setTimeout(resolve, 5));
      return ready();
    },
    async stop(): Promise<number | null> {
      child.kill("SIGTERM");
      const code = await ended;
      if (volume === undefined && existsSync(folder)) rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
  return server;
}
