import type { Operation } from "../../engine/openapi/request/operation.ts";
import { descriptionText } from "./description-text.ts";
import { serverOf } from "./draft.ts";
import { fieldId, useFormContext } from "./form-context.ts";
import type { ServerUrl } from "./server-url.ts";

/** The selection of a server. Null if there is only one. */
export function ServerSelect({ operation: { servers } }: { operation: Operation }) {
  const { messages, draft, change } = useFormContext();
  if (servers.length < 2) return null;

  return (
    <>
      <label class="o-sr" for={fieldId("server")}>
        {messages.server}
      </label>
      <select
        class="o-pg-small"
        id={fieldId("server")}
        value={String(draft.server)}
        onChange={(event) => {
          const number = Number(event.currentTarget.value);
          change((before) => ({ ...before, server: number, variables: {} }));
        }}
      >
        {servers.map(({ url, name, description }, number) => (
          <option value={String(number)}>
            {[name, description && descriptionText(description), url].filter(Boolean).join(" · ")}
          </option>
        ))}
      </select>
    </>
  );
}

/** The variables of the selected server. */
export function ServerVariables({ operation, target }: { operation: Operation; target: ServerUrl }) {
  const { messages, draft, change } = useFormContext();
  const server = serverOf(draft, operation);
  if (!server) return <p class="o-pg-note">{messages.serverNone}</p>;

  const set = (name: string, value: string) =>
    change((before) => ({ ...before, variables: { ...before.variables, [name]: value } }));
  return (
    <>
      {server.variables.map((variable) => {
        const id = fieldId(`server.${variable.name}`);
        const value = Object.hasOwn(draft.variables, variable.name)
          ? draft.variables[variable.name]!
          : variable.default;

        return (
          <div class="o-pg-field">
            <div class="o-pg-field-head">
              <label class="o-pg-name" for={id}>
                {variable.name}
              </label>
            </div>
            {variable.enum.length > 0 ? (
              <select
                class="o-pg-input"
                id={id}
                value={value}
                onChange={(event) => set(variable.name, event.currentTarget.value)}
              >
                {[...new Set([...variable.enum, value])].map((each) => (
                  <option value={each}>{each}</option>
                ))}
              </select>
            ) : (
              <input
                class="o-pg-input"
                id={id}
                value={value}
                autocomplete="off"
                spellcheck={false}
                onInput={(event) => set(variable.name, event.currentTarget.value)}
              />
            )}
            {variable.description && <p class="o-pg-description">{descriptionText(variable.description)}</p>}
          </div>
        );
      })}
      {!target.url && <p class="o-pg-note">{messages.serverRefused}</p>}
    </>
  );
}
