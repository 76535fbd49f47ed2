import type { DeploymentView } from "../deployments/deployment-summary.ts";
import { DeploymentState, DeploymentTable, Source } from "../deployments/deployment-table.tsx";
import { FirstSteps } from "../deployments/first-steps.tsx";
import { type UnpublishedDeployment, unpublishedText } from "../deployments/site-state.ts";
import { UploadArea } from "../deployments/upload-area.tsx";
import { type ProjectIds, projectHref } from "../ui/dashboard-urls.ts";
import { Chart } from "../ui/kit/chart.tsx";
import { CopyField } from "../ui/kit/copy.tsx";
import { LinkButton, PostButton } from "../ui/kit/form.tsx";
import { count } from "../ui/kit/format-number.ts";
import { Empty, Facts, MetricTiles, Note, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { Time } from "../ui/kit/time.tsx";

export interface OverviewProps {
  ids: ProjectIds;
  name: string;
  /** URL of the site. */
  url: string;
  /** Live deployment; undefined if there is none. */
  live: DeploymentView | undefined;
  unpublished: UnpublishedDeployment | undefined;
  /** Metrics for the last two weeks; undefined if nothing is live. */
  readers: ReadersView | undefined;
  /** Features of the service. Metrics of disabled features are hidden. */
  features: { assistant: boolean; analytics: boolean };
  /** Most recent deployments. */
  deployments: readonly DeploymentView[];
  /** Whether the project has a source that can be built. */
  hasSource: boolean;
  mayEdit: boolean;
  /** URL of the API. */
  apiUrl: string;
  /**
   * Checklist of a new project; undefined if all steps are done, the project isn't new, or the user isn't an
   * admin.
   */
  steps: readonly StepView[] | undefined;
}

export interface StepView {
  label: string;
  /** Benefit of the step. */
  hint: string;
  href: string;
  isDone: boolean;
}

/** Metrics of a week. */
export interface WeekView {
  views: number;
  visitors: number;
  questions: number;
  unanswered: number;
}

export interface ReadersView {
  week: WeekView;
  weekBefore: WeekView;
  /** Number of page views by people, and number of questions, by day (`2026-05-03`) for both weeks. */
  days: ReadonlyMap<string, readonly [views: number, questions: number]>;
  from: string;
  to: string;
}

export function Overview({
  ids,
  name,
  url,
  live,
  unpublished,
  readers,
  features,
  deployments,
  hasSource,
  mayEdit,
  apiUrl,
  steps,
}: OverviewProps) {
  const projectPath = (path: string) => projectHref(ids.organizationId, ids.projectId, path);
  return (
    <>
      <PageHead
        title={name}
        lead={<a href={url}>{url}</a>}
        actions={
          <>
            {live && hasSource && mayEdit && (
              <PostButton action={projectPath("/deployments")}>Deploy</PostButton>
            )}
            {live && (
              <LinkButton href={url} kind="primary">
                Visit site
              </LinkButton>
            )}
          </>
        }
      />
      {unpublished && (
        <Note kind={unpublished.state === "failed" ? "danger" : "warning"}>
          <p>
            <a href={projectPath(`/deployments/${unpublished.id}`)}>Deployment {unpublished.number}</a>{" "}
            {unpublishedText(unpublished)} (<Time at={unpublished.endedAt} />
            ). {live && `Deployment ${live.number} stays live.`}
          </p>
        </Note>
      )}
      {live && (
        <Facts
          rows={[
            [
              "State",
              <>
                <DeploymentState row={live} />{" "}
                <a href={projectPath(`/deployments/${live.id}`)}>Deployment {live.number}</a>
              </>,
            ],
            ["Deployed", <Time key="since" at={live.endedAt ?? live.createdAt} />],
            ["Source", <Source key="from" row={live} />],
            ["Pages", count(live.pageCount ?? 0)],
          ]}
        />
      )}
      {steps && <NextSteps steps={steps} />}
      {readers && (features.assistant || features.analytics) && (
        <Readers {...readers} features={features} projectPath={projectPath} />
      )}
      {deployments.length === 0 ? (
        <>
          {!hasSource && mayEdit ? (
            <UploadArea action={projectPath("/uploads")} />
          ) : (
            <Empty title="No deployments yet">
              {hasSource && mayEdit ? (
                <PostButton action={projectPath("/deployments")} kind="primary">
                  Deploy
                </PostButton>
              ) : (
                "Editors and admins can deploy the site."
              )}
            </Empty>
          )}
          {!hasSource && <FirstSteps ids={ids} url={apiUrl} />}
        </>
      ) : (
        <Section
          title="Recent deployments"
          actions={<LinkButton href={projectPath("/deployments")}>All deployments</LinkButton>}
        >
          <DeploymentTable ids={ids} deployments={deployments} />
        </Section>
      )}
      <Facts isWide rows={[["Project ID", <CopyField key="id" label="project ID" text={ids.projectId} />]]} />
    </>
  );
}

function NextSteps({ steps }: { steps: readonly StepView[] }) {
  return (
    <div class="d-steps-card">
      <Section
        title="Get started"
        lead={`${steps.filter(({ isDone }) => isDone).length} of ${steps.length} done`}
      >
        <ul class="d-steps">
          {steps.map(({ label, hint, href, isDone }) => (
            <li key={label} class={isDone ? "d-done" : undefined}>
              <span>
                {isDone ? label : <a href={href}>{label}</a>}
                {isDone && <span class="o-sr">: done</span>}
                <span class="d-under">{hint}</span>
              </span>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}

function Readers({
  week,
  weekBefore,
  days,
  from,
  to,
  features,
  projectPath,
}: ReadersView & Pick<OverviewProps, "features"> & { projectPath(path: string): string }) {
  const tile = (label: string, of: keyof WeekView, path: string) => ({
    label,
    value: count(week[of]),
    hint: comparison(week[of], weekBefore[of]),
    href: projectPath(path),
  });

  return (
    <>
      <Section title="Last 7 days">
        <MetricTiles
          tiles={[
            ...(features.analytics
              ? [
                  tile("Views by people", "views", "/traffic?days=7"),
                  tile("Visitors", "visitors", "/traffic?days=7&show=visitors"),
                ]
              : []),
            ...(features.assistant
              ? [
                  tile("Questions", "questions", "/conversations?days=7"),
                  tile("Unanswered", "unanswered", "/questions?days=7"),
                ]
              : []),
          ]}
        />
      </Section>
      <Section title="Last 14 days">
        <Chart
          title={features.analytics ? "Page views" : "Questions"}
          unit={features.analytics ? "views" : "questions"}
          series={[features.analytics ? "Views by people" : "Questions"]}
          days={
            new Map(
              [...days].map(([day, [views, questions]]) => [day, [features.analytics ? views : questions]]),
            )
          }
          from={from}
          to={to}
        />
      </Section>
    </>
  );
}

/** Compares a metric with the previous week, such as "↑ 12% from the previous 7 days". */
function comparison(now: number, before: number): string {
  if (now === before) return now === 0 ? "None in the previous 7 days either" : "Same as the previous 7 days";
  if (before === 0) return "None in the previous 7 days";
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return "About the same as the previous 7 days";
  return `${percent > 0 ? "↑" : "↓"} ${Math.abs(percent)}% from the previous 7 days`;
}
