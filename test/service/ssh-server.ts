/** Starts an OpenSSH server that serves git repositories to the current user, with one authorized key. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { userInfo } from "node:os";
import path from "node:path";
import { freePort } from "./postgres.ts";
import { until } from "./until.ts";

const binary = "/usr/sbin/sshd";
export const hasSshServer = existsSync(binary);

export async function startSshServer(folder: string) {
  const port = await freePort();
  const [hostKey, authorized, file] = ["host-key", "authorized-keys", "config"].map((name) =>
    path.join(folder, name),
  ) as [string, string, string];
  writeFileSync(authorized, "");
  writeFileSync(
    file,
    [
      `Port ${port}`,
      "ListenAddress 127.0.0.1",
      `HostKey ${hostKey}`,
      `AuthorizedKeysFile ${authorized}`,
      `PidFile ${path.join(folder, "pid")}`,
      "StrictModes no",
      "UsePAM no",
      "PasswordAuthentication no",
      "PermitRootLogin yes",
    ].join("\n"),
  );
  let server: ChildProcess | undefined;
  const start = async () => {
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", hostKey]);
    // The folder that sshd needs as root.
    if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true });
    server = spawn(binary, ["-D", "-e", "-f", file], { stdio: "ignore" });
    await until(async () => isOpen(port));
  };
  const stop = async () => {
    server?.kill();
    await until(async () => !(await isOpen(port)));
  };
  await start();
  return {
    /** URL of a repository by its path on this machine. */
    urlOf: (repository: string) => `ssh://${userInfo().username}@127.0.0.1:${port}${repository}`,
    fingerprint: () =>
      /SHA256:\S+/.exec(execFileSync("ssh-keygen", ["-l", "-f", `${hostKey}.pub`]).toString())![0],
    authorize: (publicKey: string) => writeFileSync(authorized, `${publicKey}\n`),
    /** Restarts the server with another host key. */
    async replaceHostKey() {
      await stop();
      for (const name of [hostKey, `${hostKey}.pub`]) rmSync(name);
      await start();
    },
    stop,
  };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
