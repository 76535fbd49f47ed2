/** Renders the HTML document of a dashboard page: head, top bar, navigation and main content. */

import type { ComponentChildren } from "preact";
import { brandMark } from "../../base/brand-mark.ts";
import { themeInit } from "../../engine/frame/init-scripts.ts";
import { CommandButton, CommandMenu } from "./command-menu.tsx";
import { commandsOf } from "./commands.ts";
import {
  type DashboardLocation,
  type DashboardNavEntry,
  organizationNav,
  projectNav,
  visibleEntries,
} from "./dashboard-navigation.ts";
import { organizationHref, projectHref } from "./dashboard-urls.ts";
import { Form, FormToken } from "./kit/form.tsx";

export interface DocumentView {
  title: string;
  /** URLs of the styles and scripts. */
  styles: readonly string[];
  scripts: readonly string[];
  /** URL of the icon. */
  icon: string;
  formToken: string;
  /** Message about the last action, if there was one. */
  notice: string | undefined;
  /** What the user should check, shown on every page. Undefined if there is nothing. */
  warning: ComponentChildren;
  /** The signed-in user; undefined without a session. */
  user: { name: string; email: string; isOperator: boolean } | undefined;
  organizations: readonly { id: string; name: string }[];
  /** The page's place in the navigation. Undefined for pages outside of an organization. */
  location: DashboardLocation | undefined;
}

export function Document({ view, children }: { view: DocumentView; children: ComponentChildren }) {
  const { location } = view;
  return (
    <html lang="en" data-root="/" data-mode="system" class={location ? "d-placed" : undefined}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>
          {[view.title, location?.project?.name ?? location?.organization.name, "Octavo"]
            .filter(Boolean)
            .join(" · ")}
        </title>
        <script dangerouslySetInnerHTML={{ __html: themeInit(false) }} />
        {view.styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        <link rel="icon" href={view.icon} />
        {view.scripts.map((source) => (
          <script key={source} src={source} defer />
        ))}
      </head>
      <body data-copied="Copied" data-copy-failed="Couldn't copy">
        <FormToken.Provider value={view.formToken}>
          <a class="o-skip" href="#main">
            Skip to content
          </a>
          <Bar view={view} />
          <div class="d-shell">
            {location && <Navigation location={location} />}
            <main id="main" tabIndex={-1}>
              {view.notice && (
                <div class="d-note d-note-check" role="status">
                  {view.notice}
                </div>
              )}
              {view.warning}
              {children}
            </main>
          </div>
          {view.user && <CommandMenu groups={commandsOf(view.user, view.organizations, location)} />}
        </FormToken.Provider>
      </body>
    </html>
  );
}

function Bar({ view }: { view: DocumentView }) {
  const { location, user, organizations } = view;
  return (
    <header class="d-bar">
      <a class="d-brand" href="/dashboard">
        <span class="d-mark" dangerouslySetInnerHTML={{ __html: brandMark }} />
        <span>Octavo</span>
      </a>
      {location && (
        <details class="o-menu d-switch">
          <summary>
            <span class="o-sr">Organization and project: </span>
            {location.organization.logo && (
              <img class="d-logo" src={location.organization.logo} alt="" width="28" height="28" />
            )}
            <span class="d-where">
              {location.project?.name ?? location.organization.name}
              {location.project && <small>{location.organization.name}</small>}
            </span>
          </summary>
          <Switcher location={location} organizations={organizations} />
        </details>
      )}
      <div class="d-bar-end">
        {user && <CommandButton />}
        <details class="o-menu o-js">
          <summary>
            <span class="o-sr">Color mode</span>
            <i class="o-c o-c-system" />
          </summary>
          <ul>
            {(["system", "light", "dark"] as const).map((mode) => (
              <li key={mode}>
                <button type="button" data-mode={mode}>
                  {mode[0]!.toUpperCase() + mode.slice(1)}
                </button>
              </li>
            ))}
          </ul>
        </details>
        {user && (
          <details class="o-menu">
            <summary>
              <span class="o-sr">Your account: </span>
              <span class="d-person">{user.name}</span>
            </summary>
            <ul>
              <li>
                <a href="/dashboard/account">
                  <span>
                    Account and sessions
                    <small>{user.email}</small>
                  </span>
                </a>
              </li>
              {user.isOperator && (
                <li>
                  <a href="/dashboard/operator">
                    <span>
                      Operator
                      <small>Organizations, queue, health</small>
                    </span>
                  </a>
                </li>
              )}
              <li class="d-sign-out">
                <Form action="/dashboard/sign-out">
                  <button type="submit">Sign out</button>
                </Form>
              </li>
            </ul>
          </details>
        )}
      </div>
    </header>
  );
}

/** The organization, its projects, the other organizations, and the link to a new project. */
function Switcher({
  location: { organization, projects, project, role },
  organizations,
}: { location: DashboardLocation } & Pick<DocumentView, "organizations">) {
  const others = organizations.filter(({ id }) => id !== organization.id);
  return (
    <ul>
      <li class="d-switch-head">
        <a href={organizationHref(organization.id)} aria-current={project ? undefined : "true"}>
          <span>
            {organization.name}
            <small>Organization</small>
          </span>
        </a>
      </li>
      {projects.map(({ id, name }) => (
        <li key={id}>
          <a href={projectHref(organization.id, id)} aria-current={id === project?.id ? "true" : undefined}>
            <i class="d-icon d-icon-projects" />
            {name}
          </a>
        </li>
      ))}
      {others.map(({ id, name }, index) => (
        <li key={id} class={index === 0 ? "d-switch-rest" : undefined}>
          <a href={organizationHref(id)}>
            <i class="d-icon d-icon-members" />
            <span>
              {name}
              <small>Organization</small>
            </span>
          </a>
        </li>
      ))}
      {role === "admin" && (
        <li class="d-switch-rest">
          <a href={organizationHref(organization.id, "/projects/new")}>
            <i class="d-icon d-icon-new" />
            New project
          </a>
        </li>
      )}
    </ul>
  );
}

function Navigation({ location }: { location: DashboardLocation }) {
  const { organization, project, path } = location;
  const parts: { title: string; base: string; entries: readonly DashboardNavEntry[] }[] = [];
  if (project)
    parts.push({ title: project.name, base: projectHref(organization.id, project.id), entries: projectNav });

  parts.push({ title: organization.name, base: organizationHref(organization.id), entries: organizationNav });

  return (
    <details class="d-nav">
      <summary>Menu</summary>
      <nav aria-label="Dashboard">
        {parts.map(({ title, base, entries }) => (
          <section key={base}>
            <h2>{title}</h2>
            <ul>
              {visibleEntries(location, entries).map(({ label, path: own, group, icon }, index, shown) => (
                <li
                  key={own}
                  class={index > 0 && group !== shown[index - 1]!.group ? "d-nav-group" : undefined}
                >
                  <a href={base + own} aria-current={isAt(path, base, own) ? "page" : undefined}>
                    <i class={`d-icon d-icon-${icon}`} />
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </details>
  );
}

/**
 * Whether the current page is the entry's page or below it. For an empty `own`, only the exact path matches,
 * because `base` is a prefix of all other paths.
 */
function isAt(path: string, base: string, own: string): boolean {
  return path === base + own || (own !== "" && path.startsWith(`${base}${own}/`));
}
