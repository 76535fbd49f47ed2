/** Renders and reads the form fields that connect a repository, and checks the connection. */

import path from "node:path";
import { AppError } from "../../base/app-error.ts";
import { plural } from "../../base/plural.ts";
import { parseUrl, percentDecoded } from "../../base/url.ts";
import { GitRefused } from "../../io/check-git-source.ts";
import { checkRepository } from "../../io/check-repository.ts";
import { fingerprint, newDeployKey } from "../../io/ssh-keys.ts";
import { type GitProjectSource, gitSource } from "../core/git-source.ts";
import type { Service } from "../core/service.ts";
import type { ProjectRow, ProjectSource, RepositoryConnection } from "../core/tables.ts";
import { CopyField } from "../ui/kit/copy.tsx";
import { buttonClass, DefaultSubmit, FieldRow, Input, Select, When } from "../ui/kit/form.tsx";
import { Note } from "../ui/kit/page-parts.tsx";
import { field } from "../ui/read-form.ts";
import { type ConnectionChange, connectionAfter, repositoryProblems } from "./connection.ts";

/** Values of the fields. Secrets are never shown. */
export interface RepositoryFields {
  url: string;
  branch: string;
  directory: string;
  access: string;
  apiUrl: string;
  hasToken: boolean;
  publicKey: string;
  hostKey: string;
  /** Encrypted token and deploy key that were entered or created but not saved yet. */
  sealed: string;
  /**
   * Result of the check. `key-created`: a deploy key was created, which the user must add to the repository.
   */
  check?: { result: "connected" | "failed" | "key-created"; message: string };
}

/** Values of a submitted form. `source` is undefined if there is no URL. */
export interface SubmittedRepository {
  source: GitProjectSource | undefined;
  change: ConnectionChange;
}

type FormContext = Pick<Service, "secrets" | "settings">;

const accessLevels: readonly RepositoryConnection["access"][] = ["public", "token", "ssh"];

/**
 * Reads the submitted fields. Credentials in the URL become the token. The branch is `main` if the field is
 * blank. Secrets from the hidden field are used unless new ones were entered.
 */
export function readRepository(
  { secrets, settings }: FormContext,
  organizationId: string,
  form: URLSearchParams,
): SubmittedRepository {
  const access = accessLevels.find((level) => level === field(form, "access")) ?? "public";

  const [directory, apiUrl, hostKey] = [
    field(form, "directory"),
    field(form, "apiUrl"),
    field(form, "hostKey"),
  ];

  const isOwnKey = settings.git.protocols?.includes("ssh") === true && access === "public";
  const { url, credentials } = splitUrl(
    field(form, "url"),
    access === "ssh" ? "ssh" : isOwnKey ? undefined : "https",
  );

  const entered = field(form, "token") || credentials;
  const sealed = unseal(secrets, organizationId, field(form, "sealed"));
  const change: ConnectionChange = {
    access: credentials === undefined || access === "ssh" ? access : "token",
    ...sealed,
    ...(entered ? { token: entered } : {}),
    ...(/^[\w@.-]+ [\w+/=]+$/.test(hostKey) ? { hostKey } : {}),
    ...(apiUrl === "" ? {} : { apiUrl }),
  };

  if (url === "") return { source: undefined, change };

  return {
    source: {
      kind: "git",
      url,
      branch: field(form, "branch") || "main",
      ...(directory === "" ? {} : { directory }),
    },
    change,
  };
}

/**
 * Separates the credentials from a URL. Converts between `git@host:path`, SSH and https URLs, because git
 * hosts show a repository's URL in several formats, and the access method determines which one works.
 */
function splitUrl(
  address: string,
  wanted: "ssh" | "https" | undefined,
): { url: string; credentials: string | undefined } {
  const url = parseUrl(address.replace(/^([\w.-]+)@([\w.-]+):(?!\d+\/)\/?/, "ssh://$1@$2/"));
  if (!url || !/^(?:ssh|https?):$/.test(url.protocol)) return { url: address, credentials: undefined };
  if (wanted === "https" && url.protocol === "ssh:")
    return { url: `https://${url.hostname}${url.pathname}`, credentials: undefined };
  if (url.protocol === "ssh:") return { url: url.href, credentials: undefined };
  if (wanted === "ssh" && url.protocol === "https:")
    return { url: `ssh://git@${url.hostname}${url.pathname}`, credentials: undefined };
  const [user, password] = [percentDecoded(url.username), percentDecoded(url.password)];
  if (!user && !password) return { url: address, credentials: undefined };
  url.username = url.password = "";
  return { url: url.href, credentials: user && password ? `${user}:${password}` : user || password };
}

