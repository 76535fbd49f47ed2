import { useEffect, useMemo, useState } from "preact/hooks";
import { CopyButton } from "./copy-button.tsx";
import { type Exact, readExact } from "./exact-json.ts";
import { useFormContext } from "./form-context.ts";
import { sizeText } from "./format-size.ts";
import { JsonTree } from "./json-tree.tsx";
import { fill } from "./playground-messages.ts";
import { Switch } from "./radio-switch.tsx";
import { fileName, isText, kept_bytes, type ReceivedBody, readEvents, shownText_bytes, tree_bytes } from "./read-response-body.ts";

/** As many events are drawn; the raw text holds all that is shown. */
const events_count = 500;

/** The body, shown as what it is. HTML and XML are shown as text only: they are strangers' words. */
export function ResponseBody({ body, headers }: { body: ReceivedBody; headers: [string, string][] }) {
  const { words } = useFormContext();
  const [view, setView] = useState<"tree" | "raw">("tree");
  const json = useMemo(() => (body.kind === "json" && body.complete && body.size <= tree_bytes ? jsonOf(body.text) : undefined), [body]);
  const structured = json !== undefined || body.kind === "events" || body.kind === "lines";
  if (body.complete && body.size === 0) return <p class="o-pg-empty">{words.bodyNone}</p>;
  return (
    <>
      <div class="o-pg-body-bar">
        <code>{body.type || "?"}</code>
        {structured && (
          <Switch<"tree" | "raw">
            label={words.showAs}
            options={[
              ["tree", json ? words.tree : words.events],
              ["raw", words.raw],
            ]}
            value={view}
            onChange={setView}
          />
        )}
        {isText(body.kind) && <CopyButton text={() => body.text} />}
        {body.blob && <Download blob={body.blob} name={fileName(headers, body.type)} />}
      </div>
      {structured && view === "tree" ? (
        json ? (
          <JsonTree value={json} />
        ) : (
          <Events body={body} />
        )
      ) : isText(body.kind) ? (
        <pre class="o-pg-code" tabIndex={0} aria-label={words.body}>
          {body.text.length > shownText_bytes ? body.text.slice(0, shownText_bytes) : body.text}
        </pre>
      ) : (
        body.blob && <Media body={body} blob={body.blob} />
      )}
      {isText(body.kind) && body.size > shownText_bytes && !(json && view === "tree") && (
        <p class="o-pg-note">{fill(words.shownPart, { size: sizeText(shownText_bytes) })}</p>
      )}
      {body.cut && <p class="o-pg-note">{fill(words.cutOff, { size: sizeText(kept_bytes) })}</p>}
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

/** An address for bytes of ours, for as long as they are shown. */
function useAddress(blob: Blob): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return address;
}

function Download({ blob, name }: { blob: Blob; name: string }) {
  const { words } = useFormContext();
  const plain = useMemo(() => new Blob([blob], { type: "application/octet-stream" }), [blob]);
  const address = useAddress(plain);
  return (
    <a class="o-pg-button" href={address} download={name}>
      {words.download}
    </a>
  );
}

function Media({ body, blob }: { body: ReceivedBody; blob: Blob }) {
  const { words } = useFormContext();
  const address = useAddress(blob);
  if (!address) return null;
  // In an image element an SVG runs no script.
  if (body.kind === "image") return <img class="o-pg-media" src={address} alt={words.response} />;
  if (body.kind === "audio") return <audio class="o-pg-media" src={address} controls aria-label={words.response} />;
  if (body.kind === "video") return <video class="o-pg-media" src={address} controls aria-label={words.response} />;
  return (
    <p class="o-pg-empty">
      {body.type || "?"} · {sizeText(body.size)}
    </p>
  );
}

/** Events and lines, one below the other as they come. */
function Events({ body }: { body: ReceivedBody }) {
  const { words } = useFormContext();
  const all = body.kind === "events" ? readEvents(body.complete ? `${body.text}\n\n` : body.text) : linesOf(body);
  return (
    <ol class="o-pg-events" aria-label={words.events} aria-live="off">
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
  return (body.complete ? lines : lines.slice(0, -1)).filter((line) => line.trim() !== "").map((data) => ({ name: "message", data }));
}
