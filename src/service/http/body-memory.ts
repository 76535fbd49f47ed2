/**
 * Limits the memory of request bodies from strangers, which have to be complete before their signature can be
 * checked.
 */

import type { Readable } from "node:stream";
import { AppError } from "../../base/app-error.ts";
import { visitorOf } from "../../base/visitor-network.ts";
import { tooLargeBody } from "./read-body.ts";

export interface BodyLimits {
  /** Maximum number of bytes of a body. */
  body_bytes: number;
  /**
   * Maximum number of bytes of all bodies, and of the bodies of one visitor, without the first `free_bytes`
   * of each.
   */
  total_bytes: number;
  visitor_bytes: number;
  free_bytes: number;
}

/** How soon a sender may try again after a refusal. */
const retry_s = 30;

export class BodyMemory {
  private readonly limits: BodyLimits;
  private total = 0;
  private readonly visitors = new Map<string, number>();

  constructor(limits: BodyLimits) {
    this.limits = limits;
  }

  /**
   * Calls `work` with the body's chunks, whose memory counts until `work` ends. The iteration throws
   * "too-large" if the body is too large, even before the first chunk if the sender says so, and
   * "rate-limited" if there is no memory for it.
   */
  async use<T>(
    request: Readable & { headers: { "content-length"?: string } },
    address: string,
    work: Work<T>,
  ): Promise<T> {
    const visitor = visitorOf(address);
    const { body_bytes, free_bytes } = this.limits;
    let size = 0;
    let counted = 0;
    const take = (bytes: number) => {
      size += bytes;
      const more = Math.max(0, size - free_bytes) - counted;
      counted += more;
      return this.add(visitor, more);
    };

    const chunks = async function* () {
      if (Number(request.headers["content-length"] ?? 0) > body_bytes) throw tooLargeBody("body");
      for await (const chunk of request as AsyncIterable<Buffer>) {
        const isFull = !take(chunk.length);
        if (size > body_bytes) throw tooLargeBody("body");
        if (isFull)
          throw new AppError("rate-limited", "Too many large requests at once", {
            retryAfter_s: retry_s,
            headers: { connection: "close" },
          });
        yield chunk;
      }
    };

    try {
      return await work(chunks());
    } finally {
      this.add(visitor, -counted);
    }
  }

  /** Counts bytes. Returns whether they are within the limits. */
  private add(visitor: string, bytes: number): boolean {
    const own = (this.visitors.get(visitor) ?? 0) + bytes;
    this.total += bytes;
    if (own === 0) this.visitors.delete(visitor);
    else this.visitors.set(visitor, own);
    return bytes <= 0 || (this.total <= this.limits.total_bytes && own <= this.limits.visitor_bytes);
  }
}

type Work<T> = (chunks: AsyncIterable<Buffer>) => Promise<T>;
