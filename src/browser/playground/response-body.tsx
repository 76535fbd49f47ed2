import { useEffect, useMemo, useState } from "preact/hooks";
import { readEvents } from "../event-stream.ts";
import { CopyButton } from "./copy-button.tsx";
import { downloadName } from "./download-name.ts";
import { type Exact, readExact } from "./exact-json.ts";
import { useFormContext } from "./form-context.ts";
import { sizeText } from "./format-amounts.ts";
import { JsonTree } from "./json-tree.tsx";
import { fill } from "./playground-messages.ts";
import { Switch } from "./radio-switch.tsx";
import {
  isText,
  type ReceivedBody,
  received_bytes,
  shownText_bytes,
  tree_bytes,
} from "./read-response-body.ts";

/** Maximum number of rendered events. Only the latest events are rendered. */
const events_count = 500;

/** Shows the body as a tree, events, media or text. HTML and XML are untrusted and shown as text. */
export function ResponseBody({ body, headers }: { body: ReceivedBody; headers: [string, string][] }) {
  const { messages } = useFormContext();
  const [view, setView] = useState<"tree" | "raw">("tree");

  const json = useMemo(
    () => (body.kind === "json" && body.complete && body.size <= tree_bytes ? jsonOf(body.text) : undefined),
    [body],
  );

  const structured = json !== undefined || body.kind === "events" || body.kind === "lines";
  if (body.complete && body.size === 0) return <p class="o-pg-empty">{messages.bodyNone}</p>;

  return (
    <>
      <div class="o-pg-body-bar">
        <code>{body.type || "?"}</code>
        {structured && (
          <Switch<"tree" | "raw">
            label={messages.showAs}
            options={[
              ["tree", json ? messages.tree : messages.events],
              ["raw", messages.raw],
            ]}
            value={view}
            onChange={setView}
          />
        )}
        {isText(body.kind) && <CopyButton text={() => body.text} />}
        {body.blob && <Download blob={body.blob} name={downloadName(headers, body.type)} />}
      </div>
      {structured && view === "tree" ? (
        json ? (
          <JsonTree value={json} />
        ) : (
          <Events body={body} />
        )
      ) : isText(body.kind) ? (
        <pre class="o-pg-code" tabIndex={0} aria-label={messages.body}>
          {body.text.length > shownText_bytes ? body.text.slice(0, shownText_bytes) : body.text}
        </pre>
      ) : (
        body.blob && <Media body={body} blob={body.blob} />
      )}
      {isText(body.kind) && body.size > shownText_bytes && !(json && view === "tree") && (
        <p class="o-pg-note">{fill(messages.shownPart, { size: sizeText(shownText_bytes) })}</p>
      )}
      {body.cut && <p class="o-pg-note">{fill(messages.cutOff, { size: sizeText(received_bytes) })}</p>}
    </>
  );
}

function jsonOf(text: string): Exact | undefined {
  try {
    return readExact(text);
  } catch {
    return undefined;
  }
}

/** Returns an object URL of a blob, and revokes the URL on unmount. Undefined during the first rendering. */
function useObjectUrl(blob: Blob): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const objectUrl = URL.createObjectURL(blob);
    setUrl(objectUrl);
    return () => URL.revokeObjectURL(objectUrl);
  }, [blob]);
  return url;
}

function Download({ blob, name }: { blob: Blob; name: string }) {
  const { messages } = useFormContext();
  const download = useMemo(() => new Blob([blob], { type: "application/octet-stream" }), [blob]);
  const url = useObjectUrl(download);
  return (
    <a class="o-pg-button" href={url} download={name}>
      {messages.download}
    </a>
  );
}

function Media({ body, blob }: { body: ReceivedBody; blob: Blob }) {
  const { messages } = useFormContext();
  const url = useObjectUrl(blob);
  if (!url) return null;

  // SVG in an image element can't run scripts.
  if (body.kind === "image") return <img class="o-pg-media" src={url} alt={messages.response} />;
  if (body.kind === "audio")
    return <audio class="o-pg-media" src={url} controls aria-label={messages.response} />;
  if (body.kind === "video")
    return <video class="o-pg-media" src={url} controls aria-label={messages.response} />;

  return (
    <p class="o-pg-empty">
      {body.type || "?"} · {sizeText(body.size)}
    </p>
  );
}

/** The list of server-sent events, or of the lines of a JSON stream. */
function Events({ body }: { body: ReceivedBody }) {
  const { messages } = useFormContext();
  const all =
    body.kind === "events" ? readEvents(body.complete ? `${body.text}\n\n` : body.text) : linesOf(body);
  return (
    <ol class="o-pg-events" aria-label={messages.events} aria-live="off">
      {all.slice(-events_count).map((event, index) => (
        <li key={index}>
          {event.name !== "message" && <b>{event.name}</b>}
          <pre>{event.data}</pre>
        </li>
      ))}
    </ol>
  );
}

function linesOf(body: ReceivedBody): { name: string; data: string }[] {
  const lines = body.text.split(/\r?\n|\x1e/);
  return (body.complete ? lines : lines.slice(0, -1))
    .filter((line) => line.trim() !== "")
    .map((data) => ({ name: "message", data }));
}
