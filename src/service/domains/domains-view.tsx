import { type ProjectIds, projectHref } from "../ui/dashboard-urls.ts";
import { CopyField } from "../ui/kit/copy.tsx";
import { Form, Input, LinkButton, PostButton, Submit } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { Badge, Empty, Facts, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { Time } from "../ui/kit/time.tsx";

export interface DomainView {
  domain: string;
  url: string;
  verifiedAt: Date | null;
  createdAt: Date;
  record: { name: string; value: string };
}

export interface DomainsProps {
  ids: ProjectIds;
  /** Default host of the site. */
  subdomain: { host: string; url: string };
  domains: readonly DomainView[];
  mayChange: boolean;
  filled: { domain: string };
  /** Errors of an action on `domain`, or of the form if `domain` is undefined. */
  failed: { domain: string | undefined; errors: FormErrors } | undefined;
}

export function Domains({ ids, subdomain, domains, mayChange, filled, failed }: DomainsProps) {
  const domainsPath = projectHref(ids.organizationId, ids.projectId, "/domains");
  return (
    <>
      <PageHead
        title="Domains"
        lead={
          <>
            Default URL: <a href={subdomain.url}>{subdomain.host}</a>. Add your own domains below.
          </>
        }
      />
      {domains.length === 0 && <Empty title="No custom domains yet">{mayChange ? "Add one below." : "An admin can add one."}</Empty>}
      {domains.map((row) => (
        <section key={row.domain} class="d-card" aria-labelledby={`domain-${row.domain}`}>
          <header>
            <h2 id={`domain-${row.domain}`}>{row.domain}</h2>
            {row.verifiedAt ? <Badge kind="check">verified</Badge> : <Badge kind="warning">pending verification</Badge>}
            {mayChange && (
              <div class="d-actions">
                {!row.verifiedAt && (
                  <PostButton action={`${domainsPath}/${row.domain}/verify`} of={row.domain}>
                    Verify
                  </PostButton>
                )}
                <LinkButton href={`${domainsPath}/${row.domain}/remove`} of={row.domain}>
                  Remove
                </LinkButton>
              </div>
            )}
          </header>
          {failed?.domain === row.domain && <FormErrorNote errors={failed.errors} />}
          {row.verifiedAt ? (
            <p class="d-muted">
              Verified <Time at={row.verifiedAt} />. The site is served at <a href={row.url}>{row.url}</a>.
            </p>
          ) : (
            <>
              <p class="d-muted">
                Create this TXT record at your DNS provider, and a CNAME record that points to {subdomain.host}. Then click Verify. DNS
                changes can take a few minutes.
              </p>
              <Facts
                isWide
                rows={[
                  ["Type", "TXT"],
                  ["Name", <CopyField key="name" label={`name of the record of ${row.domain}`} text={row.record.name} />],
                  ["Value", <CopyField key="value" label={`value of the record of ${row.domain}`} text={row.record.value} />],
                ]}
              />
            </>
          )}
        </section>
      ))}
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
              maxLength={253}
              placeholder="docs.example.com"
              hint="Host name without https:// and without a path."
            />
            <Submit>Add domain</Submit>
          </Form>
        </Section>
      )}
    </>
  );
}
