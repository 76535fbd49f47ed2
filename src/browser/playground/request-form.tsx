/** Renders the form of a request: server, authorization, parameters and body. */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Refs, valueText } from "../../engine/openapi/nodes/refs.ts";
import { memberPath } from "../../engine/openapi/nodes/value-text.ts";
import type { Example, Operation, Parameter } from "../../engine/openapi/request/operation.ts";
import { acceptedTypes } from "../../engine/openapi/request/request.ts";
import { type HttpRequest, parameterKey } from "../../engine/openapi/request/request-model.ts";
import { viewOf } from "../../engine/openapi/schema/schema-view.ts";
import { AuthForm } from "./auth-form.tsx";
import { BodyForm } from "./body-form.tsx";
import { credentialKey, type Draft, serverOf } from "./draft.ts";
import { EnvironmentBar } from "./environment-bar.tsx";
import { ExamplePicker } from "./example-picker.tsx";
import { SchemaField } from "./fields/schema-field.tsx";
import { fieldId, useFormContext } from "./form-context.ts";
import { ServerVariables } from "./server-form.tsx";
import type { ServerUrl } from "./server-url.ts";
import type { Environments } from "./use-environments.ts";

interface RequestFormProps {
  operation: Operation;
  /** The request that the form's values result in. */
  request: HttpRequest;
  target: ServerUrl;
  /** Whether requests can only be copied, not sent. */
  isCopyOnly: boolean;
  /** Whether credentials are stored on this device instead of for this tab. */
  remember: boolean;
  setRemember(remember: boolean): void;
  /** URL of the OAuth redirect page. */
  redirect: string;
  environments: Environments;
}

export function RequestForm({
  operation,
  request,
  target,
  isCopyOnly,
  remember,
  setRemember,
  redirect,
  environments,
}: RequestFormProps) {
  const { messages, draft } = useFormContext();
  const credentials = enteredCredentials(operation, draft, target.origin);
  const variables = serverOf(draft, operation)?.variables ?? [];

  // The reader has selected another server, whose variables may need values.
  const choosesVariables = draft.server !== 0 && variables.length > 0;
  return (
    <div class="o-pg-form">
      {isCopyOnly && <p class="o-pg-note">{messages.copyOnly}</p>}
      {operation.kind === "operation" && (
        <FoldedGroup
          title={variables.length > 0 ? messages.server : messages.environment}
          summary={variables
            .map(({ name, default: value }) => `${name}: ${draft.variables[name] ?? value}`)
            .join(" · ")}
          opens={target.url === undefined || choosesVariables}
        >
          <ServerVariables operation={operation} target={target} />
          {operation.servers.length > 0 && <EnvironmentBar environments={environments} />}
        </FoldedGroup>
      )}
      {operation.security.length > 0 && (
        <FoldedGroup
          title={messages.authorization}
          summary={credentials.join(" · ")}
          opens={credentials.length === 0}
        >
          <AuthForm
            {...{ operation, target, remember, setRemember, redirect }}
            forget={environments.forget}
          />
        </FoldedGroup>
      )}
      <Parameters operation={operation} locations={["path"]} title={messages.path} />
      <Parameters operation={operation} locations={["query", "querystring"]} title={messages.query} />
      <Parameters operation={operation} locations={["header"]} title={messages.headers} />
      <Parameters operation={operation} locations={["cookie"]} title={messages.cookies} />
      <AcceptField operation={operation} />
      {operation.body && (
        <Group title={messages.body} required={operation.body.required}>
          <BodyForm operation={operation} request={request} />
        </Group>
      )}
    </div>
  );
}

/**
 * A dropdown of the response's media types. The first option accepts all of them. Null if there is only one.
 */
