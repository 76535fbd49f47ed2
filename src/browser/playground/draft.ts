/** Defines the draft: the reader's input, which is the state that the playground renders. */

import type { Refs } from "../../engine/openapi/nodes/refs.ts";
import type { MediaType, Operation, Server } from "../../engine/openapi/request/operation.ts";
import { acceptedTypes } from "../../engine/openapi/request/request.ts";
import type { BodyInput, RequestInputs } from "../../engine/openapi/request/request-model.ts";
import type { SecurityScheme } from "../../engine/openapi/request/security.ts";
import { viewOf } from "../../engine/openapi/schema/schema-view.ts";
import { type CredentialDraft, credentialOf } from "./credentials.ts";
import { serverUrlOf } from "./server-url.ts";

export interface Draft {
  /** Index into the operation's servers. */
  server: number;
  variables: Record<string, string>;
  /** Parameter values by `parameterKey`. */
  parameters: Record<string, unknown>;
  mediaType: string;
  /** The selected media type of the response. Absent if all declared types are accepted. */
  accept?: string;
  /** Bodies by media type. */
  bodies: Record<string, BodyDraft>;
  /** Index into the operation's security alternatives. */
  alternative: number;
  /**
   * Credentials by `credentialKey`, which contains the server's origin, so that credentials for one origin
   * aren't sent to another.
   */
  credentials: Record<string, CredentialDraft>;
  /**
   * Indexes of the selected types, by the path of the value. Also the indexes of the selected variants: their
   * keys are the path, `?` and the index of the list of variants.
   */
  choices: Record<string, number>;
  /**
   * Whether an object or list is open, by the path of the value. Only contains objects and lists that the
   * reader has opened or closed.
   */
  opened: Record<string, boolean>;
}

export interface BodyDraft {
  /** Whether the body is edited as text instead of a form. */
  raw: boolean;
  value?: unknown;
  text?: string;
}

/** Kind of form that readers use to edit a body. */
export type BodyForm = "json" | "fields" | "xml" | "text" | "file";

/** Determines the kind of form from the name and schema of a media type. */
export function bodyForm(media: MediaType, refs: Refs): BodyForm {
  const type = media.type.split(";")[0]!.trim().toLowerCase();
  if (/[/+]json$/.test(type)) return "json";

  if (
    type === "multipart/form-data" ||
    type === "application/x-www-form-urlencoded" ||
    type.startsWith("multipart/")
  )
    return "fields";

  if (/[/+]xml$/.test(type)) return media.schema ? "xml" : "text";
  const view = media.schema && viewOf(media.schema, refs, "request");
  if (view?.file) return "file";
  if (type.startsWith("text/") || /yaml|ndjson|jsonl|graphql|javascript/.test(type)) return "text";

  return view?.types.includes("string")
    ? "text"
    : view && view.types.length > 0 && type === "*/*"
      ? "json"
      : "file";
}

/** Returns the selected server, or else the first one. Undefined if the operation has none. */
export function serverOf(draft: Draft, operation: Operation): Server | undefined {
  return operation.servers[draft.server] ?? operation.servers[0];
}

/** Returns the key of the credentials for one scheme of one server. */
export function credentialKey(origin: string, scheme: SecurityScheme): string {
  const location = scheme.type === "apiKey" ? `${scheme.in}.${scheme.name}` : "";
  return [origin, scheme.type, scheme.key, location].map(encodeURIComponent).join(" ");
}

/** Returns the inputs of the request, without credentials for other servers and without empty bodies. */
export function inputsOf(draft: Draft, operation: Operation, refs: Refs): RequestInputs {
  const { text, url, origin } = serverUrlOf(serverOf(draft, operation), draft.variables);
  const schemes = operation.security[draft.alternative]?.schemes ?? [];
  const credentials = schemes.map((scheme) =>
    credentialOf(scheme, draft.credentials[credentialKey(origin ?? "", scheme)]),
  );
  const body = bodyInput(draft, operation, refs);
  const parameters = Object.fromEntries(
    Object.entries(draft.parameters).filter(([, value]) => value !== undefined),
  );
  const accept = acceptedTypes(operation).find((type) => type === draft.accept);
  return {
    server: url ?? text,
    parameters,
    credentials,
    ...(accept ? { accept } : {}),
    ...(body ? { body } : {}),
  };
}

function bodyInput(draft: Draft, operation: Operation, refs: Refs): BodyInput | undefined {
  const media = operation.body?.content.find(({ type }) => type === draft.mediaType);
  const body = draft.bodies[draft.mediaType];
  if (!media || !body) return undefined;
  const form = bodyForm(media, refs);
  if (form === "text" || (body.raw && (form === "json" || form === "xml"))) {
    return body.text ? { mediaType: media.type, content: { text: body.text } } : undefined;
  }
  return body.value === undefined ? undefined : { mediaType: media.type, content: { value: body.value } };
}