function unseal(
  secrets: Service["secrets"],
  organizationId: string,
  sealed: string,
): Pick<ConnectionChange, "token" | "privateKey" | "publicKey"> {
  if (!sealed.startsWith("enc:")) return {};
  const text = secrets.decrypt(sealed, sealContext(organizationId));
  return text === "" ? {} : (JSON.parse(text) as ReturnType<typeof unseal>);
}

function sealContext(organizationId: string): string {
  return `repository form ${organizationId}`;
}

/** Returns the fields with the stored values. */
export function storedFields({
  source,
  connection,
}: Pick<ProjectRow, "source" | "connection">): RepositoryFields {
  const { url, branch, directory = "" } = source.kind === "git" ? source : { url: "", branch: "main" };
  const parsed = parseUrl(url);
  const inUrl = parsed && parsed.protocol !== "ssh:" && (parsed.username || parsed.password);
  if (inUrl) parsed.username = parsed.password = "";

  return {
    url: inUrl ? parsed.href : url,
    branch,
    directory,
    access: inUrl ? "token" : (connection?.access ?? "public"),
    apiUrl: connection?.apiUrl ?? "",
    hasToken: connection?.token !== undefined || Boolean(inUrl),
    publicKey: connection?.publicKey ?? "",
    hostKey: connection?.hostKey ?? "",
    sealed: "",
  };
}

/**
 * Returns the fields with the submitted values. Encrypts secrets in a hidden field, so that users don't have
 * to enter them again.
 */
export function submittedFields(
  { secrets }: FormContext,
  organizationId: string,
  { source, change }: SubmittedRepository,
  stored: RepositoryFields,
): RepositoryFields {
  const { access, token, privateKey, publicKey, hostKey, apiUrl } = change;
  const entered = { ...(token ? { token } : {}), ...(privateKey ? { privateKey, publicKey } : {}) };
  const isEntered = Object.keys(entered).length > 0;
  return {
    url: source?.url ?? "",
    branch: source?.branch ?? "main",
    directory: source?.directory ?? "",
    access,
    apiUrl: apiUrl ?? "",
    hasToken: token !== undefined || stored.hasToken,
    publicKey: publicKey ?? stored.publicKey,
    hostKey: hostKey ?? stored.hostKey,
    sealed: isEntered ? secrets.encrypt(JSON.stringify(entered), sealContext(organizationId)) : "",
  };
}

/**
 * Connects to the repository, and returns the fields with the result. For SSH without a deploy key, creates a
 * key instead of connecting. Throws "rate-limited" after too many checks.
 */
export async function checkFields(
  service: Service,
  organizationId: string,
  submitted: SubmittedRepository,
  stored: { source: ProjectSource; connection: RepositoryConnection | null } | undefined,
): Promise<RepositoryFields> {
  const { wait_s } = await service.rateLimit("repository-check", { organization: organizationId });
  if (wait_s > 0)
    throw new AppError("rate-limited", "Too many connection checks", {
      details: [`Try again in ${plural(wait_s, "second")}`],
      retryAfter_s: wait_s,
    });

  const { source } = submitted;
  const before = storedFields(stored ?? { source: { kind: "upload" }, connection: null });
  const shown = (
    change: ConnectionChange,
    result: NonNullable<RepositoryFields["check"]>["result"],
    message: string,
  ) => ({
    ...submittedFields(service, organizationId, { source, change }, before),
    check: { result, message },
  });

  if (!source) return shown(submitted.change, "failed", "Enter the repository's URL");
  const connection = connectionAfter(service, stored, source, submitted.change)!;
  if (connection.access === "ssh" && connection.privateKey === undefined) {
    const key = newDeployKey(`octavo-${parseUrl(service.settings.url)?.hostname ?? "docs"}`);
    return shown({ ...submitted.change, ...key }, "key-created", "Deploy key created. Two steps are left:");
  }

  const [problem] = repositoryProblems(source, { hostKey: "", ...connection }, service.settings);
  if (problem !== undefined)
    return shown(submitted.change, "failed", typeof problem === "string" ? problem : problem.text);
  const scratch = path.join(service.settings.workFolder, "checks", service.ulid());
  try {
    const { sha, hostKey } = await checkRepository(
      gitSource(source, connection),
      scratch,
      service.settings.git,
    );
    const change = { ...submitted.change, ...(hostKey === undefined ? {} : { hostKey }) };
    return shown(
      change,
      "connected",
      `Connected. Found docs.json at commit ${sha.slice(0, 7)} on ${source.branch}.`,
    );
  } catch (error) {
    if (error instanceof GitRefused) return shown(submitted.change, "failed", error.message);
    throw error;
  }
}

