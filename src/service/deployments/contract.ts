import { Type } from "@sinclair/typebox";
import { describedBranch } from "../core/described.ts";
import { endpoint, nextPage, nullable, timestamp } from "../core/endpoint.ts";
import { choice, integer, listCursor } from "../core/parameters.ts";

const tag = "Deployments";
const projectId = { projectId: "Project ID." };

const Status = Type.Union([
  Type.Literal("queued"),
  Type.Literal("in_progress"),
  Type.Literal("success"),
  Type.Literal("failure"),
]);

const Commit = nullable(
  Type.Object(
    { sha: Type.String(), ref: Type.String(), message: Type.String(), author: nullable(Type.String()) },
    { $id: "Commit" },
  ),
);

const CommitWithFiles = nullable(
  Type.Object(
    {
      sha: Type.String(),
      ref: Type.String(),
      message: Type.String(),
      author: nullable(Type.String()),
      filesChanged: nullable(
        Type.Object(
          {
            added: Type.Array(Type.String()),
            modified: Type.Array(Type.String()),
            removed: Type.Array(Type.String()),
          },
          {
            description:
              "Paths of the files that the push changed. Null if it changed more than 500, if the Git host doesn't list them, and for other deployments.",
          },
        ),
      ),
    },
    { $id: "CommitWithFiles" },
  ),
);

const ProblemShape = Type.Object(
  {
    code: Type.String({ description: "Code of the problem, such as `dead-link`." }),
    severity: Type.Union([Type.Literal("error"), Type.Literal("warning")]),
    message: Type.String(),
    file: Type.String({ description: "Path of the file that contains the problem." }),
    line: Type.Optional(Type.Integer({ description: "Line number, starting at 1." })),
    column: Type.Optional(Type.Integer({ description: "Column number, starting at 1." })),
    length: Type.Optional(
      Type.Integer({ description: "Number of characters that the problem is about. Default: 1." }),
    ),
    hint: Type.Optional(Type.String({ description: "How to fix the problem." })),
    frame: Type.Optional(
      Type.String({ description: "Source lines around the problem, with its position marked." }),
    ),
  },
  { $id: "Problem" },
);

/**
 * The states of a deployment, and the words for them wherever a state is shown. `liveState` in
 * `live-state.ts` decides which one it is.
 */
const liveStates = {
  queued: { label: "Queued", meaning: "The build hasn't started." },
  building: { label: "Building", meaning: "The build hasn't finished." },
  live: { label: "Live", meaning: "The site serves it." },
  "live-with-errors": {
    label: "Live with errors",
    meaning: "The site serves it, and its build found errors.",
  },
  held: { label: "Held", meaning: "It isn't live, because it has errors that the live site doesn't have." },
  superseded: { label: "Superseded", meaning: "When it finished, a later deployment was live." },
  replaced: { label: "Replaced", meaning: "It was live before." },
  ready: { label: "Ready", meaning: "It's a preview that can be viewed." },
  "ready-with-errors": {
    label: "Ready with errors",
    meaning: "It's a preview that can be viewed, and its build found errors.",
  },
  failed: { label: "Failed", meaning: "It can't go live." },
  canceled: { label: "Canceled", meaning: "It was canceled before it finished." },
  deleted: { label: "Deleted", meaning: "It can't be viewed anymore." },
};

export type LiveState = keyof typeof liveStates;

/** Returns the word for a state, such as `Live with errors`. */
export function stateLabel(state: LiveState): string {
  return liveStates[state].label;
}

