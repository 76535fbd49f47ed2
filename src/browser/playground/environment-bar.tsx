/** Renders the controls to select, create, rename, save and delete environments. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { announce } from "../announce.ts";
import { environmentName_chars, environments_count } from "./environments.ts";
import { fieldId, useFormContext } from "./form-context.ts";
import type { Environments } from "./use-environments.ts";

export function EnvironmentSelect({
  environments: { list, selected, select },
}: {
  environments: Environments;
}) {
  const { messages } = useFormContext();
  const id = fieldId("environment");
  return (
    <>
      <label class="o-sr" for={id}>
        {messages.environment}
      </label>
      <select
        class="o-pg-small"
        id={id}
        value={selected ?? ""}
        onChange={(event) => select(event.currentTarget.value || undefined)}
      >
        <option value="">{messages.noEnvironment}</option>
        {list.map(({ name }) => (
          <option value={name}>{name}</option>
        ))}
      </select>
    </>
  );
}

export function EnvironmentBar({ environments }: { environments: Environments }) {
  const { messages } = useFormContext();
  const { list, selected, isChanged } = environments;
  const [naming, setNaming] = useState<"new" | "rename">();
  const done = (message?: string) => {
    setNaming(undefined);
    if (message) announce(message);
    document.getElementById(fieldId("environment"))?.focus();
  };

  return (
    <div class="o-pg-environments">
      {naming ? (
        <NameForm
          start={naming === "rename" ? (selected ?? "") : ""}
          label={naming === "rename" ? messages.renameEnvironment : messages.createEnvironment}
          taken={list.flatMap(({ name }) => (naming === "rename" && name === selected ? [] : name))}
          submit={(name) => {
            if (naming === "rename") environments.rename(name);
            else environments.save(name);
            done(messages.environmentSaved);
          }}
          cancel={() => done()}
        />
      ) : (
        <>
          {isChanged && (
            <button
              type="button"
              class="o-pg-quiet"
              onClick={() => {
                environments.save();
                done(messages.environmentSaved);
              }}
            >
              {messages.saveEnvironment}
            </button>
          )}
          {selected !== undefined && (
            <>
              <button type="button" class="o-pg-quiet" onClick={() => setNaming("rename")}>
                {messages.renameEnvironment}
              </button>
              <button
                type="button"
                class="o-pg-quiet"
                onClick={() => {
                  environments.remove();
                  done(messages.environmentDeleted);
                }}
              >
                {messages.deleteEnvironment}
              </button>
            </>
          )}
          {list.length < environments_count && (
            <button type="button" class="o-pg-quiet" onClick={() => setNaming("new")}>
              {messages.newEnvironment}
            </button>
          )}
        </>
      )}
    </div>
  );
}

interface NameFormProps {
  start: string;
  /** Label of the submit button. */
  label: string;
  taken: readonly string[];
  submit(name: string): void;
  cancel(): void;
}

/**
 * A text field for an environment's name, with submit and cancel buttons. Not a `form` element, because forms
 * can't be nested.
 */
function NameForm({ start, label, taken, submit, cancel }: NameFormProps) {
  const { messages } = useFormContext();
  const [name, setName] = useState(start);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.select(), []);
  const isTaken = taken.includes(name.trim());
  const finish = () => {
    if (name.trim() && !isTaken) submit(name.trim());
  };

  return (
    <>
      <input
        class="o-pg-input"
        ref={input}
        aria-label={messages.environmentName}
        placeholder={messages.environmentName}
        aria-invalid={isTaken || undefined}
        maxLength={environmentName_chars}
        autocomplete="off"
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" && event.key !== "Escape") return;
          event.preventDefault();
          // Escape would close the panel.
          event.stopPropagation();
          if (event.key === "Enter") finish();
          else cancel();
        }}
      />
      <button type="button" class="o-pg-quiet" onClick={finish}>
        {label}
      </button>
      <button type="button" class="o-pg-quiet" onClick={cancel}>
        {messages.cancel}
      </button>
      {isTaken && (
        <p class="o-pg-wrong" role="alert">
          {messages.environmentExists}
        </p>
      )}
    </>
  );
}
