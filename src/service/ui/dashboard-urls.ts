/** URLs of the dashboard's pages. */

export function organizationHref(organizationId: string, path = ""): string {
  return `/dashboard/o/${encodeURIComponent(organizationId)}${path}`;
}

export function projectHref(organizationId: string, projectId: string, path = ""): string {
  return organizationHref(organizationId, `/p/${encodeURIComponent(projectId)}${path}`);
}

/** Page that explains a problem of a build. */
export function problemHref(code: string): string {
  return `/dashboard/problems/${encodeURIComponent(code)}`;
}

export interface ProjectIds {
  organizationId: string;
  projectId: string;
}
