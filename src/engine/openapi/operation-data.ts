/** The part of a document that a playground loads, as files of the export. */
import type { Operation } from "./operation.ts";
import type { Raw } from "./refs.ts";

/** Playground settings, from `api.*` of docs.json and the page's `playground`. */
export interface PlaygroundSettings {
  mode: "interactive" | "simple";
  /** Send through the site's server, if it has one. */
  proxy: boolean;
  /** Send the browser's cookies. Only without the proxy. */
  credentials: boolean;
  /** Fill in the document's examples, in addition to defaults and `x-default`. */
  prefill: boolean;
  /** Languages of the samples, by key, in order. */
  languages: string[];
  /** Optional parameters and fields in samples. */
  optional: boolean;
}

/**
 * One page's file: `octavoOperation(<this>)`. References to schemas and other components are not resolved.
 * Their targets are in files that pages share: `octavoComponents(<number>, { "<pointer>": node, … })`,
 * in the order of their pointers.
 */
export interface OperationData {
  /** A part of the document with the operation and its security schemes at their original pointers. */
  root: Raw;
  /** Pointer of the path item, and the keys below it, for `readOperation`. */
  pathItem: string;
  method: string;
  path: string;
  kind: Operation["kind"];
  settings: PlaygroundSettings;
}
