/**
 * Locks a data directory. The embedded database doesn't lock its files, and a second process would corrupt
 * them. The second process can run in another container or on another host, where process IDs mean nothing.
 * The holder of the lock therefore renews it every second.
 */

import { randomUUID } from "node:crypto";
import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { privateFolder } from "./private-folder.ts";

/** Time between two renewals of a lock. */
const renewal_ms = 1_000;
/** A lock from another container or host is replaced if it hasn't been renewed for this time. */
const silence_ms = 10_000;
/** Time in which two processes that replace the same lock see which of them was last. */
const settle_ms = 500;

/** Thrown if another process uses the data directory. The message is for the operator. */
export class DataLocked extends Error {}

interface Lock {
  token: string;
  pid: number;
  /** Result of `startOf` for the process. */
  start: string;
  /** Namespace of the process ID. Processes in other namespaces can't be looked up. */
  namespace: string;
  host: string;
  /**
   * Device and inode of the lock file, which a copy of the folder doesn't have. Absent in locks of earlier
   * versions.
   */
  file?: string;
}

export interface LockOptions {
  /**
   * Called if another process has taken the lock, for example because this one was frozen. The process must
   * stop at once.
   */
  onLost(): void;
  /** Default: `silence_ms`. */
  silence_ms?: number;
}

/**
 * Makes the folder private and acquires its lock. Resolves with a function that releases the lock. Replaces
 * the lock of a process that has ended. Rejects with `DataLocked` if another process has the lock, and with
 * `FolderNotPrivate` if the folder can't be made private.
 */
export async function lockData(folder: string, options: LockOptions): Promise<() => void> {
  privateFolder(folder, { isNamed: true });
  const file = path.join(folder, "lock");

  const own: Lock = {
    token: randomUUID(),
    pid: process.pid,
    start: startOf(process.pid),
    namespace: namespaceOf(),
    host: hostname(),
  };

  if (!create(file, own)) {
    const existing = readLock(file);
    if (existing && (await isHeld(file, existing, options.silence_ms ?? silence_ms)))
      throw locked(folder, existing);
    create(`${file}.${own.token}`, own);
    renameSync(`${file}.${own.token}`, file);
    await wait(settle_ms);
    const last = readLock(file);
    if (last?.token !== own.token) throw locked(folder, last);
  }

  const renewal = setInterval(() => {
    if (readLock(file)?.token === own.token) return renew(file);
    clearInterval(renewal);
    options.onLost();
  }, renewal_ms).unref();

  return () => {
    clearInterval(renewal);
    if (readLock(file)?.token === own.token) rmSync(file, { force: true });
  };
}

/** Ends a process that has lost its lock. */
export function endWithoutLock(folder: string): void {
  process.stderr.write(`Another process has taken ${folder}, because this one didn't respond. Stopping.\n`);
  process.exit(1);
}

function locked(folder: string, holder: Lock | undefined): DataLocked {
  const by = holder ? `process ${holder.pid} on ${holder.host}` : "another process";
  return new DataLocked(
    `${folder} is in use by ${by}. Stop it first, or set OCTAVO_DATA to a different folder.`,
  );
}

/** Creates the lock file. Returns false if there is one. */
function create(file: string, lock: Lock): boolean {
  try {
    const handle = openSync(file, "wx", 0o600);
    writeSync(handle, `${JSON.stringify({ ...lock, file: identityOf(fstatSync(handle)) })}\n`);
    closeSync(handle);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

function identityOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

/**
 * Whether the process that has the lock is running. Waits for a renewal if its process ID can't be looked up,
 * or if the lock file is a copy, whose process uses another folder.
 */
async function isHeld(file: string, lock: Lock, silence_ms: number): Promise<boolean> {
  if (lock.namespace === namespaceOf()) {
    const stats = statSync(file, { throwIfNoEntry: false });
    const isCopy = lock.file !== undefined && stats !== undefined && lock.file !== identityOf(stats);
    if (!isCopy || !isAlive(lock)) return isAlive(lock);
  }

  const state = () => `${readLock(file)?.token} ${statSync(file, { throwIfNoEntry: false })?.mtimeMs}`;
  const before = state();
  for (
    const began_ms = performance.now();
    performance.now() - began_ms < silence_ms;
    await wait(renewal_ms / 4)
  )
    if (state() !== before) return true;

  return false;
}

function renew(file: string): void {
  const now = new Date();
  utimesSync(file, now, now);
}

/** Returns the lock. Undefined if there is none, or if its process ended before it had written it. */
function readLock(file: string): Lock | undefined {
  try {
    const text = readFileSync(file, "utf8");
    // Earlier versions wrote the process ID and `startOf`, and don't renew their locks.
    const [, pid, start] = /^(\d+) (\S*)\n$/.exec(text) ?? [];
    if (pid !== undefined)
      return { token: text, pid: Number(pid), start: start!, namespace: namespaceOf(), host: hostname() };
    return JSON.parse(text) as Lock;
  } catch {
    return undefined;
  }
}

/** Process IDs are reused, so the start time of the process is compared, too. */
function isAlive({ pid, start }: Lock): boolean {
  // Signals to process 0 go to this process's group.
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return startOf(pid) === start;
}

/**
 * Returns the boot ID and the namespace of process IDs. On systems without `/proc`, returns the host name.
 */
function namespaceOf(): string {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}:${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

/**
 * Returns the boot ID and the start time of a process in clock ticks, as text. Empty if there is no such
 * process, and on systems without `/proc`.
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
