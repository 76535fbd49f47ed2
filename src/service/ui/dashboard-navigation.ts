/** Entries of the dashboard's navigation. */

export interface DashboardNavEntry {
  label: string;
  /** Path relative to the page of the project or the organization. */
  path: string;
  /** Minimum role that sees the entry; absent for every member. */
  minimumRole?: "editor" | "admin";
  /** Group of the entry. There is a line between groups. */
  group?: "readers" | "settings";
  /** The entry is hidden if the service has none of these features. */
  needs?: readonly ("assistant" | "analytics")[];
}

export const projectNav: readonly DashboardNavEntry[] = [
  { label: "Overview", path: "" },
  { label: "Deployments", path: "/deployments" },
  { label: "Static exports", path: "/exports" },
  { label: "Domains", path: "/domains" },
  { label: "Traffic", path: "/traffic", group: "readers", needs: ["analytics"] },
  { label: "Conversations", path: "/conversations", group: "readers", needs: ["assistant"] },
  { label: "Unanswered", path: "/questions", group: "readers", needs: ["assistant"] },
  { label: "Searches", path: "/searches", group: "readers", needs: ["analytics"] },
  { label: "Feedback", path: "/feedback", group: "readers", needs: ["analytics"] },
  { label: "Settings", path: "/settings", minimumRole: "admin", group: "settings" },
];

export const organizationNav: readonly DashboardNavEntry[] = [
  { label: "Projects", path: "" },
  { label: "API keys", path: "/keys" },
  { label: "Members", path: "/members" },
  { label: "Audit log", path: "/audit", minimumRole: "admin" },
];
