import { type RepositoryFields, RepositoryInputs } from "../repositories/repository-form.tsx";
import { projectHref } from "../ui/dashboard-urls.ts";
import {
  Checkbox,
  FieldRow,
  Form,
  Input,
  LinkButton,
  Radios,
  Select,
  Submit,
  TextArea,
  When,
} from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { Facts, PageHead, Section } from "../ui/kit/page-parts.tsx";

export interface SettingsProps {
  organizationId: string;
  project: { id: string; name: string; subdomain: string };
  /** Deployment kind of the service, and which features the service has. */
  kind: { name: string; search: boolean; assistant: boolean; analytics: boolean; playground: boolean };
  source: { kind: string; repository: RepositoryFields; hasWebhook: boolean };
  publishWithErrors: boolean | null;
  signIn: {
    mode: string;
    loginUrl: string;
    publicKey: string;
    issuer: string;
    clientId: string;
    scopes: string;
    groupsClaim: string;
  };
  assistant: { isEnabled: boolean; provider: string; baseUrl: string; modelName: string; hasKey: boolean };
  errors: FormErrors | undefined;
}

const sources = [
  { value: "upload", label: "Uploads" },
  { value: "git", label: "Git repository" },
];

const modes = [
  { value: "none", label: "Public" },
  { value: "password", label: "Shared password" },
  { value: "jwt", label: "JWT from your login page" },
  { value: "oidc", label: "OpenID Connect" },
];

const providers = [
  { value: "", label: "Service default" },
  { value: "openai-compatible", label: "OpenAI-compatible" },
  { value: "anthropic", label: "Anthropic" },
];

export function Settings({
  organizationId,
  project,
  kind,
  source,
  publishWithErrors,
  signIn,
  assistant,
  errors,
}: SettingsProps) {
  const settingsPath = (path: string) => projectHref(organizationId, project.id, `/settings${path}`);
  return (
    <>
      <PageHead title="Settings" />
      <FormErrorNote errors={errors} />
      <NameForm action={settingsPath("/name")} name={project.name} />
      <SourceForm settingsPath={settingsPath} source={source} />
      <BuildsForm action={settingsPath("/builds")} publishWithErrors={publishWithErrors} />
      <ReadersForm action={settingsPath("/readers")} signIn={signIn} />
      {kind.assistant && <AssistantForm action={settingsPath("/assistant")} assistant={assistant} />}
      <ServiceFacts kind={kind} subdomain={project.subdomain} />
      <Section title="Delete" lead="This permanently deletes the site and all its data.">
        <div>
          <LinkButton href={settingsPath("/delete")} kind="danger">
            Delete project
          </LinkButton>
        </div>
      </Section>
    </>
  );
}

function NameForm({ action, name }: { action: string; name: string }) {
  return (
    <Section title="Name">
      <Form action={action}>
        <Input name="name" label="Project name" value={name} isRequired maxLength={100} />
        <Submit kind="plain">Save</Submit>
      </Form>
    </Section>
  );
}

function SourceForm({
  settingsPath,
  source,
}: { settingsPath(path: string): string } & Pick<SettingsProps, "source">) {
  return (
    <Section
      title="Source"
      lead="The repository or folder that deployments are built from. Changes take effect on the next deployment."
      actions={
        source.kind === "upload" ? (
          <LinkButton href={settingsPath("/repository")}>Git repository</LinkButton>
        ) : (
          source.hasWebhook && (
            <LinkButton href={settingsPath("/repository")}>Webhook and deliveries</LinkButton>
          )
        )
      }
    >
      <Form action={settingsPath("/source")}>
        <Select
          name="kind"
          label="Source"
          options={source.kind === "folder" ? sourcesWithFolder : sources}
          value={source.kind}
        />
        <When is="git">
          <RepositoryInputs fields={source.repository} checkAction={settingsPath("/check")} />
        </When>
        <Submit kind="plain">Save</Submit>
      </Form>
    </Section>
  );
}

