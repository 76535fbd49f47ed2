/** Renders the page of a project's own Git repository: its URL, and the commands of a first push. */

import { organizationHref, type ProjectIds, projectHref } from "../ui/dashboard-urls.ts";
import { CopyField, Snippet } from "../ui/kit/copy.tsx";
import { Form, Input, Submit } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { bytes as sizeText } from "../ui/kit/format-number.ts";
import { Facts, Note, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { Time } from "../ui/kit/time.tsx";

export interface OwnRepositoryProps {
  ids: ProjectIds;
  url: string;
  /** Name of the folder that a clone is in. */
  folder: string;
  /** The branch that is deployed. */
  branch: string;
  branchCount: number;
  bytes: number;
  mirror: MirrorProps;
  errors?: FormErrors | undefined;
}

export interface MirrorProps {
  /** Empty if there is no mirror. */
  url: string;
  hasToken: boolean;
  /** Whether the mirror has the latest push. */
  isCurrent: boolean;
  updatedAt: Date | null;
  /** Why the last update failed. */
  error: string | null;
}

export function OwnRepository({
  ids,
  url,
  folder,
  branch,
  branchCount,
  bytes,
  mirror,
  errors,
}: OwnRepositoryProps) {
  return (
    <>
      <PageHead
        title="Repository"
        lead="Push to the project's own Git repository to deploy it."
        back={{ label: "Settings", href: projectHref(ids.organizationId, ids.projectId, "/settings") }}
      />
      <FormErrorNote errors={errors} />
      <Facts isWide rows={[["Clone URL", <CopyField key="url" label="clone URL" text={url} />]]} />
      <Facts
        rows={[
          ["Deployed branch", <code key="branch">{branch}</code>],
          ["Branches", branchCount === 0 ? "Nothing was pushed yet" : String(branchCount)],
          ["Size", sizeText(bytes)],
        ]}
      />
      <Section
        title="Deploy with Git"
        lead={
          <>
            Enter any user name and, as the password, an API key with write permission. Admins can create one
            under <a href={organizationHref(ids.organizationId, "/keys")}>API keys</a>.
          </>
        }
      >
        {branchCount > 0 && (
          <Snippet
            label="Edit the site"
            text={`git clone ${url}\ncd ${folder}\n# Edit the pages, then:\ngit commit --all --message="Edit pages"\ngit push`}
          />
        )}
        <Snippet
          label={branchCount > 0 ? "Push another folder" : "Push a folder"}
          text={`git init --initial-branch=${branch}\ngit add . && git commit --message="Add docs"\ngit push ${url} ${branch}`}
        />
      </Section>
      <Mirror
        action={projectHref(ids.organizationId, ids.projectId, "/settings/repository/mirror")}
        mirror={mirror}
      />
    </>
  );
}

function Mirror({ action, mirror }: { action: string; mirror: MirrorProps }) {
  const { url, hasToken, error } = mirror;
  return (
    <Section
      title="Mirror"
      lead="Another Git repository that gets all branches and tags after each push. Its other branches and tags are deleted."
    >
      {error !== null && (
        <Note kind="danger">
          <p role="alert">The last update failed: {error}</p>
        </Note>
      )}
      {url !== "" && error === null && <p role="status">{stateOf(mirror)}</p>}
      <Form action={action}>
        <Input
          name="url"
          errorName="mirror"
          label="Mirror URL"
          value={url}
          placeholder="https://github.com/acme/docs-mirror.git"
          isMono
          maxLength={2_000}
          hint="Leave blank for no mirror. To update the mirror now, save again."
        />
        <Input
          name="token"
          label="Access token"
          type="password"
          autocomplete="new-password"
          isMono
          hint={hasToken ? "A token is set. Leave blank to keep it." : "Needs write access to the code."}
        />
        <Submit kind="plain">Save</Submit>
      </Form>
    </Section>
  );
}

function stateOf({ isCurrent, updatedAt }: MirrorProps) {
  if (!updatedAt) return "The mirror gets its first update soon, or after the first push.";
  return (
    <>
      {isCurrent ? "Up to date. " : "An update is waiting. "}
      Last update: <Time at={updatedAt} />
    </>
  );
}
