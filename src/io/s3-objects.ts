/**
 * Objects in S3 or a store that speaks its protocol. Uses what all of them have: no conditional writes, no deleting of many
 * at once, no checksums of the newer kind. Every call is tried again when the fault may pass.
 */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ServiceException,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { checkKey } from "./object-key.ts";
import type { Objects } from "./objects.ts";

/** How often a call to the object store is tried, and the longest wait before the second time; it doubles from there. */
const storeTries_count = 5;
const storeRetry_ms = 500;
/** Time for a connection to the object store, and without a byte on one. */
const storeConnect_ms = 5_000;
const storeStall_ms = 30_000;

export interface S3Options {
  bucket: string;
  /** Absent: Amazon's own. */
  endpoint?: string;
  region?: string;
}

export class S3Objects implements Objects {
  private readonly bucket: string;
  private readonly client: S3Client;

  constructor({ bucket, endpoint, region }: S3Options) {
    this.bucket = bucket;
    this.client = new S3Client({
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      // Stores of other makers take any region, but the signature needs one.
      ...(region === undefined ? (endpoint === undefined ? {} : { region: "us-east-1" }) : { region }),
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      // Tries are counted here: a stream that was sent in part must begin anew.
      maxAttempts: 1,
      requestHandler: { connectionTimeout: storeConnect_ms, requestTimeout: storeStall_ms },
    });
  }

  async put(key: string, body: Uint8Array | { file: string }): Promise<void> {
    const place = this.at(key);
    await retry(async () => {
      if (body instanceof Uint8Array) return this.client.send(new PutObjectCommand({ ...place, Body: body, ContentLength: body.length }));
      const { size } = await stat(body.file);
      const stream = createReadStream(body.file);
      try {
        return await this.client.send(new PutObjectCommand({ ...place, Body: stream, ContentLength: size }));
      } finally {
        stream.destroy();
      }
    });
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const place = this.at(key);
    return retry(async () => (await this.client.send(new GetObjectCommand(place))).Body?.transformToByteArray());
  }

  async size(key: string): Promise<number | undefined> {
    const place = this.at(key);
    return retry(async () => (await this.client.send(new HeadObjectCommand(place))).ContentLength);
  }

  async open(key: string, range?: { start: number; end: number }): Promise<Readable | undefined> {
    const place = { ...this.at(key), ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}) };
    return retry(async () => (await this.client.send(new GetObjectCommand(place))).Body as Readable | undefined);
  }

  async delete(key: string): Promise<void> {
    const place = this.at(key);
    await retry(() => this.client.send(new DeleteObjectCommand(place)));
  }

  async *keys(prefix: string): AsyncIterable<string> {
    let from: string | undefined;
    do {
      const asked = { Bucket: this.bucket, Prefix: prefix, ...(from === undefined ? {} : { ContinuationToken: from }) };
      const page = await retry(() => this.client.send(new ListObjectsV2Command(asked)));
      for (const { Key } of page?.Contents ?? []) if (Key !== undefined) yield Key;
      from = page?.NextContinuationToken;
    } while (from !== undefined);
  }

  /** A link ends with the credentials that sign it. */
  async link(key: string, { seconds, fileName }: { seconds: number; fileName: string }): Promise<{ url: string; expiresAt: Date }> {
    const signingDate = new Date(Math.floor(Date.now() / 1_000) * 1_000);
    const { expiration } = await this.client.config.credentials();
    const credentials_s = expiration === undefined ? seconds : Math.floor((expiration.getTime() - signingDate.getTime()) / 1_000);
    const expiresIn = Math.max(1, Math.min(seconds, credentials_s));
    const command = new GetObjectCommand({ ...this.at(key), ResponseContentDisposition: `attachment; filename="${fileName}"` });
    const url = await getSignedUrl(this.client, command, { expiresIn, signingDate });
    return { url, expiresAt: new Date(signingDate.getTime() + expiresIn * 1_000) };
  }

  private at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: checkKey(key) };
  }
}

/** Undefined for what does not exist. */
async function retry<T>(call: () => Promise<T>): Promise<T | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      const { $metadata, name } = error as S3ServiceException;
      const status = $metadata?.httpStatusCode;
      if (name === "NoSuchKey" || name === "NotFound") return undefined;
      const mayPass = status === undefined || status >= 500 || status === 429 || status === 408;
      if (!mayPass || tries >= storeTries_count) throw error;
      // Processes that failed together do not come back together.
      await wait(Math.random() * storeRetry_ms * 2 ** (tries - 1));
    }
  }
}
