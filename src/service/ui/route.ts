/**
 * Defines the routes of the dashboard as data: path, required access and handler. A route without `access` doesn't compile, and a test
 * requests each route with every role.
 */

import type { MemberRole } from "../core/tables.ts";
import type { DashboardResponse } from "./dashboard-response.ts";
import type { MemberVisit, ProjectVisit, UserVisit, Visit } from "./visit.ts";

interface RouteBase {
  method: "GET" | "POST";
  /** Path pattern of the router, such as `/dashboard/o/:organizationId`. */
  path: string;
  /** Name in the audit log and in tests. */
  name: string;
  /** Whether reads are recorded in the audit log. Ignored for routes that change data. */
  isRecorded?: boolean;
  /** Whether the form has a file, which the handler receives as a stream. */
  hasFile?: boolean;
  /**
   * Whether the response to a read is only sent when this process serves all committed changes, so that links to a live site work.
   * Responses to changes always wait.
   */
  waitsForSites?: boolean;
}

export type DashboardRoute = RouteBase &
  (
    | { access: "anyone"; handle(visit: Visit): Promise<DashboardResponse> }
    | { access: "user"; handle(visit: UserVisit): Promise<DashboardResponse> }
    | { access: "operator"; handle(visit: UserVisit): Promise<DashboardResponse> }
    | { access: MemberRole; about: "organization"; handle(visit: MemberVisit): Promise<DashboardResponse> }
    | { access: MemberRole; about: "project"; handle(visit: ProjectVisit): Promise<DashboardResponse> }
  );

export const organizationPath = "/dashboard/o/:organizationId";
export const projectPath = `${organizationPath}/p/:projectId`;

/**
 * Creates a route of an organization. `route`: method and path below the organization's path, such as `POST /keys`. `access`: minimum
 * role.
 */
export function organizationRoute(
  route: `${RouteBase["method"]} ${string}`,
  name: string,
  access: MemberRole,
  handle: (visit: MemberVisit) => Promise<DashboardResponse>,
  { isRecorded = false, hasFile = false } = {},
): DashboardRoute {
  return { ...parseRoute(route, organizationPath), name, access, about: "organization", handle, isRecorded, hasFile };
}

/** Creates a route of a project. `route`: method and path below the project's path. `access`: minimum role. */
export function projectRoute(
  route: `${RouteBase["method"]} ${string}`,
  name: string,
  access: MemberRole,
  handle: (visit: ProjectVisit) => Promise<DashboardResponse>,
  { isRecorded = false, hasFile = false, waitsForSites = false } = {},
): DashboardRoute {
  return { ...parseRoute(route, projectPath), name, access, about: "project", handle, isRecorded, hasFile, waitsForSites };
}

/** Creates a route for all signed-in users, with or without a membership. */
export function userRoute(
  route: `${RouteBase["method"]} ${string}`,
  name: string,
  handle: (visit: UserVisit) => Promise<DashboardResponse>,
): DashboardRoute {
  return { ...parseRoute(route, "/dashboard"), name, access: "user", handle };
}

/**
 * Creates a route for operators, below `/dashboard/operator`. Other users get "not found". The handler must record changes in the audit
 * log itself.
 */
export function operatorRoute(
  route: `${RouteBase["method"]} ${string}`,
  name: string,
  handle: (visit: UserVisit) => Promise<DashboardResponse>,
): DashboardRoute {
  return { ...parseRoute(route, "/dashboard/operator"), name, access: "operator", handle };
}

/** Creates a route that doesn't require sign-in. */
export function publicRoute(
  route: `${RouteBase["method"]} ${string}`,
  name: string,
  handle: (visit: Visit) => Promise<DashboardResponse>,
): DashboardRoute {
  return { ...parseRoute(route, "/dashboard"), name, access: "anyone", handle };
}

function parseRoute(route: `${RouteBase["method"]} ${string}`, under: string): Pick<RouteBase, "method" | "path"> {
  const [method, path] = route.split(" ") as [RouteBase["method"], string];
  return { method, path: `${under}${path === "/" ? "" : path}` };
}
