/** Renders the form that gets a token with OAuth 2.0 or OpenID Connect. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { OAuthFlow, SecurityScheme } from "../../engine/openapi/request/security.ts";
import { PlainInput, SecretInput } from "./credential-inputs.tsx";
import type { CredentialDraft } from "./credentials.ts";
import type { DeviceCode } from "./device-flow.ts";
import { discoverFlows } from "./discover-oauth-flows.ts";
import { fieldId, useFormContext } from "./form-context.ts";
import { getToken } from "./oauth-flow.ts";
import { type Grant, OAuthError, type OAuthErrorCode, refreshToken, refreshUrlOf } from "./oauth-token.ts";
import { fill, type PlaygroundMessages } from "./playground-messages.ts";
import { type ServerUrl, webUrl } from "./server-url.ts";

type Status =
  | { state: "idle" }
  | { state: "busy"; stop(): void; device?: DeviceCode }
  | { state: "done" }
  | { state: "wrong"; text: string };

const errorMessages: Record<OAuthErrorCode, Exclude<keyof PlaygroundMessages, "constraints">> = {
  window: "signInWindow",
  refused: "signInRefused",
  foreign: "signInForeign",
  failed: "signInFailed",
  file: "signInFile",
  cancelled: "cancelled",
};

/** A token that ends within this time is refreshed before a request. */
const early_ms = 10_000;

interface ChoiceProps<T extends string> {
  id: string;
  label: string;
  value: T;
  /** Pairs of value and label. */
  options: readonly (readonly [T, string])[];
  set: (value: T) => void;
}

function Choice<T extends string>({ id, label, value, options, set }: ChoiceProps<T>) {
  return (
    <div class="o-pg-field">
      <div class="o-pg-field-head">
        <label for={id}>{label}</label>
      </div>
      <select
        class="o-pg-input"
        id={id}
        value={value}
        onChange={(event) => set(event.currentTarget.value as T)}
      >
        {options.map(([option, text]) => (
          <option value={option}>{text}</option>
        ))}
      </select>
    </div>
  );
}

interface ScopesProps {
  /** Pairs of name and description. */
  offered: readonly (readonly [string, string])[];
  requested: readonly string[];
  set(scopes: string[]): void;
}

function Scopes({ offered, requested, set }: ScopesProps) {
  const { messages } = useFormContext();
  return (
    <fieldset class="o-pg-scopes">
      <legend>{messages.scopes}</legend>
      {offered.map(([scope, description]) => (
        <label class="o-pg-check" title={description || undefined}>
          <input
            type="checkbox"
            checked={requested.includes(scope)}
            onChange={(event) =>
              set(
                event.currentTarget.checked
                  ? [...requested, scope]
                  : requested.filter((other) => other !== scope),
              )
            }
          />
          <code>{scope}</code>
        </label>
      ))}
    </fieldset>
  );
}

/** Runs one sign-in request at a time: starting a new request aborts the current one. */
function useTask(messages: PlaygroundMessages) {
  const [status, setStatus] = useState<Status>({ state: "idle" });
  const stop = useRef<AbortController>(undefined);
  const run = async (work: (signal: AbortSignal, show: (device: DeviceCode) => void) => Promise<Status>) => {
    stop.current?.abort();
    const controller = new AbortController();
    stop.current = controller;
    const busy: Status = { state: "busy", stop: () => controller.abort() };
    setStatus(busy);

    const show = (device: DeviceCode) => setStatus({ ...busy, device });
    const result = await work(controller.signal, show).catch((error: unknown): Status => {
      const code = error instanceof OAuthError ? error.code : "failed";
      return {
        state: "wrong",
        text: fill(messages[errorMessages[code]], {
          error: error instanceof Error ? error.message : String(error),
        }),
      };
    });

    // A newer request has replaced this one.
    if (stop.current === controller) setStatus(result);
  };

  return { status, run };
}

/** Button that finds the flows of an OpenID Connect provider. */
function Discovery({ find }: { find(): Promise<void> }) {
  const { messages } = useFormContext();
  const { status, run } = useTask(messages);
  const discover = () =>
    run(async () => {
      await find();
      return { state: "idle" };
    });

  return (
    <div class="o-pg-sign-in">
      <button type="button" class="o-pg-button" onClick={() => void discover()}>
        {messages.discover}
      </button>
      <StatusText status={status} messages={messages} />
    </div>
  );
}

