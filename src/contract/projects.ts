import { Type } from "@sinclair/typebox";
import { endpoint, nullable, Timestamp } from "./endpoint.ts";
import { integer } from "./parameters.ts";

const tag = "Projects";
const projectId = { projectId: "The project." };

/** What a customer may name; a folder on the service's machine only the operator may. */
export const Source = Type.Union(
  [
    Type.Object({ kind: Type.Literal("upload") }, { title: "Uploads" }),
    Type.Object(
      {
        kind: Type.Literal("git"),
        url: Type.String({ maxLength: 2_000, description: "An https address that `git clone` takes." }),
        branch: Type.String({ maxLength: 255 }),
        directory: Type.Optional(Type.String({ maxLength: 1_000, description: "Where `docs.json` lies in the repository." })),
      },
      { title: "Git" },
    ),
  ],
  { description: "Where deployments come from." },
);

export const OperatorSource = Type.Union(
  [...Source.anyOf, Type.Object({ kind: Type.Literal("folder"), folder: Type.String({ maxLength: 4_000 }) }, { title: "Folder" })],
  { description: Source.description! },
);

const groups = Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 }));

export const SignInSettings = Type.Union(
  [
    Type.Object(
      {
        mode: Type.Literal("none", {
          description:
            "Public. Also allows deployments whose `docs.json` asks for sign-in (`auth`, `userAuth`), which are refused otherwise.",
        }),
      },
      { title: "Public" },
    ),
    Type.Object(
      { mode: Type.Literal("password"), password: Type.String({ minLength: 8, maxLength: 200 }), groups },
      { title: "Shared password" },
    ),
    Type.Object(
      {
        mode: Type.Literal("jwt"),
        loginUrl: Type.String({ maxLength: 2_000, description: "Your page that signs readers in." }),
        publicKey: Type.String({ maxLength: 10_000, description: "The key, as PEM, that your tokens are verified with." }),
      },
      { title: "JWT" },
    ),
    Type.Object(
      {
        mode: Type.Literal("oidc"),
        issuer: Type.String({ maxLength: 2_000 }),
        clientId: Type.String({ minLength: 1, maxLength: 500 }),
        clientSecret: Type.String({ minLength: 1, maxLength: 1_000 }),
        scopes: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 20 })),
        groupsClaim: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      },
      { title: "OpenID Connect" },
    ),
  ],
  { description: "How readers sign in." },
);

const ModelChoice = {
  provider: Type.Union([Type.Literal("openai-compatible"), Type.Literal("anthropic")]),
  baseUrl: Type.String({ maxLength: 2_000, description: "With its `/v1`; of the public internet." }),
  name: Type.String({ minLength: 1, maxLength: 200 }),
};

export const AssistantChoice = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean({ description: "Whether the assistant answers on this site." })),
    model: Type.Optional(
      nullable(
        Type.Object(
          {
            ...ModelChoice,
            apiKey: Type.Optional(
              Type.String({ minLength: 1, maxLength: 1_000, description: "Is never shown; without one, the key that is kept stays." }),
            ),
          },
          { description: "A model of your own in place of the service's; null for the service's again." },
        ),
      ),
    ),
  },
  { description: "How the questions of readers are answered." },
);

export const Project = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    subdomain: Type.String(),
    url: Type.String({ description: "Where the site is read." }),
    source: OperatorSource,
    signIn: Type.Object({
      mode: Type.Union([Type.Literal("none"), Type.Literal("password"), Type.Literal("jwt"), Type.Literal("oidc")]),
    }),
    assistant: Type.Object({
      enabled: Type.Boolean(),
      model: nullable(Type.Object(ModelChoice, { description: "A model of the project's own. Its key is never shown." })),
    }),
    liveDeploymentId: nullable(Type.String()),
    domains: Type.Array(Type.String(), { description: "Verified domains of its own." }),
    createdAt: Timestamp,
  },
  { $id: "Project" },
);

export const Domain = Type.Object(
  {
    id: Type.String({ description: "The domain itself." }),
    domain: Type.String(),
    projectId: Type.String(),
    verifiedAt: nullable(Timestamp),
    verification: Type.Object(
      { type: Type.Literal("TXT"), name: Type.String(), value: Type.String() },
      { description: "The DNS record that proves whose the domain is." },
    ),
  },
  { $id: "Domain" },
);

