/** Creates URLs of the dashboard's pages. */

export function organizationHref(organizationId: string, path = ""): string {
  return `/dashboard/o/${encodeURIComponent(organizationId)}${path}`;
}

/**
 * Returns the URL of an organization's logo. Undefined if it has none. The URL changes with the logo, because
 * browsers cache logos.
 */
export function logoHref({
  organizationId,
  logoHash,
}: {
  organizationId: string;
  logoHash: string | null;
}): string | undefined {
  return logoHash === null ? undefined : organizationHref(organizationId, `/logo?v=${logoHash.slice(0, 12)}`);
}

export function projectHref(organizationId: string, projectId: string, path = ""): string {
  return organizationHref(organizationId, `/p/${encodeURIComponent(projectId)}${path}`);
}

/** Returns the URL of the page that explains a build problem. */
export function problemHref(code: string): string {
  return `/dashboard/problems/${encodeURIComponent(code)}`;
}

/** Returns the URL of the page where users confirm their identity. The page then redirects to `next`. */
export function confirmHref(next: string): string {
  return `/dashboard/account/confirm?next=${encodeURIComponent(next)}`;
}

/** Returns the URL of the page where members prove their sign-in method in an organization. */
export function proveHref(organizationId: string): string {
  return `/dashboard/account/confirm/${encodeURIComponent(organizationId)}`;
}

export interface ProjectIds {
  organizationId: string;
  projectId: string;
}
