/** Creates deployments from uploaded archives. */

import { createWriteStream, mkdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AppError, invalid } from "../../base/app-error.ts";
import { isZip } from "../../io/unpack-upload.ts";
import type { Service } from "../core/service.ts";
import { addStored, requireStorage } from "../storage/storage-usage.ts";
import { addDeployment, type Requester, type Trigger } from "./add-deployment.ts";
import { sourcesKey } from "./sources.ts";

/** Maximum compressed size of an upload in bytes. */
const upload_bytes = 200 * 1024 * 1024;

/**
 * Stores the archive and creates its deployment. Returns the deployment's ID. If the archive is invalid or
 * the deployment is refused, throws an AppError and deletes the stored archive.
 */
export async function deployUpload(
  service: Service,
  owner: Requester,
  projectId: string,
  body: Readable,
  trigger: Trigger,
  publishWithErrors = false,
): Promise<string> {
  const id = service.ulid();
  const folder = path.join(service.settings.workFolder, "uploads");
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, id);
  const archive = sourcesKey(id);
  try {
    await requireStorage(service.db, service.settings, owner.organizationId);
    await pipeline(body, checkedArchive(), createWriteStream(file, { flags: "wx" }));
    await service.objects.put(archive, { file });
    await addDeployment(service, owner, projectId, { id, trigger, archive, publishWithErrors }).catch(
      async (error: unknown) => {
        await service.objects.delete(archive);
        throw error;
      },
    );
    await addStored(service.db, owner.organizationId, statSync(file).size);
    return id;
  } finally {
    rmSync(file, { force: true });
  }
}

/**
 * Returns a stream that passes the bytes through. The stream fails if they aren't a gzip or zip file, or
 * exceed the size limit.
 */
function checkedArchive(): Transform {
  let bytes = 0;
  let head: Buffer | undefined = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
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
