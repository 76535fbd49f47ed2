import { projectHref } from "../addresses.ts";
import { CopyField } from "../kit/copy.tsx";
import { LinkButton, PostButton } from "../kit/form.tsx";
import { Empty, Facts, PageHead, Section } from "../kit/page-parts.tsx";
import { count } from "../kit/table.tsx";
import { Time } from "../kit/time.tsx";
import { DeploymentTable, type DeploymentView, FirstSteps, type Place, Sources } from "./deployments.tsx";

export interface OverviewProps {
  place: Place;
  name: string;
  /** Where the site is read. */
  url: string;
  /** What readers see now. */
  live: DeploymentView | undefined;
  /** The last few. */
  deployments: readonly DeploymentView[];
  /** Whether there is a source that can be built at once. */
  hasSource: boolean;
  mayEdit: boolean;
  /** Address of the API. */
  apiUrl: string;
}

export function Overview({ place, name, url, live, deployments, hasSource, mayEdit, apiUrl }: OverviewProps) {
  const under = (path: string) => projectHref(place.organizationId, place.projectId, path);
  return (
    <>
      <PageHead
        title={name}
        lead={<a href={url}>{url}</a>}
        actions={
          live && (
            <LinkButton href={url} kind="primary">
              Open the site
            </LinkButton>
          )
        }
      />
      {live && (
        <Facts
          rows={[
            [
              "Live",
              <a key="live" href={under(`/deployments/${live.id}`)}>
                Deployment {live.number}
              </a>,
            ],
            ["Since", <Time key="since" at={live.endedAt ?? live.createdAt} />],
            ["From", <Sources key="from" row={live} />],
            ["Pages", count(live.pageCount ?? 0)],
          ]}
        />
      )}
      <Facts isWide rows={[["Project id", <CopyField key="id" label="project id" text={place.projectId} />]]} />
      {deployments.length === 0 ? (
        <>
          <Empty title="Nothing is deployed yet.">
            {hasSource && mayEdit ? (
              <PostButton action={under("/deployments")} kind="primary">
                Deploy
              </PostButton>
            ) : (
              "Deploy a folder, and readers see it at the address above."
            )}
          </Empty>
          {!hasSource && <FirstSteps projectId={place.projectId} url={apiUrl} />}
        </>
      ) : (
        <Section title="Last deployments" actions={<LinkButton href={under("/deployments")}>All deployments</LinkButton>}>
          <DeploymentTable place={place} deployments={deployments} />
        </Section>
      )}
    </>
  );
}
