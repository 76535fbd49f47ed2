/** Overview page of a project. */

import { countConversations } from "../conversations/conversation-counts.ts";
import { day_ms, dayOf, dayText } from "../core/day-blocks.ts";
import { mayActAs } from "../core/identity.ts";
import { deploymentView } from "../deployments/deployment-table.tsx";
import { getDeployment, listDeployments } from "../deployments/deployments.ts";
import { projectUrl } from "../projects/projects.ts";
import { trafficByDay } from "../traffic/traffic.ts";
import { page } from "../ui/dashboard-response.ts";
import { projectRoute } from "../ui/route.ts";
import type { ProjectVisit } from "../ui/visit.ts";
import { Overview, type ReadersView } from "./overview-view.tsx";

const deployments_count = 5;
const week_days = 7;

export const overviewRoutes = [
  projectRoute("GET /", "showProject", "viewer", async (visit) => {
    const { service, scope, member, project } = visit;
    const { settings } = service;
    const { rows } = await listDeployments(service, scope, project.id, { limit: deployments_count });
    const live = project.live_deployment_id === null ? undefined : await getDeployment(service, scope, project.live_deployment_id);
    return page(
      "Overview",
      <Overview
        ids={{ organizationId: member.organizationId, projectId: project.id }}
        name={project.name}
        url={projectUrl(settings, project)}
        live={live && deploymentView(service, live)}
        features={{ assistant: settings.hasAssistant, analytics: settings.hasAnalytics }}
        readers={live && (await readersOf(visit))}
        deployments={rows.map((row) => deploymentView(service, row))}
        hasSource={project.source.kind !== "upload"}
        mayEdit={mayActAs(member.role, "editor")}
        apiUrl={settings.url}
      />,
    );
  }),
];

async function readersOf({ service, scope, project }: ProjectVisit): Promise<ReadersView> {
  const today = dayOf(Date.now());
  const range = { dateFrom: (today + 1 - 2 * week_days) * day_ms, dateTo: undefined };
  const [traffic, conversations] = await Promise.all([
    trafficByDay(service, scope, project.id, range),
    countConversations(service, scope, project.id, range),
  ]);
  const begins = dayText(today + 1 - week_days);
  const sums = (isOf: (day: string) => boolean) => {
    const [views, questions] = [traffic.filter(({ day }) => isOf(day)), conversations.days.filter(({ day }) => isOf(day))];
    const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
    return {
      views: sum(views.map(({ humanViews }) => humanViews)),
      visitors: sum(views.map(({ humanVisitors }) => humanVisitors)),
      questions: sum(questions.map(({ answered, unanswered }) => answered + unanswered)),
      unanswered: sum(questions.map(({ unanswered }) => unanswered)),
    };
  };
  return { week: sums((day) => day >= begins), weekBefore: sums((day) => day < begins) };
}
