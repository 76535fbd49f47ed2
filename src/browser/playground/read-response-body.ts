/** Reads an answer's body as it comes, and keeps it in bounds. */

/** Text beyond this is not shown: it can be downloaded. */
export const shownText_bytes = 1_000_000;
/** JSON up to this is shown as a tree, since it is read whole for that. */
export const tree_bytes = 4_000_000;
/** What is kept for viewing and for download; a longer answer ends here. */
export const kept_bytes = 200_000_000;

export type BodyKind = "json" | "events" | "lines" | "image" | "audio" | "video" | "text" | "binary";

export interface ReceivedBody {
  kind: BodyKind;
  /** Without parameters, lower case. */
  type: string;
  size: number;
  /** As much of the text as is shown; for what is text. */
  text: string;
  /** The end has come. */
  complete: boolean;
  /** More came than we keep. */
  cut: boolean;
  /** All of it, once it is complete. */
  blob?: Blob;
}

/** Calls `tell` as more comes, not oftener than the screen is drawn. Rejects when the connection breaks or the reader stops it. */
export async function readBody(
  stream: ReadableStream<Uint8Array> | null,
  contentType: string,
  tell: (body: ReceivedBody) => void,
): Promise<void> {
  const type = contentType.split(";")[0]!.trim().toLowerCase();
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1];
  const body: ReceivedBody = { kind: kindOf(type), type, size: 0, text: "", complete: false, cut: false };
  const decoder = decoderOf(charset);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const limit_bytes = body.kind === "json" ? tree_bytes : shownText_bytes;
  let waiting = false;
  const tellSoon = () => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      if (!body.complete) tell({ ...body });
    }, 40);
  };
  const reader = stream?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    if (body.size === 0 && type === "") body.kind = looksLikeText(value) ? "text" : "binary";
    const shown = Math.max(0, limit_bytes - body.size);
    if (shown > 0 && isText(body.kind)) body.text += decoder.decode(value.subarray(0, shown), { stream: true });
    body.size += value.length;
    chunks.push(value as Uint8Array<ArrayBuffer>);
    if (body.size > kept_bytes) {
      body.cut = true;
      void reader.cancel();
      break;
    }
    tellSoon();
  }
  if (type === "" && /^\s*[[{"]/.test(body.text)) body.kind = "json";
  body.complete = true;
  tell({ ...body, blob: new Blob(chunks, { type }) });
}

/** What is shown as text, as it comes. */
export function isText(kind: BodyKind): boolean {
  return kind === "json" || kind === "events" || kind === "lines" || kind === "text";
}

function kindOf(type: string): BodyKind {
  if (/[/+]json$/.test(type)) return "json";
  if (type === "text/event-stream") return "events";
  if (/^application\/(?:x-ndjson|jsonl?|json-?lines|x-jsonlines|json-seq|stream\+json)$|^text\/jsonl$/.test(type)) return "lines";
  const family = type.split("/")[0]!;
  if (family === "image" || family === "audio" || family === "video") return family;
  if (family === "text" || /[/+](?:xml|yaml|javascript|graphql|x-www-form-urlencoded|x-yaml|toml|sql)$/.test(type) || type === "")
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

export interface StreamEvent {
  name: string;
  data: string;
  id?: string;
}

/** The whole events of a stream so far. */
export function readEvents(text: string): StreamEvent[] {
  const blocks = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .split("\n\n");
  // What follows the last empty line is not whole yet.
  return blocks.slice(0, -1).flatMap((block) => {
    const event: StreamEvent = { name: "message", data: "" };
    const data: string[] = [];
    for (const line of block.split("\n")) {
      const [, field = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
      if (field === "data") data.push(value);
      else if (field === "event") event.name = value || "message";
      else if (field === "id") event.id = value;
    }
    return data.length > 0 || event.name !== "message" ? [{ ...event, data: data.join("\n") }] : [];
  });
}

/** A name for the downloaded file: what the server says, or one by its type. */
export function fileName(headers: [string, string][], type: string): string {
  const disposition = headers.find(([name]) => name.toLowerCase() === "content-disposition")?.[1] ?? "";
  const said = /filename="?([^";]+)"?/i
    .exec(disposition)?.[1]
    ?.replace(/[/\\\0-\x1f]/g, "_")
    .trim();
  if (said) return said;
  const ending =
    type
      .split("/")[1]
      ?.replace(/^.*\+/, "")
      .replace(/[^a-z0-9]/g, "") || "bin";
  return `response.${ending === "octetstream" ? "bin" : ending === "plain" ? "txt" : ending}`;
}
