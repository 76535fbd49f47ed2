import { organizationHref, projectHref } from "../ui/dashboard-urls.ts";
import { LinkButton } from "../ui/kit/form.tsx";
import { Badge, Empty, PageHead } from "../ui/kit/page-parts.tsx";

export interface ProjectsProps {
  organization: { id: string; name: string; plan: string };
  projects: readonly { id: string; name: string; url: string; isLive: boolean; hasErrors: boolean }[];
  mayAdd: boolean;
}

export function Projects({ organization, projects, mayAdd }: ProjectsProps) {
  const add = organizationHref(organization.id, "/projects/new");
  return (
    <>
      <PageHead
        title={organization.name}
        lead={`${organization.plan[0]!.toUpperCase()}${organization.plan.slice(1)} plan`}
        actions={mayAdd && projects.length > 0 && <LinkButton href={add}>New project</LinkButton>}
      />
      {projects.length === 0 ? (
        <Empty title="No projects yet">
          {mayAdd ? (
            <LinkButton href={add} kind="primary">
              New project
            </LinkButton>
          ) : (
            "Ask an admin to create one."
          )}
        </Empty>
      ) : (
        <ul class="d-cards">
          {projects.map(({ id, name, url, isLive, hasErrors }) => (
            <li key={id}>
              <a href={projectHref(organization.id, id)}>
                <strong>{name}</strong>
                <small>{url}</small>
                {!isLive ? (
                  <Badge>Not deployed</Badge>
                ) : hasErrors ? (
                  <Badge kind="warning">Live with errors</Badge>
                ) : (
                  <Badge kind="check">Live</Badge>
                )}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
