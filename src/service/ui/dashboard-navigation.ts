/** What the dashboard's navigation lists. */

export interface NavEntry {
  label: string;
  /** Below the project or the organization. */
  path: string;
  /** The least role that may open it; absent: every member. */
  least?: "editor" | "admin";
  /** Entries of one group are next to each other, with a line between groups. */
  group?: "readers" | "settings";
  /** Not offered where the service lacks all of these. */
  needs?: readonly ("assistant" | "analytics")[];
}

export const projectNav: readonly NavEntry[] = [
  { label: "Overview", path: "" },
  { label: "Deployments", path: "/deployments" },
  { label: "Static exports", path: "/exports" },
  { label: "Domains", path: "/domains" },
  { label: "Traffic", path: "/traffic", group: "readers", needs: ["analytics"] },
  { label: "Conversations", path: "/conversations", group: "readers", needs: ["assistant"] },
  { label: "Unanswered", path: "/questions", group: "readers", needs: ["assistant"] },
  { label: "Searches", path: "/searches", group: "readers", needs: ["analytics"] },
  { label: "Feedback", path: "/feedback", group: "readers", needs: ["analytics"] },
  { label: "Settings", path: "/settings", least: "admin", group: "settings" },
];

export const organizationNav: readonly NavEntry[] = [
  { label: "Projects", path: "" },
  { label: "API keys", path: "/keys" },
  { label: "Members", path: "/members" },
  { label: "Audit log", path: "/audit", least: "admin" },
];
