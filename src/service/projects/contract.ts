import { Type } from "@sinclair/typebox";
import { describedBranch, describedLabel } from "../core/described.ts";
import { endpoint, nextPage, nullable, timestamp } from "../core/endpoint.ts";
import { listQuery } from "../core/list-page.ts";
import { DisplayName, organizationId } from "../organizations/contract.ts";

const tag = "Projects";
const projectId = { projectId: "Project ID." };

/**
 * Sources that an organization can set. Operators can also set a folder on the service's machine; see
 * `OperatorSource`.
 */
export const Source = Type.Union(
  [
    Type.Object({ kind: Type.Literal("upload") }, { $id: "UploadSource", title: "Uploads" }),
    Type.Object(
      {
        kind: Type.Literal("git"),
        url: Type.String({
          maxLength: 2_000,
          description:
            "URL to clone the repository from. Must be an HTTPS URL, unless the project uses a deploy key or the operator allows other protocols.",
          examples: ["https://github.com/acme/docs.git"],
        }),
        branch: Type.String({ maxLength: 255, description: "Branch to deploy.", described: describedBranch }),
        directory: Type.Optional(
          Type.String({
            maxLength: 1_000,
            description: "Folder that contains `docs.json`. Default: the repository root.",
          }),
        ),
      },
      { $id: "GitSource", title: "Git" },
    ),
  ],
  { description: "Source that deployments are built from." },
);

export const OperatorSource = Type.Union(
  [
    ...Source.anyOf,
    Type.Object(
      {
        kind: Type.Literal("folder"),
        folder: Type.String({ maxLength: 4_000, description: "Path of a folder on the service's machine." }),
      },
      { $id: "FolderSource", title: "Folder" },
    ),
  ],
  { description: Source.description! },
);

const groups = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 100,
    description: "Reader groups assigned to everyone who signs in with the password. Default: none.",
  }),
);

export const SignInSettings = Type.Union(
  [
    Type.Object(
      {
        mode: Type.Literal("none", {
          description:
            "Anyone can read the site, even if `docs.json` sets `auth` or `userAuth`. Until you set a mode, deployments whose `docs.json` sets these keys fail.",
        }),
      },
      { $id: "PublicSignIn", title: "Public" },
    ),
    Type.Object(
      {
        mode: Type.Literal("password"),
        password: Type.String({
          minLength: 8,
          maxLength: 200,
          description: "Password that all readers use. Never returned.",
        }),
        groups,
      },
      { $id: "PasswordSignIn", title: "Shared password" },
    ),
    Type.Object(
      {
        mode: Type.Literal("jwt"),
        loginUrl: Type.String({ maxLength: 2_000, description: "URL of your login page." }),
        publicKey: Type.String({
          maxLength: 10_000,
          description: "PEM-encoded public key used to verify your tokens.",
        }),
      },
      { $id: "JwtSignIn", title: "JWT" },
    ),
    Type.Object(
      {
        mode: Type.Literal("oidc"),
        issuer: Type.String({
          maxLength: 2_000,
          description: "Issuer URL of the OpenID provider. Must be an https URL.",
        }),
        clientId: Type.String({
          minLength: 1,
          maxLength: 500,
          description: "Client ID at the OpenID provider.",
        }),
        clientSecret: Type.String({
          minLength: 1,
          maxLength: 1_000,
          description: "Client secret at the OpenID provider. Never returned.",
        }),
        scopes: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
            maxItems: 20,
            description: "Scopes to request in addition to `openid`.",
          }),
        ),
        groupsClaim: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 100,
            description: "ID token claim that lists the reader's groups. Default: `groups`.",
          }),
        ),
      },
      { $id: "OpenIdSignIn", title: "OpenID Connect" },
    ),
  ],
  { description: "How readers sign in." },
);

const ModelChoice = {
  provider: Type.Union([Type.Literal("openai-compatible"), Type.Literal("anthropic")]),
  baseUrl: Type.String({
    maxLength: 2_000,
    description: "Base URL of the model's API, including `/v1`. Must be on the public internet.",
  }),
  name: Type.String({ minLength: 1, maxLength: 200, description: "Name of the model." }),
};

export const AssistantChoice = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean({ description: "Whether the assistant is enabled on the site." })),
    model: Type.Optional(
      nullable(
        Type.Object(
          {
            ...ModelChoice,
            apiKey: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: 1_000,
                description:
                  "API key for the model. Never returned. If omitted, the stored key is kept unless `baseUrl` changes.",
              }),
            ),
          },
          { description: "The project's own model. If null, the service's model is used." },
        ),
      ),
    ),
  },
  { description: "Assistant settings." },
);

const publishWithErrors =
  "Whether deployments with errors go live. If null, which is the default, deployments with errors that the live site doesn't have don't go live until someone publishes them. If true, all deployments with errors go live. If false, they fail. Previews, the first deployment unless it's false, and rebuilds of the live site after a change of settings are published in any case.";

const mirrorUrl = Type.String({
  maxLength: 2_000,
  description: "HTTPS URL of the repository, without credentials.",
  examples: ["https://github.com/acme/docs-mirror.git"],
});

