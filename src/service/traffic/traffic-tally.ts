/**
 * Buffers views in memory for some seconds and writes them in batches. IP addresses and user agents are only
 * kept in memory until then. After the salt of a day is deleted, the day's hashes can't be computed again.
 */

import { dayOf } from "../core/day-blocks.ts";
import type { Service } from "../core/service.ts";
import { isDeletedProject, type PageTally, writeTraffic } from "./write-traffic.ts";

/**
 * Time between two writes of the buffered views. A process that is killed loses the views since the last
 * write.
 */
const tallyFlush_ms = 3_000;
/**
 * Maximum total number of buffered pages, visitors and referrers, across all sites. Further ones are dropped.
 */
const tally_count = 50_000;
/** Maximum length of the part of a user agent that distinguishes visitors, in characters. */
const userAgent_chars = 300;

export interface PageVisit {
  projectId: string;
  /** Path of an existing page. */
  path: string;
  kind: "human" | "ai";
  address: string;
  userAgent: string;
  /** Host of the referring page, if it is a different host. */
  referrer?: string | undefined;
}

type TallyBuffer = Map<string, Map<string, PageTally>>;

export class TrafficTally {
  private readonly service: Pick<Service, "db" | "random">;
  private readonly report: (error: unknown) => void;
  /** Views by project, then by day and path. */
  private buffer: TallyBuffer = new Map();
  private entries_count = 0;
  private readonly timer: NodeJS.Timeout;
  private writing: Promise<void> = Promise.resolve();

  /**
   * `report` receives an error if views can't be written. The views are kept for the next attempt if the
   * buffer has space.
   */
  constructor(service: Pick<Service, "db" | "random">, report: (error: unknown) => void) {
    this.service = service;
    this.report = report;
    this.timer = setInterval(() => void this.flush(), tallyFlush_ms);
  }

  add({ projectId, path, kind, address, userAgent, referrer }: PageVisit): void {
    const visitor = JSON.stringify([address, userAgent.slice(0, userAgent_chars)]);
    const visitors = new Map([[visitor, kind]]);
    const referrers = new Map(referrer === undefined ? [] : [[referrer, 1]]);
    this.addPage(projectId, {
      day: dayOf(Date.now()),
      path,
      human: 0,
      ai: 0,
      [kind]: 1,
      visitors,
      referrers,
    });
  }

  /** Adds the views of a page to the buffer. Entries that exceed the limit are dropped. */
  private addPage(projectId: string, added: PageTally): void {
    const pages = entry(this.buffer, projectId, () => new Map<string, PageTally>());
    const { day, path } = added;
    const key = `${day} ${path}`;
    if (!pages.has(key) && !this.reserveEntry()) return;

    const page = entry(pages, key, () => ({
      day,
      path,
      human: 0,
      ai: 0,
      visitors: new Map(),
      referrers: new Map(),
    }));

    page.human += added.human;
    page.ai += added.ai;
    for (const [visitor, kind] of added.visitors)
      if (!page.visitors.has(visitor) && this.reserveEntry()) page.visitors.set(visitor, kind);
    for (const [host, views] of added.referrers)
      if (page.referrers.has(host) || this.reserveEntry())
        page.referrers.set(host, (page.referrers.get(host) ?? 0) + views);
  }

  /**
   * Counts a new entry. Returns false if the buffer is full. Limits memory use during database outages and
   * floods of requests.
   */
  private reserveEntry(): boolean {
    return this.entries_count < tally_count && ++this.entries_count > 0;
  }

  /** Writes the buffered views. Resolves after the attempt, even if it failed. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  /** Writes the buffered views a last time. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  private async write(): Promise<void> {
    const taken = this.buffer;
    this.buffer = new Map();
    this.entries_count = 0;
    for (const [projectId, pages] of taken)
      try {
        await writeTraffic(this.service, projectId, [...pages.values()]);
      } catch (error) {
        if (isDeletedProject(error)) continue;
        this.report(error);
        for (const page of pages.values()) this.addPage(projectId, page);
      }
  }
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