const accessOptions = [
  { value: "public", label: "Public repository" },
  { value: "token", label: "Private, with an access token" },
  { value: "ssh", label: "Private, with an SSH deploy key" },
];

/** The form fields. `checkAction`: path that the "Check connection" button sends the form to. */
export function RepositoryInputs({ fields, checkAction }: { fields: RepositoryFields; checkAction: string }) {
  const { url, branch, directory, access, apiUrl, hasToken, publicKey, hostKey, sealed, check } = fields;
  return (
    <>
      <DefaultSubmit />
      <Input
        name="url"
        errorName="source"
        label="Repository URL"
        value={url}
        placeholder="https://github.com/acme/docs.git"
        isMono
        maxLength={2_000}
        hint="URL that you clone the repository from."
      />
      <FieldRow>
        <Input
          name="branch"
          label="Branch"
          value={branch}
          isMono
          maxLength={255}
          hint="Pushing to this branch deploys the site."
        />
        <Input
          name="directory"
          label="Folder"
          value={directory}
          isMono
          maxLength={1_000}
          hint="Folder that contains docs.json. Leave blank for the repository root."
        />
      </FieldRow>
      <Select name="access" label="Access" options={accessOptions} value={access} />
      <When is="token">
        <Input
          name="token"
          label="Access token"
          type="password"
          autocomplete="new-password"
          isMono
          hint={
            hasToken
              ? "A token is set. Leave blank to keep it."
              : "Needs read access to the code. To report deployments on commits and pull requests, Octavo also needs write access to commit statuses and pull requests."
          }
        />
        <Input
          name="apiUrl"
          label="API URL (optional)"
          value={apiUrl}
          isMono
          placeholder="https://git.example.com/api/v4"
          hint="For commit statuses and comments. Leave blank to use the API of the repository's host. If you change this to a different host, enter the token again."
        />
      </When>
      <When is="ssh">
        {publicKey === "" ? (
          <p class="d-muted">Check the connection to create a deploy key.</p>
        ) : (
          <div class="d-field">
            <span>Deploy key</span>
            <CopyField label="public key" text={publicKey} />
            <small>Add it to the repository's deploy keys. Read access is enough.</small>
          </div>
        )}
        {hostKey !== "" && (
          <p class="d-muted">
            Server fingerprint: <code>{fingerprint(hostKey)}</code>. By saving, you confirm that it's correct.
          </p>
        )}
      </When>
      {hostKey !== "" && <input type="hidden" name="hostKey" value={hostKey} />}
      {sealed !== "" && <input type="hidden" name="sealed" value={sealed} />}
      {check && <CheckResult {...check} />}
      <div>
        <button type="submit" class={buttonClass("plain")} formaction={checkAction} formnovalidate>
          Check connection
        </button>
      </div>
    </>
  );
}

function CheckResult({ result, message }: NonNullable<RepositoryFields["check"]>) {
  const kinds = { connected: "check", failed: "danger", "key-created": "info" } as const;
  return (
    <Note kind={kinds[result]}>
      <p role={result === "failed" ? "alert" : "status"}>{message}</p>
      {result === "key-created" && (
        <ol class="d-numbered">
          <li>Add the public key above to the repository's deploy keys, with read access.</li>
          <li>Check the connection again.</li>
        </ol>
      )}
    </Note>
  );
}
