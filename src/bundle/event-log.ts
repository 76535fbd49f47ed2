/**
 * Analytics of a bundle server: one JSON object per line, in one file per day (UTC) on its volume. Operators
 * read the files with a log shipper or a spreadsheet.
 */

import { appendFile, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { LRUCache } from "lru-cache";
import { cutText } from "../base/cut-text.ts";
import { networkOf } from "../base/visitor-network.ts";
import { privateFolder } from "../io/private-folder.ts";

/** Number of files that are kept when a new day begins. The oldest ones are removed. */
const eventLog_days = 400;
/** Maximum size of a file in bytes. Further events of the day are dropped. */
const eventLogOfDay_bytes = 50 * 1024 * 1024;
/**
 * Maximum size of one network's events of a day in bytes. Further ones are dropped, so that one visitor can't
 * use up the limit for all.
 */
const eventLogOfNetwork_bytes = 1024 * 1024;
/** Maximum size of a text of an event in bytes, as JSON. Longer texts are truncated. */
const eventText_bytes = 2_000;
/** Maximum number of networks that are counted. The counts of the least recently seen ones are dropped. */
const networks_count = 100_000;
/** Maximum total size of the files in bytes. The oldest ones are removed. */
const eventLog_bytes = 1024 * 1024 * 1024;
/** Maximum number of unwritten events in memory. Further events are dropped. */
const eventLogWaiting_count = 10_000;

const fileName = /^\d{4}-\d\d-\d\d\.jsonl$/;

export class EventLog {
  private readonly folder: string;
  private readonly report: (error: unknown) => void;
  private day = "";
  private bytes = 0;
  /** Bytes of the day by network. */
  private readonly networks = new LRUCache<string, number>({
    maxSize: networks_count,
    sizeCalculation: () => 1,
  });
  private waiting: Promise<void> = Promise.resolve();
  private waiting_count = 0;

  /** `report` receives file system errors. */
  constructor(folder: string, report: (error: unknown) => void) {
    this.folder = folder;
    this.report = report;
  }

  /**
   * Adds an event with the current time. The event is written in the background, and dropped if a limit is
   * exceeded. `address`: IP address of the visitor, which isn't written.
   */
  add(event: Readonly<Record<string, unknown>>, address: string): void {
    if (this.waiting_count >= eventLogWaiting_count) return;
    const time = new Date().toISOString();
    const line = `${JSON.stringify({ time, ...event }, (_name, value: unknown) => (typeof value === "string" ? shortText(value) : value))}\n`;
    this.waiting_count++;
    this.waiting = this.waiting
      .then(() => this.append(time.slice(0, 10), line, networkOf(address)))
      .catch(this.report)
      .finally(() => void this.waiting_count--);
  }

  /** Resolves when the events that have been added so far are written. */
  flush(): Promise<void> {
    return this.waiting;
  }

  private async append(day: string, line: string, network: string): Promise<void> {
    const file = path.join(this.folder, `${day}.jsonl`);

    if (day !== this.day) {
      privateFolder(this.folder);
      await this.removeOld();
      this.bytes = (await stat(file).catch(() => undefined))?.size ?? 0;
      this.day = day;
      this.networks.clear();
    }

    const bytes = Buffer.byteLength(line);
    const ofNetwork = (this.networks.get(network) ?? 0) + bytes;
    if (ofNetwork > eventLogOfNetwork_bytes) return;

    this.networks.set(network, ofNetwork);
    this.bytes += bytes;
    if (this.bytes <= eventLogOfDay_bytes) await appendFile(file, line);
  }

  private async removeOld(): Promise<void> {
    const files = (await readdir(this.folder)).filter((name) => fileName.test(name)).sort();
    // Today's file can grow up to its limit.
    let bytes = eventLogOfDay_bytes;
    for (const [age, name] of files.reverse().entries()) {
      bytes += (await stat(path.join(this.folder, name)).catch(() => undefined))?.size ?? 0;
      if (age >= eventLog_days || bytes > eventLog_bytes)
        await rm(path.join(this.folder, name), { force: true });
    }
  }
}

function shortText(text: string): string {
  const sizeOf = (part: string) => Buffer.byteLength(JSON.stringify(part));
  let short = text;
  for (let size = sizeOf(text); size > eventText_bytes; size = sizeOf(short))
    short = cutText(short, Math.floor((short.length * eventText_bytes) / size));
  return short;
}