/** Values that are only used to get a token, and aren't stored. */
interface GrantValues {
  clientSecret: string;
  clientAuthentication: "header" | "body";
  username: string;
  password: string;
}

interface GrantFieldsProps {
  flow: OAuthFlow["flow"];
  clientId: string;
  values: GrantValues;
  /** Whether the reader is asked for empty values that the flow needs. */
  isAsked: boolean;
  setClientId(clientId: string): void;
  setValues(next: Partial<GrantValues>): void;
  /** Returns the ID of a field. */
  id(part: string): string;
}

/** The reader's name and password, and the ID and secret of the OAuth client. */
function GrantFields({ flow, clientId, values, isAsked, setClientId, setValues, id }: GrantFieldsProps) {
  const { messages } = useFormContext();
  const { clientSecret, clientAuthentication } = values;
  const valueProps = (part: "username" | "password" | "clientSecret") => ({
    id: id(part),
    label: messages[part],
    value: values[part],
    isAsked,
    set: (next: string) => setValues({ [part]: next }),
  });

  return (
    <>
      {flow === "password" && <PlainInput {...valueProps("username")} />}
      {flow === "password" && <SecretInput {...valueProps("password")} />}
      <PlainInput
        id={id("client")}
        label={messages.clientId}
        value={clientId}
        isAsked={isAsked}
        set={setClientId}
      />
      {flow !== "implicit" && <SecretInput {...valueProps("clientSecret")} isAsked={false} />}
      {flow !== "implicit" && clientSecret && (
        <Choice
          id={id("place")}
          label={messages.clientAuthentication}
          value={clientAuthentication}
          options={[
            ["header", messages.inHeader],
            ["body", messages.inBody],
          ]}
          set={(next) => setValues({ clientAuthentication: next })}
        />
      )}
    </>
  );
}

/** Returns the part of the first empty field that a flow needs. Undefined if there is none. */
function emptyField(flow: OAuthFlow["flow"], clientId: string, { username, password }: GrantValues) {
  const needed = { ...(flow === "password" && { username, password }), client: clientId };
  return Object.entries(needed).find(([, value]) => !value)?.[0];
}

interface OAuthFormProps {
  scheme: Extract<SecurityScheme, { type: "oauth2" | "openIdConnect" }>;
  target: ServerUrl;
  redirect: string;
  input: CredentialDraft;
  set(next: CredentialDraft): void;
}

/** Form that gets a token for the reader with one of the scheme's OAuth flows. */
export function OAuthForm(props: OAuthFormProps) {
  const { scheme, target } = props;
  const { messages } = useFormContext();
  const [discovered, setDiscovered] = useState<OAuthFlow[]>();
  const [flowName, setFlowName] = useState<OAuthFlow["flow"]>();
  const flows = scheme.type === "oauth2" ? scheme.flows : discovered;

  if (!flows) {
    const find = async () => setDiscovered(await discoverFlows((scheme as { url: string }).url, target.base));
    return <Discovery find={find} />;
  }

  const flow = flows.find((each) => each.flow === flowName) ?? flows[0];
  if (!flow) return null;
  return (
    <div class="o-pg-sign-in">
      {flows.length > 1 && (
        <Choice
          id={fieldId(`auth.${scheme.key}.grant`)}
          label={messages.grant}
          value={flow.flow}
          options={flows.map((each) => [each.flow, messages[each.flow]] as const)}
          set={(name) => setFlowName(name)}
        />
      )}
      <FlowForm {...props} flow={flow} />
    </div>
  );
}

