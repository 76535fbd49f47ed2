/**
 * When a new bundle may replace the served one: after an operator has approved it, or during the hours for
 * updates.
 *
 *     approval.json   { id, version, isApproved }, of the bundle that waits
 */

import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { BadBundle } from "./bundle-manifest.ts";
import type { Bundle } from "./bundle-store.ts";

/** Hours for updates, in minutes after midnight UTC. `end_min` is the lower one if they contain midnight. */
export interface UpdateHours {
  start_min: number;
  end_min: number;
}

/** `required`: only after an approval. */
export type ApprovalRule = "required" | UpdateHours;

/** Reads `required`, or hours such as `22:00-04:30`. Undefined if the text is neither. */
export function readApprovalRule(text: string): ApprovalRule | undefined {
  if (text === "required") return text;
  const found = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  if (!found) return undefined;
  const [startHour, startMinute, endHour, endMinute] = found.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const hours = { start_min: startHour * 60 + startMinute, end_min: endHour * 60 + endMinute };
  return hours.start_min === hours.end_min ? undefined : hours;
}

export function isWithin({ start_min, end_min }: UpdateHours, time: Date): boolean {
  const now_min = time.getUTCHours() * 60 + time.getUTCMinutes();
  return start_min < end_min
    ? now_min >= start_min && now_min < end_min
    : now_min >= start_min || now_min < end_min;
}

interface Waiting {
  id: string;
  version: string;
  isApproved: boolean;
}

/** The bundle that waits for an approval on a volume. The server and `--approve` are separate processes. */
export class Approval {
  private readonly file: string;

  /** `folder`: the volume. */
  constructor(folder: string) {
    this.file = path.join(folder, "approval.json");
  }

  isApproved({ id }: Bundle): boolean {
    const waiting = this.read();
    return waiting?.id === id && waiting.isApproved;
  }

  /** Records a bundle that waits. Another one that waited is forgotten. */
  request({ id, manifest }: Bundle): void {
    if (this.read()?.id !== id) this.write({ id, version: manifest.version, isApproved: false });
  }

  /** Approves the bundle that waits. Throws `BadBundle` if it has another version, or if there is none. */
  approve(version: string): void {
    const waiting = this.read();
    if (!waiting) throw new BadBundle("No bundle is waiting for approval");
    if (waiting.version !== version)
      throw new BadBundle(
        `Version ${JSON.stringify(waiting.version)} is waiting for approval, not ${JSON.stringify(version)}`,
      );
    this.write({ ...waiting, isApproved: true });
  }

  clear(): void {
    rmSync(this.file, { force: true });
  }

  private read(): Waiting | undefined {
    try {
      return JSON.parse(readFileSync(this.file, "utf8")) as Waiting;
    } catch {
      // No bundle is waiting, or the file is damaged and the server records the bundle again.
      return undefined;
    }
  }

  private write(waiting: Waiting): void {
    writeFileSync(`${this.file}.part`, JSON.stringify(waiting));
    renameSync(`${this.file}.part`, this.file);
  }
}
