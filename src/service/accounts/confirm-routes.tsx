/** Dashboard routes where users confirm their identity before a sensitive change. */

import { type DashboardResponse, page, redirect } from "../ui/dashboard-response.ts";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { type DashboardRoute, userRoute } from "../ui/route.ts";
import type { UserVisit } from "../ui/visit.ts";
import type { AccountOptions } from "./account-routes.tsx";
import { ConfirmIdentity } from "./confirm-view.tsx";
import { dashboardPath } from "./dashboard-path.ts";
import { confirmPassword } from "./password-sign-in.ts";
import { hasPassword } from "./passwords.ts";
import { confirmSession } from "./sessions.ts";

export function confirmRoutes(options: AccountOptions): DashboardRoute[] {
  return [
    userRoute("GET /account/confirm", "showConfirm", (visit) => showConfirm(visit, options)),
    userRoute(
      "POST /account/confirm",
      "confirm",
      async (visit) => {
        const { service, session, form, origin } = visit;
        await confirmPassword(service, session.user, form.get("password") ?? "", origin.address);
        await confirmSession(service, session);
        return redirect(dashboardPath(form.get("next")));
      },
      { showErrors: (visit, errors) => showConfirm(visit, options, errors) },
    ),
  ];
}

async function showConfirm(
  { service, session, url, form }: UserVisit,
  { provider, hasPasswords }: AccountOptions,
  errors?: FormErrors,
): Promise<DashboardResponse> {
  const next = dashboardPath(form.get("next") ?? url.searchParams.get("next"));
  return page(
    "Confirm it's you",
    <ConfirmIdentity
      next={next}
      email={session.user.email}
      hasPassword={hasPasswords && (await hasPassword(service, session.user.id))}
      provider={
        provider && {
          name: provider.name,
          href: `/dashboard/provider?${new URLSearchParams({ renew: "", next })}`,
        }
      }
      errors={errors}
    />,
  );
}
