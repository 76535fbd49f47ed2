/** Renders a domain on the domains page: state, DNS records to create, and actions. */

import { splitDomain } from "../../base/site-domain.ts";
import type { DomainCheck } from "../core/tables.ts";
import { CopyField } from "../ui/kit/copy.tsx";
import { LinkButton, PostButton } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { Badge, type BadgeKind } from "../ui/kit/page-parts.tsx";
import { Table } from "../ui/kit/table.tsx";
import { Time } from "../ui/kit/time.tsx";
import type { DomainTarget } from "./domain-target.ts";

export interface DomainView {
  domain: string;
  url: string;
  verifiedAt: Date | null;
  /** Result of the last check; null before the first check. */
  check: DomainCheck | null;
  nextCheckAt: Date;
  /** The record that verifies the domain. */
  record: { name: string; value: string };
}

/**
 * Whether the domain is verified, points to the service, and has a valid certificate. Parts that aren't
 * checked count as done.
 */
export function isComplete({ verifiedAt, check }: DomainView): boolean {
  if (!verifiedAt || !check) return false;
  return (
    ["found", "not-checked"].includes(check.host.state) && ["valid", "not-checked"].includes(check.tls.state)
  );
}

/**
 * `row`: the domain. `actionsPath`: URL path of the domain's actions; undefined for members who can't change
 * domains.
 */
export function DomainCard({
  row,
  target,
  actionsPath,
  errors,
}: {
  row: DomainView;
  target: DomainTarget;
  actionsPath: string | undefined;
  errors: FormErrors | undefined;
}) {
  const { domain, verifiedAt, check } = row;
  const { host, path } = splitDomain(domain);
  return (
    <section class="d-card" aria-labelledby={`domain-${domain}`}>
      <header>
        <h2 id={`domain-${domain}`}>{domain}</h2>
        {verifiedAt ? (
          <Badge kind="check">Verified</Badge>
        ) : (
          <Badge kind="warning">Pending verification</Badge>
        )}
        {check && verifiedAt && <TlsBadge tls={check.tls} />}
        {actionsPath !== undefined && (
          <div class="d-actions">
            <PostButton action={`${actionsPath}/${verifiedAt ? "check" : "verify"}`} of={domain}>
              {verifiedAt ? "Check again" : "Verify"}
            </PostButton>
            <LinkButton href={`${actionsPath}/remove`} of={domain}>
              Remove
            </LinkButton>
          </div>
        )}
      </header>
      <FormErrorNote errors={errors} />
      {verifiedAt ? (
        <p class="d-muted">
          Verified <Time at={verifiedAt} />. The site is served at <a href={row.url}>{row.url}</a>.
        </p>
      ) : (
        <p class="d-muted">
          Create these records at your DNS provider. Octavo checks them automatically, and verifies the domain
          when it finds the TXT record.
        </p>
      )}
      <Records row={row} target={target} />
      {path !== "" && (
        <p class="d-muted">
          In the proxy of <code>{host}</code>, forward <code>{path}</code> and all paths below it to{" "}
          <code>{target.host}</code>. Keep the path and the <code>Host</code> header.
        </p>
      )}
      {check && "reason" in check.tls && (
        <p class="d-muted">{`${check.tls.reason} The operator's proxy obtains the certificate once the domain points to the service.`}</p>
      )}
      <p class="d-muted">
        {check ? (
          <>
            Last checked <Time at={new Date(check.at)} />. Next check <Time at={row.nextCheckAt} />.
          </>
        ) : (
          "Not checked yet."
        )}
      </p>
    </section>
  );
}

interface RecordLine {
  type: "TXT" | "CNAME" | "A" | "AAAA";
  name: string;
  value: string;
  state: readonly [BadgeKind, string];
  /** Whether users can create this record instead of the CNAME record. */
  isAlternative?: boolean;
}

function Records({ row, target }: { row: DomainView; target: DomainTarget }) {
  const { domain, verifiedAt, check, record } = row;
  const hasPath = splitDomain(domain).path !== "";
  const addresses = check?.host.addresses.length ? check.host.addresses : target.addresses;
  const pointing = hostState(check);
  const lines: RecordLine[] = [
    ...(verifiedAt ? [] : [{ type: "TXT" as const, ...record, state: txtState(check) }]),
    // The host of a domain with a path points to a proxy.
    ...(hasPath ? [] : [{ type: "CNAME" as const, name: domain, value: target.host, state: pointing }]),
    ...(hasPath ? [] : addresses).map((value) => ({
      type: value.includes(":") ? ("AAAA" as const) : ("A" as const),
      name: domain,
      value,
      state: pointing,
      isAlternative: true,
    })),
  ];

  if (lines.length === 0) return null;

  return (
    <>
      <Table
        label={`DNS records for ${domain}`}
        rows={lines}
        keyOf={({ type, value }) => `${type} ${value}`}
        columns={[
          { title: "Type", cell: ({ type, isAlternative }) => (isAlternative ? `or ${type}` : type) },
          {
            title: "Name",
            cell: ({ type, name }) => (
              <CopyField label={`name of the ${type} record for ${domain}`} text={name} />
            ),
          },
          {
            title: "Value",
            isWide: true,
            cell: ({ type, value }) => (
              <CopyField label={`value of the ${type} record for ${domain}`} text={value} />
            ),
          },
          { title: "State", cell: ({ state: [kind, text] }) => <Badge kind={kind}>{text}</Badge> },
        ]}
      />
      {check?.host.state === "elsewhere" && (
        <p class="d-muted">
          The domain points to <code>{check.host.found.join(", ")}</code>. If that's your own proxy or CDN,
          this is expected.
        </p>
      )}
    </>
  );
}

function txtState(check: DomainCheck | null): RecordLine["state"] {
  if (!check) return ["plain", "Not checked"];
  const states: Record<DomainCheck["txt"], RecordLine["state"]> = {
    found: ["check", "Found"],
    missing: ["warning", "Not found"],
    different: ["warning", "Different value"],
    taken: ["danger", "Verified by another project"],
  };
  return states[check.txt];
}

function hostState(check: DomainCheck | null): RecordLine["state"] {
  const states: Record<DomainCheck["host"]["state"], RecordLine["state"]> = {
    found: ["check", "Found"],
    missing: ["warning", "Not found"],
    elsewhere: ["warning", "Points elsewhere"],
    "not-checked": ["plain", "Not checked"],
  };
  return states[check?.host.state ?? "not-checked"];
}

function TlsBadge({ tls }: Pick<DomainCheck, "tls">) {
  const states: Record<DomainCheck["tls"]["state"], RecordLine["state"]> = {
    valid: ["check", "TLS valid"],
    invalid: ["danger", "TLS invalid"],
    unreachable: ["warning", "TLS unreachable"],
    "not-checked": ["plain", "TLS not checked"],
  };
  const [kind, text] = states[tls.state];
  return <Badge kind={kind}>{text}</Badge>;
}
