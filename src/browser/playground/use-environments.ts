/** Hook with the environments of a document and the functions that change them. */

import { useEffect, useState } from "preact/hooks";
import { jsonText } from "../../engine/openapi/nodes/json-text.ts";
import type { Operation } from "../../engine/openapi/request/operation.ts";
import type { Draft } from "./draft.ts";
import {
  type Environment,
  type EnvironmentStore,
  environmentOf,
  readEnvironments,
  storeEnvironments,
  withEnvironment,
} from "./environments.ts";

export interface Environments {
  list: readonly Environment[];
  selected: string | undefined;
  /** Whether the form differs from the selected environment. */
  isChanged: boolean;
  /**
   * Selects an environment and fills the form with its values. Undefined selects none and keeps the form's
   * values.
   */
  select(name: string | undefined): void;
  /** Stores the form's values in the selected environment, or in a new one with this name. */
  save(name?: string): void;
  /** Renames the selected environment. */
  rename(name: string): void;
  /** Deletes the selected environment and its secrets. */
  remove(): void;
  /** Deletes the secrets of all environments. */
  forget(): void;
}

interface Options {
  /** URL that identifies the document, as in `readEnvironments`. */
  document: string;
  operation: Operation;
  draft: Draft;
  change(update: (draft: Draft) => Draft): void;
  remember: boolean;
}

export function useEnvironments({ document, operation, draft, change, remember }: Options): Environments {
  const [store, setStore] = useState(() => readEnvironments(document));
  useEffect(() => storeEnvironments(document, store, remember), [store, remember]);
  const { list, selected, secrets } = store;
  const current = list.find(({ name }) => name === selected);
  const without = (name: string | undefined) =>
    Object.fromEntries(Object.entries(secrets).filter(([each]) => each !== name));
  const replaced = (environment: Environment | undefined): EnvironmentStore["list"] =>
    list.flatMap((each) => (each.name === selected ? (environment ?? []) : each));
  return {
    list,
    selected,
    isChanged:
      current !== undefined &&
      stateOf(withEnvironment(draft, operation, current, secrets[current.name])) !== stateOf(draft),
    select(name) {
      const chosen = list.find((each) => each.name === name);
      setStore({ list, secrets, ...(chosen ? { selected: chosen.name } : {}) });
      if (chosen) change((before) => withEnvironment(before, operation, chosen, secrets[chosen.name]));
    },
    save(name = selected) {
      if (name === undefined) return;
      const before = list.find((each) => each.name === name);
      const [environment, own] = environmentOf(
        draft,
        operation,
        before ?? newEnvironment(name),
        secrets[name],
      );
      const rest = { selected: name, secrets: { ...secrets, [name]: own } };
      setStore({
        ...rest,
        list: before ? list.map((each) => (each.name === name ? environment : each)) : [...list, environment],
      });
    },
    rename(name) {
      if (!current) return;
      const own = secrets[current.name];
      setStore({
        list: replaced({ ...current, name }),
        selected: name,
        secrets: { ...without(selected), ...(own ? { [name]: own } : {}) },
      });
    },
    remove: () => setStore({ list: replaced(undefined), secrets: without(selected) }),
    forget: () => setStore({ ...store, secrets: {} }),
  };
}

function newEnvironment(name: string): Environment {
  return { name, variables: {}, parameters: {} };
}

/** Serializes the values of a draft that an environment can set, for comparison. */
function stateOf({ server, variables, parameters, credentials }: Draft): string {
  return jsonText([server, variables, parameters, credentials]);
}
