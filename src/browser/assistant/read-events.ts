/** Reads server-sent events from the body of a response. Yields the data of each event. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let waiting = "";
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      waiting += value ?? "";
      // If the text ends with a carriage return, its line feed may be in the next chunk.
      const lines = waiting.split(done ? /\r\n|\n|\r/ : /\r\n|\n|\r(?!$)/);
      waiting = done ? "" : lines.pop()!;
      for (const line of lines) {
        if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
        else if (line === "" && data.length) {
          yield data.join("\n");
          data = [];
        }
      }
      if (done) return;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
