import { fileURLToPath } from "node:url";
import { FolderObjects } from "./folder-objects.ts";
import type { LinkSigner } from "./object-link.ts";
import type { Objects } from "./objects.ts";

/**
 * Opens object storage: `file:/absolute/folder`, or `s3://bucket?endpoint=…&region=…` with the usual AWS
 * environment variables. Any other scheme counts as `s3`. `signer` signs the links to objects in a folder.
 * Throws if the folder can't be made private.
 */
export async function openObjects(storage: string, signer: LinkSigner): Promise<Objects> {
  const url = new URL(storage);
  if (url.protocol === "file:") return FolderObjects.open(fileURLToPath(url), signer);
  return openS3(url);
}

/** Opens the bucket of a URL like `s3://bucket?endpoint=…&region=…`. */
export async function openS3({ hostname, searchParams }: URL): Promise<Objects> {
  // Loaded on demand, because the S3 client is large.
  const { S3Objects } = await import("./s3-objects.ts");
  const [endpoint, region] = [searchParams.get("endpoint"), searchParams.get("region")];
  return new S3Objects({
    bucket: hostname,
    ...(endpoint === null ? {} : { endpoint }),
    ...(region === null ? {} : { region }),
  });
}