function BuildsForm({
  action,
  publishWithErrors,
}: { action: string } & Pick<SettingsProps, "publishWithErrors">) {
  return (
    <Section title="Deployments">
      <Form action={action}>
        <Radios
          name="errors"
          label="Deployments with errors"
          options={[
            {
              value: "known",
              label: "Publish without new errors",
              hint: "A deployment with errors that the live site doesn't have doesn't go live until you publish it.",
            },
            { value: "publish", label: "Always publish", hint: "Every deployment goes live." },
            {
              value: "fail",
              label: "Fail",
              hint: "Deployments with any errors fail, and the live site doesn't change. Previews are still published.",
            },
          ]}
          value={publishWithErrors === null ? "known" : publishWithErrors ? "publish" : "fail"}
        />
        <Submit kind="plain">Save</Submit>
      </Form>
    </Section>
  );
}

/**
 * Options for a project whose source is a folder. Only the operator can set a folder, but admins can keep it.
 */
const sourcesWithFolder = [
  { value: "folder", label: "Folder on the server, set by the operator" },
  ...sources,
];

function ReadersForm({ action, signIn }: { action: string } & Pick<SettingsProps, "signIn">) {
  return (
    <Section
      title="Readers"
      lead="Choose who can read the site. Saving rebuilds the live site. If docs.json sets auth or userAuth, deployments fail until you save a sign-in method here."
    >
      <Form action={action}>
        <Select name="mode" label="Sign-in method" options={modes} value={signIn.mode} />
        <When is="password">
          <Input
            name="password"
            label="Password"
            type="password"
            autocomplete="new-password"
            hint="At least 8 characters. You won't be able to see it again, so enter it each time you save."
          />
        </When>
        <When is="jwt">
          <Input
            name="loginUrl"
            label="Login page URL"
            value={signIn.loginUrl}
            isMono
            hint="Readers are redirected here and return with a token."
          />
          <TextArea
            name="publicKey"
            label="Public key"
            value={signIn.publicKey}
            hint="In PEM format. Starts with -----BEGIN PUBLIC KEY-----."
            rows={4}
          />
        </When>
        <When is="oidc">
          <Input
            name="issuer"
            label="Issuer"
            value={signIn.issuer}
            isMono
            hint="The provider's issuer URL. Must be an https URL."
          />
          <FieldRow>
            <Input name="clientId" label="Client ID" value={signIn.clientId} isMono />
            <Input
              name="clientSecret"
              label="Client secret"
              type="password"
              hint="You won't be able to see it again, so enter it each time you save."
            />
          </FieldRow>
          <FieldRow>
            <Input
              name="scopes"
              label="Additional scopes"
              value={signIn.scopes}
              isMono
              hint="Requested in addition to openid. Separate multiple scopes with spaces."
            />
            <Input
              name="groupsClaim"
              label="Groups claim"
              value={signIn.groupsClaim}
              isMono
              hint="ID token claim that lists the reader's groups. Leave blank to use “groups”."
            />
          </FieldRow>
        </When>
        <Submit kind="plain">Save</Submit>
      </Form>
    </Section>
  );
}

function AssistantForm({ action, assistant }: { action: string } & Pick<SettingsProps, "assistant">) {
  return (
    <Section
      title="Assistant"
      lead="If the project has no model, the assistant uses the service's model. Without any model, it can only quote your docs or link to them."
    >
      <Form action={action}>
        <Checkbox name="enabled" label="Enable the assistant" isChecked={assistant.isEnabled} />
        <Select name="provider" label="Provider" options={providers} value={assistant.provider} />
        <When is="model">
          <FieldRow>
            <Input name="modelName" label="Model" value={assistant.modelName} isMono maxLength={200} />
            <Input
              name="apiKey"
              label="API key"
              type="password"
              hint={
                assistant.hasKey
                  ? "Leave blank to keep the current key, unless you change the base URL."
                  : "You won't be able to see it again."
              }
            />
          </FieldRow>
          <Input
            name="baseUrl"
            label="Base URL"
            value={assistant.baseUrl}
            isMono
            hint="Must be public and include /v1."
          />
        </When>
        <Submit kind="plain">Save</Submit>
      </Form>
    </Section>
  );
}

function ServiceFacts({ kind, subdomain }: Pick<SettingsProps, "kind"> & { subdomain: string }) {
  const state = (isOn: boolean) => (isOn ? "On" : "Off");
  return (
    <Section title="This service" lead="Set by the operator.">
      <Facts
        rows={[
          ["Deployment type", kind.name],
          ["Search", state(kind.search)],
          ["Assistant", state(kind.assistant)],
          ["Analytics", state(kind.analytics)],
          ["Playground", state(kind.playground)],
          ["Subdomain", subdomain],
        ]}
      />
    </Section>
  );
}
