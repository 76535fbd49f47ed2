/** Renders the playground's panel. Contains the panel's state and layout. */

import { useEffect, useMemo, useState } from "preact/hooks";
import type { Finding } from "../../engine/openapi/check/check-value.ts";
import { memberPath } from "../../engine/openapi/nodes/value-text.ts";
import type { Operation } from "../../engine/openapi/request/operation.ts";
import { buildRequest } from "../../engine/openapi/request/request.ts";
import { withPlaceholders } from "../../engine/openapi/request/request-credentials.ts";
import {
  type HttpRequest,
  parameterKey,
  type RequestInputs,
} from "../../engine/openapi/request/request-model.ts";
import { fillPath, readableUrl } from "../../engine/openapi/request/request-parameters.ts";
import { withAccept } from "../../engine/openapi/request/request-restrictions.ts";
import { type SchemaRef, type SchemaView, viewOf } from "../../engine/openapi/schema/schema-view.ts";
import { readCredentials, storeCredentials } from "./credentials.ts";
import type { DocumentPart } from "./document-part.ts";
import { type Draft, inputsOf, serverOf } from "./draft.ts";
import { FindingsList } from "./findings-list.tsx";
import { FormContext, type FormContextValue } from "./form-context.ts";
import { updatePageSamples } from "./page-samples.tsx";
import { PanelHeader } from "./panel-header.tsx";
import type { PlaygroundMessages } from "./playground-messages.ts";
import { RequestCard } from "./request-card.tsx";
import { RequestForm } from "./request-form.tsx";
import { defaultTimeout_s, ResponseColumn } from "./response-column.tsx";
import { serverUrlOf } from "./server-url.ts";
import { useEnvironments } from "./use-environments.ts";
import { useExchanges } from "./use-exchanges.ts";
import { useFindings } from "./use-findings.ts";
import { useMissingParts } from "./use-missing-parts.ts";
import { useRenewals } from "./use-renewals.ts";
import { useReveal } from "./use-reveal.ts";

export interface PanelProps {
  part: DocumentPart;
  first: Draft;
  messages: PlaygroundMessages;
  /** Key of the site's stored credentials. */
  site: string;
  /**
   * Absolute URL of the folder with the document's components. Also identifies the document's environments.
   */
  documentHref: string;
  /** Absolute URL of the operation's file. */
  operationHref: string;
  proxy: string | undefined;
  redirect: string;
  close(): void;
}

/**
 * Returns the operation without the parameters that a credential sets and without ignored headers. Readers
 * fill in the remaining parameters.
 */
function withoutCredentials(operation: Operation, alternative: number): Operation {
  const keys = (operation.security[alternative]?.schemes ?? []).flatMap((scheme) =>
    scheme.type === "apiKey" ? [`${scheme.in}.${scheme.name}`.toLowerCase()] : [],
  );
  const parameters = operation.parameters.filter((each) => !keys.includes(parameterKey(each).toLowerCase()));
  return { ...operation, parameters };
}

function sendOnShortcut(event: KeyboardEvent & { currentTarget: HTMLFormElement }) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

