/** Types of the requests that handlers of the dashboard receive. */

import type { Readable } from "node:stream";
import type { Membership, Session } from "../core/identity.ts";
import type { Origin, Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import type { ProjectRow } from "../core/tables.ts";
import type { LinkedPage } from "../storage/linked-pages.ts";
import type { DashboardCookie } from "./dashboard-cookies.ts";

/** A request to the dashboard, with or without a session. */
export interface Visit {
  service: Service;
  url: URL;
  params: Readonly<Record<string, string>>;
  /** Submitted form without its CSRF token. Empty for GET requests. */
  form: URLSearchParams;
  /** The submitted file, if the route accepts a file and the form contains one. */
  file?: Readable | undefined;
  origin: Required<Origin>;
  userAgent: string;
  /** The user's session; undefined if the user isn't signed in. */
  session: Session | undefined;
  cookie(name: DashboardCookie): string | undefined;
  /** Values of the response's `Set-Cookie` headers. Handlers add to this list. */
  cookies: string[];
  /** Metadata for the audit log, such as the ID of a created object. Handlers add to this object. */
  recorded: Record<string, string | readonly string[]>;
}

/** A request of a signed-in user. */
export interface UserVisit extends Visit {
  session: Session;
}

/** A request of a member of the organization in the path. */
export interface MemberVisit extends UserVisit {
  member: Membership;
  scope: Scope;
  projects: readonly ProjectRow[];
}

/** A request of a member of the organization, for the project in the path. */
export interface ProjectVisit extends MemberVisit {
  project: ProjectRow;
  /** Returns the titles and URLs of the live site's pages, by path. Paths without a page are left out. */
  linkedPages(paths: Iterable<string>): Promise<ReadonlyMap<string, LinkedPage>>;
}
