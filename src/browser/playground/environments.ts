/**
 * Stores environments: named sets of a server, its variables, path and header values, and credentials. The
 * operations of a document share environments. Secrets are stored for this tab, or on this device if the
 * reader chooses to.
 */

import { jsonText } from "../../engine/openapi/nodes/json-text.ts";
import type { Operation } from "../../engine/openapi/request/operation.ts";
import { parameterKey } from "../../engine/openapi/request/request-model.ts";
import { readOfReader, writeOfReader } from "../reader-storage.ts";
import { type Draft, serverOf } from "./draft.ts";
import { readJson } from "./exact-json.ts";
import { isSecretParameter } from "./secret-parameters.ts";

/** Maximum number of environments of a document. */
export const environments_count = 30;
/** Maximum length of a name, in characters. */
export const environmentName_chars = 60;

export interface Environment {
  name: string;
  /** URL of the server as in the document. Undefined if the operation had none. */
  server?: string;
  variables: Record<string, string>;
  /** Values of path and header parameters by `parameterKey`. */
  parameters: Record<string, unknown>;
}

/** The secrets of an environment, which are never stored on the device without the reader's consent. */
export interface EnvironmentSecrets {
  credentials: Draft["credentials"];
  /** Values of header parameters that may be secret, by `parameterKey`. */
  parameters: Record<string, unknown>;
}

export interface EnvironmentStore {
  list: Environment[];
  /** Name of the selected environment. */
  selected?: string;
  /** Secrets by the name of their environment. */
  secrets: Record<string, EnvironmentSecrets>;
}

const key = (document: string) => `octavo-environments ${document}`;
const secretsKey = (document: string) => `octavo-environment-secrets ${document}`;

/** Reads the stored environments. `document`: absolute URL of the folder with the document's components. */
export function readEnvironments(document: string): EnvironmentStore {
  const { list, selected } = parse(readOfReader("localStorage", key(document)));
  const own = Array.isArray(list) ? (list as Environment[]) : [];
  const secrets = {
    ...parse(readOfReader("localStorage", secretsKey(document))),
    ...parse(readOfReader("sessionStorage", secretsKey(document))),
  };
  return {
    list: own,
    ...(own.some(({ name }) => name === selected) ? { selected: selected as string } : {}),
    secrets: secrets as EnvironmentStore["secrets"],
  };
}

/**
 * Stores the environments on this device. `remember`: whether to also store the secrets on the device,
 * instead of only for this tab.
 */
export function storeEnvironments(
  document: string,
  { list, selected, secrets }: EnvironmentStore,
  remember: boolean,
): void {
  writeOfReader("localStorage", key(document), list.length > 0 ? jsonText({ list, selected }) : undefined);
  const text = Object.keys(secrets).length > 0 ? jsonText(secrets) : undefined;
  writeOfReader("localStorage", secretsKey(document), remember ? text : undefined);
  writeOfReader("sessionStorage", secretsKey(document), remember ? undefined : text);
}

function parse(text: string | undefined): Record<string, unknown> {
  try {
    const value = text === undefined ? undefined : readJson(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/**
 * Returns an environment and its secrets with the values of a draft. Keeps the values in `before` and
 * `secretsBefore` that this operation doesn't use.
 */
export function environmentOf(
  draft: Draft,
  operation: Operation,
  before: Environment,
  secretsBefore?: EnvironmentSecrets,
): [Environment, EnvironmentSecrets] {
  const server = serverOf(draft, operation);

  const environment: Environment = {
    ...before,
    variables: draft.variables,
    parameters: { ...before.parameters },
  };

  if (server) environment.server = server.url;

  const secrets: EnvironmentSecrets = {
    credentials: draft.credentials,
    parameters: { ...secretsBefore?.parameters },
  };

  for (const parameter of operation.parameters.filter(isShared)) {
    const name = parameterKey(parameter);
    const target = isSecretParameter(name) ? secrets.parameters : environment.parameters;
    if (draft.parameters[name] === undefined) delete target[name];
    else target[name] = draft.parameters[name];
  }

  return [environment, secrets];
}

/**
 * Returns the draft with the values of an environment. If there are no stored secrets, the draft has no
 * credentials, so that credentials of another environment aren't sent.
 */
export function withEnvironment(
  draft: Draft,
  operation: Operation,
  environment: Environment,
  secrets?: EnvironmentSecrets,
): Draft {
  const server = operation.servers.findIndex(({ url }) => url === environment.server);
  const stored = { ...environment.parameters, ...secrets?.parameters };
  const keys = operation.parameters.filter(isShared).map(parameterKey);
  const shared = keys
    .filter((name) => Object.hasOwn(stored, name))
    .map((name) => [name, stored[name]] as const);
  return {
    ...draft,
    ...(server < 0 ? {} : { server, variables: environment.variables }),
    parameters: { ...draft.parameters, ...Object.fromEntries(shared) },
    credentials: secrets?.credentials ?? {},
  };
}

/**
 * Whether operations share the value of a parameter. A path parameter named `id` isn't shared, since it
 * identifies a different kind of resource in each operation.
 */
function isShared({ in: place, name }: Operation["parameters"][number]): boolean {
  return place === "header" || (place === "path" && name !== "id");
}
