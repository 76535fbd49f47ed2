/** Copies a project's change feed to files, and continues where the last run ended. */

import type { Client } from "../../service/app/client.ts";
import { listChanges } from "../../service/changes/contract.ts";
import { encodeEvents } from "./encode-events.ts";
import {
  digestAfter,
  type FeedEvent,
  type FeedFormat,
  feedFileName,
  firstDigest,
  hasOwnContent,
  isManifestName,
  knownFields,
  readFeedManifest,
  writeFeedFile,
} from "./feed-file.ts";
import { type FeedFolder, UnreadableFile } from "./feed-folder.ts";

/** Maximum number of events of a file, and maximum size of their JSON, in characters. */
const file_events = 20_000;
const file_chars = 32_000_000;

/**
 * Maximum number of pages without an event in a row. Changes that cancel each other out have no events, and
 * the service processes up to 2,000 of them per page.
 */
const emptyPages_count = 1_000;

/** Thrown if the copy in the folder can't be continued. The message says what to do. */
export class CopyFailure extends Error {}

export interface CopyOptions {
  client: Client;
  projectId: string;
  format: FeedFormat;
  onFile(name: string, events: number): void;
}

/**
 * Adds files with the events that the folder doesn't have yet. Resolves with the number of events. Rejects
 * with a `CopyFailure`, or an error of the client. Files that were written before stay complete.
 */
export async function copyFeed(folder: FeedFolder, options: CopyOptions): Promise<number> {
  const { client, projectId, format, onFile } = options;
  let { last, digest, cursor } = await endOf(folder, projectId);
  let copied = 0;
  let emptyPages = 0;
  for (let hasMore = true; hasMore; ) {
    const events: FeedEvent[] = [];
    const previousDigest = digest;
    for (let chars = 0; hasMore && events.length < file_events && chars < file_chars; ) {
      const page = await client(listChanges, { params: { projectId }, query: { limit: 1_000, cursor } });
      if (page.startsAfter !== last) throw restored(last, page.startsAfter);
      emptyPages = page.events.length > 0 ? 0 : emptyPages + 1;
      if (page.hasMore && emptyPages >= emptyPages_count)
        throw new CopyFailure(
          `The service promises more events, but sends none in ${emptyPages_count} answers. Run the command again later.`,
        );
      for (const event of page.events) {
        digest = checked(event, last + 1, digest);
        last = event.sequence;
        chars += JSON.stringify(event).length;
        events.push(knownFields(event));
      }
      cursor = page.nextCursor;
      hasMore = page.hasMore;
    }
    if (events.length === 0) break;

    const bytes = await encodeEvents(events, format);
    const about = { projectId, format, previousDigest, nextCursor: cursor! };
    const { file } = await writeFeedFile(folder, events, bytes, about);
    copied += events.length;
    onFile(file, events.length);
  }
  return copied;
}

/** Returns where the copy in a folder ends. */
async function endOf(folder: FeedFolder, projectId: string) {
  const name = (await folder.names()).filter(isManifestName).sort().at(-1);
  if (name === undefined) return { last: 0, digest: firstDigest, cursor: undefined };
  const manifest = await readFeedManifest(folder, name).catch((error: unknown) => {
    throw error instanceof UnreadableFile ? new CopyFailure(`${name} ${error.message}`) : error;
  });
  if (!manifest)
    throw new CopyFailure(`${name} isn't a valid manifest. Check the copy with \`octavo verify feed\`.`);
  if (manifest.projectId !== projectId)
    throw new CopyFailure(
      `The folder has the feed of the project ${manifest.projectId}. Use another folder.`,
    );
  return { last: manifest.last, digest: manifest.digest, cursor: manifest.nextCursor as string | undefined };
}

/** Returns the digest after an event. Throws if the event isn't the next one, or was altered. */
function checked(event: FeedEvent, sequence: number, previous: string): string {
  const digest = digestAfter(previous, event);
  if (event.sequence !== sequence || event.digest !== digest || !hasOwnContent(event))
    throw new CopyFailure(
      `Event ${event.sequence} doesn't follow from the event before it, or was altered on the way. Run the command again.`,
    );
  return digest;
}

function restored(last: number, startsAfter: number): CopyFailure {
  return new CopyFailure(
    `The folder has ${last} events, and the service continues after event ${startsAfter}, because it was restored from a backup. Move the files away, delete the copied records, and run the command again. ${feedFileName(1, "json")} is then written again.`,
  );
}
