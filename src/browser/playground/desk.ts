/** What every part of the form needs: the document, the draft and the way to change it. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Finding } from "../../engine/openapi/check-contract.ts";
import type { Refs } from "../../engine/openapi/refs.ts";
import type { SchemaRef, SchemaView } from "../../engine/openapi/schema-view.ts";
import type { Draft } from "./draft.ts";
import type { Words } from "./words.ts";

export interface Desk {
  words: Words;
  refs: Refs;
  /** Read once, and anew when more of the document has come. */
  view(schema: SchemaRef): SchemaView;
  draft: Draft;
  change(update: (draft: Draft) => Draft): void;
  /** By the place of the value. */
  findings: Map<string, Finding>;
  /** Once the reader has sent it, fields say that they are missing. */
  sent: boolean;
}

export const DeskContext = createContext<Desk | undefined>(undefined);

export function useDesk(): Desk {
  return useContext(DeskContext)!;
}

/** The `id` of the control for a value. */
export function fieldId(path: string): string {
  return `o-pg-${path.replace(/\s/g, "_")}`;
}
