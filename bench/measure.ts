/** A command's cost: CPU seconds of it and all its descendants, and the peak of their memory together. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export interface Cost {
  cpu_s: number;
  wall_s: number;
  peak_mb: number;
  code: number;
}

const sample_ms = 200;

export function measure(command: string, options: { cwd: string; env?: NodeJS.ProcessEnv }): Promise<Cost> {
  const started = performance.now();
  const child = spawn("bash", ["-c", `( ${command} ) >/dev/null 2>&1; code=$?; times >&2; exit $code`], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  let words = "";
  child.stderr.on("data", (chunk: Buffer) => {
    words += chunk.toString();
  });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryOfSession(child.pid!));
  }, sample_ms);
  return new Promise((resolve) => {
    child.on("close", (code) => {
      clearInterval(timer);
      // The second line is of the children, user and system: `0m6.730s 0m1.030s`.
      const [user, system] = [...(words.split("\n")[1] ?? "").matchAll(/(\d+)m([\d.]+)s/g)].map(
        (match) => Number(match[1]) * 60 + Number(match[2]),
      );
      resolve({ cpu_s: (user ?? 0) + (system ?? 0), wall_s: (performance.now() - started) / 1000, peak_mb: peak / 1024, code: code ?? 1 });
    });
  });
}

/** Proportional set size in KB of all processes of a session: shared pages count once. */
function memoryOfSession(session: number): number {
  let sum = 0;
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      if (Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3]) !== session) continue;
      sum += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
    } catch {
      // The process ended between two looks.
    }
  }
  return sum;
}
