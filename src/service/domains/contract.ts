import { Type } from "@sinclair/typebox";
import { basePath_chars } from "../../base/base-path.ts";
import { describedDomain } from "../core/described.ts";
import { endpoint, nextPage, nullable, timestamp } from "../core/endpoint.ts";
import { listQuery } from "../core/list-page.ts";

const tag = "Domains";
const projectId = { projectId: "Project ID." };

export const Domain = Type.Object(
  {
    id: Type.String({
      description: "ID of the domain: its host name, with its path if it has one.",
      examples: ["docs.example.com"],
    }),
    domain: Type.String(),
    projectId: Type.String(),
    verifiedAt: nullable(timestamp("When the domain was verified. Null if it isn't verified.")),
    verification: Type.Object(
      {
        type: Type.Literal("TXT"),
        name: Type.String({ examples: ["_octavo.docs.example.com"] }),
        value: Type.String(),
      },
      { description: "DNS record that you create to prove that you own the domain." },
    ),
  },
  { $id: "Domain" },
);

/** Maximum length of a domain: a host name and a path. */
export const domain_chars = 253 + basePath_chars;

export const DomainBody = Type.Object({
  domain: Type.String({
    minLength: 1,
    maxLength: domain_chars,
    description:
      "Host name, such as `docs.example.com`. To serve the site below a path, add the path: `example.com/docs`. All domains of a project have the same path.",
    described: describedDomain,
  }),
});

export const addDomain = endpoint({
  operationId: "addDomain",
  isIdempotent: true,
  tag,
  summary: "Add a domain",
  description:
    "The domain serves the site once it's verified with a TXT record. Octavo checks the record periodically. To check it immediately, use `verifyDomain`. Multiple projects can claim the same domain, but only one can verify it. An unverified claim expires after 14 days.",
  method: "POST",
  path: "/v1/projects/{projectId}/domains",
  caller: "admin",
  params: projectId,
  body: { type: "application/json", schema: DomainBody },
  success: { status: 201, description: "The domain, with the DNS record to create.", schema: Domain },
  refusals: {
    409: "The project already has this domain, another project has verified it, or the organization has reached its domain limit.",
  },
});

export const verifyDomain = endpoint({
  operationId: "verifyDomain",
  tag,
  summary: "Verify a domain",
  description: "Looks up the domain's TXT record, and verifies the domain if the record is found.",
  method: "POST",
  path: "/v1/projects/{projectId}/domains/{domain}/verify",
  caller: "admin",
  params: {
    ...projectId,
    domain:
      "Host name of the domain, with its path if it has one. Percent-encode the slashes of the path: `example.com%2Fdocs`.",
  },
  success: { status: 200, description: "The verified domain.", schema: Domain },
  refusals: { 409: "The TXT record wasn't found, or another project has verified the domain." },
});

export const listDomains = endpoint({
  operationId: "listDomains",
  tag,
  summary: "List domains",
  description: "Returns the domains of the project, sorted by name, with the DNS record that verifies each.",
  method: "GET",
  path: "/v1/projects/{projectId}/domains",
  caller: "admin",
  role: "viewer",
  params: projectId,
  query: listQuery,
  success: {
    status: 200,
    description: "All domains in the project.",
    schema: Type.Object({ domains: Type.Array(Domain), ...nextPage }),
  },
});

export const removeDomain = endpoint({
  operationId: "removeDomain",
  tag,
  summary: "Remove a domain",
  description:
    "Removes the domain from the project. You can add it again later, but then have to verify it again.",
  method: "DELETE",
  path: "/v1/projects/{projectId}/domains/{domain}",
  caller: "admin",
  params: {
    ...projectId,
    domain:
      "Host name of the domain, with its path if it has one. Percent-encode the slashes of the path: `example.com%2Fdocs`.",
  },
  success: { status: 204, description: "The domain no longer serves the site." },
});

export const addOperatorDomain = endpoint({
  operationId: "addOperatorDomain",
  tag: "Operator",
  summary: "Assign a domain to a project",
  description:
    "Adds the domain as verified, without a DNS check. Other projects that have claimed the domain can then no longer verify it.",
  method: "POST",
  path: "/operator/v1/projects/{projectId}/domains",
  caller: "operator",
  params: projectId,
  body: {
    type: "application/json",
    schema: Type.Composite([
      DomainBody,
      Type.Object({
        replace: Type.Optional(
          Type.Boolean({
            description:
              "Whether to move the domain to this project if another project has verified it. Default: `false`.",
          }),
        ),
      }),
    ]),
  },
  success: { status: 201, description: "The domain.", schema: Domain },
  refusals: { 409: "Another project has verified the domain, and `replace` isn't `true`." },
});

export const listOperatorDomains = endpoint({
  operationId: "listOperatorDomains",
  tag: "Operator",
  summary: "List a project's domains",
  description: "Returns the domains of the project, sorted by name, with the DNS record that verifies each.",
  method: "GET",
  path: "/operator/v1/projects/{projectId}/domains",
  caller: "operator",
  params: projectId,
  query: listQuery,
  success: {
    status: 200,
    description: "All domains in the project.",
    schema: Type.Object({ domains: Type.Array(Domain), ...nextPage }),
  },
});
