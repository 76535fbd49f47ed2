/**
 * Defines the routes of the dashboard as data: path, required access and handler. A route without `access`
 * doesn't compile, and a test requests each route with every role.
 */

import type { AuditAction, ChangeAction } from "../core/audit-actions.ts";
import type { MemberRole } from "../core/tables.ts";
import type { DashboardResponse } from "./dashboard-response.ts";
import type { FormErrors } from "./kit/form-errors.tsx";
import { rerenderOnError } from "./rerender-on-error.ts";
import type { MemberVisit, ProjectVisit, UserVisit, Visit } from "./visit.ts";

type Method = "GET" | "POST";

interface RouteBase {
  method: Method;
  /** Path pattern of the router, such as `/dashboard/o/:organizationId`. */
  path: string;
  /** Name in tests. */
  name: string;
  /** Action in the audit log: of a POST route, its name. Undefined for reads that aren't recorded. */
  action: AuditAction | undefined;
  /** Whether the form has a file, which the handler receives as a stream. */
  hasFile?: boolean;
  /**
   * Whether the response to a read is only sent when this process serves all committed changes, so that links
   * to a live site work. Responses to changes always wait.
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

/** Name of a route. Each route that changes data has an action of the audit log as its name. */
type NameOf<Route> = Route extends `POST ${string}` ? ChangeAction : string;

interface FormOptions<OwnVisit> {
  /** Shows the page of the form again, with errors that the user can fix. */
  showErrors?: (visit: OwnVisit, errors: FormErrors) => Promise<DashboardResponse> | DashboardResponse;
}

function withForm<OwnVisit>(
  act: (visit: OwnVisit) => Promise<DashboardResponse>,
  showErrors: FormOptions<OwnVisit>["showErrors"],
): (visit: OwnVisit) => Promise<DashboardResponse> {
  if (!showErrors) return act;
  return (visit) =>
    rerenderOnError(
      () => act(visit),
      (errors) => showErrors(visit, errors),
    );
}

/**
 * Creates a route of an organization. `route`: method and path below the organization's path, such as `POST
 * /keys`. `access`: minimum role.
 */
export function organizationRoute<const Route extends `${Method} ${string}`>(
  route: Route,
  name: NameOf<Route>,
  access: MemberRole,
  act: (visit: MemberVisit) => Promise<DashboardResponse>,
  { hasFile = false, showErrors }: { hasFile?: boolean } & FormOptions<MemberVisit> = {},
): DashboardRoute {
  const handle = withForm(act, showErrors);
  return { ...parseRoute(route, name, organizationPath), access, about: "organization", handle, hasFile };
}

/**
 * Creates a route of a project. `route`: method and path below the project's path. `access`: minimum role.
 */
export function projectRoute<const Route extends `${Method} ${string}`>(
  route: Route,
  name: NameOf<Route>,
  access: MemberRole,
  act: (visit: ProjectVisit) => Promise<DashboardResponse>,
  {
    recordedAs,
    hasFile = false,
    waitsForSites = false,
    showErrors,
  }: {
    recordedAs?: AuditAction;
    hasFile?: boolean;
    waitsForSites?: boolean;
  } & FormOptions<ProjectVisit> = {},
): DashboardRoute {
  const parsed = parseRoute(route, name, projectPath);
  return {
    ...parsed,
    action: parsed.action ?? recordedAs,
    access,
    about: "project",
    handle: withForm(act, showErrors),
    hasFile,
    waitsForSites,
  };
}

/** Creates a route for all signed-in users, with or without a membership. */
export function userRoute<const Route extends `${Method} ${string}`>(
  route: Route,
  name: NameOf<Route>,
  act: (visit: UserVisit) => Promise<DashboardResponse>,
  { showErrors }: FormOptions<UserVisit> = {},
): DashboardRoute {
  return { ...parseRoute(route, name, "/dashboard"), access: "user", handle: withForm(act, showErrors) };
}

/**
 * Creates a route for operators, below `/dashboard/operator`. Other users get "not found". The handler must
 * record changes in the audit log itself.
 */
export function operatorRoute<const Route extends `${Method} ${string}`>(
  route: Route,
  name: NameOf<Route>,
  act: (visit: UserVisit) => Promise<DashboardResponse>,
  { showErrors }: FormOptions<UserVisit> = {},
): DashboardRoute {
  return {
    ...parseRoute(route, name, "/dashboard/operator"),
    access: "operator",
    handle: withForm(act, showErrors),
  };
}

/** Creates a route that doesn't require sign-in. */
export function publicRoute<const Route extends `${Method} ${string}`>(
  route: Route,
  name: NameOf<Route>,
  act: (visit: Visit) => Promise<DashboardResponse>,
  { showErrors }: FormOptions<Visit> = {},
): DashboardRoute {
  return { ...parseRoute(route, name, "/dashboard"), access: "anyone", handle: withForm(act, showErrors) };
}

function parseRoute(
  route: string,
  name: string,
  under: string,
): Pick<RouteBase, "method" | "path" | "name" | "action"> {
  const [method, path] = route.split(" ") as [Method, string];
  // The callers' types require an action as the name of a POST route.
  const action = method === "POST" ? (name as ChangeAction) : undefined;
  return { method, path: `${under}${path === "/" ? "" : path}`, name, action };
}