export function Panel({
  part,
  first,
  messages,
  site,
  documentHref,
  operationHref,
  proxy,
  redirect,
  close,
}: PanelProps) {
  const { refs, data } = part;
  const [draft, setDraft] = useState(first);
  const [remember, setRemember] = useState(() => readCredentials(site).remember);
  const [timeout_s, setTimeout_s] = useState(defaultTimeout_s);
  const [isSent, setSent] = useState(false);
  const missing = useMissingParts(part);
  const tokens = useRenewals();
  const exchanges = useExchanges({ settings: data.settings, proxy, operationHref });

  const operation = useMemo(() => withoutCredentials(part.operation, draft.alternative), [draft.alternative]);
  const own = { document: documentHref, operation: part.operation };
  const environments = useEnvironments({ ...own, draft, change: setDraft, remember });

  const target = serverUrlOf(serverOf(draft, operation), draft.variables);
  const inputs = useMemo(() => inputsOf(draft, operation, refs), [draft, missing.version]);
  const requestOf = (values: RequestInputs) => withAccept(buildRequest(operation, values, refs));
  const request = useMemo(() => requestOf(inputs), [inputs, missing.version]);
  const { open } = useMemo(() => fillPath(operation.path, operation.parameters, inputs.parameters), [inputs]);
  const shown = (each: HttpRequest): HttpRequest => ({ ...each, url: readableUrl(each.url, open) });
  const sample = useMemo(
    () => shown(buildRequest(operation, withPlaceholders(inputs), refs)),
    [inputs, missing.version],
  );

  const findings = useFindings({
    operation,
    inputs,
    exchange: exchanges.current,
    refs,
    version: missing.version,
  });

  const view = useMemo(() => cachedView(refs), [missing.version]);
  const isCopyOnly =
    data.settings.mode === "simple" || document.documentElement.classList.contains("o-no-send");
  const isBusy = exchanges.isBusy || tokens.isRenewing;
  const canSend = !isCopyOnly && target.url !== undefined && operation.kind === "operation";

  useEffect(() => storeCredentials(site, draft.credentials, remember), [draft.credentials, remember]);

  // The page shows its own samples until the reader changes something.
  useEffect(() => {
    if (draft !== first) updatePageSamples(sample);
  }, [sample]);
  const reveal = useReveal(setDraft);

  const context: FormContextValue = {
    messages,
    refs,
    view,
    draft,
    change: setDraft,
    findings: new Map(findings.request.map((finding): [string, Finding] => [finding.path, finding])),
    isSent,
    renewals: tokens.renewals,
  };

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!canSend || isBusy) return;
    setSent(true);
    // Without a value, the URL would be the one of another operation.
    const missing = operation.parameters.find((each) => each.in === "path" && open.includes(each.name));
    if (missing) return reveal(memberPath("path", missing.name));
    void send();
  };

  const send = async () => {
    const sent = await tokens.renewed(draft, operation, target.origin);
    const built = requestOf(inputsOf(sent, operation, refs));
    await exchanges.send(built, { server: target.url, draft: sent, timeout_s });
  };

  return (
    <FormContext.Provider value={context}>
      <form class="o-pg-frame" noValidate onSubmit={onSubmit} onKeyDown={sendOnShortcut}>
        <PanelHeader
          {...{ operation, target, environments, canSend, close }}
          isBusy={isBusy}
          cancel={exchanges.cancel}
        />
        {missing.hasFailed && <LoadFailure messages={messages} retry={missing.load} />}
        <div class="o-pg-columns">
          <RequestForm
            {...{ operation, request, target, isCopyOnly, remember, setRemember, redirect, environments }}
          />
          <div class="o-pg-result">
            <RequestCard
              request={shown(request)}
              sample={sample}
              languages={data.settings.languages}
              credentials={inputs.credentials}
              direct={!exchanges.isProxied}
            />
            <FindingsList
              title={messages.requestDiffers}
              findings={draft === first && !isSent ? [] : findings.request.filter(isListed)}
              reveal={reveal}
            />
            {canSend && (
              <ResponseColumn
                exchanges={exchanges}
                findings={findings.response}
                timeout_s={timeout_s}
                setTimeout_s={setTimeout_s}
              />
            )}
          </div>
        </div>
      </form>
    </FormContext.Provider>
  );
}

function LoadFailure({ messages, retry }: { messages: PlaygroundMessages; retry(): void }) {
  return (
    <p class="o-pg-lost" role="alert">
      {messages.loadFailed}{" "}
      <button type="button" class="o-pg-button" onClick={retry}>
        {messages.retry}
      </button>
    </p>
  );
}

/**
 * Whether a finding about the request is listed. A missing parameter is only reported at its field, which is
 * always visible.
 */
function isListed({ code, path }: Finding): boolean {
  return code !== "required" || /^body\b/.test(path);
}

/** Returns a function that reads each schema once. */
function cachedView(refs: DocumentPart["refs"]): (schema: SchemaRef) => SchemaView {
  const views = new WeakMap<SchemaRef, SchemaView>();
  return (schema) => {
    const cached = views.get(schema);
    if (cached) return cached;
    const view = viewOf(schema, refs, "request");
    views.set(schema, view);
    return view;
  };
}
