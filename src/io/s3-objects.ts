/**
 * Stores objects in S3 or a compatible store. Uses no conditional writes, bulk deletion or newer checksums,
 * which some stores lack. Calls are retried after transient errors.
 */

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  type S3ServiceException,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { checkKey } from "./object-key.ts";
import type { Objects } from "./objects.ts";

/**
 * Maximum number of attempts per call. `storeRetry_ms` is the maximum wait before the second attempt, which
 * doubles each time.
 */
const storeTries_count = 5;
const storeRetry_ms = 500;
/** Timeout for connecting. */
const storeConnect_ms = 5_000;

export interface S3Options {
  bucket: string;
  /** URL of the store. Default: AWS. */
  endpoint?: string;
  region?: string;
  /** Maximum time without data. */
  stall_ms?: number;
}

export class S3Objects implements Objects {
  private readonly bucket: string;
  private readonly client: S3Client;
  /** Client for streams, which may pause while their reader is slow. */
  private readonly streamClient: S3Client;
  private readonly stall_ms: number;

  constructor({ bucket, endpoint, region, stall_ms = 30_000 }: S3Options) {
    this.bucket = bucket;
    this.stall_ms = stall_ms;

    const options: S3ClientConfig = {
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      // Other stores accept any region, but the signature needs one.
      ...(region === undefined ? (endpoint === undefined ? {} : { region: "us-east-1" }) : { region }),
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      // `retry` repeats calls instead, because a partially sent stream must be created again.
      maxAttempts: 1,
    };

    this.client = new S3Client({
      ...options,
      requestHandler: { connectionTimeout: storeConnect_ms, socketTimeout: stall_ms },
    });

    // This `requestTimeout` ends when the response begins.
    const requestTimeout = { requestTimeout: stall_ms, throwOnRequestTimeout: true };
    this.streamClient = new S3Client({
      ...options,
      requestHandler: { connectionTimeout: storeConnect_ms, ...requestTimeout },
    });
  }

  async put(key: string, body: Uint8Array | { file: string }): Promise<void> {
    const location = this.at(key);
    await retry(async () => {
      if (body instanceof Uint8Array)
        return this.client.send(
          new PutObjectCommand({ ...location, Body: body, ContentLength: body.length }),
        );
      const { size } = await stat(body.file);
      const stream = createReadStream(body.file);
      try {
        return await this.client.send(
          new PutObjectCommand({ ...location, Body: stream, ContentLength: size }),
        );
      } finally {
        stream.destroy();
      }
    });
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const location = this.at(key);
    return retry(async () =>
      (await this.client.send(new GetObjectCommand(location))).Body?.transformToByteArray(),
    );
  }

  async size(key: string): Promise<number | undefined> {
    const location = this.at(key);
    return retry(async () => (await this.client.send(new HeadObjectCommand(location))).ContentLength);
  }

  async open(key: string, range?: { start: number; end: number }): Promise<Readable | undefined> {
    const location = { ...this.at(key), ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}) };
    const body = await retry(
      async () => (await this.streamClient.send(new GetObjectCommand(location))).Body as Readable | undefined,
    );
    return body && Readable.from(untilStalled(body, this.stall_ms), { objectMode: false });
  }

  async delete(key: string): Promise<void> {
    const location = this.at(key);
    await retry(() => this.client.send(new DeleteObjectCommand(location)));
  }

  async *keys(prefix: string): AsyncIterable<string> {
    let from: string | undefined;
    do {
      const input = {
        Bucket: this.bucket,
        Prefix: prefix,
        ...(from === undefined ? {} : { ContinuationToken: from }),
      };
      const page = await retry(() => this.client.send(new ListObjectsV2Command(input)));
      for (const { Key } of page?.Contents ?? []) if (Key !== undefined) yield Key;
      from = page?.NextContinuationToken;
    } while (from !== undefined);
  }

  /** Creates a download link. The link expires early if the credentials that sign it expire. */
  async link(
    key: string,
    { seconds, fileName }: { seconds: number; fileName: string },
  ): Promise<{ url: string; expiresAt: Date }> {
    const signingDate = new Date(Math.floor(Date.now() / 1_000) * 1_000);
    const { expiration } = await this.client.config.credentials();
    const credentials_s =
      expiration === undefined ? seconds : Math.floor((expiration.getTime() - signingDate.getTime()) / 1_000);
    const expiresIn = Math.max(1, Math.min(seconds, credentials_s));
    const command = new GetObjectCommand({
      ...this.at(key),
      ResponseContentDisposition: `attachment; filename="${fileName}"`,
    });
    const url = await getSignedUrl(this.client, command, { expiresIn, signingDate });
    return { url, expiresAt: new Date(signingDate.getTime() + expiresIn * 1_000) };
  }

  private at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: checkKey(key) };
  }
}

/**
 * Yields the chunks of a stream. Throws if the store sends no data for `stall_ms` although the reader is
 * waiting for it.
 */
async function* untilStalled(body: Readable, stall_ms: number): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const timer = setTimeout(
        () => body.destroy(new Error("The object store stopped sending data")),
        stall_ms,
      );
      const { done, value } = await chunks.next().finally(() => clearTimeout(timer));
      if (done) return;
      yield value as Uint8Array;
    }
  } finally {
    body.destroy();
  }
}

/**
 * Calls a function, and calls it again after transient errors. Resolves with undefined if the object doesn't
 * exist.
 */
async function retry<T>(call: () => Promise<T>): Promise<T | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      const { $metadata, name } = error as S3ServiceException;
      const status = $metadata?.httpStatusCode;
      if (name === "NoSuchKey" || name === "NotFound") return undefined;
      const isTransient = status === undefined || status >= 500 || status === 429 || status === 408;
      if (!isTransient || tries >= storeTries_count) throw error;
      // The wait is random, so that processes don't retry at the same time.
      await wait(Math.random() * storeRetry_ms * 2 ** (tries - 1));
    }
  }
}
