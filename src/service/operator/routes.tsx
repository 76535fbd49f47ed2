/** Dashboard routes for operators: organizations, queue, health, storage and sign-ins. */

import { atField, invalid } from "../../base/app-error.ts";
import { requireRecentSignIn } from "../accounts/recent-route.ts";
import { isRecent } from "../accounts/sessions.ts";
import { recordForUser } from "../accounts/user-audit.ts";
import { type AuditEvent, appendAudit } from "../core/audit.ts";
import { changeOrganization } from "../organizations/organizations.ts";
import { page, redirect } from "../ui/dashboard-response.ts";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { hrefWith } from "../ui/kit/href-with.ts";
import { field } from "../ui/read-form.ts";
import { rerenderOnError } from "../ui/rerender-on-error.ts";
import { type DashboardRoute, operatorRoute } from "../ui/route.ts";
import type { UserVisit } from "../ui/visit.ts";
import { readHealth, readVersions } from "./health.ts";
import { HealthScreen } from "./health-view.tsx";
import { OperatorOrganization, Organizations } from "./organizations-view.tsx";
import {
  endSignIn,
  findOrganizations,
  listLargest,
  listOrganizationsNewest,
  listSignIns,
  readOrganization,
  readQueue,
} from "./platform-lists.ts";
import { QueueScreen } from "./queue-view.tsx";
import { operatorHome } from "./screen-view.tsx";
import { SignIns } from "./sign-ins-view.tsx";
import { StorageScreen } from "./storage-view.tsx";

const plans = ["free", "pro", "enterprise"] as const;

export const operatorRoutes: DashboardRoute[] = [
  operatorRoute("GET /", "showOrganizations", showOrganizations),
  operatorRoute("GET /organizations/:organizationId", "showOperatorOrganization", (visit) =>
    showOrganization(visit),
  ),
  operatorRoute("POST /organizations/:organizationId/plan", "changePlan", (visit) =>
    requireRecentSignIn(visit, organizationPath(visit), () =>
      rerenderOnError(
        async () => {
          const { service, params, form, session, origin } = visit;
          const plan = plans.find((name) => name === field(form, "plan"));
          if (!plan) throw invalid("The plan wasn't changed", atField("plan", "Select a plan"));
          const { id } = await changeOrganization(service, params.organizationId!, { plan });
          const event: AuditEvent = { action: "changePlan", target: id, outcome: "200", metadata: { plan } };
          await appendAudit(service.db, id, `operator ${session.user.email}`, event, origin);
          return redirect(organizationPath(visit), "plan-changed");
        },
        (errors) => showOrganization(visit, errors),
      ),
    ),
  ),
  operatorRoute("GET /queue", "showQueue", showQueue),
  operatorRoute("GET /health", "showHealth", async ({ service }) => {
    const [parts, versions] = await Promise.all([readHealth(service), readVersions(service)]);
    return page("Health", <HealthScreen parts={parts} versions={versions} />);
  }),
  operatorRoute("GET /storage", "showStorage", async ({ service }) =>
    page(
      "Storage",
      <StorageScreen rows={await listLargest(service)} limit_bytes={service.settings.storageLimit_bytes} />,
    ),
  ),
  operatorRoute("GET /sign-ins", "showSignIns", showSignIns),
  operatorRoute("POST /sign-ins/:sessionId/end", "endSignIn", (visit) =>
    requireRecentSignIn(visit, `${operatorHome}/sign-ins`, async () => {
      const { service, params, session, origin } = visit;
      const user = await endSignIn(service, params.sessionId!);
      const event: AuditEvent = { action: "endSignIn", target: user.email, outcome: "200" };
      await recordForUser(service, user, event, origin, `operator ${session.user.email}`);
      return redirect(`${operatorHome}/sign-ins`, "sign-in-ended");
    }),
  ),
];

function organizationPath({ params }: UserVisit): string {
  return `${operatorHome}/organizations/${encodeURIComponent(params.organizationId!)}`;
}

/**
 * Reads the cursor in the query parameter `after`: the ID of the previous page's last row, a space, and the
 * row's name or time of last use (`text`). Undefined if the cursor is missing or malformed.
 */
function readCursor({ url }: UserVisit): { text: string; id: string } | undefined {
  const [, id, text] = /^([0-9A-Z]{26}) (.{0,200})$/s.exec(url.searchParams.get("after") ?? "") ?? [];
  return id === undefined ? undefined : { id, text: text! };
}

async function showOrganizations(visit: UserVisit) {
  const { service, url } = visit;
  const text = (url.searchParams.get("q") ?? "").trim().slice(0, 100);
  const cursor = readCursor(visit);
  const { rows, hasMore } = text
    ? await findOrganizations(service, text, cursor && { name: cursor.text, id: cursor.id })
    : await listOrganizationsNewest(service, cursor?.id);
  const last = rows.at(-1);
  return page(
    "Organizations",
    <Organizations
      rows={rows}
      text={text}
      pages={{
        first: cursor && hrefWith(operatorHome, { q: text }),
        next:
          hasMore && last ? hrefWith(operatorHome, { q: text, after: `${last.id} ${last.name}` }) : undefined,
      }}
    />,
  );
}

async function showOrganization({ service, params, session }: UserVisit, errors?: FormErrors) {
  const row = await readOrganization(service, params.organizationId!);
  const { storageLimit_bytes } = service.settings;
  return page(
    row.name,
    <OperatorOrganization
      row={row}
      storageLimit_bytes={storageLimit_bytes}
      isConfirmed={isRecent(session)}
      errors={errors}
    />,
  );
}

async function showQueue({ service, url }: UserVisit) {
  const text = url.searchParams.get("after") ?? "";
  const after = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  const { types, rows, hasMore } = await readQueue(service, after);
  const path = `${operatorHome}/queue`;
  const next = hasMore ? hrefWith(path, { after: String(rows.at(-1)!.id) }) : undefined;
  return page(
    "Queue",
    <QueueScreen types={types} rows={rows} pages={{ first: after === undefined ? undefined : path, next }} />,
  );
}

async function showSignIns(visit: UserVisit) {
  const { service, session } = visit;
  const cursor = readCursor(visit);
  const isTime = cursor !== undefined && /^\d{1,17}$/.test(cursor.text);
  const { rows, hasMore } = await listSignIns(
    service,
    isTime ? { seen: cursor.text, id: cursor.id } : undefined,
  );

  const path = `${operatorHome}/sign-ins`;
  const last = rows.at(-1);
  return page(
    "Sign-ins",
    <SignIns
      rows={rows}
      ownId={session.id}
      isConfirmed={isRecent(session)}
      pages={{
        first: isTime ? path : undefined,
        next: hasMore && last ? hrefWith(path, { after: `${last.id} ${last.seen}` }) : undefined,
      }}
    />,
  );
}
