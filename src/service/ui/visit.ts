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
  /** Who is signed in, if anyone. */
  session: Session | undefined;
  cookie(name: DashboardCookie): string | undefined;
  /** Cookies to set with the answer, as headers. */
  cookies: string[];
  /** What the audit log keeps beside the address, such as the id of what was made. */
  recorded: Record<string, string>;
}

/** From somebody who is signed in. */
export interface PersonVisit extends Visit {
  session: Session;
  memberships: readonly Membership[];
}

/** From a member of the organization that the path names. */
export interface MemberVisit extends PersonVisit {
  member: Membership;
  scope: Scope;
  projects: readonly ProjectRow[];
}

/** About a project of theirs. */
export interface ProjectVisit extends MemberVisit {
  project: ProjectRow;
}