/** Sends the requests of a flow with the values in its form. */
function useFlow({ flow, scheme, target, redirect, input, set }: OAuthFormProps & { flow: OAuthFlow }) {
  const { messages, renewals } = useFormContext();
  const [values, setValues] = useState<GrantValues>({
    clientSecret: "",
    clientAuthentication: "header",
    username: "",
    password: "",
  });

  const { status, run } = useTask(messages);
  const clientId = input.clientId ?? "";
  const scopes = input.scopes ?? scheme.scopes;
  const request = { ...values, flow, base: target.base, clientId, scopes, redirect };
  const receive = (work: (...args: Parameters<Parameters<typeof run>[0]>) => Promise<Grant>) => {
    let grant: Grant | undefined;
    return run(async (signal, show) => {
      grant = await work(signal, show);
      set(grant);
      return { state: "done" };
    }).then(() => grant);
  };

  // A stored refresh token isn't sent to a URL that the document has named since.
  const renewal = input.renewal?.url === refreshUrlOf(flow, target.base) ? input.renewal : undefined;
  const renew = renewal && (() => receive((signal) => refreshToken(request, renewal, signal)));
  useEffect(() => {
    const ends = renewal?.ends;
    if (!renew || !ends) return undefined;
    renewals.set(scheme.key, async () => (Date.now() + early_ms < ends ? undefined : renew()));
    return () => void renewals.delete(scheme.key);
  });

  const get = () => void receive((signal, show) => getToken(request, show, signal));
  return { values, setValues, status, clientId, scopes, get, renew };
}

function FlowForm(props: OAuthFormProps & { flow: OAuthFlow }) {
  const { flow, scheme, target, redirect, set } = props;
  const { messages } = useFormContext();
  const [isAsked, setAsked] = useState(false);
  const { values, setValues, status, clientId, scopes, get, renew } = useFlow(props);
  const id = (part: string) => fieldId(`auth.${scheme.key}.${part}`);
  const offered = [
    ...new Map([...scheme.scopes.map((scope): [string, string] => [scope, ""]), ...flow.scopes]).entries(),
  ];
  const byWindow = flow.flow === "authorizationCode" || flow.flow === "implicit";

  // Authorization servers don't redirect to `file:` URLs.
  const isFromFile = byWindow && !/^https?:$/.test(location.protocol);

  const start = () => {
    setAsked(true);
    const empty = emptyField(flow.flow, clientId, values);
    if (empty) document.getElementById(id(empty))?.focus();
    else get();
  };

  return (
    <>
      <GrantFields
        {...{ flow: flow.flow, clientId, values, isAsked, id }}
        setClientId={(next) => set({ clientId: next })}
        setValues={(next) => setValues((before) => ({ ...before, ...next }))}
      />
      {offered.length > 0 && (
        <Scopes offered={offered} requested={scopes} set={(next) => set({ scopes: next })} />
      )}
      {byWindow && (
        <p class="o-pg-description">
          {isFromFile ? messages.signInFile : fill(messages.signInAddress, { url: redirect })}
        </p>
      )}
      {receiversOf(flow, target.base).map((url) => (
        <p class="o-pg-description">{fill(messages.signInSentTo, { url })}</p>
      ))}
      <div class="o-pg-actions">
        <button type="button" class="o-pg-button" disabled={isFromFile} onClick={start}>
          {messages.getToken}
        </button>
        {renew && (
          <button type="button" class="o-pg-button" onClick={() => void renew()}>
            {messages.refreshToken}
          </button>
        )}
        {status.state === "busy" && (
          <button type="button" class="o-pg-button" onClick={status.stop}>
            {messages.cancel}
          </button>
        )}
      </div>
      <StatusText
        status={status}
        messages={messages}
        waiting={byWindow ? messages.signInWaiting : messages.loading}
      />
    </>
  );
}

/** Returns the URLs of the endpoints that a flow sends credentials to. */
function receiversOf(flow: OAuthFlow, base: string | undefined): string[] {
  if (flow.flow === "implicit") return [];
  const device = flow.flow === "deviceAuthorization" ? webUrl(flow.deviceAuthorizationUrl, base) : undefined;
  const urls = [device, webUrl(flow.tokenUrl, base), refreshUrlOf(flow, base)];
  return [...new Set(urls.filter((url) => url !== undefined))];
}

function StatusText({
  status,
  messages,
  waiting = messages.loading,
}: {
  status: Status;
  messages: PlaygroundMessages;
  waiting?: string;
}) {
  const device = status.state === "busy" ? status.device : undefined;
  return (
    <p class={status.state === "wrong" ? "o-pg-wrong" : "o-pg-description"} role="status">
      {status.state === "busy"
        ? device
          ? fill(messages.deviceCode, { code: device.code })
          : waiting
        : status.state === "done"
          ? messages.signInDone
          : status.state === "wrong"
            ? status.text
            : ""}{" "}
      {device && (
        <a href={device.link} target="_blank" rel="noreferrer">
          {device.url}
        </a>
      )}
    </p>
  );
}
