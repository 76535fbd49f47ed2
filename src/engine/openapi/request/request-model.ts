/** Data types of the playground's inputs and of the request that is created from them. */

import { isRaw } from "../nodes/refs.ts";
import type { SecurityScheme } from "./security.ts";

/** The inputs of a request: the values that a reader has selected or entered. */
export interface RequestInputs {
  /** Base URL with the values of its variables; empty if there is none. */
  server: string;
  /** JSON values by `parameterKey`. Parameters without a value are not sent. */
  parameters: Record<string, unknown>;
  body?: BodyInput;
  /** Value of `Accept`. Default: all media types of the successful response. */
  accept?: string;
  credentials: Credential[];
}

export interface BodyInput {
  mediaType: string;
  /** A JSON value, where files are `FileValue`s, or text that is sent unchanged. */
  content: { value: unknown } | { text: string };
}

/** A file as an input. `bytes` is absent until the reader selects a file. */
export interface FileValue {
  file: {
    name: string;
    type: string;
    bytes?: Blob;
    /**
     * The result of `boundariesIn` for the file. Used to choose a boundary that doesn't occur in the file.
     */
    boundaries?: string;
  };
}

export interface Credential {
  scheme: SecurityScheme;
  /**
   * The token or key; for `http`, the value of the header. For `basic`, user name and password, or a
   * placeholder.
   */
  value: string | { username: string; password: string };
}

export interface HttpRequest {
  method: string;
  url: string;
  /** Headers in order, excluding headers that the HTTP client adds. The case of names is preserved. */
  headers: [string, string][];
  body?: RequestBody;
}

export type RequestBody =
  | { kind: "text"; text: string }
  | { kind: "file"; file: FileValue["file"] }
  | MultipartBody;

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

/** Returns the key of a parameter in `RequestInputs.parameters`, such as `query.limit`. */
export function parameterKey(parameter: { in: string; name: string }): string {
  return `${parameter.in}.${parameter.name}`;
}

/**
 * Whether a value has exactly the properties of a `FileValue`. A JSON body can also have a field named
 * `file`.
 */
export function isFileValue(value: unknown): value is FileValue {
  if (!isRaw(value) || Object.keys(value).join() !== "file" || !isRaw(value["file"])) return false;
  const { name, type, bytes, boundaries = "", ...more } = value["file"];
  const isNamed = typeof name === "string" && typeof type === "string" && typeof boundaries === "string";
  return isNamed && (bytes === undefined || bytes instanceof Blob) && !Object.keys(more).length;
}
