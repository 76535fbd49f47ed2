/**
 * Measures the time, CPU time and peak memory of a command, including all its descendants. Requires Linux.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export interface Cost {
  cpu_s: number;
  wall_s: number;
  peak_mb: number;
  code: number;
  /** The limit that ended the command. */
  over?: "time" | "memory";
}

export interface MeasureOptions {
  cwd: string;
  env?: NodeJS.ProcessEnv;
  /** Path of the file that the command's output is written to. */
  log?: string;
  limits?: { wall_s: number; memory_mb: number };
}

const sample_ms = 200;
const ticksPerSecond = 100;
const running = new Set<ChildProcess>();

process.on("exit", () => {
  for (const child of running) endSession(child.pid!);
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(1));

/** Runs a shell command. Never rejects. */
export function measure(command: string, options: MeasureOptions): Promise<Cost> {
  const started = performance.now();
  const child = spawn("bash", ["-c", `( ${command} ) >"$BENCH_LOG" 2>&1; code=$?; times >&2; exit $code`], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env, BENCH_LOG: options.log ?? "/dev/null" },
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  running.add(child);
  let shellTimes = "";
  child.stderr!.on("data", (chunk: Buffer) => {
    shellTimes += chunk.toString();
  });
  let peak_mb = 0;
  let over: Cost["over"];
  const ticks = new Map<number, number>();
  const elapsed_s = () => (performance.now() - started) / 1000;
  const timer = setInterval(() => {
    const members = sessionOf(child.pid!);
    for (const member of members) ticks.set(member.pid, member.ticks);
    const now_mb = members.reduce((total, { pid }) => total + memoryOf_kb(pid), 0) / 1024;
    peak_mb = Math.max(peak_mb, now_mb);
    if (!options.limits) return;
    if (now_mb > options.limits.memory_mb) over ??= "memory";
    else if (elapsed_s() > options.limits.wall_s) over ??= "time";
    if (over) endSession(child.pid!);
  }, sample_ms);
  return new Promise((resolve) => {
    child.on("close", (code) => {
      clearInterval(timer);
      endSession(child.pid!);
      running.delete(child);
      // The second line has user and system time of the children: `0m6.730s 0m1.030s`.
      const waitedFor_s = [...(shellTimes.split("\n")[1] ?? "").matchAll(/(\d+)m([\d.]+)s/g)]
        .map((match) => Number(match[1]) * 60 + Number(match[2]))
        .reduce((a, b) => a + b, 0);
      // The shell's times lack killed processes, and the samples lack short ones. The larger value is more
      // accurate.
      const sampled_s = [...ticks.values()].reduce((a, b) => a + b, 0) / ticksPerSecond;
      resolve({
        cpu_s: Math.max(waitedFor_s, sampled_s),
        wall_s: elapsed_s(),
        peak_mb,
        code: code ?? 1,
        ...(over ? { over } : {}),
      });
    });
  });
}

/** The processes of a session with the CPU time of each one in clock ticks. */
function sessionOf(session: number): { pid: number; ticks: number }[] {
  const found = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (Number(fields[3]) === session)
        found.push({ pid: Number(name), ticks: Number(fields[11]) + Number(fields[12]) });
    } catch {
      // The process has ended in the meantime.
    }
  }
  return found;
}

/** Proportional set size of a process. Memory pages that several processes share are divided among them. */
function memoryOf_kb(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Kills all processes of the command's session. */
function endSession(session: number): void {
  for (const { pid } of sessionOf(session)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has ended.
    }
  }
}
