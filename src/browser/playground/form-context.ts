/** Provides the context of the form: the document, the draft, and functions that change the draft. */

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Finding } from "../../engine/openapi/check/check-value.ts";
import type { Refs } from "../../engine/openapi/nodes/refs.ts";
import type { SchemaRef, SchemaView } from "../../engine/openapi/schema/schema-view.ts";
import type { CredentialDraft } from "./credentials.ts";
import type { Draft } from "./draft.ts";
import type { PlaygroundMessages } from "./playground-messages.ts";

/** What all fields of a request form share. */
export interface FormContextValue {
  messages: PlaygroundMessages;
  refs: Refs;
  /** Reads a schema. Results are cached until more of the document has been loaded. */
  view(schema: SchemaRef): SchemaView;
  draft: Draft;
  change(update: (draft: Draft) => Draft): void;
  /** Findings by the path of the value. */
  findings: Map<string, Finding>;
  /** Whether the reader has sent a request. From then on, missing fields are reported. */
  isSent: boolean;
  /**
   * Functions that refresh a token of the selected schemes if it has ended, by the key of the scheme. They
   * resolve with the new token, or undefined if there is none.
   */
  renewals: Map<string, () => Promise<CredentialDraft | undefined>>;
}

export const FormContext = createContext<FormContextValue | undefined>(undefined);

/** Returns the context of the enclosing form. Call this only inside a form. */
export function useFormContext(): FormContextValue {
  return useContext(FormContext)!;
}

/** Returns the `id` of the input for a value. */
export function fieldId(path: string): string {
  return `o-pg-${path.replace(/\s/g, "_")}`;
}
