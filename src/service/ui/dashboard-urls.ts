/** URLs of the dashboard's pages. */

export function organizationHref(organizationId: string, path = ""): string {
  return `/dashboard/o/${encodeURIComponent(organizationId)}${path}`;
}

export function projectHref(organizationId: string, projectId: string, path = ""): string {
  return organizationHref(organizationId, `/p/${encodeURIComponent(projectId)}${path}`);
}

export interface ProjectIds {
  organizationId: string;
  projectId: string;
}
