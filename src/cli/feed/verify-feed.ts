/** Checks that a copy of a change feed is complete and unaltered. */

import { sha256 } from "../../io/sha256.ts";
import { decodeEvents } from "./encode-events.ts";
import {
  digestAfter,
  type FeedManifest,
  firstDigest,
  hasOwnContent,
  hasOwnFields,
  isFeedFileName,
  isManifestName,
  readFeedManifest,
} from "./feed-file.ts";
import { type FeedFolder, UnreadableFile } from "./feed-folder.ts";

export interface VerifiedFeed {
  files: number;
  events: number;
  /** Digest of the last event. */
  digest: string;
  faults: { file: string; message: string }[];
}

/** Checks all files. Each file has at most one fault. */
export async function verifyFeed(folder: FeedFolder): Promise<VerifiedFeed> {
  const names = (await folder.names()).sort();
  const manifests = names.filter(isManifestName);
  const result: VerifiedFeed = { files: manifests.length, events: 0, digest: firstDigest, faults: [] };
  const report = (file: string, message: string) => result.faults.push({ file, message });

  const known = new Set<string>();
  let last = 0;
  let projectId: string | undefined;
  for (const name of manifests) {
    const manifest = await readFeedManifest(folder, name).catch(messageOf);
    if (typeof manifest !== "object") {
      report(name, manifest ?? "isn't a valid manifest");
      continue;
    }
    known.add(manifest.file);
    projectId ??= manifest.projectId;
    const fault =
      manifest.projectId !== projectId
        ? `is about another project, ${manifest.projectId}`
        : manifest.first !== last + 1
          ? `events ${last + 1} to ${manifest.first - 1} before it are missing`
          : manifest.previousDigest !== result.digest
            ? "doesn't continue the file before it"
            : undefined;
    if (fault) report(name, fault);
    const wrong = await faultOf(folder, manifest).catch(messageOf);
    if (wrong) report(manifest.file, wrong);
    result.events += manifest.count;
    ({ last } = manifest);
    result.digest = manifest.digest;
  }

  for (const name of names) {
    const isOwn = known.has(name) || isManifestName(name) || name.endsWith(".part");
    if (isOwn || !name.startsWith("changes-")) continue;
    report(
      name,
      isFeedFileName(name)
        ? "has no manifest, so it's incomplete. Run `octavo feed` again, or delete it"
        : "isn't a file of the copy, and a data warehouse could load it. Delete it",
    );
  }
  return result;
}

/** Returns the message about a file that isn't read, and rethrows other errors. */
function messageOf(error: unknown): string {
  if (error instanceof UnreadableFile) return error.message;
  throw error;
}

/** Returns what is wrong with a file, compared with its manifest. */
async function faultOf(folder: FeedFolder, manifest: FeedManifest): Promise<string | undefined> {
  const bytes = await folder.read(manifest.file);
  if (!bytes) return "is missing";
  if (sha256(bytes) !== manifest.sha256) return "was changed: its SHA-256 isn't that of the manifest";
  const events = await decodeEvents(bytes, manifest.format).catch(() => undefined);
  if (!events) return "isn't in the form that `octavo feed` writes";
  let digest = manifest.previousDigest;
  for (const [index, event] of events.entries()) {
    if (!hasOwnFields(event)) return `event ${manifest.first + index} has other fields or types`;
    digest = digestAfter(digest, event);
    if (event.sequence !== manifest.first + index || event.digest !== digest || !hasOwnContent(event))
      return `event ${event.sequence} was changed, or isn't the next one`;
  }
  return events.length === manifest.count && digest === manifest.digest
    ? undefined
    : "doesn't have the events of its manifest";
}
