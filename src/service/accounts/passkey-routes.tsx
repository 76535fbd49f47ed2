/** Dashboard routes for passkeys: sign-in, creation and removal. */

import { quotedName } from "../core/quoted-text.ts";
import { type DashboardResponse, page, redirect } from "../ui/dashboard-response.ts";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { field } from "../ui/read-form.ts";
import { rerenderOnError } from "../ui/rerender-on-error.ts";
import { type DashboardRoute, publicRoute } from "../ui/route.ts";
import { browserName } from "../ui/user-agent.ts";
import type { UserVisit } from "../ui/visit.ts";
import { dashboardPath } from "./dashboard-path.ts";
import { NewPasskey } from "./passkey-view.tsx";
import {
  addPasskey,
  type PasskeyAnswer,
  registrationRequest,
  removePasskey,
  userByPasskey,
} from "./passkeys.ts";
import { requirePasswords } from "./password-sign-in.ts";
import { recentRoute } from "./recent-route.ts";
import { type SignInOptions, showSignIn } from "./sign-in-routes.tsx";
import { startSession } from "./start-session.ts";
import { tellOwner } from "./tell-owner.ts";

export function passkeyRoutes(options: SignInOptions): DashboardRoute[] {
  return [
    publicRoute("POST /sign-in/passkey", "signInWithPasskey", (visit) => {
      const { service, form } = visit;
      const next = dashboardPath(form.get("next"));
      return rerenderOnError(
        async () => {
          requirePasswords(service);
          const { user, passkeyId } = await userByPasskey(service, answerOf(form));
          return startSession(
            visit,
            options.cookies,
            user,
            { method: "passkey", passkeyId, authenticatedAt: new Date() },
            next,
          );
        },
        (errors) => showSignIn(visit, options, next, "", errors),
      );
    }),
    recentRoute("GET /account/passkeys/new", "showNewPasskey", (visit) => showNew(visit)),
    recentRoute("POST /account/passkeys", "addPasskey", (visit) =>
      rerenderOnError(
        async () => {
          const { service, session, form } = visit;
          requirePasswords(service);
          const name = await addPasskey(service, session, answerOf(form), field(form, "name"));
          tellOwner(
            service,
            session.user,
            `The passkey ${quotedName(name)} was added to your Octavo account.`,
          );
          return redirect("/dashboard/account", "passkey-added");
        },
        (errors) => showNew(visit, errors),
      ),
    ),
    recentRoute(
      "POST /account/passkeys/:passkeyId/remove",
      "removePasskey",
      async ({ service, session, params }) => {
        await removePasskey(service, session.user.id, params.passkeyId!);
        return redirect("/dashboard/account", "passkey-removed");
      },
    ),
  ];
}

function answerOf(form: URLSearchParams): PasskeyAnswer {
  return { challenge: form.get("challenge") ?? "", response: form.get("response") ?? "" };
}

async function showNew(
  { service, session, form, userAgent }: UserVisit,
  errors?: FormErrors,
): Promise<DashboardResponse> {
  const request = await registrationRequest(service, session.user);
  return page(
    "Add a passkey",
    <NewPasskey request={request} name={field(form, "name") || browserName(userAgent)} errors={errors} />,
  );
}