export const DomainBody = Type.Object({ domain: Type.String({ minLength: 1, maxLength: 253, description: "A host name." }) });

export const listProjects = endpoint({
  operationId: "listProjects",
  tag,
  summary: "List projects",
  method: "GET",
  path: "/v1/projects",
  caller: "admin",
  role: "viewer",
  success: { status: 200, description: "All projects of the organization.", schema: Type.Object({ projects: Type.Array(Project) }) },
});

export const getProject = endpoint({
  operationId: "getProject",
  tag,
  summary: "Get a project",
  method: "GET",
  path: "/v1/projects/{projectId}",
  caller: "admin",
  role: "viewer",
  params: projectId,
  success: { status: 200, description: "The project.", schema: Project },
});

export const changeProject = endpoint({
  operationId: "changeProject",
  tag,
  summary: "Change a project",
  description:
    "Changes what the body names and leaves the rest. Settings of the readers' sign-in take effect within a second and end all sessions; the live site is then built anew, so that each page is kept for its own readers.",
  method: "PATCH",
  path: "/v1/projects/{projectId}",
  caller: "admin",
  params: projectId,
  body: {
    type: "application/json",
    schema: Type.Object({
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      source: Type.Optional(Source),
      signIn: Type.Optional(SignInSettings),
      assistant: Type.Optional(AssistantChoice),
    }),
  },
  success: { status: 200, description: "The project as it is now.", schema: Project },
});

export const addDomain = endpoint({
  operationId: "addDomain",
  tag: "Domains",
  summary: "Add a domain",
  description:
    "The domain serves the site once its TXT record is found: see `verifyDomain`. Several projects may claim a domain, and one of them can verify it. An unverified claim expires after 14 days.",
  method: "POST",
  path: "/v1/projects/{projectId}/domains",
  caller: "admin",
  params: projectId,
  body: { type: "application/json", schema: DomainBody },
  success: { status: 201, description: "The domain, with the record to set.", schema: Domain },
  refusals: { 409: "The project has the domain already, another one has verified it, or the organization has too many domains." },
});

export const verifyDomain = endpoint({
  operationId: "verifyDomain",
  tag: "Domains",
  summary: "Verify a domain",
  method: "POST",
  path: "/v1/projects/{projectId}/domains/{domain}/verify",
  caller: "admin",
  params: { ...projectId, domain: "The domain." },
  success: { status: 200, description: "The domain is verified.", schema: Domain },
  refusals: { 409: "The TXT record was not found, or another project has verified the domain." },
});

export const listDomains = endpoint({
  operationId: "listDomains",
  tag: "Domains",
  summary: "List domains",
  method: "GET",
  path: "/v1/projects/{projectId}/domains",
  caller: "admin",
  role: "viewer",
  params: projectId,
  success: { status: 200, description: "All domains of the project.", schema: Type.Object({ domains: Type.Array(Domain) }) },
});

export const removeDomain = endpoint({
  operationId: "removeDomain",
  tag: "Domains",
  summary: "Remove a domain",
  method: "DELETE",
  path: "/v1/projects/{projectId}/domains/{domain}",
  caller: "admin",
  params: { ...projectId, domain: "The domain." },
  success: { status: 204, description: "The domain serves the site no more." },
});

export const AuditEntry = Type.Object(
  {
    number: Type.Integer({ description: "Counts up within the organization, without gaps." }),
    at: Timestamp,
    actor: Type.String(),
    action: Type.String(),
    target: Type.String(),
    outcome: Type.String(),
    requestId: nullable(Type.String()),
    address: nullable(Type.String()),
    metadata: Type.Record(Type.String(), Type.Unknown()),
    hash: Type.String({ description: "SHA-256 over the entry and the hash of the one before." }),
  },
  { $id: "AuditEntry" },
);

export const listAudit = endpoint({
  operationId: "listAuditLog",
  tag: "Audit log",
  summary: "List the audit log",
  description: "Newest first.",
  method: "GET",
  path: "/v1/audit-log",
  caller: "admin",
  query: {
    limit: integer("Entries of a page.", { minimum: 1, maximum: 1000, default: 100 }),
    before: integer("Entries with a lower number than this.", { minimum: 1, maximum: 999_999_999, default: 999_999_999 }),
  },
  success: {
    status: 200,
    description: "A page of the log.",
    schema: Type.Object({ entries: Type.Array(AuditEntry), hasMore: Type.Boolean() }),
  },
});
