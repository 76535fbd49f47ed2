/** A request to the dashboard as a page's handler sees it: read, checked, and with whom and what it is about. */

import type { Membership, Session } from "../core/identity.ts";
import type { Origin, Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import type { ProjectRow } from "../core/tables.ts";
import type { DashboardCookie } from "./dashboard-cookies.ts";

/** From anyone. */
export interface Visit {
  service: Service;
  url: URL;
  params: Readonly<Record<string, string>>;
  /** What a form sent; empty for reading. Without the form's token. */
  form: URLSearchParams;
  origin: Required<Origin>;
  userAgent: string;
  /** Absent without sign-in. */
  session: Session | undefined;
  cookie(name: DashboardCookie): string | undefined;
  /** Cookies to set with the answer, as headers. */
  cookies: string[];
  /** Metadata for the audit log, such as the id of a created object. */
  recorded: Record<string, string>;
}

/** A request of a signed-in user. */
export interface UserVisit extends Visit {
  session: Session;
  memberships: readonly Membership[];
}

/** From a member of the organization that the path names. */
export interface MemberVisit extends UserVisit {
  member: Membership;
  scope: Scope;
  projects: readonly ProjectRow[];
}

/** About a project of theirs. */
export interface ProjectVisit extends MemberVisit {
  project: ProjectRow;
}
