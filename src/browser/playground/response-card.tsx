import { useEffect, useMemo, useState } from "preact/hooks";
import { CopyButton } from "./copy-button.tsx";
import { type Diagnosis, reachable } from "./cors-doctor.ts";
import type { Exchange, Failure } from "./exchange.ts";
import { useFormContext } from "./form-context.ts";
import { durationText, sizeText } from "./format-size.ts";
import { fill, type Words } from "./playground-messages.ts";
import { Switch } from "./radio-switch.tsx";
import { ResponseBody } from "./response-body.tsx";

/** What came back: status, time and size first, then the body or the headers. */
export function ResponseCard({ now }: { now: Exchange | undefined }) {
  const { words } = useFormContext();
  const [tab, setTab] = useState<"body" | "headers">("body");
  const { answer, body, failure } = now ?? {};
  return (
    <section class="o-pg-card o-pg-response">
      <div class="o-pg-card-head">
        <h3>{words.response}</h3>
        {answer && now && (
          <p class="o-pg-facts">
            <span class="o-pg-status" data-class={String(answer.status)[0]}>
              <span class="o-sr">{words.status} </span>
              {answer.status} {answer.statusText}
            </span>
            <span>
              <span class="o-sr">{words.time} </span>
              {durationText(now.ms)}
            </span>
            {body && (
              <span>
                <span class="o-sr">{words.size} </span>
                {sizeText(body.size)}
              </span>
            )}
          </p>
        )}
        {answer && (
          <Switch<"body" | "headers">
            label={words.view}
            options={[
              ["body", words.body],
              ["headers", words.headers],
            ]}
            value={tab}
            onChange={setTab}
          />
        )}
      </div>
      <p class="o-sr" role="status">
        {now && spoken(now, words)}
      </p>
      {!now && <p class="o-pg-empty">{words.responseNone}</p>}
      {now?.state === "waiting" && <p class="o-pg-empty o-pg-busy">{words.waiting}</p>}
      {failure && <FailureText failure={failure} url={now!.request.url} />}
      {answer && tab === "headers" && <Headers headers={answer.headers} />}
      {answer && body && tab === "body" && <ResponseBody body={body} headers={answer.headers} />}
      {now?.state === "receiving" && <p class="o-pg-empty o-pg-busy">{words.receiving}</p>}
    </section>
  );
}

function spoken(now: Exchange, words: Words): string {
  if (now.state === "waiting") return words.waiting;
  if (now.state === "failed") return words.failed;
  return `${words.status} ${now.answer?.status ?? ""}${now.state === "receiving" ? `, ${words.receiving}` : ""}`;
}

function Headers({ headers }: { headers: [string, string][] }) {
  const { words } = useFormContext();
  return (
    <div class="o-pg-headers">
      <CopyButton text={() => headers.map((pair) => pair.join(": ")).join("\n")} />
      <table aria-label={words.headers}>
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

function FailureText({ failure, url }: { failure: Failure; url: string }) {
  const { words } = useFormContext();
  if (failure.kind === "unreadable") return <Doctor diagnosis={failure.diagnosis} url={url} />;
  if (failure.kind === "siteRefused" && failure.diagnosis)
    return <Doctor diagnosis={failure.diagnosis} url={url} refusal={refusalText(failure, words)} />;
  const text: string = {
    cancelled: () => words.cancelled,
    brokenOff: () => words.brokenOff,
    timedOut: () => fill(words.timedOut, { seconds: (failure as { seconds: number }).seconds }),
    badHeader: () => fill(words.badHeader, { name: (failure as { name: string }).name }),
    siteRefused: () => refusalText(failure as Extract<Failure, { kind: "siteRefused" }>, words),
  }[failure.kind]();
  return (
    <p class="o-pg-failure" role="alert">
      {text}
    </p>
  );
}

function refusalText({ error, blocked }: Extract<Failure, { kind: "siteRefused" }>, words: Words): string {
  return blocked ? fill(words.siteBlocked, blocked) : fill(words.siteRefused, { error });
}

/** The browser doesn't say why a request failed: what may be wrong, and how to fix it. `refusal`: why the docs server didn't send it. */
function Doctor({ diagnosis, url, refusal }: { diagnosis: Diagnosis; url: string; refusal?: string }) {
  const { words } = useFormContext();
  const [reached, setReached] = useState<"asking" | boolean>();
  useEffect(() => setReached(undefined), [diagnosis]);
  const ask = async () => {
    setReached("asking");
    setReached(await reachable(url));
  };
  const headers = useMemo(() => diagnosis.needed.map(([name, value]) => `${name}: ${value}`).join("\n"), [diagnosis]);
  return (
    <div class="o-pg-failure" role="alert">
      <p>
        <strong>{words.failed}</strong>
      </p>
      {refusal !== undefined && <p>{refusal}</p>}
      {diagnosis.cause === "offline" && <p>{words.offline}</p>}
      {diagnosis.cause === "mixedContent" && <p>{words.mixedContent}</p>}
      {diagnosis.cause === "cors" && (
        <>
          <p>{words.corsText}</p>
          <div class="o-pg-copied">
            <pre>{headers}</pre>
            <CopyButton text={() => headers} />
          </div>
          {diagnosis.preflight && <p>{words.corsPreflight}</p>}
          <p>
            <button type="button" class="o-pg-button" disabled={reached === "asking"} onClick={() => void ask()}>
              {words.reachCheck}
            </button>
          </p>
          {typeof reached === "boolean" && <p role="status">{reached ? words.reachYes : words.reachNo}</p>}
        </>
      )}
    </div>
  );
}