const LiveStateShape = Type.Union(
  (Object.keys(liveStates) as LiveState[]).map((state) => Type.Literal(state)),
  {
    description: `State of the deployment, as in the dashboard. ${Object.entries(liveStates)
      .map(([state, { meaning }]) => `\`${state}\`: ${meaning}`)
      .join(" ")}`,
  },
);

export const Deployment = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    status: Status,
    isLive: Type.Boolean({ description: "Whether the project's site currently serves this deployment." }),
    liveState: LiveStateShape,
    trigger: Type.String({
      description:
        "How the deployment was triggered: `upload`, `api`, `cli`, `dashboard`, `push`, `pull-request`, `settings`, or `start`.",
    }),
    url: Type.String({
      description:
        "For previews, the URL of the preview, which works once the deployment succeeds. Otherwise, the URL of the site.",
    }),
    branch: nullable(
      Type.String({
        description:
          "Branch of the preview, or the number of its pull request, such as `#12`. Null if the deployment isn't a preview.",
      }),
    ),
    commit: Commit,
    summary: nullable(
      Type.String({
        description:
          "Short summary of the result, such as `Live, with 2 errors`. Null until the deployment finishes.",
      }),
    ),
    pageCount: nullable(Type.Integer({ description: "Number of pages. Null until the build succeeds." })),
    problems: Type.Array(ProblemShape, {
      description:
        "Problems found during the build, errors first. Up to 1,000 problems or 1 MB are stored, and texts are truncated to 500 characters.",
    }),
    logs: Type.Array(Type.String(), { description: "Lines of the build log." }),
    createdAt: timestamp("When the deployment was created."),
    startedAt: nullable(timestamp("When the build started. Null if it hasn't started.")),
    endedAt: nullable(timestamp("When the deployment finished. Null until then.")),
  },
  { $id: "Deployment" },
);

export const createDeployment = endpoint({
  operationId: "createDeployment",
  isIdempotent: true,
  tag,
  summary: "Deploy an archive",
  description:
    "Builds the site from the `tar.gz` archive in the request body. If the build succeeds, the deployment goes live, unless it has errors that the live site doesn't have, or a later deployment went live or the site was rolled back in the meantime.",
  method: "POST",
  path: "/v1/projects/{projectId}/deployments",
  caller: "admin",
  role: "editor",
  params: projectId,
  query: {
    trigger: choice(
      "Recorded as the deployment's `trigger`. `octavo deploy` sends `cli`. Default: `upload`.",
      ["upload", "cli"],
    ),
    publishWithErrors: choice(
      "Whether the deployment goes live even if it has errors that the live site doesn't have. If absent or `false`, the project's setting applies.",
      ["true", "false"],
    ),
  },
  body: {
    type: "application/gzip",
    description: "A `tar.gz` archive of a folder that contains `docs.json`.",
  },
  success: {
    status: 202,
    description: "The deployment is queued.",
    schema: Deployment,
    headers: ["Location", "Retry-After"],
  },
  refusals: {
    409: "The organization has reached its storage limit.",
    413: "The archive exceeds the size limit.",
    429: "Too many deployments are queued or running. Wait for the number of seconds in `Retry-After`.",
  },
});

export const listDeployments = endpoint({
  operationId: "listDeployments",
  tag,
  summary: "List deployments",
  description:
    "Returns a project's deployments, newest first. `problems` and `logs` are empty. To read them, get a single deployment.",
  method: "GET",
  path: "/v1/projects/{projectId}/deployments",
  caller: "admin",
  role: "viewer",
  waitsForSites: true,
  params: projectId,
  query: {
    limit: integer("Number of items per page.", { minimum: 1, maximum: 100, default: 20 }),
    cursor: listCursor,
  },
  success: {
    status: 200,
    description: "A page of deployments.",
    schema: Type.Object(
      {
        deployments: Type.Array(Deployment),
        ...nextPage,
      },
      { $id: "DeploymentPage" },
    ),
  },
});

export const getDeployment = endpoint({
  operationId: "getDeployment",
  tag,
  summary: "Get a deployment",
  description: "Returns the deployment with its problems and the lines of its log.",
  method: "GET",
  path: "/v1/deployments/{id}",
  caller: "admin",
  role: "viewer",
  waitsForSites: true,
  params: { id: "Deployment ID." },
  success: { status: 200, description: "The deployment.", schema: Deployment },
});

export const cancelDeployment = endpoint({
  operationId: "cancelDeployment",
  tag,
  summary: "Cancel a deployment",
  description: "Cancels a deployment that is queued or running. Its status becomes `failure`.",
  method: "POST",
  path: "/v1/deployments/{id}/cancel",
  caller: "admin",
  role: "editor",
  params: { id: "Deployment ID." },
  success: { status: 200, description: "The canceled deployment.", schema: Deployment },
  refusals: { 409: "The deployment has already finished." },
});

