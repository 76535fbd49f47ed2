/** Renders the page of a project's repository: webhook with setup steps, and recent deliveries. */

import type { GitHost } from "../core/tables.ts";
import { type ProjectIds, projectHref } from "../ui/dashboard-urls.ts";
import { CopyField } from "../ui/kit/copy.tsx";
import { LinkButton, PostButton } from "../ui/kit/form.tsx";
import { Badge, Empty, Facts, Note, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { Table } from "../ui/kit/table.tsx";
import { Time } from "../ui/kit/time.tsx";

export interface RepositoryProps {
  ids: ProjectIds;
  repository: { url: string; branch: string; directory: string };
  webhook: { url: string; secret: string };
  /** Whether the branch is polled for new commits, because no delivery was received. */
  isPolled: boolean;
  deliveries: readonly { id: string; at: Date; event: string; result: string; isAccepted: boolean }[];
}

export function Repository({ ids, repository, webhook, isPolled, deliveries }: RepositoryProps) {
  const settingsPath = projectHref(ids.organizationId, ids.projectId, "/settings");
  return (
    <>
      <PageHead
        title="Repository"
        lead="Deploy when you push, and preview pull requests."
        back={{ label: "Settings", href: settingsPath }}
        actions={<LinkButton href={`${settingsPath}#source`}>Change repository</LinkButton>}
      />
      <Facts
        rows={[
          ["Repository", <code key="url">{repository.url}</code>],
          ["Branch", <code key="branch">{repository.branch}</code>],
          [
            "Folder",
            repository.directory === "" ? (
              "Repository root"
            ) : (
              <code key="folder">{repository.directory}</code>
            ),
          ],
        ]}
      />
      <Section title="Webhook" lead="Add a webhook with this URL and secret to your repository.">
        {isPolled ? (
          <Note>
            <p>
              No valid deliveries yet. Until the first one arrives, Octavo checks the branch for new commits
              every 10 minutes.
            </p>
          </Note>
        ) : (
          <Note kind="check">
            <p>Webhook connected. Pushes start a deployment within seconds.</p>
          </Note>
        )}
        <Facts isWide rows={[["URL", <CopyField key="url" label="webhook URL" text={webhook.url} />]]} />
        <Facts
          isWide
          rows={[["Secret", <CopyField key="secret" label="webhook secret" text={webhook.secret} />]]}
        />
        {hosts.map(({ host, name, steps }) => (
          <details key={host} class="d-fold">
            <summary>{name}</summary>
            <ol class="d-numbered">
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </details>
        ))}
        <div>
          <PostButton action={`${settingsPath}/repository/secret`}>Replace secret</PostButton>
        </div>
      </Section>
      <Section title="Recent deliveries">
        {deliveries.length === 0 ? (
          <Empty title="No deliveries yet">Add the webhook, then push to your branch.</Empty>
        ) : (
          <Table
            label="Recent deliveries"
            rows={deliveries}
            keyOf={({ id }) => id}
            columns={[
              { title: "Event", cell: ({ event }) => <code>{event}</code> },
              { title: "Result", isWide: true, cell: ({ result }) => result },
              {
                title: "State",
                cell: ({ isAccepted }) => (
                  <Badge kind={isAccepted ? "check" : "danger"}>{isAccepted ? "Received" : "Rejected"}</Badge>
                ),
              },
              { title: "Time", cell: ({ at }) => <Time at={at} /> },
            ]}
          />
        )}
      </Section>
    </>
  );
}

const hosts: readonly { host: GitHost; name: string; steps: readonly string[] }[] = [
  {
    host: "github",
    name: "GitHub",
    steps: [
      "In the repository, open Settings > Webhooks and click Add webhook.",
      "Enter the webhook URL in the Payload URL field and the secret in the Secret field. Either content type works.",
      "Choose Let me select individual events, and select Pushes and Pull requests. Click Add webhook.",
    ],
  },
  {
    host: "gitlab",
    name: "GitLab",
    steps: [
      "In the project, open Settings > Webhooks and click Add new webhook.",
      "Enter the webhook URL in the URL field and the secret in the Secret token field.",
      "Choose Push events and Merge request events. Click Add webhook.",
    ],
  },
  {
    host: "gitea",
    name: "Gitea and Forgejo",
    steps: [
      "In the repository, open Settings > Webhooks, click Add webhook and choose Gitea or Forgejo.",
      "Enter the webhook URL in the Target URL field and the secret in the Secret field. Keep POST and application/json.",
      "Choose Custom events: Push, Pull request, and Pull request synchronized. Click Add webhook.",
    ],
  },
  {
    host: "bitbucket",
    name: "Bitbucket",
    steps: [
      "In the repository, open Repository settings > Webhooks and click Add webhook.",
      "Enter the URL and the secret.",
      "Choose Repository push, and Pull request created, updated, merged, and declined. Click Save.",
    ],
  },
];
