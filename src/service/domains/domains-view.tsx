import { type ProjectIds, projectHref } from "../ui/dashboard-urls.ts";
import { Form, Input, Submit } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { Empty, Live, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { domain_chars } from "./contract.ts";
import { DomainCard, type DomainView, isComplete } from "./domain-card.tsx";
import type { DomainTarget } from "./domain-target.ts";

export interface DomainsProps {
  ids: ProjectIds;
  /** Default host name and URL of the site. */
  subdomain: { host: string; url: string };
  target: DomainTarget;
  domains: readonly DomainView[];
  mayChange: boolean;
  filled: { domain: string };
  /** Errors of an action on `domain`, or of the form if `domain` is undefined. */
  failed: { domain: string | undefined; errors: FormErrors } | undefined;
}

export function Domains({ ids, subdomain, target, domains, mayChange, filled, failed }: DomainsProps) {
  const domainsPath = projectHref(ids.organizationId, ids.projectId, "/domains");
  return (
    <>
      <PageHead
        title="Domains"
        lead={
          <>
            Default URL: <a href={subdomain.url}>{subdomain.host}</a>.
            {mayChange && " Add your own domains below."}
          </>
        }
      />
      {domains.length === 0 && (
        <Empty title="No custom domains yet">
          {mayChange ? "Add one below." : "Ask an admin to add one."}
        </Empty>
      )}
      <Live
        id="domains"
        isFinal={domains.every(isComplete)}
        every_s={5}
        state={`${domains.filter(({ verifiedAt }) => verifiedAt).length} of ${domains.length} domains verified`}
      >
        {domains.map((row) => (
          <DomainCard
            key={row.domain}
            row={row}
            target={target}
            actionsPath={mayChange ? `${domainsPath}/${encodeURIComponent(row.domain)}` : undefined}
            errors={failed?.domain === row.domain ? failed.errors : undefined}
          />
        ))}
      </Live>
      {mayChange && (
        <Section title="Add a domain">
          {failed?.domain === undefined && <FormErrorNote errors={failed?.errors} />}
          <Form action={domainsPath}>
            <Input
              name="domain"
              label="Domain"
              value={filled.domain}
              isRequired
              isMono
              maxLength={domain_chars}
              placeholder="docs.example.com"
              hint="Host name without https://, such as docs.example.com. To serve the site below a path, add the path: example.com/docs."
            />
            <Submit>Add domain</Submit>
          </Form>
        </Section>
      )}
    </>
  );
}
