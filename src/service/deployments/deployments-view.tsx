import { projectHref } from "../ui/dashboard-urls.ts";
import { Snippet } from "../ui/kit/copy.tsx";
import { Form, Input, PostButton, Submit } from "../ui/kit/form.tsx";
import { Badge, type BadgeKind, Empty, Live, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { type Wrong, WrongForm } from "../ui/kit/problems.tsx";
import { count, Pager, Table } from "../ui/kit/table.tsx";
import { duration, Time } from "../ui/kit/time.tsx";

export interface DeploymentView {
  id: string;
  number: number;
  status: "queued" | "in_progress" | "success" | "failure";
  isLive: boolean;
  isPurged: boolean;
  trigger: string;
  /** Branch of a preview. */
  branch: string | null;
  /** Where it is, or would be, read. */
  url: string;
  commit: { sha: string; ref: string; message: string } | null;
  summary: string | null;
  pageCount: number | null;
  /** Who asked for it. */
  by: string;
  createdAt: Date;
  endedAt: Date | null;
  /** Milliseconds from its start to its end. */
  took_ms: number | undefined;
}

export interface ProjectIds {
  organizationId: string;
  projectId: string;
}

export interface DeploymentsProps {
  place: ProjectIds;
  deployments: readonly DeploymentView[];
  /** Whether there is something that can be deployed from here. */
  canDeploy: boolean;
  /** Branches can be looked at before they are live. */
  canPreview: boolean;
  mayEdit: boolean;
  filled: { branch: string };
  newer: string | undefined;
  older: string | undefined;
  /** Address of the API, for the commands of a first deployment. */
  url: string;
  wrong: Wrong | undefined;
}

export function Deployments(props: DeploymentsProps) {
  const { place, deployments, canDeploy, canPreview, mayEdit, filled, newer, older, wrong } = props;
  const here = projectHref(place.organizationId, place.projectId, "/deployments");
  return (
    <>
      <PageHead
        title="Deployments"
        lead="Each is the whole site as it was built once. One of them is live."
        actions={
          mayEdit &&
          canDeploy && (
            <PostButton action={here} kind="primary">
              Deploy
            </PostButton>
          )
        }
      />
      <WrongForm wrong={wrong} />
      {deployments.length === 0 ? (
        <Empty title="Nothing was deployed yet.">
          {canDeploy ? "Deploy builds the project's source." : "Upload a folder by the commands below."}
        </Empty>
      ) : (
        <Live
          id="deployments"
          isFinal={deployments.every(({ status }) => status === "success" || status === "failure")}
          state={`Deployment ${deployments[0]!.number}: ${deployments[0]!.status}`}
        >
          <DeploymentTable place={place} deployments={deployments} />
        </Live>
      )}
      <Pager newer={newer} older={older} />
      {!canDeploy && <FirstSteps projectId={place.projectId} url={props.url} />}
      {mayEdit && canPreview && (
        <Section title="Preview a branch" lead="It is built under an address of its own that nobody finds by guessing.">
          <Form action={projectHref(place.organizationId, place.projectId, "/previews")}>
            <Input name="branch" label="Branch" value={filled.branch} isRequired isMono />
            <Submit kind="plain">Preview</Submit>
          </Form>
        </Section>
      )}
    </>
  );
}

export function DeploymentTable({ place, deployments }: { place: ProjectIds; deployments: readonly DeploymentView[] }) {
  const here = projectHref(place.organizationId, place.projectId, "/deployments");
  return (
    <Table
      label="Deployments"
      rows={deployments}
      keyOf={({ id }) => id}
      columns={[
        {
          title: "Deployment",
          isWide: true,
          cell: (row) => (
            <>
              <a href={`${here}/${row.id}`}>Deployment {row.number}</a>
              <small class="d-under">{row.summary ?? "…"}</small>
            </>
          ),
        },
        { title: "State", cell: (row) => <DeploymentState row={row} /> },
        { title: "Sources", cell: (row) => <Sources row={row} /> },
        {
          title: "Asked for",
          cell: (row) => (
            <>
              <Time at={row.createdAt} />
              <small class="d-under">{`${triggerWord(row.trigger)}, ${row.by}`}</small>
            </>
          ),
        },
        { title: "Took", align: "end", cell: (row) => (row.took_ms === undefined ? "…" : duration(row.took_ms)) },
        { title: "Pages", align: "end", cell: (row) => (row.pageCount === null ? "–" : count(row.pageCount)) },
      ]}
    />
  );
}

export function DeploymentState({ row }: { row: Pick<DeploymentView, "status" | "isLive" | "isPurged" | "branch"> }) {
  const words: Record<DeploymentView["status"], [BadgeKind, string]> = {
    queued: ["plain", "queued"],
    in_progress: ["info", "in progress"],
    success: ["check", "success"],
    failure: ["danger", "failure"],
  };
  const [kind, word] = words[row.status];
  return (
    <span class="d-badges">
      {row.isLive ? <Badge kind="check">live</Badge> : <Badge kind={kind}>{word}</Badge>}
      {row.branch !== null && <Badge kind="info">preview</Badge>}
      {row.isPurged && <Badge>purged</Badge>}
    </span>
  );
}

export function Sources({ row: { branch, commit } }: { row: Pick<DeploymentView, "branch" | "commit"> }) {
  if (!commit) return <>{branch ?? "a folder"}</>;
  return (
    <>
      <code title={commit.sha}>{`${commit.ref} ${commit.sha.slice(0, 7)}`}</code>
      <small class="d-under">{shortened(commit.message)}</small>
    </>
  );
}

function shortened(message: string): string {
  const first = message.split("\n")[0]!;
  return first.length > 48 ? `${first.slice(0, 47)}…` : first;
}

export function triggerWord(trigger: string): string {
  const words: Record<string, string> = {
    upload: "upload",
    cli: "octavo deploy",
    api: "API",
    dashboard: "dashboard",
    settings: "changed settings",
    start: "first start",
  };
  return words[trigger] ?? trigger;
}

/** For who has nothing deployed yet. */
export function FirstSteps({ projectId, url }: { projectId: string; url: string }) {
  return (
    <Section title="Deploy a folder" lead="With a key that may write, from the API keys page.">
      <Snippet
        label="From your machine"
        text={`export OCTAVO_URL="${url}"\nexport OCTAVO_API_KEY="oct_…"\noctavo deploy docs --project ${projectId}`}
      />
      <Snippet
        label="With curl"
        text={`tar -cz -C docs . | curl -fsS "$OCTAVO_URL/v1/projects/${projectId}/deployments" \\\n  -H "Authorization: Bearer $OCTAVO_API_KEY" -H "Content-Type: application/gzip" --data-binary @-`}
      />
    </Section>
  );
}
