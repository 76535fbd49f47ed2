/** Dashboard routes for a project's settings. Each group of settings has a separate form. */

import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { atField, fieldThat, invalid } from "../../base/app-error.ts";
import type { SignInChoice } from "../../base/reader-sign-in.ts";
import type { ServiceSettings } from "../core/service.ts";
import { siteFeatures } from "../core/site-features.ts";
import { rebuildLive } from "../deployments/deployments.ts";
import { validate } from "../http/read-body.ts";
import {
  checkFields,
  type RepositoryFields,
  readRepository,
  storedFields,
  submittedFields,
} from "../repositories/repository-form.tsx";
import { type DashboardResponse, page, redirect } from "../ui/dashboard-response.ts";
import { organizationHref, projectHref } from "../ui/dashboard-urls.ts";
import { Confirm } from "../ui/kit/confirm.tsx";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { field } from "../ui/read-form.ts";
import { requireConfirmation } from "../ui/require-confirmation.ts";
import { rerenderOnError } from "../ui/rerender-on-error.ts";
import { projectRoute } from "../ui/route.ts";
import type { ProjectVisit } from "../ui/visit.ts";
import { SignInSettings, Source } from "./contract.ts";
import { changeProject, deleteProject } from "./projects.ts";
import { Settings, type SettingsProps } from "./settings-view.tsx";

type Change = Parameters<typeof changeProject>[3];

export const settingsRoutes = [
  projectRoute("GET /settings", "showSettings", "admin", async (visit) => show(visit)),
  projectRoute("POST /settings/name", "changeProject", "admin", (visit) =>
    save(visit, () => {
      const name = field(visit.form, "name");
      if (name === "" || name.length > 100)
        throw invalid("Invalid name", fieldThat("name", "must be between 1 and 100 characters long"));
      return { name };
    }),
  ),
  projectRoute("POST /settings/source", "changeProject", "admin", (visit) =>
    save(visit, () => {
      const { service, scope, form, project } = visit;
      const kind = field(form, "kind");
      if (kind === "folder" && project.source.kind === "folder") return {};
      if (kind !== "git") return { source: { kind: "upload" } };
      const { source, change } = readRepository(service, scope.organizationId, form);
      if (!source || !Value.Check(Source, source))
        throw invalid("Invalid source", atField("source", "Enter the repository's URL"));
      return { source, connection: change };
    }),
  ),
  projectRoute(
    "POST /settings/check",
    "checkRepository",
    "admin",
    async (visit) => {
      const { service, scope, project, form } = visit;
      const submitted = readRepository(service, scope.organizationId, form);
      return show(visit, undefined, await checkFields(service, scope.organizationId, submitted, project));
    },
    { showErrors: show },
  ),
  projectRoute("POST /settings/readers", "changeProject", "admin", (visit) =>
    save(visit, () => ({ signIn: signInOf(visit.form) })),
  ),
  projectRoute("POST /settings/assistant", "changeProject", "admin", (visit) =>
    save(visit, () => ({ assistant: assistantOf(visit.form) })),
  ),
  projectRoute("POST /settings/builds", "changeProject", "admin", (visit) =>
    save(visit, () => {
      const choice = field(visit.form, "errors");
      return { publishWithErrors: choice === "publish" ? true : choice === "fail" ? false : null };
    }),
  ),
  projectRoute("GET /settings/delete", "askToDeleteProject", "admin", async (visit) =>
    confirmDeletion(visit),
  ),
  projectRoute(
    "POST /settings/delete",
    "deleteProject",
    "admin",
    async (visit) => {
      requireConfirmation(visit.form, visit.project.subdomain);
      await deleteProject(visit.service, visit.project.id);
      return redirect(organizationHref(visit.member.organizationId), "project-deleted");
    },
    { showErrors: confirmDeletion },
  ),
];

function save(visit: ProjectVisit, read: () => Change): Promise<DashboardResponse> {
  return rerenderOnError(
    async () => {
      const { service, scope, project } = visit;
      const changes = read();
      visit.recorded.changed = Object.keys(changes);
      await changeProject(service, scope, project.id, changes);
      // The access to pages is part of a build.
      const isRebuilt = changes.signIn !== undefined && (await rebuildLive(service, scope, project.id));
      return redirect(
        projectHref(scope.organizationId, project.id, "/settings"),
        isRebuilt ? "settings-saved-rebuild" : "settings-saved",
      );
    },
    (errors) => show(visit, errors),
  );
}

