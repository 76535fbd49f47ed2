import { useEffect, useMemo, useState } from "preact/hooks";
import { CopyButton } from "./copy-button.tsx";
import { type Diagnosis, reachable } from "./cors-diagnosis.ts";
import type { Exchange, RequestFailure } from "./exchange.ts";
import { useFormContext } from "./form-context.ts";
import { durationText, sizeText } from "./format-amounts.ts";
import { fill, type PlaygroundMessages } from "./playground-messages.ts";
import { Switch } from "./radio-switch.tsx";
import { ResponseBody } from "./response-body.tsx";

/** The response: status, time and size, then its body or its headers. */
export function ResponseCard({ exchange }: { exchange: Exchange | undefined }) {
  const { messages } = useFormContext();
  const [tab, setTab] = useState<"body" | "headers">("body");
  const { response, body, failure } = exchange ?? {};
  return (
    <section class="o-pg-card o-pg-response">
      <div class="o-pg-card-head">
        <h3>{messages.response}</h3>
        {response && exchange && (
          <p class="o-pg-facts">
            <span class="o-pg-status" data-class={String(response.status)[0]}>
              <span class="o-sr">{messages.status} </span>
              {response.status} {response.statusText}
            </span>
            <span>
              <span class="o-sr">{messages.time} </span>
              {durationText(exchange.ms)}
            </span>
            {body && (
              <span>
                <span class="o-sr">{messages.size} </span>
                {sizeText(body.size)}
              </span>
            )}
          </p>
        )}
        {response && (
          <Switch<"body" | "headers">
            label={messages.view}
            options={[
              ["body", messages.body],
              ["headers", messages.headers],
            ]}
            value={tab}
            onChange={setTab}
          />
        )}
      </div>
      <p class="o-sr" role="status">
        {exchange && announcementOf(exchange, messages)}
      </p>
      {response?.redirectedTo && (
        <p class="o-pg-note">{fill(messages.redirected, { url: response.redirectedTo })}</p>
      )}
      {!exchange && <p class="o-pg-empty">{messages.responseNone}</p>}
      {exchange?.state === "waiting" && <p class="o-pg-empty o-pg-busy">{messages.waiting}</p>}
      {failure && <FailureText failure={failure} url={exchange!.request.url} />}
      {response && tab === "headers" && <Headers headers={response.headers} />}
      {response && body && tab === "body" && <ResponseBody body={body} headers={response.headers} />}
      {exchange?.state === "receiving" && <p class="o-pg-empty o-pg-busy">{messages.receiving}</p>}
    </section>
  );
}

function announcementOf(exchange: Exchange, messages: PlaygroundMessages): string {
  if (exchange.state === "waiting") return messages.waiting;
  if (exchange.state === "failed") return messages.failed;
  return `${messages.status} ${exchange.response?.status ?? ""}${exchange.state === "receiving" ? `, ${messages.receiving}` : ""}`;
}

function Headers({ headers }: { headers: [string, string][] }) {
  const { messages } = useFormContext();
  return (
    <div class="o-pg-headers">
      <CopyButton text={() => headers.map((pair) => pair.join(": ")).join("\n")} />
      <table aria-label={messages.headers}>
        <tbody>
          {headers.map(([name, value]) => (
            <tr>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FailureText({ failure, url }: { failure: RequestFailure; url: string }) {
  const { messages } = useFormContext();
  if (failure.kind === "unreadable") return <DiagnosisText diagnosis={failure.diagnosis} url={url} />;

  // The reason is known if the docs server's allow-list blocks the host, and CORS wouldn't change it.
  if (failure.kind === "siteRefused" && failure.diagnosis && !failure.blocked)
    return <DiagnosisText diagnosis={failure.diagnosis} url={url} refusal={refusalText(failure, messages)} />;

  return (
    <p class="o-pg-failure" role="alert">
      {failureText(failure, messages)}
    </p>
  );
}

function failureText(
  failure: Exclude<RequestFailure, { kind: "unreadable" }>,
  messages: PlaygroundMessages,
): string {
  switch (failure.kind) {
    case "timedOut":
      return fill(messages.timedOut, { seconds: failure.seconds });
    case "badHeader":
      return fill(messages.badHeader, { name: failure.name });
    case "siteRefused":
      return refusalText(failure, messages);
    default:
      return messages[failure.kind];
  }
}

function refusalText(
  { error, blocked }: Extract<RequestFailure, { kind: "siteRefused" }>,
  messages: PlaygroundMessages,
): string {
  return blocked ? fill(messages.siteBlocked, blocked) : fill(messages.siteRefused, { error });
}

/**
 * Possible causes of a failed request, and how to fix them. `refusal`: why the docs server refused the
 * request or got no response, if the request was first sent to it.
 */
function DiagnosisText({ diagnosis, url, refusal }: { diagnosis: Diagnosis; url: string; refusal?: string }) {
  const { messages } = useFormContext();
  const [reached, setReached] = useState<"waiting" | boolean>();
  useEffect(() => setReached(undefined), [diagnosis]);

  const check = async () => {
    setReached("waiting");
    setReached(await reachable(url));
  };

  const headers = useMemo(
    () => diagnosis.needed.map(([name, value]) => `${name}: ${value}`).join("\n"),
    [diagnosis],
  );

  return (
    <div class="o-pg-failure" role="alert">
      <p>
        <strong>{messages.failed}</strong>
      </p>
      {refusal !== undefined && <p>{refusal}</p>}
      {diagnosis.cause === "offline" && <p>{messages.offline}</p>}
      {diagnosis.cause === "mixedContent" && <p>{messages.mixedContent}</p>}
      {diagnosis.cause === "cors" && (
        <>
          <p>{messages.corsText}</p>
          <div class="o-pg-copied">
            <pre>{headers}</pre>
            <CopyButton text={() => headers} />
          </div>
          {diagnosis.preflight && <p>{messages.corsPreflight}</p>}
          <p>
            <button
              type="button"
              class="o-pg-button"
              disabled={reached === "waiting"}
              onClick={() => void check()}
            >
              {messages.reachCheck}
            </button>
          </p>
          {typeof reached === "boolean" && (
            <p role="status">{reached ? messages.reachYes : messages.reachNo}</p>
          )}
        </>
      )}
    </div>
  );
}
