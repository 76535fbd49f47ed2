/** Creates deployments from uploaded archives. */

import { createHash, type Hash } from "node:crypto";
import { createWriteStream, mkdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AppError, invalid } from "../../base/app-error.ts";
import { isZip } from "../../io/unpack-upload.ts";
import type { Service } from "../core/service.ts";
import { addStored, requireStorage } from "../storage/storage-usage.ts";
import { addDeployment, type NewDeployment, type Requester, type Trigger } from "./add-deployment.ts";
import { sourcesKey } from "./sources.ts";

/** Maximum compressed size of an upload in bytes. */
const upload_bytes = 200 * 1024 * 1024;

/** An archive that was received, and is deleted unless it's deployed. */
export interface Upload {
  /** Hash of the archive, in hexadecimal. */
  sha256: string;
  /** Stores the archive, before `deploy`. */
  store(): Promise<void>;
  /** Creates the deployment and returns its ID. */
  deploy(service: Service): Promise<string>;
}

/** Receives the archive and creates its deployment, as `receiveUpload`. Returns the deployment's ID. */
export function deployUpload(
  service: Service,
  owner: Requester,
  projectId: string,
  body: Readable,
  trigger: Trigger,
): Promise<string> {
  return receiveUpload(
    service,
    owner,
    projectId,
    body,
    { trigger, publishWithErrors: false },
    async (upload) => {
      await upload.store();
      return upload.deploy(service);
    },
  );
}

/**
 * Receives an archive, and returns the result of `use`, which may store and deploy it. If the archive is
 * invalid or the deployment is refused, throws an AppError and deletes the stored archive.
 */
export async function receiveUpload<Result>(
  service: Service,
  owner: Requester,
  projectId: string,
  body: Readable,
  options: Pick<NewDeployment, "trigger" | "publishWithErrors">,
  use: (upload: Upload) => Promise<Result>,
): Promise<Result> {
  const id = service.ulid();
  const folder = path.join(service.settings.workFolder, "uploads");
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, id);
  const archive = sourcesKey(id);
  let isStored = false;
  let isDeployed = false;
  const discard = async () => {
    if (isStored) await service.objects.delete(archive);
  };

  try {
    await requireStorage(service.db, service.settings, owner.organizationId);
    const hash = createHash("sha256");
    await pipeline(body, checkedArchive(hash), createWriteStream(file, { flags: "wx" }));
    const result = await use({
      sha256: hash.digest("hex"),
      async store() {
        await service.objects.put(archive, { file });
        isStored = true;
      },
      async deploy(inTransaction) {
        await addDeployment(inTransaction, owner, projectId, { id, archive, ...options });
        isDeployed = true;
        return id;
      },
    }).catch(async (error: unknown) => {
      await discard();
      throw error;
    });

    if (isDeployed) await addStored(service.db, owner.organizationId, statSync(file).size);
    else await discard();
    return result;
  } finally {
    rmSync(file, { force: true });
  }
}

/**
 * Returns a stream that passes the bytes through. The stream fails if they aren't a gzip or zip file, or
 * exceed the size limit. Adds the bytes to `hash`.
 */
function checkedArchive(hash: Hash): Transform {
  let bytes = 0;
  let head: Buffer | undefined = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      if (bytes > upload_bytes)
        return done(new AppError("too-large", `The archive is larger than ${upload_bytes / 1024 / 1024} MB`));

      if (head) {
        head = Buffer.concat([head, chunk]);
        if (head.length >= 4) {
          try {
            requireArchive(head);
          } catch (error) {
            return done(error as Error);
          }
          head = undefined;
        }
      }

      done(null, chunk);
    },
    flush(done) {
      try {
        if (head) requireArchive(head);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

/** Throws an AppError unless a file that starts with these bytes is a gzip or zip file. */
function requireArchive(head: Uint8Array): void {
  const isGzip = head[0] === 0x1f && head[1] === 0x8b;
  if (!isGzip && !isZip(head))
    throw invalid(
      "Invalid archive",
      "The archive must be a tar.gz or zip file that contains a documentation folder",
    );
}
