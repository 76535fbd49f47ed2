/** Lists the entries of the command menu: pages, actions and projects that the user can open. */

import {
  type DashboardLocation,
  type DashboardNavEntry,
  organizationNav,
  projectNav,
  visibleEntries,
} from "./dashboard-navigation.ts";
import { organizationHref, projectHref } from "./dashboard-urls.ts";

export interface DashboardCommand {
  label: string;
  /** Name of an icon in `styles/icons.css`. */
  icon: string;
  href: string;
}

export interface CommandGroup {
  title: string;
  commands: DashboardCommand[];
}

/** Returns the groups of a page's command menu. `organizations`: those of the user. */
export function commandsOf(
  user: { isOperator: boolean },
  organizations: readonly { id: string; name: string }[],
  location: DashboardLocation | undefined,
): CommandGroup[] {
  const account: DashboardCommand[] = [
    { label: "Account and sessions", icon: "members", href: "/dashboard/account" },
    ...(user.isOperator ? [{ label: "Operator", icon: "settings", href: "/dashboard/operator" }] : []),
  ];

  const groups: CommandGroup[] = [
    ...(location ? commandsAt(location) : []),
    {
      title: "Organizations",
      commands: organizations
        .filter(({ id }) => id !== location?.organization.id)
        .map(({ id, name }) => ({ label: name, icon: "members", href: organizationHref(id) })),
    },
    { title: "Your account", commands: account },
  ];

  return groups.filter(({ commands }) => commands.length > 0);
}

function commandsAt(location: DashboardLocation): CommandGroup[] {
  const { organization, project, projects } = location;
  const organizationBase = organizationHref(organization.id);
  const pages = (base: string, entries: readonly DashboardNavEntry[]): DashboardCommand[] =>
    visibleEntries(location, entries).map(({ label, icon, path }) => ({ label, icon, href: base + path }));
  const projectBase = project && projectHref(organization.id, project.id);
  return [
    ...(project && projectBase ? [{ title: project.name, commands: pages(projectBase, projectNav) }] : []),
    {
      title: "Actions",
      commands: [
        ...(project && projectBase
          ? [{ label: "Visit site", icon: "visit", href: project.url }, ...pages(projectBase, projectActions)]
          : []),
        ...pages(organizationBase, organizationActions),
      ],
    },
    {
      title: "Projects",
      commands: projects
        .filter(({ id }) => id !== project?.id)
        .flatMap(({ id, name }) => [
          { label: name, icon: "projects", href: projectHref(organization.id, id) },
          ...pages(projectHref(organization.id, id), projectNav).map((page) => ({
            ...page,
            label: `${name}: ${page.label}`,
          })),
        ]),
    },
    { title: organization.name, commands: pages(organizationBase, organizationNav) },
  ];
}

/** Actions of a project. Their fragments are the first fields of forms, which browsers focus. */
const projectActions: readonly DashboardNavEntry[] = [
  { label: "Deploy", icon: "deployments", path: "/deployments", minimumRole: "editor" },
  { label: "Create export", icon: "exports", path: "/exports#domain", minimumRole: "editor" },
  { label: "Add a domain", icon: "domains", path: "/domains#domain", minimumRole: "admin" },
  { label: "Connect a repository", icon: "links", path: "/settings#kind", minimumRole: "admin" },
  { label: "Choose how readers sign in", icon: "keys", path: "/settings#mode", minimumRole: "admin" },
];

const organizationActions: readonly DashboardNavEntry[] = [
  { label: "Create project", icon: "new", path: "/projects/new#name", minimumRole: "admin" },
  { label: "Create API key", icon: "keys", path: "/keys#name", minimumRole: "editor" },
  { label: "Invite a teammate", icon: "members", path: "/members#email", minimumRole: "admin" },
  { label: "Create webhook", icon: "notifications", path: "/notifications#url", minimumRole: "admin" },
];
