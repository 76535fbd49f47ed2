/** A Varnish cache in front of a service, from Debian's package. */

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "./postgres.ts";
import { send } from "./service.ts";

const program = "/usr/sbin/varnishd";

export const isVarnishInstalled = spawnSync(program, ["-V"]).status === 0;

/** `configuration`: VCL, in which the backend has the port 4000. */
export async function startVarnish(configuration: string, service: { port: number }) {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-varnish-"));
  const file = path.join(folder, "default.vcl");
  writeFileSync(file, configuration.replace('.port = "4000"', `.port = "${service.port}"`));
  const port = await freePort();
  const isolation = process.getuid?.() === 0 ? ["-j", "none"] : [];
  const child = spawn(
    program,
    [...isolation, "-F", "-n", folder, "-f", file, "-a", `127.0.0.1:${port}`, "-s", "malloc,16m"],
    {
      stdio: "ignore",
    },
  );
  for (let attempt = 0; ; attempt++) {
    const isReady = await send({ port, path: "/", host: "nowhere.localhost" }).then(
      ({ status }) => status !== 503,
      () => false,
    );
    if (isReady) break;
    if (attempt === 200 || child.exitCode !== null) throw new Error("Varnish did not start");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    port,
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
