import { useRef, useState } from "preact/hooks";
import type { Operation } from "../../engine/openapi/operation.ts";
import type { OAuthFlow, SecurityScheme } from "../../engine/openapi/security.ts";
import { type CredentialDraft, credentialOf } from "./credentials.ts";
import { credentialKey } from "./draft.ts";
import { plainWords } from "./fields/field-frame.tsx";
import { fieldId, useFormContext } from "./form-context.ts";
import { discoverFlows, getToken, OAuthError, type OAuthMistake } from "./oauth-flow.ts";
import { fill, type Words } from "./playground-messages.ts";
import type { ServerAddress } from "./server-address.ts";

interface Props {
  operation: Operation;
  address: ServerAddress;
  remember: boolean;
  setRemember(remember: boolean): void;
  /** Where sign-in comes back to. */
  redirect: string;
}

/** The reader's credentials for the chosen alternative. */
export function AuthForm({ operation, address, remember, setRemember, redirect }: Props) {
  const { words, draft, change } = useFormContext();
  const schemes = operation.security[draft.alternative]?.schemes ?? [];
  const secret = schemes.some(({ type }) => type !== "mutualTLS" && type !== "unknown");
  return (
    <>
      {operation.security.length > 1 && (
        <div class="o-pg-field">
          <div class="o-pg-field-head">
            <label for={fieldId("alternative")}>{words.alternative}</label>
          </div>
          <select
            class="o-pg-input"
            id={fieldId("alternative")}
            value={String(draft.alternative)}
            onChange={(event) => {
              const alternative = Number(event.currentTarget.value);
              change((before) => ({ ...before, alternative }));
            }}
          >
            {operation.security.map(({ title }, number) => (
              <option value={String(number)}>{title || words.none}</option>
            ))}
          </select>
        </div>
      )}
      {schemes.map((scheme) => (
        <SchemeFields key={credentialKey(address.origin ?? "", scheme)} scheme={scheme} address={address} redirect={redirect} />
      ))}
      {secret && (
        <div class="o-pg-remember">
          <label class="o-pg-check">
            <input type="checkbox" checked={remember} onChange={(event) => setRemember(event.currentTarget.checked)} />
            {words.remember}
          </label>
          <button type="button" class="o-pg-quiet" onClick={() => change((before) => ({ ...before, credentials: {} }))}>
            {words.forget}
          </button>
          <p class="o-pg-description">{fill(words.rememberHint, { server: address.origin ?? words.server })}</p>
        </div>
      )}
    </>
  );
}

function SchemeFields({ scheme, address, redirect }: { scheme: SecurityScheme; address: ServerAddress; redirect: string }) {
  const { words, draft, change } = useFormContext();
  const key = credentialKey(address.origin ?? "", scheme);
  const now = draft.credentials[key] ?? {};
  const set = (next: CredentialDraft) =>
    change((before) => ({ ...before, credentials: { ...before.credentials, [key]: { ...before.credentials[key], ...next } } }));
  const token = (label: string, hint?: string) => (
    <Secret
      id={fieldId(`auth.${scheme.key}`)}
      label={label}
      name
      hint={hint}
      value={now.value ?? scheme.prefill ?? ""}
      set={(value) => set({ value })}
    />
  );
  const about = scheme.description ? <p class="o-pg-description">{plainWords(scheme.description)}</p> : null;
  switch (scheme.type) {
    case "apiKey":
      return (
        <>
          {token(scheme.name, `${scheme.in} · ${scheme.key}`)}
          {about}
        </>
      );
    case "bearer":
      return (
        <>
          {token("Authorization", `Bearer ${words.token}${scheme.format ? ` · ${scheme.format}` : ""}`)}
          {about}
        </>
      );
    case "basic": {
      const credential = credentialOf(scheme, now).value as { username: string; password: string };
      return (
        <>
          <Plain
            id={fieldId(`auth.${scheme.key}.username`)}
            label={words.username}
            value={credential.username}
            set={(username) => set({ username })}
          />
          <Secret
            id={fieldId(`auth.${scheme.key}`)}
            label={words.password}
            value={credential.password}
            set={(password) => set({ password })}
          />
          {about}
        </>
      );
    }
    case "http":
      return (
        <>
          {token("Authorization", scheme.scheme)}
          {about}
        </>
      );
    case "oauth2":
    case "openIdConnect":
      return (
        <>
          {token("Authorization", `Bearer ${words.token}`)}
          {about}
          <SignIn scheme={scheme} address={address} redirect={redirect} now={now} set={set} />
        </>
      );
    case "mutualTLS":
      return <p class="o-pg-note">{words.certificate}</p>;
    default:
      return <p class="o-pg-note">{fill(words.unknownScheme, { name: scheme.key })}</p>;
  }
}

