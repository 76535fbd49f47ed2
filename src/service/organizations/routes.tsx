/** Dashboard routes for an organization's settings: name, default role for invitations, sign-in, logo. */

import { AppError, atField, invalid, notFound } from "../../base/app-error.ts";
import { validate } from "../http/read-body.ts";
import { image, page, redirect } from "../ui/dashboard-response.ts";
import { logoHref, organizationHref } from "../ui/dashboard-urls.ts";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { field } from "../ui/read-form.ts";
import { organizationRoute } from "../ui/route.ts";
import type { MemberVisit } from "../ui/visit.ts";
import { changeOrganization as changeEndpoint } from "./contract.ts";
import { getLogo, removeLogo, setLogo } from "./organization-logo.ts";
import { OrganizationSettings } from "./organization-settings-view.tsx";
import { changeOrganization, getOrganization } from "./organizations.ts";

export const organizationSettingsRoutes = [
  organizationRoute("GET /settings", "showOrganizationSettings", "admin", (visit) => show(visit)),
  organizationRoute(
    "POST /settings",
    "changeOrganization",
    "admin",
    async (visit) => {
      const { service, member, form } = visit;
      const given = { name: field(form, "name"), defaultRole: field(form, "defaultRole") };
      const { name, defaultRole } = validate(changeEndpoint.body.schema, given, "Invalid settings");
      await changeOrganization(service, member.organizationId, { name: name!, defaultRole: defaultRole! });
      return redirect(settingsHref(visit), "settings-saved");
    },
    { showErrors: show },
  ),
  organizationRoute(
    "POST /settings/sign-in",
    "changeOrganizationSignIn",
    "admin",
    async (visit) => {
      const { service, member, session, form } = visit;
      const requiresConfirmedSignIn = form.has("requiresConfirmedSignIn");
      if (requiresConfirmedSignIn && !session.provedIn.includes(member.organizationId))
        throw new AppError("conflict", "Confirm your own sign-in method before you require it from others");
      await changeOrganization(service, member.organizationId, { requiresConfirmedSignIn });
      visit.recorded.requiresConfirmedSignIn = `${requiresConfirmedSignIn}`;
      return redirect(settingsHref(visit), "settings-saved");
    },
    { showErrors: show },
  ),
  organizationRoute(
    "POST /settings/logo",
    "changeLogo",
    "admin",
    async (visit) => {
      if (!visit.file) throw invalid("Invalid logo", atField("logo", "Choose an image"));
      await setLogo(visit.service, visit.member.organizationId, visit.file);
      return redirect(settingsHref(visit), "logo-changed");
    },
    { showErrors: show, hasFile: true },
  ),
  organizationRoute("POST /settings/logo/remove", "removeLogo", "admin", async (visit) => {
    await removeLogo(visit.service, visit.member.organizationId);
    return redirect(settingsHref(visit), "logo-removed");
  }),
  organizationRoute("GET /logo", "showLogo", "viewer", async ({ service, member }) => {
    const logo = await getLogo(service, member.organizationId);
    if (!logo) throw notFound();
    return image(logo.type, logo.bytes);
  }),
];

function settingsHref({ member }: MemberVisit): string {
  return organizationHref(member.organizationId, "/settings");
}

async function show({ service, member, session, form }: MemberVisit, errors?: FormErrors) {
  const { name, default_role } = await getOrganization(service, member.organizationId);
  return page(
    "Organization settings",
    <OrganizationSettings
      organizationId={member.organizationId}
      filled={
        form.has("name")
          ? { name: field(form, "name"), defaultRole: field(form, "defaultRole") }
          : { name, defaultRole: default_role }
      }
      logo={logoHref(member)}
      signIn={{
        requiresConfirmedSignIn: member.requiresProof,
        isProved: session.provedIn.includes(member.organizationId),
      }}
      errors={errors}
    />,
  );
}
