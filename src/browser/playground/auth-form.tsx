import type { Operation } from "../../engine/openapi/request/operation.ts";
import type { SecurityScheme } from "../../engine/openapi/request/security.ts";
import { PlainInput, SecretInput } from "./credential-inputs.tsx";
import { type CredentialDraft, credentialOf } from "./credentials.ts";
import { descriptionText } from "./description-text.ts";
import { credentialKey } from "./draft.ts";
import { fieldId, useFormContext } from "./form-context.ts";
import { OAuthForm } from "./oauth-form.tsx";
import { fill } from "./playground-messages.ts";
import type { ServerUrl } from "./server-url.ts";

interface Props {
  operation: Operation;
  target: ServerUrl;
  remember: boolean;
  setRemember(remember: boolean): void;
  /** Deletes the secrets of all environments. */
  forget(): void;
  /** URL of the OAuth redirect page. */
  redirect: string;
}

/** Fields for the reader's credentials, and a dropdown for the operation's security alternatives. */
export function AuthForm({ operation, target, remember, setRemember, forget, redirect }: Props) {
  const { messages, draft, change } = useFormContext();
  const schemes = operation.security[draft.alternative]?.schemes ?? [];
  const hasSecrets = schemes.some(({ type }) => type !== "mutualTLS" && type !== "unknown");
  return (
    <>
      {operation.security.length > 1 && (
        <div class="o-pg-field">
          <div class="o-pg-field-head">
            <label for={fieldId("alternative")}>{messages.alternative}</label>
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
              <option value={String(number)}>{title || messages.none}</option>
            ))}
          </select>
        </div>
      )}
      {schemes.map((scheme) => (
        <SchemeFields
          key={credentialKey(target.origin ?? "", scheme)}
          scheme={scheme}
          target={target}
          redirect={redirect}
        />
      ))}
      {hasSecrets && (
        <div class="o-pg-remember">
          <label class="o-pg-check">
            <input
              type="checkbox"
              checked={remember}
              onChange={(event) => setRemember(event.currentTarget.checked)}
            />
            {messages.remember}
          </label>
          <button
            type="button"
            class="o-pg-quiet"
            onClick={() => {
              forget();
              change((before) => ({ ...before, credentials: {} }));
            }}
          >
            {messages.forget}
          </button>
          {target.origin !== undefined && (
            <p class="o-pg-description">{fill(messages.rememberHint, { server: target.origin })}</p>
          )}
        </div>
      )}
    </>
  );
}

function SchemeFields({
  scheme,
  target,
  redirect,
}: {
  scheme: SecurityScheme;
  target: ServerUrl;
  redirect: string;
}) {
  const { messages, draft, change, isSent } = useFormContext();
  const key = credentialKey(target.origin ?? "", scheme);
  const input = draft.credentials[key] ?? {};

  const set = (next: CredentialDraft) =>
    change((before) => ({
      ...before,
      credentials: { ...before.credentials, [key]: { ...before.credentials[key], ...next } },
    }));

  const token = (label: string, hint?: string) => (
    <SecretInput
      id={fieldId(`auth.${scheme.key}`)}
      label={label}
      isName
      hint={hint}
      value={input.value ?? scheme.prefill ?? ""}
      isAsked={isSent}
      set={(value) => set({ value, renewal: undefined })}
    />
  );

  const description = scheme.description ? (
    <p class="o-pg-description">{descriptionText(scheme.description)}</p>
  ) : null;

  switch (scheme.type) {
    case "apiKey":
      return (
        <>
          {token(scheme.name, scheme.in)}
          {description}
        </>
      );
    case "bearer":
      return (
        <>
          {token("Authorization", `Bearer ${messages.token}${scheme.format ? ` · ${scheme.format}` : ""}`)}
          {description}
        </>
      );
    case "basic": {
      const credential = credentialOf(scheme, input).value as { username: string; password: string };
      return (
        <>
          <PlainInput
            id={fieldId(`auth.${scheme.key}.username`)}
            label={messages.username}
            value={credential.username}
            isAsked={isSent && credential.password === ""}
            set={(username) => set({ username })}
          />
          <SecretInput
            id={fieldId(`auth.${scheme.key}`)}
            label={messages.password}
            value={credential.password}
            set={(password) => set({ password })}
          />
          {description}
        </>
      );
    }
    case "http":
      return (
        <>
          {token("Authorization", scheme.scheme)}
          {description}
        </>
      );
    case "oauth2":
    case "openIdConnect":
      return (
        <>
          {token("Authorization", `Bearer ${messages.token}`)}
          {description}
          <OAuthForm
            key={target.origin}
            scheme={scheme}
            target={target}
            redirect={redirect}
            input={input}
            set={set}
          />
        </>
      );
    case "mutualTLS":
      return <p class="o-pg-note">{messages.certificate}</p>;
    default:
      return <p class="o-pg-note">{fill(messages.unknownScheme, { name: scheme.key })}</p>;
  }
}
