import { useState } from "preact/hooks";
import type { Credential, HttpRequest } from "../../engine/openapi/request/request-model.ts";
import { languageOf } from "../../engine/openapi/samples/sample-languages.ts";
import { HighlightedText } from "../highlighted-text.tsx";
import { CopyButton } from "./copy-button.tsx";
import { fieldId, useFormContext } from "./form-context.ts";
import { maskedRequest } from "./masked-request.ts";
import { type RequestLine, requestLines, requestText } from "./request-text.ts";

/**
 * The request as HTTP text or as a code sample. `sample` is the request with placeholders for missing
 * credentials.
 */
export function RequestCard({
  request,
  sample,
  languages,
  credentials,
  direct,
}: {
  request: HttpRequest;
  sample: HttpRequest;
  languages: string[];
  /**
   * Credentials in the request, shown as dots until the reader reveals them. Copied text contains the real
   * values.
   */
  credentials: readonly Credential[];
  direct: boolean;
}) {
  const { messages } = useFormContext();
  const [isRevealed, setRevealed] = useState(false);
  const masked = maskedRequest(request, credentials);
  const shown = (each: HttpRequest) => (isRevealed ? each : (maskedRequest(each, credentials) ?? each));
  const [key, setKey] = useState("http");
  const offered = [...new Set(languages.flatMap((name) => languageOf(name) ?? []))];
  const language = offered.find((each) => each.key === key);
  return (
    <section class="o-pg-card">
      <div class="o-pg-card-head">
        <h3>{messages.request}</h3>
        {offered.length > 0 && (
          <select
            class="o-pg-small"
            id={fieldId("language")}
            aria-label={messages.showAs}
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
          >
            <option value="http">HTTP</option>
            {offered.map((each) => (
              <option value={each.key}>{each.label}</option>
            ))}
          </select>
        )}
        {masked && (
          <button
            type="button"
            class="o-pg-icon o-pg-reveal"
            aria-label={messages.showCredentials}
            aria-pressed={isRevealed}
            onClick={() => setRevealed(!isRevealed)}
          >
            <i class="o-c o-c-eye" />
          </button>
        )}
        <CopyButton text={() => (language ? language.sample(sample) : requestText(request))} />
      </div>
      {language ? (
        <pre class="o-pg-code o-pg-sample" tabIndex={0}>
          <HighlightedText language={language.syntax} text={language.sample(shown(sample))} />
        </pre>
      ) : (
        <HttpText request={shown(request)} direct={direct} />
      )}
    </section>
  );
}

function HttpText({ request, direct }: { request: HttpRequest; direct: boolean }) {
  const { messages } = useFormContext();
  return (
    <pre class="o-pg-code" tabIndex={0}>
      {requestLines(request, direct).map((line) => (
        <span class={`o-pg-line o-pg-line-${line.kind}`} data-not-sent={line.notSent || undefined}>
          <LineText line={line} />
          {line.notSent && <em>{direct ? messages.notSentByBrowsers : messages.notSent}</em>}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

function LineText({ line: { kind, text, syntax } }: { line: RequestLine }) {
  if (syntax) return <HighlightedText language={syntax} text={text} />;
  if (kind !== "header") return <>{text}</>;
  const colon = text.indexOf(":");
  return (
    <>
      <b>{text.slice(0, colon)}</b>
      {text.slice(colon)}
    </>
  );
}
