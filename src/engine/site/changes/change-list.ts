/** Defines the changes of an API as a site lists them. */

import type { Change } from "../../openapi/changes/change.ts";

/** The page with the changes of an API. Sites have it if docs.json asks for it. */
export interface ChangesOfApi {
  /** Route of the page. */
  route: string;
  /** Undefined in other threads until they receive the changes from the main thread. */
  apiChanges: ApiChanges | undefined;
}

/** The changes of all documents. Contains only data, since other threads receive a copy. */
export interface ApiChanges {
  /** Versions with changes, the newest first. */
  versions: ChangedVersion[];
  /**
   * Versions in which parts of a document changed, by the document's file, and by `operationKey` or
   * `stablePlace`.
   */
  marks: Record<string, Record<string, PlaceMarks>>;
}

export interface ChangedVersion {
  /** Undefined for changes since the last version. */
  label?: string;
  /** YYYY-MM-DD. */
  date?: string;
  documents: { file: string; title: string; changes: ListedChange[] }[];
}

export interface ListedChange extends Omit<Change, "operations" | "before" | "after"> {
  operations: ChangedOperation[];
}

export interface ChangedOperation {
  name: string;
  /** Pointer to the operation in the current document. Undefined if it was removed. */
  pointer?: string;
  /** Readers must be in a group of each of these lists. */
  groups: (readonly string[])[];
  /** Set if readers must be signed in, and `groups` is empty. */
  needsSignIn?: true;
}

/** Labels of the versions in which a part was added, deprecated, and last changed. */
export type PlaceMarks = Partial<Record<"added" | "deprecated" | "changed", string>>;
