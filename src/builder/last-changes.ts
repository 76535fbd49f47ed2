import { execFileSync } from "node:child_process";

/**
 * Returns the time of the last commit that changed each file in a folder, in ISO 8601 format, by path relative to the folder. Empty if git
 * fails, for example outside a checkout.
 */
export function lastChanges(folder: string): Map<string, string> {
  const changes = new Map<string, string>();
  let log: string;
  try {
    log = execFileSync("git", ["-C", folder, "log", "--format=%x00%cI", "--name-only", "--relative", "--no-renames", "-z", "--", "."], {
      encoding: "utf8",
      maxBuffer: 512 * 1024 * 1024,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return changes;
  }
  let date = "";
  for (const part of log.split("\u0000")) {
    const line = part.replace(/^\n+/, "");
    if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)\s*$/.test(line)) date = line.trim();
    else if (line && date && !changes.has(line)) changes.set(line, date);
  }
  return changes;
}
