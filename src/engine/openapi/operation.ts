/** Operations of a document, read one at a time: everything that a page or a playground needs to know of one. */
import type { Located, Refs } from "./refs.ts";
import type { SchemaRef } from "./schema-view.ts";
import type { SecurityAlternative } from "./security.ts";

export interface Operation {
  kind: "operation" | "webhook" | "callback";
  /** Upper case. */
  method: string;
  /** `/pets/{id}`; the name of a webhook; the expression of a callback. */
  path: string;
  /** Where the operation is declared in its document. */
  node: Located;
  summary?: string;
  description?: string;
  operationId?: string;
  tags: string[];
  deprecated: boolean;
  externalDocs?: { url: string; description?: string };
  /** Those of the path item and of the operation, the operation's first to count. */
  parameters: Parameter[];
  body?: Body;
  responses: Response[];
  callbacks: Callback[];
  servers: Server[];
  /** Alternatives, of which one must be met; none when the operation is open. An alternative without schemes means that credentials are optional. */
  security: SecurityAlternative[];
  /** `x-codeSamples`, well-formed entries only. */
  codeSamples: CodeSample[];
  /** Hand-written text that stands before what is generated: `x-platform.content`, MDX. */
  content?: string;
  /** `x-platform.groups` of the path item and the operation. */
  groups: string[];
}

export type ParameterPlace = "path" | "query" | "header" | "cookie" | "querystring";

export interface Parameter {
  name: string;
  in: ParameterPlace;
  required: boolean;
  deprecated: boolean;
  description?: string;
  schema: SchemaRef;
  /** `form`, `simple`, `label`, `matrix`, `spaceDelimited`, `pipeDelimited`, `deepObject`; the default of its place when not said. */
  style: string;
  explode: boolean;
  allowReserved: boolean;
  allowEmptyValue: boolean;
  /** The media type whose text the value is, for a parameter with `content`. */
  mediaType?: string;
  examples: Example[];
  pointer: string;
}

export interface Body {
  required: boolean;
  description?: string;
  content: MediaType[];
  pointer: string;
}

export interface MediaType {
  /** `application/json`, as the document writes it. */
  type: string;
  schema?: SchemaRef;
  /** Hand-written ones; when there are none, `exampleOf(schema)` makes one. */
  examples: Example[];
  encoding: Record<string, Encoding>;
  pointer: string;
}

/** How one property of a multipart or urlencoded body is written. */
export interface Encoding {
  contentType?: string;
  headers: Header[];
  style?: string;
  explode?: boolean;
  allowReserved: boolean;
}

export interface Example {
  /** Key in `examples`; `example` for a single one. */
  key: string;
  label: string;
  description?: string;
  value: unknown;
}

export interface Response {
  /** `200`, `4XX`, `default`. */
  status: string;
  description?: string;
  headers: Header[];
  content: MediaType[];
  links: Link[];
  pointer: string;
}

export type Header = Omit<Parameter, "in">;

export interface Link {
  name: string;
  description?: string;
  /** The operation that it leads to: its `operationId`, or the pointer of an `operationRef`. */
  target: string;
  parameters: [string, string][];
}

export interface Callback {
  name: string;
  operation: Operation;
}

export interface Server {
  /** With `{variables}`. */
  url: string;
  description?: string;
  variables: ServerVariable[];
}

export interface ServerVariable {
  name: string;
  default: string;
  enum: string[];
  description?: string;
}

export interface CodeSample {
  /** As the author wrote it: `curl`, `Python`. */
  lang: string;
  label?: string;
  source: string;
}

export declare function readOperation(refs: Refs, pathItem: Located, method: string, path: string, kind: Operation["kind"]): Operation;
