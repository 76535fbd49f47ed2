/** Renders the page of a project's own Git repository: its URL, and the commands of a first push. */

import { organizationHref, type ProjectIds, projectHref } from "../ui/dashboard-urls.ts";
import { CopyField, Snippet } from "../ui/kit/copy.tsx";
import { bytes as sizeText } from "../ui/kit/format-number.ts";
import { Facts, PageHead, Section } from "../ui/kit/page-parts.tsx";

export interface OwnRepositoryProps {
  ids: ProjectIds;
  url: string;
  /** Name of the folder that a clone is in. */
  folder: string;
  /** The branch that is deployed. */
  branch: string;
  branchCount: number;
  bytes: number;
}

export function OwnRepository({ ids, url, folder, branch, branchCount, bytes }: OwnRepositoryProps) {
  return (
    <>
      <PageHead
        title="Repository"
        lead="Push to the project's own Git repository to deploy it."
        back={{ label: "Settings", href: projectHref(ids.organizationId, ids.projectId, "/settings") }}
      />
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
            As the password, enter an API key with write permission. Admins can create one under{" "}
            <a href={organizationHref(ids.organizationId, "/keys")}>API keys</a>.
          </>
        }
      >
        {branchCount > 0 && (
          <Snippet
            label="Edit the site"
            text={`git clone ${url}\ncd ${folder}\ngit commit --all --message="Edit pages"\ngit push`}
          />
        )}
        <Snippet
          label={branchCount > 0 ? "Push another folder" : "Push a folder"}
          text={`git init --initial-branch=${branch}\ngit add . && git commit --message="Add docs"\ngit push ${url} ${branch}`}
        />
      </Section>
    </>
  );
}
