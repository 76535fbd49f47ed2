/** Dashboard routes for a project's domains. All members can see them. Only admins can change them. */

import { notFound } from "../../base/app-error.ts";
import { mayActAs } from "../core/identity.ts";
import { defaultHost, siteUrl } from "../core/service.ts";
import { page, redirect } from "../ui/dashboard-response.ts";
import { projectHref } from "../ui/dashboard-urls.ts";
import { Confirm } from "../ui/kit/confirm.tsx";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { field } from "../ui/read-form.ts";
import { requireConfirmation } from "../ui/require-confirmation.ts";
import { projectRoute } from "../ui/route.ts";
import type { ProjectVisit } from "../ui/visit.ts";
import { recordName } from "./dns-records.ts";
import { domainTarget } from "./domain-target.ts";
import { addDomain, listDomains, recheckDomain, removeDomain, verifyDomain } from "./domains.ts";
import { Domains } from "./domains-view.tsx";

export const domainRoutes = [
  projectRoute("GET /domains", "listDomains", "viewer", (visit) => show(visit)),
  projectRoute(
    "POST /domains",
    "addDomain",
    "admin",
    async (visit) => {
      const { service, scope, project, form, recorded } = visit;
      const { domain } = await addDomain(service, scope, project.id, field(form, "domain"));
      recorded.domain = domain;
      return redirect(domainsHref(visit), "domain-added");
    },
    { showErrors: (visit, errors) => show(visit, { domain: undefined, errors }) },
  ),
  projectRoute(
    "POST /domains/:domain/verify",
    "verifyDomain",
    "admin",
    async (visit) => {
      await verifyDomain(visit.service, visit.scope, visit.project.id, visit.params.domain!);
      return redirect(domainsHref(visit), "domain-verified");
    },
    { showErrors: (visit, errors) => show(visit, { domain: visit.params.domain!, errors }) },
  ),
  projectRoute("POST /domains/:domain/check", "checkDomain", "admin", async (visit) => {
    await recheckDomain(visit.service, visit.scope, visit.project.id, visit.params.domain!);
    return redirect(domainsHref(visit), "domain-check");
  }),
  projectRoute("GET /domains/:domain/remove", "askToRemoveDomain", "admin", (visit) => askToRemove(visit)),
  projectRoute(
    "POST /domains/:domain/remove",
    "removeDomain",
    "admin",
    async (visit) => {
      const { domain } = await domainOf(visit);
      requireConfirmation(visit.form, domain);
      await removeDomain(visit.service, visit.scope, visit.project.id, domain);
      return redirect(domainsHref(visit), "domain-removed");
    },
    { showErrors: askToRemove },
  ),
];

function domainsHref({ member, project }: ProjectVisit, path = ""): string {
  return projectHref(member.organizationId, project.id, `/domains${path}`);
}

async function domainOf({ service, scope, project, params }: ProjectVisit) {
  const row = (await listDomains(service, scope, project.id)).find(({ domain }) => domain === params.domain);
  if (!row) throw notFound();
  return row;
}

async function show(visit: ProjectVisit, failed?: { domain: string | undefined; errors: FormErrors }) {
  const { service, scope, member, project, form } = visit;
  const { settings } = service;
  const host = defaultHost(settings, project.subdomain);
  return page(
    "Domains",
    <Domains
      ids={{ organizationId: member.organizationId, projectId: project.id }}
      subdomain={{ host, url: siteUrl(settings, host) }}
      target={domainTarget(settings, project.subdomain)}
      domains={(await listDomains(service, scope, project.id)).map((row) => ({
        domain: row.domain,
        url: siteUrl(settings, row.domain),
        verifiedAt: row.verified_at,
        check: row.check_result,
        nextCheckAt: row.next_check_at,
        record: { name: recordName(row.domain), value: row.verification_token },
      }))}
      mayChange={mayActAs(member.role, "admin")}
      filled={{ domain: field(form, "domain") }}
      failed={failed}
    />,
  );
}

async function askToRemove(visit: ProjectVisit, errors?: FormErrors) {
  const { domain } = await domainOf(visit);
  return page(
    "Remove domain",
    <Confirm
      title={`Remove ${domain}?`}
      name={domain}
      action={domainsHref(visit, `/${encodeURIComponent(domain)}/remove`)}
      button="Remove domain"
      backTo={domainsHref(visit)}
      errors={errors}
    >
      Your site will stop working on this domain, and links to the domain will break. Another project can then
      claim it.
    </Confirm>,
  );
}