function signInOf(form: URLSearchParams): Static<typeof SignInSettings> {
  const mode = field(form, "mode");

  const [scopes, groupsClaim] = [
    field(form, "scopes").split(/\s+/).filter(Boolean),
    field(form, "groupsClaim"),
  ];

  const fields: Record<string, object> = {
    none: {},
    password: { password: form.get("password") ?? "" },
    jwt: { loginUrl: field(form, "loginUrl"), publicKey: field(form, "publicKey").replaceAll("\r\n", "\n") },
    oidc: {
      issuer: field(form, "issuer"),
      clientId: field(form, "clientId"),
      clientSecret: form.get("clientSecret") ?? "",
      ...(scopes.length ? { scopes } : {}),
      ...(groupsClaim === "" ? {} : { groupsClaim }),
    },
  };

  const signIn = { mode, ...(Object.hasOwn(fields, mode) ? fields[mode] : {}) };
  if (Value.Check(SignInSettings, signIn)) return signIn;
  const title = "The sign-in settings weren't changed";
  const variant = SignInSettings.anyOf.find(({ properties }) => properties.mode.const === mode);
  if (!variant) throw invalid(title, atField("mode", "Select a sign-in method"));

  return validate(variant as TSchema, signIn, title) as Static<typeof SignInSettings>;
}

function assistantOf(form: URLSearchParams): NonNullable<Change["assistant"]> {
  const [provider, baseUrl, name, apiKey] = ["provider", "baseUrl", "modelName", "apiKey"].map((key) =>
    field(form, key),
  ) as [string, string, string, string];
  const enabled = form.has("enabled");
  if (provider === "") return { enabled, model: null };
  if (provider !== "openai-compatible" && provider !== "anthropic")
    throw invalid("Invalid model", atField("provider", "Select a provider"));
  if (name === "") throw invalid("Invalid model", atField("modelName", "Enter a model"));
  return { enabled, model: { provider, baseUrl, name, ...(apiKey === "" ? {} : { apiKey }) } };
}

function show(visit: ProjectVisit, errors?: FormErrors, checked?: RepositoryFields): DashboardResponse {
  const { service, scope, project, form } = visit;
  const { settings } = service;
  const stored = storedFields(project);
  const isSubmitted = errors && form.has("access");
  const repository =
    checked ??
    (isSubmitted
      ? submittedFields(
          service,
          scope.organizationId,
          readRepository(service, scope.organizationId, form),
          stored,
        )
      : stored);

  const { assistant } = project;
  const props: SettingsProps = {
    organizationId: scope.organizationId,
    project: { id: project.id, name: project.name, subdomain: project.subdomain },
    kind: siteFeaturesShown(settings),
    source: {
      kind: checked ? "git" : project.source.kind,
      repository,
      hasWebhook: project.source.kind === "git" && project.connection !== null,
    },
    publishWithErrors: project.publish_with_errors,
    signIn: shownSignIn(project.sign_in),
    assistant: {
      isEnabled: assistant?.isEnabled !== false,
      provider: assistant?.model?.provider ?? "",
      baseUrl: assistant?.model?.baseUrl ?? "",
      modelName: assistant?.model?.name ?? "",
      hasKey: assistant?.model?.apiKey !== undefined,
    },
    errors,
  };

  return page("Settings", <Settings {...(errors ? asFilled(props, form) : props)} />);
}

function siteFeaturesShown(settings: ServiceSettings): SettingsProps["kind"] {
  const { kind, search, assistant, analytics, playground } = siteFeatures(settings, {
    isPreview: false,
    assistant: null,
  });
  return { name: kind, search: search !== false, assistant, analytics: analytics === true, playground };
}

/** Replaces values with the submitted ones, to show the form again after an error. Leaves out secrets. */
function asFilled(props: SettingsProps, form: URLSearchParams): SettingsProps {
  const fill = <T extends object>(group: T): T =>
    Object.fromEntries(
      Object.entries(group).map(([name, value]) => [
        name,
        typeof value === "string" && form.has(name) ? form.get(name) : value,
      ]),
    ) as T;

  return {
    ...props,
    project: fill(props.project),
    source: fill(props.source),
    signIn: fill(props.signIn),
    assistant: fill(props.assistant),
  };
}

function shownSignIn(signIn: SignInChoice | null): SettingsProps["signIn"] {
  const empty = {
    mode: signIn?.mode ?? "none",
    loginUrl: "",
    publicKey: "",
    issuer: "",
    clientId: "",
    scopes: "",
    groupsClaim: "",
  };
  if (signIn?.mode === "jwt") return { ...empty, loginUrl: signIn.loginUrl, publicKey: signIn.publicKey };
  if (signIn?.mode !== "oidc") return empty;
  const { issuer, clientId, scopes = [], groupsClaim = "" } = signIn;
  return { ...empty, issuer, clientId, scopes: scopes.join(" "), groupsClaim };
}

function confirmDeletion({ member, project }: ProjectVisit, errors?: FormErrors): DashboardResponse {
  const settingsPath = projectHref(member.organizationId, project.id, "/settings");
  return page(
    "Delete project",
    <Confirm
      title={`Delete ${project.name}?`}
      name={project.subdomain}
      action={`${settingsPath}/delete`}
      button="Delete project"
      backTo={settingsPath}
      errors={errors}
    >
      This permanently deletes the site and all its data.
    </Confirm>,
  );
}
