/** Reads server-sent events (WHATWG HTML, 9.2.6). */

/** A server-sent event. Its ID isn't read. */
export interface StreamEvent {
  name: string;
  data: string;
}

/**
 * Returns a function that parses a text in chunks, and returns the events that end in each chunk. An event is
 * complete at its empty line, so an incomplete event at the end is left out.
 */
function eventParser(): (chunk: string) => StreamEvent[] {
  let rest = "";
  let name = "";
  let data: string[] = [];
  return (chunk) => {
    // If the text ends with a carriage return, its line feed may be in the next chunk.
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    return lines.flatMap((line) => {
      const [field, value = ""] = line.split(/: ?(.*)/s);
      if (field === "data") data.push(value);
      if (field === "event") name = value;
      if (line || !(name || data.length)) return [];

      const event = { name: name || "message", data: data.join("\n") };
      name = "";
      data = [];
      return event;
    });
  };
}

/** Returns the complete events in a text, in order. */
export function readEvents(text: string): StreamEvent[] {
  return eventParser()(text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n"));
}

/**
 * Yields the events in the body of a response as they arrive. Rejects if the connection is interrupted.
 * Cancels the body when the caller stops reading.
 */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const read = eventParser();
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* read(value);
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