function Plain({ id, label, value, set }: { id: string; label: string; value: string; set(value: string): void }) {
  return (
    <div class="o-pg-field">
      <div class="o-pg-field-head">
        <label for={id}>{label}</label>
      </div>
      <input
        class="o-pg-input"
        id={id}
        value={value}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </div>
  );
}

/** Hidden as it is typed. No password manager is to keep it for the documentation's address. */
function Secret({
  id,
  label,
  name,
  hint,
  value,
  set,
}: {
  id: string;
  label: string;
  name?: boolean;
  hint?: string;
  value: string;
  set(value: string): void;
}) {
  return (
    <div class="o-pg-field">
      <div class="o-pg-field-head">
        <label class={name ? "o-pg-name" : undefined} for={id}>
          {label}
        </label>
        {hint && <span class="o-pg-type">{hint}</span>}
      </div>
      <input
        class="o-pg-input"
        id={id}
        type="password"
        value={value}
        autocomplete="new-password"
        spellcheck={false}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </div>
  );
}

type Status = { state: "idle" } | { state: "busy"; stop(): void } | { state: "done" } | { state: "wrong"; text: string };

const mistakes: Record<OAuthMistake, keyof Words> = {
  window: "signInWindow",
  refused: "signInRefused",
  foreign: "signInForeign",
  failed: "signInFailed",
  file: "signInFile",
  cancelled: "cancelled",
};

