/** Dashboard route of a project's overview page. */

import { listMembers } from "../accounts/members.ts";
import { countConversations } from "../conversations/conversation-counts.ts";
import { day_ms, dayOf, dayText } from "../core/day-blocks.ts";
import { mayActAs } from "../core/identity.ts";
import { deploymentView } from "../deployments/deployment-summary.ts";
import { getDeployment, listDeployments } from "../deployments/deployments.ts";
import { siteStates } from "../deployments/site-state.ts";
import { projectUrl } from "../projects/projects.ts";
import { readRepository } from "../storage/git-copies.ts";
import { trafficByDay } from "../traffic/traffic.ts";
import { page } from "../ui/dashboard-response.ts";
import { organizationHref, projectHref } from "../ui/dashboard-urls.ts";
import { projectRoute } from "../ui/route.ts";
import type { ProjectVisit } from "../ui/visit.ts";
import { Overview, type ReadersView, type StepView } from "./overview-view.tsx";

const deployments_count = 5;
const week_days = 7;
/** Number of days after a project's creation during which its checklist is shown. */
const newProject_days = 14;

export const overviewRoutes = [
  projectRoute("GET /", "showProject", "viewer", showOverview, { waitsForSites: true }),
];

async function showOverview(visit: ProjectVisit) {
  const { service, scope, member, project } = visit;
  const { settings } = service;
  const { rows } = await listDeployments(service, scope, project.id, { limit: deployments_count });

  const live =
    project.live_deployment_id === null
      ? undefined
      : await getDeployment(service, scope, project.live_deployment_id);

  const states = await siteStates(service.db, scope, project.id);

  return page(
    "Overview",
    <Overview
      ids={{ organizationId: member.organizationId, projectId: project.id }}
      name={project.name}
      url={projectUrl(settings, project)}
      live={live && deploymentView(service, live)}
      unpublished={states.get(project.id)?.unpublished}
      features={{ assistant: settings.hasAssistant, analytics: settings.hasAnalytics }}
      readers={live && (await readersOf(visit))}
      deployments={rows.map((row) => deploymentView(service, row))}
      hasSource={project.source.kind !== "upload"}
      mayEdit={mayActAs(member.role, "editor")}
      apiUrl={settings.url}
      steps={await stepsOf(visit)}
    />,
    { hasChart: live !== undefined },
  );
}

async function readersOf({ service, scope, project }: ProjectVisit): Promise<ReadersView> {
  const today = dayOf(Date.now());
  const range = { dateFrom: (today + 1 - 2 * week_days) * day_ms, dateTo: undefined };
  const [traffic, conversations] = await Promise.all([
    trafficByDay(service, scope, project.id, range),
    countConversations(service, scope, project.id, range),
  ]);

  const begins = dayText(today + 1 - week_days);

  const sums = (isOf: (day: string) => boolean) => {
    const [views, questions] = [
      traffic.filter(({ day }) => isOf(day)),
      conversations.days.filter(({ day }) => isOf(day)),
    ];
    const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
    return {
      views: sum(views.map(({ humanViews }) => humanViews)),
      visitors: sum(views.map(({ humanVisitors }) => humanVisitors)),
      questions: sum(questions.map(({ answered, unanswered }) => answered + unanswered)),
      unanswered: sum(questions.map(({ unanswered }) => unanswered)),
    };
  };

  const days = new Map<string, [number, number]>();
  for (const { day, humanViews } of traffic) days.set(day, [humanViews, 0]);
  for (const { day, answered, unanswered } of conversations.days)
    days.set(day, [days.get(day)?.[0] ?? 0, answered + unanswered]);

  return {
    week: sums((day) => day >= begins),
    weekBefore: sums((day) => day < begins),
    days,
    from: dayText(today + 1 - 2 * week_days),
    to: dayText(today),
  };
}

/**
 * Returns the checklist for admins of a new project. Undefined if all steps are done, the project isn't new,
 * or the user isn't an admin.
 */
async function stepsOf({ service, member, project }: ProjectVisit): Promise<StepView[] | undefined> {
  if (!mayActAs(member.role, "admin") || Date.now() - project.created_at.getTime() > newProject_days * day_ms)
    return undefined;
  const members = await listMembers(service, member.organizationId);
  const projectPath = (path: string) => projectHref(member.organizationId, project.id, path);
  const steps = [
    {
      label: "Connect a repository",
      hint: "Each push to your branch is deployed.",
      href: projectPath("/settings"),
      isDone: project.source.kind === "git" || (await readRepository(service.db, project.id)).version > 0,
    },
    {
      label: "Deploy your docs",
      hint: "Your site goes live.",
      href: projectPath("/deployments"),
      isDone: project.live_deployment_id !== null,
    },
    {
      label: "Add a custom domain",
      hint: "Serve your docs on your own domain.",
      href: projectPath("/domains"),
      isDone: project.domains.length > 0,
    },
    {
      label: "Invite a teammate",
      hint: "Choose who can deploy and who can only view.",
      href: organizationHref(member.organizationId, "/members"),
      isDone: members.length > 1,
    },
    ...(service.settings.hasAssistant && !service.settings.hasModel
      ? [
          {
            label: "Add a language model",
            hint: "Without a model, the assistant can only quote your docs or link to them.",
            href: projectPath("/settings"),
            isDone: project.assistant?.model !== undefined,
          },
        ]
      : []),
  ];

  return steps.every(({ isDone }) => isDone) ? undefined : steps;
}
