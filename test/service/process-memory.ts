/**
 * Memory of a process and of its descendants, from /proc. Memory pages that processes share are counted once.
 */

import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

export interface ProcessMemory {
  own_mb: number;
  /** Memory of all descendants. */
  below_mb: number;
}

export function memoryOf(root: number): ProcessMemory {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = read(`/proc/${name}/stat`);
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 4).split(" ")[0]));
  }
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (parents.get(pid) === root || isBelow(parents.get(pid)));
  const memory_mb = (pid: number) =>
    Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1_024;
  return {
    own_mb: memory_mb(root),
    below_mb: [...parents.keys()].filter(isBelow).reduce((sum, pid) => sum + memory_mb(pid), 0),
  };
}

/** Runs `work`, and resolves with its result and the highest memory of the process tree while it ran. */
export async function peakWhile<Result>(
  pid: number,
  work: () => Promise<Result>,
): Promise<{ result: Result; peak_mb: number }> {
  let [peak_mb, isDone] = [0, false];
  const watching = (async () => {
    while (!isDone) {
      const { own_mb, below_mb } = memoryOf(pid);
      peak_mb = Math.max(peak_mb, own_mb + below_mb);
      await wait(100);
    }
  })();
  const result = await work().finally(() => {
    isDone = true;
  });
  await watching;
  return { result, peak_mb };
}

/** The content of a file. Empty if it can't be read, such as after the end of a process. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
