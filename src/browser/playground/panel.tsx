/** The playground's panel: holds the state, works everything else out from it, and lays it out. */
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { checkRequest, type Finding } from "../../engine/openapi/check-contract.ts";
import { memberPath } from "../../engine/openapi/check-value.ts";
import type { Operation, Parameter } from "../../engine/openapi/operation.ts";
import { buildRequest, parameterKey, withPlaceholders } from "../../engine/openapi/request.ts";
import { type SchemaRef, type SchemaView, viewOf } from "../../engine/openapi/schema-view.ts";
import { withAccept } from "../../engine/openapi/sendable.ts";
import { AuthForm } from "./auth-form.tsx";
import { BodyForm } from "./body-form.tsx";
import { keepCredentials, readCredentials } from "./credentials.ts";
import { type Desk, DeskContext, fieldId, useDesk } from "./desk.ts";
import type { DocumentPart } from "./document-part.ts";
import { type Draft, inputsOf, serverOf } from "./draft.ts";
import { type Exchange, exchange } from "./exchange.ts";
import { SchemaField } from "./fields/field.tsx";
import { FindingsList } from "./findings-list.tsx";
import { addToHistory, clearHistory, type HistoryEntry, keptDraft, readHistory } from "./history.ts";
import { HistoryList } from "./history-list.tsx";
import { updatePageSamples } from "./page-samples.tsx";
import { PatternTests } from "./patterns.ts";
import { RequestCard } from "./request-card.tsx";
import { ResponseCard } from "./response-card.tsx";
import { responseFindings } from "./response-findings.ts";
import { hasProxy } from "./send-request.ts";
import { addressOf } from "./server-address.ts";
import { ServerForm } from "./server-form.tsx";
import type { Words } from "./words.ts";

export interface PanelProps {
  part: DocumentPart;
  first: Draft;
  words: Words;
  /** Names the site among those of its origin. */
  site: string;
  /** Absolute addresses. */
  operationHref: string;
  proxy: string | undefined;
  redirect: string;
  close(): void;
}

/** OpenAPI gives these to media types and security; parameters of these names are ignored. */
const ignoredHeaders = new Set(["accept", "content-type", "authorization"]);

/** The parameters that readers fill in: what a credential of theirs says already is no parameter beside it. */
function withoutCredentials(operation: Operation, alternative: number): Operation {
  const keys = (operation.security[alternative]?.schemes ?? []).flatMap((scheme) =>
    scheme.type === "apiKey" ? [`${scheme.in}.${scheme.name}`.toLowerCase()] : [],
  );
  const parameters = operation.parameters.filter(
    (each) => !keys.includes(parameterKey(each).toLowerCase()) && !(each.in === "header" && ignoredHeaders.has(each.name.toLowerCase())),
  );
  return { ...operation, parameters };
}
const timeoutAtFirst_s = 60;

