/** A server-sent event. */
export interface StreamEvent {
  name: string;
  data: string;
  id?: string;
}

/**
 * Parses the server-sent events in a text (WHATWG HTML, 9.2.6). Leaves out an incomplete event at the end.
 */
export function readEvents(text: string): StreamEvent[] {
  const blocks = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .split("\n\n");

  // The text after the last empty line is an incomplete event.
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
