/**
 * Views since the last few seconds, held here and written together. What is held of a visitor lives for these seconds only;
 * what is written is a hash that nobody can make again once the day is over.
 */
import { limits } from "../../base/limits.ts";
import { dayOf } from "../core/day-blocks.ts";
import type { Service } from "../core/service.ts";
import { isDeletedProject, type PageTally, writeTraffic } from "./write-traffic.ts";

export interface PageVisit {
  projectId: string;
  /** Of a page that is there: what does not exist is not counted. */
  path: string;
  kind: "human" | "ai";
  address: string;
  userAgent: string;
  /** Host of the page that led here, when it is another. */
  referrer?: string | undefined;
}

type Held = Map<string, Map<string, PageTally>>;

export class TrafficTally {
  private readonly service: Pick<Service, "db" | "random">;
  private readonly report: (error: unknown) => void;
  /** By project, and by day and path. */
  private held: Held = new Map();
  private held_count = 0;
  private readonly timer: NodeJS.Timeout;
  private writing: Promise<void> = Promise.resolve();

  /** `report` is told when views could not be written; they are tried again. */
  constructor(service: Pick<Service, "db" | "random">, report: (error: unknown) => void) {
    this.service = service;
    this.report = report;
    this.timer = setInterval(() => void this.flush(), limits.tallyFlush_ms);
  }

  add({ projectId, path, kind, address, userAgent, referrer }: PageVisit): void {
    const day = dayOf(Date.now());
    const pages = entry(this.held, projectId, () => new Map<string, PageTally>());
    const key = `${day} ${path}`;
    if (!pages.has(key) && !this.hasRoom()) return;
    const page = entry(pages, key, () => ({ day, path, human: 0, ai: 0, visitors: new Map(), referrers: new Map() }));
    page[kind]++;
    const visitor = JSON.stringify([address, userAgent.slice(0, limits.userAgent_chars)]);
    if (!page.visitors.has(visitor) && this.hasRoom()) page.visitors.set(visitor, kind);
    if (referrer !== undefined && (page.referrers.has(referrer) || this.hasRoom()))
      page.referrers.set(referrer, (page.referrers.get(referrer) ?? 0) + 1);
  }

  /** Whether something new may be held: a database that is away, or a flood, must not fill the memory. */
  private hasRoom(): boolean {
    return this.held_count < limits.tally_count && ++this.held_count > 0;
  }

  /** Resolves once all that was added before is written, or cannot be. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  private async write(): Promise<void> {
    const taken = this.held;
    this.held = new Map();
    this.held_count = 0;
    for (const [projectId, pages] of taken)
      try {
        await writeTraffic(this.service, projectId, [...pages.values()]);
      } catch (error) {
        if (isDeletedProject(error)) continue;
        this.report(error);
        this.putBack(projectId, pages);
      }
  }

  private putBack(projectId: string, pages: Map<string, PageTally>): void {
    const own = entry(this.held, projectId, () => new Map<string, PageTally>());
    for (const [key, page] of pages) {
      const newer = own.get(key);
      if (!newer) {
        if (!this.hasRoom()) continue;
        own.set(key, page);
        this.held_count += page.visitors.size + page.referrers.size;
        continue;
      }
      newer.human += page.human;
      newer.ai += page.ai;
      for (const [visitor, kind] of page.visitors) if (!newer.visitors.has(visitor) && this.hasRoom()) newer.visitors.set(visitor, kind);
      for (const [host, views] of page.referrers) newer.referrers.set(host, (newer.referrers.get(host) ?? 0) + views);
    }
  }
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
