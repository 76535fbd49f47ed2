/** Dashboard routes where users choose the events that they get by email, for each of their organizations. */

import { page, redirect } from "../ui/dashboard-response.ts";
import { userRoute } from "../ui/route.ts";
import { EmailChoices } from "./email-view.tsx";
import { eventOptions } from "./event-labels.ts";
import { chooseMail, mailChoice } from "./mail-choices.ts";

const path = "/dashboard/account/notifications";

export const emailRoutes = [
  userRoute("GET /account/notifications", "showEmailNotifications", async ({ service, session }) => {
    const userId = session.user.id;
    const organizations = await Promise.all(
      session.memberships.map(async ({ organizationId, organizationName, role }) => ({
        id: organizationId,
        name: organizationName,
        events: await mailChoice(service, { organizationId, userId, role }),
      })),
    );

    return page(
      "Email notifications",
      <EmailChoices
        email={session.user.email}
        hasMail={service.mail !== undefined}
        organizations={organizations}
        options={eventOptions(service.settings)}
      />,
    );
  }),
  userRoute("POST /account/notifications", "changeEmailNotifications", async ({ service, session, form }) => {
    const shown = form.getAll("organizations");
    for (const { organizationId } of session.memberships) {
      // The user joined this organization after the form was loaded.
      if (!shown.includes(organizationId)) continue;
      const choice = {
        organizationId,
        userId: session.user.id,
        events: form.getAll(`events-${organizationId}`),
      };
      await chooseMail(service, choice);
    }
    return redirect(path, "emails-changed");
  }),
];
