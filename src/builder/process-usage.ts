/** Measures the CPU time and memory of a process and its descendants (Linux only). */

import { readFileSync } from "node:fs";

export interface ProcessUsage {
  cpu_s: number;
  memory_bytes: number;
}

/** Linux reports CPU times in hundredths of a second. */
const ticksPerSecond_count = 100;

/**
 * Returns the usage of a process and its descendants. Undefined if the process has ended, and on systems
 * other than Linux.
 */
export function usageOf(pid: number): ProcessUsage | undefined {
  try {
    // The process name in parentheses may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    const resident = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0;
    // User and system time of the process and of its children that have ended.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
      .split(" ")
      .filter(Boolean)
      .map(Number);
    return children.map(usageOf).reduce<ProcessUsage>(
      (sum, usage) => ({
        cpu_s: sum.cpu_s + (usage?.cpu_s ?? 0),
        memory_bytes: sum.memory_bytes + (usage?.memory_bytes ?? 0),
      }),
      { cpu_s: ticks / ticksPerSecond_count, memory_bytes: Number(resident) * 1024 },
    );
  } catch {
    return undefined;
  }
}