const MirrorChoice = Type.Object(
  {
    url: mirrorUrl,
    token: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description:
          "Access token that may push, or `user:password`. Never returned. If omitted, the stored token is kept unless `url` is on another server.",
      }),
    ),
  },
  {
    description:
      "Another Git repository that gets all branches and tags of the project's own one after each push. Its other branches and tags are deleted. If null, there is none.",
  },
);

export const Project = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    subdomain: Type.String({ description: "Subdomain of the site's default URL." }),
    url: Type.String({ description: "URL of the site." }),
    source: OperatorSource,
    signIn: Type.Object({
      mode: Type.Union([
        Type.Literal("none"),
        Type.Literal("password"),
        Type.Literal("jwt"),
        Type.Literal("oidc"),
      ]),
    }),
    assistant: Type.Object({
      enabled: Type.Boolean(),
      model: nullable(
        Type.Object(ModelChoice, { description: "The project's model. Its API key is never returned." }),
      ),
    }),
    publishWithErrors: nullable(Type.Boolean({ description: publishWithErrors })),
    mirror: nullable(
      Type.Object(
        { url: mirrorUrl },
        { description: "The repository that the project's own one is copied to." },
      ),
    ),
    liveDeploymentId: nullable(
      Type.String({ description: "ID of the deployment that is live. Null if none is live." }),
    ),
    domains: Type.Array(Type.String(), {
      description: "Verified custom domains, with their path if they have one.",
    }),
    createdAt: timestamp("When the project was created."),
  },
  { $id: "Project" },
);

export const listProjects = endpoint({
  operationId: "listProjects",
  tag,
  summary: "List projects",
  description: "Returns the projects in your organization, oldest first.",
  method: "GET",
  path: "/v1/projects",
  caller: "admin",
  role: "viewer",
  query: listQuery,
  success: {
    status: 200,
    description: "All projects in the organization.",
    schema: Type.Object({ projects: Type.Array(Project), ...nextPage }),
  },
});

export const getProject = endpoint({
  operationId: "getProject",
  tag,
  summary: "Get a project",
  description:
    "Returns the project with its source, its domains, and its settings. Secrets are never returned.",
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
  summary: "Update a project",
  description:
    "Updates the specified fields. Omitted fields don't change. Changes to reader sign-in take effect within a second and sign out all readers. The live site is then rebuilt to apply the new access rules.",
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
      mirror: Type.Optional(nullable(MirrorChoice)),
      publishWithErrors: Type.Optional(
        nullable(Type.Boolean({ description: `${publishWithErrors} Takes effect on the next deployment.` })),
      ),
    }),
  },
  success: { status: 200, description: "The updated project.", schema: Project },
});

const newProject = {
  name: DisplayName,
  subdomain: Type.String({
    maxLength: 63,
    described: describedLabel,
    description: "Subdomain of the site. Can contain letters, digits, and hyphens.",
  }),
};
const subdomainTaken = { 409: "The subdomain is taken." };

export const createOwnProject = endpoint({
  operationId: "createOwnProject",
  isIdempotent: true,
  tag,
  summary: "Create a project",
  description:
    "Creates a project in your organization. Its site is available at its subdomain after the first deployment.",
  method: "POST",
  path: "/v1/projects",
  caller: "admin",
  body: {
    type: "application/json",
    schema: Type.Object({ ...newProject, source: Type.Optional(Source) }),
  },
  success: { status: 201, description: "The project.", schema: Project },
  refusals: subdomainTaken,
});

export const createProject = endpoint({
  operationId: "createProject",
  isIdempotent: true,
  tag: "Operator",
  summary: "Create a project",
  description: "Creates a project, whose site is available at its subdomain after the first deployment.",
  method: "POST",
  path: "/operator/v1/organizations/{organizationId}/projects",
  caller: "operator",
  params: organizationId,
  body: {
    type: "application/json",
    schema: Type.Object({ ...newProject, source: Type.Optional(OperatorSource) }),
  },
  success: { status: 201, description: "The project.", schema: Project },
  refusals: subdomainTaken,
});

export const listOrganizationProjects = endpoint({
  operationId: "listOrganizationProjects",
  tag: "Operator",
  summary: "List an organization's projects",
  description: "Returns the organization's projects, oldest first.",
  method: "GET",
  path: "/operator/v1/organizations/{organizationId}/projects",
  caller: "operator",
  params: organizationId,
  query: listQuery,
  success: {
    status: 200,
    description: "All projects in the organization.",
    schema: Type.Object({ projects: Type.Array(Project), ...nextPage }),
  },
});

export const deleteProject = endpoint({
  operationId: "deleteProject",
  tag: "Operator",
  summary: "Delete a project",
  description: "Permanently deletes the project and all of its data.",
  method: "DELETE",
  path: "/operator/v1/projects/{projectId}",
  caller: "operator",
  params: projectId,
  success: {
    status: 204,
    description: "The project was deleted, along with its deployments and conversations.",
  },
});
