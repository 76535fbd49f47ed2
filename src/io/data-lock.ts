/** One process at a time in a data directory: the embedded database has no lock of its own, and a second opener ruins it. */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import { privateFolder } from "./private-folder.ts";

export class DataLocked extends Error {}

/** Takes the lock, or throws `DataLocked`. A lock whose process is gone is taken over. Answers with how to let go. The folder is private from then on. */
export function lockData(folder: string): () => void {
  privateFolder(folder);
  const file = path.join(folder, "lock");
  const mine = `${process.pid} ${startOf(process.pid)}\n`;
  for (let attempt = 0; ; attempt++) {
    try {
      const handle = openSync(file, "wx");
      writeSync(handle, mine);
      closeSync(handle);
      return () => {
        if (readLock(file) === mine) rmSync(file, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = readLock(file);
    const pid = Number(holder?.split(" ")[0]);
    if ((holder !== undefined && isAlive(holder)) || attempt >= 3)
      throw new DataLocked(`${folder} is in use by process ${pid}. Stop it first, or choose another OCTAVO_DATA.`);
    rmSync(file, { force: true });
  }
}

function readLock(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** Numbers of processes are used again, after a restart of the machine soon: the time of its start tells two apart. */
function isAlive(lock: string): boolean {
  const [pid, start = ""] = lock.trim().split(" ");
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return startOf(Number(pid)) === start;
}

/** When a process started, in the kernel's own count; empty where the system does not say. */
function startOf(pid: number): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}:${
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")[19]
    }`;
  } catch {
    return "";
  }
}