export function Panel({ part, first, words, site, operationHref, proxy, redirect, close }: PanelProps) {
  const historyKey = `octavo-history ${operationHref}`;
  const [draft, setDraft] = useState(first);
  const { refs, data } = part;
  const operation = useMemo(() => withoutCredentials(part.operation, draft.alternative), [draft.alternative]);
  const [remember, setRemember] = useState(() => readCredentials(site).remember);
  const [version, setVersion] = useState(0);
  const [patterns] = useState(() => new PatternTests());
  // How often patterns have told something new.
  const [learnt, setLearnt] = useState(0);
  const [lost, setLost] = useState(false);
  const [sent, setSent] = useState(false);
  const [now, setNow] = useState<Exchange>();
  const [history, setHistory] = useState(() => readHistory(historyKey));
  const [timeout_s, setTimeout_s] = useState(timeoutAtFirst_s);
  const [bySite, setBySite] = useState(false);
  const [wanted, setWanted] = useState<string>();
  const stop = useRef<AbortController>(undefined);

  const address = addressOf(serverOf(draft, operation), draft.variables);
  const inputs = useMemo(() => inputsOf(draft, operation, refs), [draft, version]);
  const request = useMemo(() => withAccept(buildRequest(operation, inputs, refs)), [inputs, version]);
  const sample = useMemo(() => buildRequest(operation, withPlaceholders(inputs), refs), [inputs, version]);
  const requestFindings = useMemo(() => checkRequest(operation, inputs, refs, { testPattern: patterns.test }), [inputs, version, learnt]);
  const answerFindings = useMemo(
    () => responseFindings(operation, now, refs, { testPattern: patterns.test }),
    [now?.state, version, learnt],
  );
  const view = useMemo(() => cachedView(refs), [version]);
  const simple = data.settings.mode === "simple" || document.documentElement.classList.contains("o-no-send");
  const canSend = !simple && address.url !== undefined && operation.kind === "operation";
  const busy = now?.state === "waiting" || now?.state === "receiving";

  useEffect(() => keepCredentials(site, draft.credentials, remember), [draft.credentials, remember]);
  useEffect(() => {
    if (data.settings.proxy && proxy) void hasProxy(proxy).then(setBySite);
  }, []);
  // The page keeps its own samples until something is changed here.
  useEffect(() => {
    if (draft !== first) updatePageSamples(sample);
  }, [sample]);
  const loadMore = () => {
    setLost(false);
    part.loadMissing().then(
      (came) => came && setVersion((before) => before + 1),
      () => setLost(true),
    );
  };
  // Fields that were drawn just now may name components that are not here yet.
  useEffect(() => {
    if (refs.missing.size > 0 && !lost) loadMore();
  });
  useEffect(() => {
    void patterns.settle().then((more) => more && setLearnt((before) => before + 1));
  });
  useEffect(() => {
    if (wanted === undefined) return;
    setWanted(undefined);
    focusField(wanted);
  }, [wanted]);

  const send = async () => {
    if (!canSend || busy) return;
    setSent(true);
    const controller = new AbortController();
    stop.current = controller;
    const at = Date.now();
    const way = {
      proxy: data.settings.proxy && proxy && (await hasProxy(proxy)) ? proxy : undefined,
      operation: new URL(operationHref).pathname,
      credentials: data.settings.credentials,
    };
    requestAnimationFrame(() => document.querySelector(".o-pg-response")?.scrollIntoView({ block: "nearest" }));
    const end = await exchange(request, way, timeout_s, controller, setNow);
    if (end.answer) setBySite(end.bySite);
    const path = historyPath(request.url, address.url);
    setHistory(
      addToHistory(historyKey, { at, method: request.method, path, status: end.answer?.status, ms: end.ms, draft: keptDraft(draft) }),
    );
  };

  const reveal = (path: string) => {
    const above = [...path.matchAll(/[.[]/g)].map(({ index }) => path.slice(0, index));
    setDraft((before) => ({
      ...before,
      opened: { ...before.opened, ...Object.fromEntries([...above, path].map((place) => [place, true])) },
    }));
    setWanted(path);
  };

  const desk: Desk = {
    words,
    refs,
    view,
    draft,
    change: setDraft,
    findings: new Map(requestFindings.map((finding): [string, Finding] => [finding.path, finding])),
    sent,
  };
  return (
    <DeskContext.Provider value={desk}>
      <form
        class="o-pg-frame"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <header class="o-pg-top">
          <h2 id="o-pg-title" tabIndex={-1}>
            <span class="o-pg-method" data-method={operation.method.toLowerCase()}>
              {operation.method}
            </span>
            <code>{operation.path.split(/(?<=\/)/).flatMap((step) => [step, <wbr />])}</code>
          </h2>
          {canSend && (
            // One button for both, so that it keeps the focus.
            <button
              type="submit"
              class={`o-pg-send ${busy ? "o-pg-button" : "o-primary"}`}
              onClick={(event) => {
                if (!busy) return;
                event.preventDefault();
                // Enter in a field is no click on the button.
                if (event.detail > 0 || document.activeElement === event.currentTarget) stop.current?.abort();
              }}
            >
              {busy ? words.cancel : words.send}
            </button>
          )}
          <button type="button" class="o-pg-icon o-pg-close" aria-label={words.close} onClick={close}>
            <i class="o-c o-c-x" />
          </button>
        </header>
        {lost && (
          <p class="o-pg-lost" role="alert">
            {words.loadFailed}{" "}
            <button type="button" class="o-pg-button" onClick={loadMore}>
              {words.retry}
            </button>
          </p>
        )}
        <div class="o-pg-columns">
          <div class="o-pg-form">
            {simple && <p class="o-pg-note">{words.copyOnly}</p>}
            {operation.kind === "operation" && (
              <Group title={words.server}>
                <ServerForm operation={operation} address={address} />
              </Group>
            )}
            {operation.security.length > 0 && (
              <Group title={words.authorization}>
                <AuthForm operation={operation} address={address} remember={remember} setRemember={setRemember} redirect={redirect} />
              </Group>
            )}
            <Parameters operation={operation} places={["path"]} title={words.path} />
            <Parameters operation={operation} places={["query", "querystring"]} title={words.query} />
            <Parameters operation={operation} places={["header"]} title={words.headers} />
            <Parameters operation={operation} places={["cookie"]} title={words.cookies} />
            {operation.body && (
              <Group title={words.body} required={operation.body.required}>
                <BodyForm operation={operation} request={request} />
              </Group>
            )}
          </div>
          <div class="o-pg-result">
            <RequestCard request={request} sample={sample} languages={data.settings.languages} direct={!bySite} />
            <FindingsList title={words.requestDiffers} findings={requestFindings} reveal={reveal} />
            {canSend && (
              <>
                <ResponseCard now={now} />
                {answerFindings?.length === 0 && <p class="o-pg-kept">{words.responseKeeps}</p>}
                <FindingsList title={words.responseDiffers} findings={answerFindings ?? []} />
                <div class="o-pg-foot">
                  <span class="o-pg-muted">{bySite ? words.sentBySite : words.sentByBrowser}</span>
                  <label>
                    {words.timeout}{" "}
                    <input
                      class="o-pg-input"
                      type="number"
                      min="1"
                      max="3600"
                      value={timeout_s}
                      onChange={(event) => setTimeout_s(Math.max(1, event.currentTarget.valueAsNumber || timeoutAtFirst_s))}
                    />
                  </label>
                </div>
                <HistoryList
                  entries={history}
                  use={(entry: HistoryEntry) => setDraft((before) => ({ ...before, ...entry.draft }))}
                  clear={() => setHistory(clearHistory(historyKey))}
                />
              </>
            )}
          </div>
        </div>
      </form>
    </DeskContext.Provider>
  );
}

function Group({ title, required, children }: { title: string; required?: boolean; children: ComponentChildren }) {
  const { words } = useDesk();
  return (
    <section class="o-pg-group">
      <h3>
        {title} {required && <span class="o-pg-required">{words.required}</span>}
      </h3>
      {children}
    </section>
  );
}

function Parameters({ operation, places, title }: { operation: Operation; places: Parameter["in"][]; title: string }) {
  const { words, draft, change } = useDesk();
  const parameters = operation.parameters.filter((each) => places.includes(each.in));
  if (parameters.length === 0) return null;
  return (
    <Group title={title}>
      {parameters.map((parameter) => {
        const key = parameterKey(parameter);
        const value = Object.hasOwn(draft.parameters, key) ? draft.parameters[key] : undefined;
        const set = (next: unknown) => change((before) => ({ ...before, parameters: { ...before.parameters, [key]: next } }));
        return (
          <div key={key}>
            <SchemaField
              name={parameter.name}
              path={memberPath(parameter.in, parameter.name)}
              schema={parameter.schema}
              required={parameter.required}
              deprecated={parameter.deprecated}
              description={parameter.description}
              value={value}
              onChange={set}
              files={false}
            />
            {parameter.allowEmptyValue && (
              <label class="o-pg-check">
                <input
                  type="checkbox"
                  checked={value === ""}
                  aria-label={`${parameter.name}: ${words.sendEmpty}`}
                  onChange={(event) => set(event.currentTarget.checked ? "" : undefined)}
                />
                {words.sendEmpty}
              </label>
            )}
          </div>
        );
      })}
    </Group>
  );
}

/** Schemas are read once for each state of the document. */
function cachedView(refs: DocumentPart["refs"]): (schema: SchemaRef) => SchemaView {
  const views = new WeakMap<SchemaRef, SchemaView>();
  return (schema) => {
    const known = views.get(schema);
    if (known) return known;
    const view = viewOf(schema, refs, "request");
    views.set(schema, view);
    return view;
  };
}

/** The field of a value, or the nearest one around it. */
function focusField(path: string): void {
  for (let place = path; place !== ""; place = place.replace(/(?:^|[.[])[^.[]*$/, "")) {
    const field = document.getElementById(fieldId(place));
    if (!field) continue;
    field.scrollIntoView({ block: "center" });
    field.focus();
    return;
  }
}

/** Path without its query: a query may hold a key. */
function historyPath(url: string, server: string | undefined): string {
  const path = url.split(/[?#]/)[0]!;
  return server && path.startsWith(server) ? path.slice(server.length) || "/" : path;
}
