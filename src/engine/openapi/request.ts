/** Operation and what a reader typed → the request, byte for byte. The playground sends it and every code sample prints it. */
import type { Operation } from "./operation.ts";
import type { Refs } from "./refs.ts";
import type { SecurityScheme } from "./security.ts";

/** What a reader chose and typed. */
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
  /** A JSON value in which files are `FileValue`s, or the text as it is sent. */
  content: { value: unknown } | { text: string };
}

/** A file that the reader chose; samples know only its name. */
export interface FileValue {
  file: { name: string; type: string; bytes?: Blob };
}

export interface Credential {
  scheme: SecurityScheme;
  /** Token, key, or for `basic` the two. */
  value: string | { username: string; password: string };
}

export interface HttpRequest {
  method: string;
  url: string;
  /** Names as written, in order. Those that a browser adds by itself are not here. */
  headers: [string, string][];
  body?: RequestBody;
}

export type RequestBody =
  | { kind: "text"; text: string }
  | { kind: "file"; file: FileValue["file"] }
  | { kind: "multipart"; boundary: string; parts: MultipartPart[] };

export interface MultipartPart {
  name: string;
  headers: [string, string][];
  content: { text: string } | FileValue;
}

export declare function parameterKey(parameter: { in: string; name: string }): string;
export declare function buildRequest(operation: Operation, inputs: RequestInputs, refs: Refs): HttpRequest;
/** Inputs made of defaults and examples: what samples show before anything is typed, and a playground starts with. */
export declare function initialInputs(operation: Operation, refs: Refs, options: { optional: boolean }): RequestInputs;
