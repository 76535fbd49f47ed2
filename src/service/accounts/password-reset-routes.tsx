/** Routes for users who forgot their password. */

import { AppError } from "../../base/app-error.ts";
import type { AuditEvent } from "../core/audit.ts";
import { type DashboardResponse, page, redirect } from "../ui/dashboard-response.ts";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { field } from "../ui/read-form.ts";
import { type DashboardRoute, publicRoute } from "../ui/route.ts";
import type { Visit } from "../ui/visit.ts";
import { requestReset, requireResetToken, resetPassword, resetPath } from "./password-reset.ts";
import { ForgotPassword, NewPassword, PasswordChanged } from "./password-reset-view.tsx";
import type { SignInOptions } from "./sign-in-routes.tsx";
import { recordForUser } from "./user-audit.ts";

export function passwordResetRoutes({ hasPasswords, report }: SignInOptions): DashboardRoute[] {
  if (!hasPasswords) return [];

  return [
    publicRoute("GET /forgot-password", "showForgotPassword", async (visit) => showForgot(visit)),
    publicRoute(
      "POST /forgot-password",
      "forgotPassword",
      async (visit) => {
        const { service, form, origin } = visit;
        if (!service.mail)
          throw new AppError("forbidden", "This service doesn't send email. Ask an admin for a reset link.");
        await requestReset(service, field(form, "email"), origin.address, report);
        return showForgot(visit, { isSent: true });
      },
      { showErrors: (visit, errors) => showForgot(visit, { errors }) },
    ),
    publicRoute("GET /reset-password/:resetToken", "showResetPassword", (visit) => showReset(visit)),
    publicRoute(
      "POST /reset-password/:resetToken",
      "resetPassword",
      async (visit) => {
        const { service, params, form, origin } = visit;
        const { user, removed } = await resetPassword(
          service,
          params.resetToken!,
          form.get("password") ?? "",
        );

        const event: AuditEvent = {
          action: "resetPassword",
          target: "/dashboard/reset-password",
          outcome: "200",
        };

        await recordForUser(service, user, event, origin);
        if (removed.length > 0) return page("Password changed", <PasswordChanged removed={removed} />);
        return redirect("/dashboard/sign-in", "password-reset");
      },
      { showErrors: showReset },
    ),
  ];
}

function showForgot(
  { service, form }: Visit,
  { isSent = false, errors }: { isSent?: boolean; errors?: FormErrors } = {},
): DashboardResponse {
  const view = { email: field(form, "email"), hasMail: service.mail !== undefined, isSent, errors };
  return page("Reset your password", <ForgotPassword {...view} />);
}

async function showReset({ service, params }: Visit, errors?: FormErrors): Promise<DashboardResponse> {
  await requireResetToken(service, params.resetToken!);
  return page(
    "Choose a new password",
    <NewPassword action={resetPath(params.resetToken!)} errors={errors} />,
  );
}
