/** Defines the entries of the dashboard's navigation. */

import { mayActAs } from "../core/identity.ts";
import type { MemberRole } from "../core/tables.ts";

/** A page's place in the navigation. */
export interface DashboardLocation {
  /** `logo`: URL; undefined if the organization has none. */
  organization: { id: string; name: string; logo: string | undefined };
  role: MemberRole;
  projects: readonly { id: string; name: string }[];
  /** `url`: URL of the site. */
  project: { id: string; name: string; url: string } | undefined;
  path: string;
  /** Features of the service. */
  features: { assistant: boolean; analytics: boolean };
}

export interface DashboardNavEntry {
  label: string;
  /** Name of an icon in `styles/icons.css`. */
  icon: string;
  /** Path relative to the page of the project or the organization. */
  path: string;
  /** Minimum role that sees the entry. Default: all members see it. */
  minimumRole?: "editor" | "admin";
  /** Group of the entry. There is a line between groups. */
  group?: "readers" | "settings";
  /**
   * Features that the entry is about. The entry is hidden if the service has none of them. Default: the entry
   * is always shown.
   */
  needs?: readonly ("assistant" | "analytics")[];
}

export const projectNav: readonly DashboardNavEntry[] = [
  { label: "Overview", icon: "overview", path: "" },
  { label: "Deployments", icon: "deployments", path: "/deployments" },
  { label: "Broken links", icon: "links", path: "/broken-links" },
  { label: "Static exports", icon: "exports", path: "/exports" },
  { label: "Domains", icon: "domains", path: "/domains" },
  { label: "Traffic", icon: "traffic", path: "/traffic", group: "readers", needs: ["analytics"] },
  {
    label: "Conversations",
    icon: "conversations",
    path: "/conversations",
    group: "readers",
    needs: ["assistant"],
  },
  { label: "Unanswered", icon: "questions", path: "/questions", group: "readers", needs: ["assistant"] },
  { label: "Searches", icon: "searches", path: "/searches", group: "readers", needs: ["analytics"] },
  { label: "Feedback", icon: "feedback", path: "/feedback", group: "readers", needs: ["analytics"] },
  { label: "Settings", icon: "settings", path: "/settings", minimumRole: "admin", group: "settings" },
];

export const organizationNav: readonly DashboardNavEntry[] = [
  { label: "Projects", icon: "projects", path: "" },
  { label: "API keys", icon: "keys", path: "/keys" },
  { label: "Members", icon: "members", path: "/members" },
  { label: "Notifications", icon: "notifications", path: "/notifications", minimumRole: "admin" },
  { label: "Audit log", icon: "audit", path: "/audit", minimumRole: "admin" },
  { label: "Settings", icon: "settings", path: "/settings", minimumRole: "admin" },
];

/** Returns the entries for the member's role and the service's features. */
export function visibleEntries(
  { role, features }: Pick<DashboardLocation, "role" | "features">,
  entries: readonly DashboardNavEntry[],
): DashboardNavEntry[] {
  return entries.filter(
    ({ minimumRole, needs }) =>
      mayActAs(role, minimumRole ?? "viewer") && (!needs || needs.some((feature) => features[feature])),
  );
}
