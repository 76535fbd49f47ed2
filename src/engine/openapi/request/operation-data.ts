/** Types of the exported data files that playgrounds load. */

import type { Raw } from "../nodes/refs.ts";
import type { Operation } from "./operation.ts";

/** Playground settings, from `api.*` in docs.json and the page's `playground` key. */
export interface PlaygroundSettings {
  mode: "interactive" | "simple";
  /** Whether to send requests through the site's server, if there is one. */
  proxy: boolean;
  /** Whether to send the browser's cookies. Has no effect on requests through the site's server. */
  credentials: boolean;
  /** Whether to fill in the document's examples, in addition to defaults and `x-default`. */
  prefill: boolean;
  /** Keys of the sample languages in display order. */
  languages: string[];
  /** Whether samples and filled-in examples contain optional parameters and fields. */
  optional: boolean;
}

/**
 * The data of one page's playground, in a script `octavoOperation(<data>)`. References to components aren't
 * resolved: the targets are in scripts that pages share, sorted by pointer: `octavoComponents(<number>, {
 * "<pointer>": node, … })`.
 */
export interface OperationData {
  /** A part of the document with the operation and its security schemes at their original pointers. */
  root: Raw;
  /** Pointer to the path item. This and the next three fields are arguments of `readOperation`. */
  pathItem: string;
  method: string;
  path: string;
  kind: Operation["kind"];
  settings: PlaygroundSettings;
}
