/**
 * Dashboard routes where members prove the sign-in method of their session, for organizations that require
 * it.
 */

import { notFound } from "../../base/app-error.ts";
import { type DashboardResponse, page, redirect } from "../ui/dashboard-response.ts";
import { organizationHref, proveHref } from "../ui/dashboard-urls.ts";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { field } from "../ui/read-form.ts";
import { type DashboardRoute, userRoute } from "../ui/route.ts";
import type { UserVisit } from "../ui/visit.ts";
import type { AccountOptions } from "./account-routes.tsx";
import { proofRequest, proveSession } from "./prove-session.ts";
import { ProveSession } from "./prove-session-view.tsx";

export function proveSessionRoutes(options: AccountOptions): DashboardRoute[] {
  return [
    userRoute("GET /account/confirm/:organizationId", "showProveSession", (visit) => show(visit, options)),
    userRoute(
      "POST /account/confirm/:organizationId",
      "proveSession",
      async (visit) => {
        const { service, session, form, origin } = visit;
        const { organizationId } = memberOf(visit);
        await proveSession(service, session, organizationId, {
          password: form.get("password") ?? "",
          code: field(form, "code"),
          address: origin.address,
        });
        return redirect(organizationHref(organizationId));
      },
      { showErrors: (visit, errors) => show(visit, options, errors) },
    ),
  ];
}

async function show(
  visit: UserVisit,
  { hasPasswords }: AccountOptions,
  errors?: FormErrors,
): Promise<DashboardResponse> {
  const { service, session } = visit;
  const { organizationId, organizationName } = memberOf(visit);
  if (session.provedIn.includes(organizationId)) return redirect(organizationHref(organizationId));
  return page(
    "Confirm your sign-in method",
    <ProveSession
      action={proveHref(organizationId)}
      organization={organizationName}
      email={session.user.email}
      request={hasPasswords ? await proofRequest(service, session) : undefined}
      canResetPassword={hasPasswords && service.mail !== undefined}
      errors={errors}
    />,
  );
}

function memberOf({ session, params }: UserVisit) {
  const member = session.memberships.find(({ organizationId }) => organizationId === params.organizationId);
  if (!member) throw notFound();
  return member;
}
