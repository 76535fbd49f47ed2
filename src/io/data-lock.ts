/** Locks a data directory. The embedded database doesn't lock its files, and a second process would corrupt them. */

import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import { privateFolder } from "./private-folder.ts";

/** Thrown if another process uses the data directory. The message is for the operator. */
export class DataLocked extends Error {}

/**
 * Makes the folder private and acquires its lock. Returns a function that releases the lock. Replaces the lock of a process that has
 * ended. Throws `DataLocked` if another process has the lock, and `FolderNotPrivate` if the folder can't be made private.
 */
export function lockData(folder: string): () => void {
  privateFolder(folder);
  const file = path.join(folder, "lock");
  const own = `${process.pid} ${startOf(process.pid)}\n`;
  for (let attempt = 0; ; attempt++) {
    try {
      const handle = openSync(file, "wx");
      writeSync(handle, own);
      closeSync(handle);
      return () => {
        if (readLock(file) === own) rmSync(file, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const existing = readLock(file);
    const pid = Number(existing?.split(" ")[0]);
    if ((existing !== undefined && isAlive(existing)) || attempt >= 3)
      throw new DataLocked(`${folder} is in use by process ${pid}. Stop it first, or set OCTAVO_DATA to a different folder.`);
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

/** Whether the process that holds the lock is running. Process IDs are reused, so the start time of the process is compared, too. */
function isAlive(lock: string): boolean {
  const [pid, start = ""] = lock.trim().split(" ");
  // A process that ended before it wrote its ID left an empty file. Signals to process 0 go to this process's group.
  if (!(Number(pid) > 0)) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return startOf(Number(pid)) === start;
}

/**
 * Returns the boot ID and the start time of a process in clock ticks, as text. Empty if there is no such process, and on systems without
 * `/proc`.
 */
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
