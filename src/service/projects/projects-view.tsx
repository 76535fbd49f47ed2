import { StateBadge } from "../deployments/deployment-table.tsx";
import { type SiteState, unpublishedText } from "../deployments/site-state.ts";
import { organizationHref, projectHref } from "../ui/dashboard-urls.ts";
import { LinkButton } from "../ui/kit/form.tsx";
import { Badge, Empty, PageHead } from "../ui/kit/page-parts.tsx";
import { Time } from "../ui/kit/time.tsx";

interface ProjectCard extends Partial<SiteState> {
  id: string;
  name: string;
  url: string;
}

export interface ProjectsProps {
  organization: { id: string; name: string; plan: string };
  projects: readonly ProjectCard[];
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
          {projects.map(({ id, name, url, state, unpublished }) => (
            <li key={id}>
              <a href={projectHref(organization.id, id)}>
                <strong>{name}</strong>
                <small>{url}</small>
                {state ? <StateBadge state={state} /> : <Badge>Not deployed</Badge>}
                {unpublished && unpublished.state !== state && (
                  <small>
                    Deployment {unpublished.number} {unpublishedText(unpublished)} (
                    <Time at={unpublished.endedAt} />)
                  </small>
                )}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
