/** What a page's playground needs of the document, as the files that the export writes beside the pages. */
import type { Operation } from "./operation.ts";
import type { Raw } from "./refs.ts";

/** How the site wants playgrounds to be: `api.*` of docs.json and the page's own `playground`. */
export interface PlaygroundSettings {
  mode: "interactive" | "simple";
  /** Send through the site's own server, where there is one. */
  proxy: boolean;
  /** Send the browser's cookies along; only without the proxy. */
  credentials: boolean;
  /** Fill in the document's examples, beside defaults and `x-default`. */
  prefill: boolean;
  /** Languages of the samples, by key, in order. */
  languages: string[];
  /** Optional parameters and fields in samples. */
  optional: boolean;
}

/**
 * One page's file: `octavoOperation(<this>)`. Schemas and other components are left as `$ref`s;
 * what they name lies in files that pages share: `octavoComponents(<number>, { "<pointer>": node, … })`,
 * in the order of their pointers. `chunks` holds the first pointer of each.
 */
export interface OperationData {
  /** A part of the document in which the operation and its security schemes stand at their own pointers. */
  root: Raw;
  /** Pointer of the path item, and the keys below it, for `readOperation`. */
  pathItem: string;
  method: string;
  path: string;
  kind: Operation["kind"];
  settings: PlaygroundSettings;
}
