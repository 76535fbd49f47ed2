/** A network namespace that has only the loopback interface, no routes and no DNS. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Whether the process runs as root. If not, the network namespace is created in a user namespace. */
const isRoot = process.getuid?.() === 0;
const unshare = ["unshare", "--net", ...(isRoot ? [] : ["--map-root-user"])];

/** Why this machine can't create such a namespace. Undefined if it can. */
export function whyNoPlaceWithoutNetwork(): string | undefined {
  const tried = spawnSync(unshare[0]!, [...unshare.slice(1), "ip", "link", "set", "lo", "up"], {
    encoding: "utf8",
  });
  return tried.status === 0
    ? undefined
    : `no network namespace can be made here (${(tried.error?.message ?? tried.stderr).trim()})`;
}

export class WithoutNetwork {
  private readonly holder: ChildProcess;
  private readonly folder = mkdtempSync(path.join(tmpdir(), "octavo-no-network-"));

  constructor() {
    this.holder = spawn(
      unshare[0]!,
      [...unshare.slice(1), "sh", "-c", "ip link set lo up && exec sleep 3600"],
      { stdio: "ignore" },
    );
  }

  /** The program and arguments that run a command inside the namespace. */
  command(words: readonly string[]): [string, string[]] {
    const user = isRoot ? [] : ["--user", "--preserve-credentials"];
    return ["nsenter", ["--target", String(this.holder.pid), "--net", ...user, "--", ...words]];
  }

  /**
   * Writes an executable that runs a program inside the namespace with the same arguments and file
   * descriptors. Returns its path.
   */
  program(executable: string): string {
    const file = path.join(this.folder, path.basename(executable));
    const [name, words] = this.command([executable]);
    writeFileSync(file, `#!/bin/sh\nexec ${[name, ...words].map((word) => `'${word}'`).join(" ")} "$@"\n`);
    chmodSync(file, 0o755);
    return file;
  }

  /** Waits until the loopback interface is up. Throws if there are other interfaces. */
  async ready(): Promise<void> {
    for (let tries = 0; tries < 100; tries++) {
      const [name, words] = this.command([
        "sh",
        "-c",
        "ip -brief link; ip route show; ip -6 route show default",
      ]);
      const seen = spawnSync(name, words, { encoding: "utf8" }).stdout.trim();
      if (/^lo +(?:UNKNOWN|UP)\b[^\n]*$/.test(seen)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("The place without a network has something else than a loopback");
  }

  stop(): void {
    this.holder.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