export const rollBack = endpoint({
  operationId: "rollBackDeployment",
  tag,
  summary: "Make a deployment live",
  description:
    "Rolls back to a deployment, or publishes one that isn't live because of new errors. Takes effect within a second, without a new build. After a rollback, deployments that are already queued or running won't go live, but later deployments will. If the deployment has new errors, all later deployments can go live.",
  method: "POST",
  path: "/v1/deployments/{id}/rollback",
  caller: "admin",
  role: "editor",
  params: { id: "ID of a deployment that succeeded." },
  success: { status: 200, description: "The deployment that is now live.", schema: Deployment },
  refusals: { 409: "The deployment didn't succeed, is a preview, or was deleted." },
});

export const purge = endpoint({
  operationId: "purgeDeployment",
  tag,
  summary: "Delete a deployment",
  description:
    "Permanently deletes the deployment's pages, source files, log, and problems, and the bundles of its exports, so you can't roll back to it. A queued or running deployment is canceled first.",
  method: "DELETE",
  path: "/v1/deployments/{id}",
  caller: "admin",
  role: "editor",
  params: { id: "ID of a deployment that isn't live." },
  success: { status: 204, description: "The deployment was deleted." },
  refusals: { 409: "The deployment is live." },
});

const statusId = Type.String({
  description: "ID of the deployment. Use it to get the status with `getUpdateStatus`.",
});

export const update = endpoint({
  operationId: "triggerUpdate",
  isIdempotent: true,
  tag,
  summary: "Trigger an update",
  description:
    "Rebuilds the site from the project's source: the configured branch or folder, or the last upload that was deployed successfully. Downloads linked OpenAPI documents again.",
  method: "POST",
  path: "/v1/project/update/{projectId}",
  caller: "admin",
  role: "editor",
  rateLimit: "trigger",
  params: projectId,
  success: {
    status: 202,
    description: "The update is queued.",
    schema: Type.Object({ statusId }),
    headers: ["Location", "Retry-After"],
  },
  refusals: {
    409: "No upload has been deployed successfully, so there's no source to build, or the organization has reached its storage limit.",
  },
});

export const updateStatus = endpoint({
  operationId: "getUpdateStatus",
  tag,
  summary: "Get the status of an update or preview",
  description: "Returns the status of a deployment that you queued with `triggerUpdate` or `triggerPreview`.",
  method: "GET",
  path: "/v1/project/update-status/{statusId}",
  caller: "admin",
  role: "viewer",
  waitsForSites: true,
  params: { statusId: "`statusId` returned when you queued the update or preview." },
  success: {
    status: 200,
    description: "The status of the update or preview.",
    schema: Type.Object(
      {
        _id: Type.String(),
        projectId: Type.String(),
        createdAt: timestamp("When the update or preview was queued."),
        endedAt: nullable(timestamp("When the update or preview finished. Null until then.")),
        status: Status,
        liveState: LiveStateShape,
        summary: nullable(Type.String()),
        logs: Type.Array(Type.String(), { description: "Lines of the build log." }),
        subdomain: Type.String(),
        author: nullable(Type.Object({ name: Type.String() })),
        commit: CommitWithFiles,
        source: Type.String(),
      },
      { $id: "UpdateStatus" },
    ),
  },
});

export const preview = endpoint({
  operationId: "triggerPreview",
  isIdempotent: true,
  tag,
  summary: "Deploy a preview of a branch",
  description:
    "Builds a branch and serves it at a separate, unguessable host name. To update the preview, send another request for the same branch.",
  method: "POST",
  path: "/v1/project/preview/{projectId}",
  caller: "admin",
  role: "editor",
  rateLimit: "trigger",
  params: projectId,
  body: {
    type: "application/json",
    schema: Type.Object({
      branch: Type.String({
        minLength: 1,
        maxLength: 255,
        description: "Branch to preview.",
        described: describedBranch,
      }),
    }),
  },
  success: {
    status: 202,
    description: "The preview is queued.",
    schema: Type.Object({
      statusId,
      previewUrl: Type.String({
        format: "uri",
        description: "URL of the preview, which works once the deployment succeeds.",
      }),
    }),
    headers: ["Location", "Retry-After"],
  },
  refusals: {
    409: "The project isn't connected to a Git repository, or the organization has reached its storage limit.",
  },
});
