/** URLs of the dashboard's pages. */

export function organizationHref(organizationId: string, path = ""): string {
  return `/dashboard/o/${encodeURIComponent(organizationId)}${path}`;
}

/** URL of an organization's logo; undefined if it has none. The URL changes with the logo, because browsers cache logos. */
export function logoHref({ organizationId, logoHash }: { organizationId: string; logoHash: string | null }): string | undefined {
  return logoHash === null ? undefined : organizationHref(organizationId, `/logo?v=${logoHash.slice(0, 12)}`);
}

export function projectHref(organizationId: string, projectId: string, path = ""): string {
  return organizationHref(organizationId, `/p/${encodeURIComponent(projectId)}${path}`);
}

/** Page that explains a problem of a build. */
export function problemHref(code: string): string {
  return `/dashboard/problems/${encodeURIComponent(code)}`;
}

/** Page on which the user confirms their identity, before the page `next` opens. */
export function confirmHref(next: string): string {
  return `/dashboard/account/confirm?next=${encodeURIComponent(next)}`;
}

export interface ProjectIds {
  organizationId: string;
  projectId: string;
}