/** Gets a token for the reader, by one of the scheme's flows. */
function SignIn({
  scheme,
  address,
  redirect,
  now,
  set,
}: {
  scheme: Extract<SecurityScheme, { type: "oauth2" | "openIdConnect" }>;
  address: ServerAddress;
  redirect: string;
  now: CredentialDraft;
  set(next: CredentialDraft): void;
}) {
  const { words } = useFormContext();
  const [found, setFound] = useState<OAuthFlow[]>();
  const [flowName, setFlowName] = useState<OAuthFlow["flow"]>();
  // Secrets that only get a token are not kept at all.
  const [secret, setSecret] = useState("");
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [place, setPlace] = useState<"header" | "body">("header");
  const [status, setStatus] = useState<Status>({ state: "idle" });
  const stop = useRef<AbortController>(undefined);
  const flows = scheme.type === "oauth2" ? scheme.flows : found;
  const id = (part: string) => fieldId(`auth.${scheme.key}.${part}`);

  const run = async (work: (signal: AbortSignal) => Promise<Status>) => {
    stop.current?.abort();
    const controller = new AbortController();
    stop.current = controller;
    setStatus({ state: "busy", stop: () => controller.abort() });
    try {
      setStatus(await work(controller.signal));
    } catch (error) {
      const mistake = error instanceof OAuthError ? error.mistake : "failed";
      setStatus({
        state: "wrong",
        text: fill(words[mistakes[mistake]], { error: error instanceof Error ? error.message : String(error) }),
      });
    }
  };

  if (!flows) {
    const discover = () =>
      run(async () => {
        setFound(await discoverFlows((scheme as { url: string }).url, address.url));
        return { state: "idle" };
      });
    return (
      <div class="o-pg-sign-in">
        <button type="button" class="o-pg-button" onClick={() => void discover()}>
          {words.discover}
        </button>
        <StatusText status={status} words={words} />
      </div>
    );
  }
  const flow = flows.find((each) => each.flow === flowName) ?? flows[0];
  if (!flow) return null;
  const wanted = now.scopes ?? scheme.scopes;
  const offered = [...new Map([...scheme.scopes.map((scope): [string, string] => [scope, ""]), ...flow.scopes]).entries()];
  const byWindow = flow.flow === "authorizationCode" || flow.flow === "implicit";
  // No authorization server sends anybody back to a file.
  const away = byWindow && !/^https?:$/.test(location.protocol);
  const get = () =>
    run(async (signal) => {
      const value = await getToken(
        {
          flow,
          base: address.url,
          clientId: now.clientId ?? "",
          clientSecret: secret,
          clientAuthentication: place,
          username,
          password,
          scopes: wanted,
          redirect,
        },
        signal,
      );
      set({ value });
      return { state: "done" };
    });
  return (
    <div class="o-pg-sign-in">
      {flows.length > 1 && (
        <div class="o-pg-field">
          <div class="o-pg-field-head">
            <label for={id("grant")}>{words.grant}</label>
          </div>
          <select
            class="o-pg-input"
            id={id("grant")}
            value={flow.flow}
            onChange={(event) => setFlowName(event.currentTarget.value as OAuthFlow["flow"])}
          >
            {flows.map((each) => (
              <option value={each.flow}>{words[each.flow]}</option>
            ))}
          </select>
        </div>
      )}
      {flow.flow === "password" && (
        <>
          <Plain id={id("username")} label={words.username} value={username} set={setUsername} />
          <Secret id={id("password")} label={words.password} value={password} set={setPassword} />
        </>
      )}
      <Plain id={id("client")} label={words.clientId} value={now.clientId ?? ""} set={(clientId) => set({ clientId })} />
      {flow.flow !== "implicit" && (
        <>
          <Secret id={id("secret")} label={words.clientSecret} value={secret} set={setSecret} />
          {secret && (
            <div class="o-pg-field">
              <div class="o-pg-field-head">
                <label for={id("place")}>{words.clientAuthentication}</label>
              </div>
              <select
                class="o-pg-input"
                id={id("place")}
                value={place}
                onChange={(event) => setPlace(event.currentTarget.value as "header" | "body")}
              >
                <option value="header">{words.inHeader}</option>
                <option value="body">{words.inBody}</option>
              </select>
            </div>
          )}
        </>
      )}
      {offered.length > 0 && (
        <fieldset class="o-pg-scopes">
          <legend>{words.scopes}</legend>
          {offered.map(([scope, description]) => (
            <label class="o-pg-check" title={description || undefined}>
              <input
                type="checkbox"
                checked={wanted.includes(scope)}
                onChange={(event) =>
                  set({ scopes: event.currentTarget.checked ? [...wanted, scope] : wanted.filter((other) => other !== scope) })
                }
              />
              <code>{scope}</code>
            </label>
          ))}
        </fieldset>
      )}
      {byWindow && <p class="o-pg-description">{away ? words.signInFile : fill(words.signInAddress, { url: redirect })}</p>}
      <div class="o-pg-actions">
        <button type="button" class="o-pg-button" disabled={away} onClick={() => void get()}>
          {words.getToken}
        </button>
        {status.state === "busy" && (
          <button type="button" class="o-pg-button" onClick={status.stop}>
            {words.cancel}
          </button>
        )}
      </div>
      <StatusText status={status} words={words} waiting={byWindow ? words.signInWaiting : words.loading} />
    </div>
  );
}

function StatusText({ status, words, waiting = words.loading }: { status: Status; words: Words; waiting?: string }) {
  return (
    <p class={status.state === "wrong" ? "o-pg-wrong" : "o-pg-description"} role="status">
      {status.state === "busy" ? waiting : status.state === "done" ? words.signInDone : status.state === "wrong" ? status.text : ""}
    </p>
  );
}
