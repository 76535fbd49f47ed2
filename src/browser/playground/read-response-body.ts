/** Reads a response body as it arrives, up to a maximum size. */

/**
 * Maximum size of the displayed part of a text body in bytes. Also the maximum length in characters of JSON
 * that is displayed as text.
 */
export const shownText_bytes = 1_000_000;
/** Maximum size in bytes of JSON that is parsed and shown as a tree. */
export const tree_bytes = 4_000_000;
/** Maximum size of a body in bytes. The rest is not read. */
export const received_bytes = 200_000_000;

export type BodyKind = "json" | "events" | "lines" | "image" | "audio" | "video" | "text" | "binary";

export interface ReceivedBody {
  kind: BodyKind;
  /** Media type without parameters, in lowercase. */
  type: string;
  /** Number of bytes received so far. */
  size: number;
  /** The beginning of a text body. */
  text: string;
  /** Whether the end of the body or the maximum size has been reached. */
  complete: boolean;
  /** Whether the body is larger than the maximum size. */
  cut: boolean;
  /** The received body. Absent until the body is complete. */
  blob?: Blob;
}

/**
 * Reads a body. Calls `onChange` at most every 40 ms, and once with the complete body. Rejects if the
 * connection is lost or the request is canceled.
 */
export async function readBody(
  stream: ReadableStream<Uint8Array> | null,
  contentType: string,
  onChange: (body: ReceivedBody) => void,
): Promise<void> {
  const type = contentType.split(";")[0]!.trim().toLowerCase();
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1];
  const body: ReceivedBody = { kind: kindOf(type), type, size: 0, text: "", complete: false, cut: false };
  const decoder = decoderOf(charset);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const limit_bytes = body.kind === "json" ? tree_bytes : shownText_bytes;
  let waiting = false;
  const notifySoon = () => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      if (!body.complete) onChange({ ...body });
    }, 40);
  };

  const reader = stream?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    if (body.size === 0 && type === "") body.kind = looksLikeText(value) ? "text" : "binary";
    const shown = Math.max(0, limit_bytes - body.size);
    if (shown > 0 && isText(body.kind))
      body.text += decoder.decode(value.subarray(0, shown), { stream: true });
    body.size += value.length;
    chunks.push(value as Uint8Array<ArrayBuffer>);
    if (body.size > received_bytes) {
      body.cut = true;
      void reader.cancel();
      break;
    }
    notifySoon();
  }

  if (type === "" && /^\s*[[{"]/.test(body.text)) body.kind = "json";
  body.complete = true;
  onChange({ ...body, blob: new Blob(chunks, { type }) });
}

/** Whether a body is shown as text. */
export function isText(kind: BodyKind): boolean {
  return kind === "json" || kind === "events" || kind === "lines" || kind === "text";
}

function kindOf(type: string): BodyKind {
  if (/[/+]json$/.test(type)) return "json";
  if (type === "text/event-stream") return "events";

  if (
    /^application\/(?:x-ndjson|jsonl?|json-?lines|x-jsonlines|json-seq|stream\+json)$|^text\/jsonl$/.test(
      type,
    )
  )
    return "lines";

  const family = type.split("/")[0]!;
  if (family === "image" || family === "audio" || family === "video") return family;

  if (
    family === "text" ||
    /[/+](?:xml|yaml|javascript|graphql|x-www-form-urlencoded|x-yaml|toml|sql)$/.test(type) ||
    type === ""
  )
    return "text";

  return "binary";
}

function decoderOf(charset: string | undefined): TextDecoder {
  try {
    return new TextDecoder(charset ?? "utf-8");
  } catch {
    return new TextDecoder();
  }
}

function looksLikeText(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, 1_000).includes(0);
}
