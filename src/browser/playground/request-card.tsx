import type { HttpRequest } from "../../engine/openapi/request.ts";
import { CopyButton } from "./copy-button.tsx";
import { useDesk } from "./desk.ts";
import { requestLines, requestText } from "./request-text.ts";

/** The live request, as it goes over the wire or as a sample in a language. */
export function RequestCard({ request, direct }: { request: HttpRequest; direct: boolean }) {
  const { words } = useDesk();
  return (
    <section class="o-pg-card" aria-label={words.request}>
      <div class="o-pg-card-head">
        <h3>{words.request}</h3>
        <CopyButton text={() => requestText(request)} />
      </div>
      <HttpText request={request} direct={direct} />
    </section>
  );
}

function HttpText({ request, direct }: { request: HttpRequest; direct: boolean }) {
  const { words } = useDesk();
  return (
    <pre class="o-pg-code" tabIndex={0} aria-label={words.request}>
      {requestLines(request, direct).map((line) => (
        <span class={`o-pg-line o-pg-line-${line.kind}`} data-not-sent={line.notSent || undefined}>
          {line.kind === "header" ? <HeaderText text={line.text} /> : line.text}
          {line.notSent && <em>{words.notSentByBrowsers}</em>}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

function HeaderText({ text }: { text: string }) {
  const colon = text.indexOf(":");
  return (
    <>
      <b>{text.slice(0, colon)}</b>
      {text.slice(colon)}
    </>
  );
}