function AcceptField({ operation }: { operation: Operation }) {
  const { draft, change } = useFormContext();
  const types = acceptedTypes(operation);
  if (operation.kind !== "operation" || types.length < 2) return null;

  const id = fieldId("accept");
  return (
    <section class="o-pg-group">
      <div class="o-pg-content-type">
        <label for={id}>Accept</label>
        <select
          class="o-pg-small"
          id={id}
          value={draft.accept ?? ""}
          onChange={(event) => {
            const accept = event.currentTarget.value;
            change(({ accept: _, ...before }) => (accept ? { ...before, accept } : before));
          }}
        >
          <option value="">{types.join(", ")}</option>
          {types.map((type) => (
            <option value={type}>{type}</option>
          ))}
        </select>
      </div>
    </section>
  );
}

/**
 * A group in one line, with a summary of its values. `opens`: whether the group opens without a click, which
 * only has an effect when it's true, so that the group doesn't close while the reader types.
 */
function FoldedGroup({
  title,
  summary,
  opens,
  children,
}: {
  title: string;
  summary: string;
  opens: boolean;
  children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(opens);
  useEffect(() => {
    if (opens) setOpen(true);
  }, [opens]);

  return (
    <details
      class="o-pg-group o-pg-folded"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <h3>{title}</h3>
        {summary && <code>{summary}</code>}
      </summary>
      {children}
    </details>
  );
}

/**
 * Returns the names of the selected alternative's credentials, with dots. Empty if one of them is missing.
 */
function enteredCredentials({ security }: Operation, draft: Draft, origin: string | undefined): string[] {
  const schemes = security[draft.alternative]?.schemes ?? [];
  const names = schemes.map((scheme) => {
    if (scheme.type === "mutualTLS") return "mTLS";
    const { username, value = scheme.prefill } = draft.credentials[credentialKey(origin ?? "", scheme)] ?? {};
    return (value || username) && `${scheme.type === "apiKey" ? scheme.name : "Authorization"} ••••••••`;
  });
  return names.every((name) => typeof name === "string" && name !== "") ? (names as string[]) : [];
}

function Group({
  title,
  required,
  children,
}: {
  title: string;
  required?: boolean;
  children: ComponentChildren;
}) {
  const { messages } = useFormContext();
  return (
    <section class="o-pg-group">
      <h3>
        {title} {required && <span class="o-pg-required">{messages.required}</span>}
      </h3>
      {children}
    </section>
  );
}

/** Returns the examples of a parameter, or else of its schema, if there are several. */
function examplesOf({ examples, schema }: Parameter, refs: Refs): Pick<Example, "label" | "value">[] {
  const view = viewOf(schema, refs, "request");
  const named = examples.filter(({ value }) => value !== undefined);
  const all =
    named.length > 0
      ? named
      : view.enum
        ? []
        : view.examples.map((value) => ({ label: valueText(value), value }));
  return all.length > 1 ? all : [];
}

function Parameters({
  operation,
  locations,
  title,
}: {
  operation: Operation;
  locations: Parameter["in"][];
  title: string;
}) {
  const { messages, draft, change, refs } = useFormContext();
  const parameters = operation.parameters.filter((each) => locations.includes(each.in));
  if (parameters.length === 0) return null;

  return (
    <Group title={title}>
      {parameters.map((parameter) => {
        const key = parameterKey(parameter);
        const value = Object.hasOwn(draft.parameters, key) ? draft.parameters[key] : undefined;
        const set = (next: unknown) =>
          change((before) => ({ ...before, parameters: { ...before.parameters, [key]: next } }));
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
              action={
                <ExamplePicker
                  name={parameter.name}
                  examples={examplesOf(parameter, refs)}
                  choose={({ value }) => set(value)}
                />
              }
            />
            {parameter.allowEmptyValue && (
              <label class="o-pg-check">
                <input
                  type="checkbox"
                  checked={value === ""}
                  aria-label={`${parameter.name}: ${messages.sendEmpty}`}
                  onChange={(event) => set(event.currentTarget.checked ? "" : undefined)}
                />
                {messages.sendEmpty}
              </label>
            )}
          </div>
        );
      })}
    </Group>
  );
}
