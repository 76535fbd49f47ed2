/** What the dashboard's navigation lists. */

export interface NavEntry {
  label: string;
  /** Below the project or the organization. */
  path: string;
  /** The least role that may open it; absent: every member. */
  least?: "editor" | "admin";
  /** Begins a group. */
  group?: boolean;
}

export const projectNav: readonly NavEntry[] = [
  { label: "Overview", path: "" },
  { label: "Deployments", path: "/deployments" },
  { label: "Static exports", path: "/exports" },
  { label: "Domains", path: "/domains" },
  { label: "Traffic", path: "/traffic", group: true },
  { label: "Conversations", path: "/conversations" },
  { label: "Unanswered", path: "/questions" },
  { label: "Searches", path: "/searches" },
  { label: "Feedback", path: "/feedback" },
  { label: "Settings", path: "/settings", least: "admin", group: true },
];

export const organizationNav: readonly NavEntry[] = [
  { label: "Projects", path: "" },
  { label: "API keys", path: "/keys" },
  { label: "Members", path: "/members" },
  { label: "Audit log", path: "/audit", least: "admin" },
];
