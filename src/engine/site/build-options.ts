import type { Problem } from "../../base/problem.ts";
import type { Clock } from "../clock.ts";
import type { FetchedDocument } from "./api-documents.ts";
import type { PageStore } from "./page-cache.ts";

export interface BuildOptions {
  /** Compiled pages of earlier builds. */
  store?: PageStore;
  /** Version of the program. Stored pages of another version are not used. */
  generator: string;
  clock: Clock;
  /** Called before each page that has to be compiled. */
  onPage?(file: string, done: number, total: number): void;
  /** Pages that crashed an earlier build process, with the problem to report. */
  crashed?: ReadonlyMap<string, Problem>;
  /** Fetched documents that docs.json names by URL. */
  fetched?: ReadonlyMap<string, FetchedDocument>;
  /** Readers can sign in, so playgrounds with `auth` work. */
  hasSignIn?: boolean;
}
