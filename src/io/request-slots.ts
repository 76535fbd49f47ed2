/**
 * Limits how many outbound requests are open at a time, so that an author's or a tenant's URLs can't flood a
 * host or use up the connections of the process.
 */

import type { ClientRequest } from "node:http";

interface RequestLimit {
  /** Maximum number of open requests of the process, and of those to one host. */
  total: number;
  host: number;
  /** Maximum number of requests that wait. */
  waiting: number;
}

/** The limits by sender. Requests of different senders don't wait for each other. */
export const requestLimits = {
  /** OpenAPI documents. Each build has a process of its own. */
  document: { total: 8, host: 2, waiting: 100 },
  webhook: { total: 32, host: 8, waiting: 100 },
  "git-host": { total: 32, host: 8, waiting: 200 },
  "open-id": { total: 128, host: 8, waiting: 500 },
  playground: { total: 128, host: 16, waiting: 500 },
  "tls-check": { total: 16, host: 2, waiting: 100 },
  /** Language models, often one for all sites. `assistant.ts` limits the answers of a site and a process. */
  model: { total: 600, host: 600, waiting: 200 },
  /** The operator's embedding endpoint. */
  embedding: { total: 64, host: 64, waiting: 500 },
  /** The operator's bundle. */
  bundle: { total: 4, host: 4, waiting: 10 },
} satisfies Record<string, RequestLimit>;

export type RequestSender = keyof typeof requestLimits;

/**
 * One owner, such as an organization, can have a quarter of the requests that others leave, both of the open
 * and of the waiting ones. So no owner can keep the others from sending requests.
 */
const ownerShare = 1 / 4;

/** Thrown if too many requests already wait. */
export class TooManyRequests extends Error {
  constructor() {
    super("Too many requests are being sent. Try again later");
  }
}

/** Whose request it is. `owner`: undefined for requests of the service itself. */
interface Party {
  host: string;
  owner: string | undefined;
}

interface Waiting extends Party {
  begin(): void;
}

/** Numbers of requests: of all, by host, and by owner. */
class Tally {
  total = 0;
  private readonly hosts = new Map<string, number>();
  private readonly owners = new Map<string, number>();

  add({ host, owner }: Party, change: 1 | -1): void {
    this.total += change;
    for (const [counts, key] of [[this.hosts, host] as const, [this.owners, owner] as const]) {
      if (key === undefined) continue;
      const count = (counts.get(key) ?? 0) + change;
      if (count === 0) counts.delete(key);
      else counts.set(key, count);
    }
  }

  ofHost(host: string): number {
    return this.hosts.get(host) ?? 0;
  }

  /** Whether the owner can have one more request, if there can be `most`. */
  hasRoom(owner: string | undefined, most: number): boolean {
    if (this.total >= most || owner === undefined) return this.total < most;
    const own = this.owners.get(owner) ?? 0;
    return own < Math.max(1, (most - this.total + own) * ownerShare);
  }
}

class RequestSlots {
  private readonly limit: RequestLimit;
  private readonly open = new Tally();
  private readonly queued = new Tally();
  private readonly waiting = new Set<Waiting>();

  constructor(limit: RequestLimit) {
    this.limit = limit;
  }

  /** Resolves with a function that frees the slot. Rejects with the abort reason or `TooManyRequests`. */
  take(party: Party, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      if (this.isFree(party)) return resolve(this.occupy(party));
      if (!this.queued.hasRoom(party.owner, this.limit.waiting)) throw new TooManyRequests();

      const stop = () => {
        this.leaveLine(entry);
        reject(signal.reason as Error);
      };

      const entry = {
        ...party,
        begin: () => {
          signal.removeEventListener("abort", stop);
          resolve(this.occupy(party));
        },
      };

      this.waiting.add(entry);
      this.queued.add(entry, 1);
      signal.addEventListener("abort", stop, { once: true });
    });
  }

  private isFree({ host, owner }: Party): boolean {
    return this.open.hasRoom(owner, this.limit.total) && this.open.ofHost(host) < this.limit.host;
  }

  private leaveLine(entry: Waiting): void {
    this.waiting.delete(entry);
    this.queued.add(entry, -1);
  }

  private occupy(party: Party): () => void {
    this.open.add(party, 1);
    return () => {
      this.open.add(party, -1);
      const next = [...this.waiting].find((entry) => this.isFree(entry));
      if (!next) return;
      this.leaveLine(next);
      next.begin();
    };
  }
}

const slots = new Map<RequestSender, RequestSlots>();

/**
 * Waits until the sender may open another request to the host, and opens it. The slot is free again when the
 * request has ended: its response was read or destroyed, or it failed.
 */
export async function withSlot(
  sender: RequestSender,
  party: Party,
  signal: AbortSignal,
  open: () => ClientRequest,
): Promise<ClientRequest> {
  const ofSender = slots.get(sender) ?? new RequestSlots(requestLimits[sender]);
  slots.set(sender, ofSender);
  const free = await ofSender.take(party, signal);

  try {
    return open().once("close", free);
  } catch (error) {
    free();
    throw error;
  }
}
