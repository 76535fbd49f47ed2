/** Inputs of the playground and the request built from them, as data. */
import type { SecurityScheme } from "./security.ts";

/** Values that a reader chose and typed. */
export interface RequestInputs {
  /** Base URL with its variables filled in; empty when there is none. */
  server: string;
  /** By `parameterKey`; JSON values; absent ones are not sent. */
  parameters: Record<string, unknown>;
  body?: BodyInput;
  credentials: Credential[];
}

export interface BodyInput {
  mediaType: string;
  /** A JSON value in which files are `FileValue`s, or the text that is sent as is. */
  content: { value: unknown } | { text: string };
}

/** A file that the reader chose. Samples use only its name. */
export interface FileValue {
  file: {
    name: string;
    type: string;
    bytes?: Blob;
    /** Result of `boundariesIn` for the file, so that the displayed boundary is also the one that is sent. */
    boundaries?: string;
  };
}

export interface Credential {
  scheme: SecurityScheme;
  /** Token or key; for `basic`, user name and password. */
  value: string | { username: string; password: string };
}

export interface HttpRequest {
  method: string;
  url: string;
  /** In order, with the case of the names preserved. Without headers that a browser adds itself. */
  headers: [string, string][];
  body?: RequestBody;
}

export type RequestBody = { kind: "text"; text: string } | { kind: "file"; file: FileValue["file"] } | MultipartBody;

export interface MultipartBody {
  kind: "multipart";
  boundary: string;
  parts: MultipartPart[];
}

export interface MultipartPart {
  name: string;
  headers: [string, string][];
  content: { text: string } | FileValue;
}

/** `query.limit`. */
export function parameterKey(parameter: { in: string; name: string }): string {
  return `${parameter.in}.${parameter.name}`;
}

/** True only for the exact shape, since a JSON body can have a field `file`. */
export function isFileValue(value: unknown): value is FileValue {
  if (!isPlain(value) || Object.keys(value).join() !== "file" || !isPlain(value["file"])) return false;
  const { name, type, bytes, boundaries = "", ...more } = value["file"];
  const isNamed = typeof name === "string" && typeof type === "string" && typeof boundaries === "string";
  return isNamed && (bytes === undefined || bytes instanceof Blob) && !Object.keys(more).length;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
