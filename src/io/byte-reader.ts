import { GitRefused } from "./check-git-source.ts";

/**
 * Reads a stream line by line, or a given number of bytes. Throws `GitRefused` if the stream ends too early.
 */
export class ByteReader {
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.chunks = stream[Symbol.asyncIterator]();
  }

  async line(most: number): Promise<Buffer> {
    for (;;) {
      const end = this.rest.indexOf(10);
      if (end >= 0) {
        const line = this.rest.subarray(0, end);
        this.rest = this.rest.subarray(end + 1);
        return line;
      }
      if (this.rest.length > most) throw new GitRefused("The repository is corrupt");
      await this.more();
    }
  }

  async take(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.parts(count)) parts.push(part);
    return Buffer.concat(parts);
  }

  async *parts(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      if (this.rest.length === 0) await this.more();
      const part = this.rest.subarray(0, left);
      this.rest = this.rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  private async more(): Promise<void> {
    const next = await this.chunks.next();
    if (next.done) throw new GitRefused("The repository is corrupt");
    this.rest = Buffer.concat([this.rest, next.value]);
  }
}
