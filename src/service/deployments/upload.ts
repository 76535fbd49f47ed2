/** Deployments from an uploaded archive. */

import { createWriteStream, mkdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AppError } from "../../base/app-error.ts";
import type { Service } from "../core/service.ts";
import { addStored, requireStorage } from "../storage/storage-usage.ts";
import { addDeployment, type Requester, requireGzip, type Trigger } from "./deployments.ts";
import { uploadKey } from "./sources.ts";

/** Maximum compressed size of an upload. */
const upload_bytes = 200 * 1024 * 1024;

/**
 * Stores the archive and creates its deployment. Returns the deployment's id. If the deployment can't be created, throws an
 * AppError and deletes the archive.
 */
export async function deployUpload(
  service: Service,
  owner: Requester,
  projectId: string,
  body: Readable,
  trigger: Trigger,
): Promise<string> {
  const id = service.ulid();
  const folder = path.join(service.settings.workFolder, "uploads");
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, id);
  const archive = uploadKey(id);
  try {
    await requireStorage(service.db, service.settings, owner.organizationId);
    await pipeline(body, checkedArchive(), createWriteStream(file, { flags: "wx" }));
    await service.objects.put(archive, { file });
    await addDeployment(service, owner, projectId, { id, trigger, archive }).catch(async (error: unknown) => {
      await service.objects.delete(archive);
      throw error;
    });
    await addStored(service.db, owner.organizationId, statSync(file).size);
    return id;
  } finally {
    rmSync(file, { force: true });
  }
}

/** A stream that passes the bytes through. Fails if they aren't a gzip file or exceed the size limit. */
function checkedArchive(): Transform {
  let bytes = 0;
  let head: Buffer | undefined = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > upload_bytes) return done(new AppError("too-large", `The archive has more than ${upload_bytes} bytes`));
      if (head) {
        head = Buffer.concat([head, chunk]);
        if (head.length >= 2) {
          try {
            requireGzip(head);
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
        if (head) requireGzip(head);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
