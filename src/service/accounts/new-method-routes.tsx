/** Dashboard routes that remove or confirm new sign-in methods, which every page lists. */

import { redirect } from "../ui/dashboard-response.ts";
import { field } from "../ui/read-form.ts";
import { type DashboardRoute, userRoute } from "../ui/route.ts";
import { confirmNewMethods, removeNewMethod } from "./new-methods.ts";
import { requireRecentSignIn } from "./recent-route.ts";
import { requireUnlimited } from "./unconfirmed.ts";

const accountPath = "/dashboard/account";

export const newMethodRoutes: DashboardRoute[] = [
  userRoute("POST /account/new-methods/remove", "removeNewMethod", async (visit) => {
    const { service, session, form } = visit;
    requireUnlimited(session);
    const method = { kind: field(form, "kind"), id: field(form, "id") };
    const remove = async () => {
      await removeNewMethod(service, session, method);
      return redirect(accountPath, "method-removed");
    };
    // Without two-factor authentication, a password is enough to sign in, so removing it needs more.
    return method.kind === "second-factor" ? requireRecentSignIn(visit, accountPath, remove) : remove();
  }),
  userRoute("POST /account/new-methods/confirm", "confirmNewMethods", async ({ service, session }) => {
    await confirmNewMethods(service, session);
    return redirect(accountPath, "methods-confirmed");
  }),
];
