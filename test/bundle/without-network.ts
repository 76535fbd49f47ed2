/** A network namespace with only the loopback interface, without routes and DNS. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Without root, it is created in a user namespace. */
const isRoot = process.getuid?.() === 0;
const unshare = ["unshare", "--net", ...(isRoot ? [] : ["--map-root-user"])];

/** Why this machine can't create one; undefined if it can. */
export function whyNoPlaceWithoutNetwork(): string | undefined {
  const tried = spawnSync(unshare[0]!, [...unshare.slice(1), "ip", "link", "set", "lo", "up"], { encoding: "utf8" });
  return tried.status === 0 ? undefined : `no network namespace can be made here (${(tried.error?.message ?? tried.stderr).trim()})`;
}

export class WithoutNetwork {
  private readonly holder: ChildProcess;
  private readonly folder = mkdtempSync(path.join(tmpdir(), "octavo-no-network-"));

  constructor() {
    this.holder = spawn(unshare[0]!, [...unshare.slice(1), "sh", "-c", "ip link set lo up && exec sleep 3600"], { stdio: "ignore" });
  }

  /** Command prefix that runs a command inside. */
  command(words: readonly string[]): [string, string[]] {
    const user = isRoot ? [] : ["--user", "--preserve-credentials"];
    return ["nsenter", ["--target", String(this.holder.pid), "--net", ...user, "--", ...words]];
  }

  /** An executable that runs a program inside, with its arguments and file descriptors. */
  program(executable: string): string {
    const file = path.join(this.folder, path.basename(executable));
    const [name, words] = this.command([executable]);
    writeFileSync(file, `#!/bin/sh\nexec ${[name, ...words].map((word) => `'${word}'`).join(" ")} "$@"\n`);
    chmodSync(file, 0o755);
    return file;
  }

  /** Waits for the loopback interface. Throws if there is another one. */
  async ready(): Promise<void> {
    for (let tries = 0; tries < 100; tries++) {
      const [name, words] = this.command(["sh", "-c", "ip -brief link; ip route show; ip -6 route show default"]);
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
