/**
 * The dashboard's routes as data: where, who may, and what is done. A route without a rule does not compile, and a test
 * tries each one as everybody.
 */
import type { Role } from "../../platform/tables.ts";
import type { Answer } from "./answer.ts";
import type { MemberVisit, PersonVisit, ProjectVisit, Visit } from "./visit.ts";

interface Place {
  method: "GET" | "POST";
  /** In the form of the router: `/dashboard/o/:organizationId`. */
  path: string;
  /** In the audit log, and in tests. */
  name: string;
  /** A reading that leaves an entry in the audit log, as every change does. */
  isRecorded?: boolean;
}

export type DashboardRoute = Place &
  (
    | { access: "anyone"; handle(visit: Visit): Promise<Answer> }
    | { access: "person"; handle(visit: PersonVisit): Promise<Answer> }
    | { access: Role; about: "organization"; handle(visit: MemberVisit): Promise<Answer> }
    | { access: Role; about: "project"; handle(visit: ProjectVisit): Promise<Answer> }
  );

export const organizationPath = "/dashboard/o/:organizationId";
export const projectPath = `${organizationPath}/p/:projectId`;

/** `place`: method and path, such as `POST /keys`; under the organization. `access`: the least role. */
export function organizationRoute(
  place: `${Place["method"]} ${string}`,
  name: string,
  access: Role,
  handle: (visit: MemberVisit) => Promise<Answer>,
  { isRecorded = false } = {},
): DashboardRoute {
  return { ...placeOf(place, organizationPath), name, access, about: "organization", handle, isRecorded };
}

/** Under a project. */
export function projectRoute(
  place: `${Place["method"]} ${string}`,
  name: string,
  access: Role,
  handle: (visit: ProjectVisit) => Promise<Answer>,
  { isRecorded = false } = {},
): DashboardRoute {
  return { ...placeOf(place, projectPath), name, access, about: "project", handle, isRecorded };
}

/** For whoever is signed in, member of anything or not. */
export function personRoute(
  place: `${Place["method"]} ${string}`,
  name: string,
  handle: (visit: PersonVisit) => Promise<Answer>,
): DashboardRoute {
  return { ...placeOf(place, "/dashboard"), name, access: "person", handle };
}

export function openRoute(place: `${Place["method"]} ${string}`, name: string, handle: (visit: Visit) => Promise<Answer>): DashboardRoute {
  return { ...placeOf(place, "/dashboard"), name, access: "anyone", handle };
}

function placeOf(place: `${Place["method"]} ${string}`, under: string): Pick<Place, "method" | "path"> {
  const [method, path] = place.split(" ") as [Place["method"], string];
  return { method, path: `${under}${path === "/" ? "" : path}` };
}
