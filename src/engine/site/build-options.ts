import type { ReadVersions } from "../../base/api-versions.ts";
import type { Problem } from "../../base/problem.ts";
import type { Clock } from "../clock.ts";
import type { Store } from "../incremental/store.ts";
import type { PageThreads } from "./other-threads.ts";
import type { FetchedDocument } from "./sources/api-documents.ts";

export interface BuildOptions {
  /** Keeps compiled pages and other values for later builds. */
  store?: Store;
  /** Identifies the build of the product. Values from a different build aren't used. */
  generator: string;
  clock: Clock;
  /**
   * Called before each page that has to be compiled. The build waits for the promise. `name`: the page's name
   * in `PageBodies`. `done`: number of pages before this one.
   */
  onPage?(name: string, done: number, total: number): Promise<void>;
  /**
   * Route of the page that is needed first. If many pages have to be compiled, only this page or, if there is
   * none, the first page in the navigation is compiled. The site then has the other pages without their
   * content, and a build without this option has to follow.
   */
  only?: string;
  /** Other threads, which compile some of the pages. */
  threads?: PageThreads;
  /** Whether to search OpenAPI documents for problems that don't change the site. Default: true. */
  checksDocuments?: boolean;
  /** Whether to report what makes the site hard to use for people with disabilities. Default: false. */
  checksAccessibility?: boolean;
  /**
   * Pages that crashed an earlier build process, by their name in `PageBodies`, with the problem to report.
   */
  crashed?: ReadonlyMap<string, Problem>;
  /** Fetched OpenAPI documents, by URL in docs.json. */
  fetched?: ReadonlyMap<string, FetchedDocument>;
  /** Reads the versions of OpenAPI documents from the repository, for `api.changes`. */
  readVersions?: ReadVersions;
  /**
   * URL of the site. Links can start with its path or, if it has none, with the path of the canonical URL in
   * docs.json.
   */
  origin?: string;
  /** Whether readers can sign in. Playgrounds in the mode `auth` require sign-in. */
  hasSignIn?: boolean;
}
