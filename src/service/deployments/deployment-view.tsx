import type { ComponentChildren } from "preact";
import type { Problem } from "../../base/problem.ts";
import { problemCodes } from "../../base/problem-codes.ts";
import { type ProjectIds, problemHref, projectHref } from "../ui/dashboard-urls.ts";
import { Lines } from "../ui/kit/copy.tsx";
import { LinkButton, PostButton } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { count } from "../ui/kit/format-number.ts";
import { InlineCode } from "../ui/kit/inline-code.tsx";
import { Badge, Facts, Live, Note, PageHead, Progress, Section } from "../ui/kit/page-parts.tsx";
import { ProblemList } from "../ui/kit/problem-list.tsx";
import { Clock, Time } from "../ui/kit/time.tsx";
import { Comparison, type ComparisonProps } from "./comparison-view.tsx";
import { stateLabel } from "./contract.ts";
import { type DeploymentView, resultDetail } from "./deployment-summary.ts";
import { DeploymentState, durationText, Source, sourceText } from "./deployment-table.tsx";

export interface DeploymentProps {
  ids: ProjectIds;
  /**
   * `logTimes` has the time of each line in `logs`, in milliseconds since 1970. Empty for deployments by
   * earlier versions of Octavo.
   */
  deployment: DeploymentView & {
    problems: readonly Problem[];
    logs: readonly string[];
    logTimes: readonly number[];
  };
  /** Number of the live deployment; undefined if there is none. */
  liveNumber: number | undefined;
  /** How a preview differs from the live site. */
  comparison: ComparisonProps | undefined;
  mayEdit: boolean;
  errors: FormErrors | undefined;
}

export function Deployment({
  ids,
  deployment: row,
  liveNumber,
  comparison,
  mayEdit,
  errors,
}: DeploymentProps) {
  const list = projectHref(ids.organizationId, ids.projectId, "/deployments");
  const hasEnded = row.status === "success" || row.status === "failure";
  const cause = causeOf(row);
  const isViewable = row.status === "success" && !row.isPurged && (row.isLive || row.branch !== null);
  return (
    <Live
      id="deployment"
      isFinal={hasEnded}
      state={[stateLabel(row.state), resultDetail(row)].filter(Boolean).join(". ")}
    >
      <PageHead
        title={`Deployment ${row.number}`}
        back={{ label: "Deployments", href: list }}
        lead={sourceText(row)}
        actions={
          <>
            {isViewable && (
              <LinkButton href={row.url} kind="primary">
                {row.branch === null ? "Visit site" : "Visit preview"}
              </LinkButton>
            )}
            {mayEdit && !hasEnded && <PostButton action={`${list}/${row.id}/cancel`}>Cancel</PostButton>}
            {mayEdit && hasEnded && (
              <Actions deploymentPath={`${list}/${row.id}`} row={row} liveNumber={liveNumber} />
            )}
          </>
        }
      />
      <FormErrorNote errors={errors} />
      <Outcome row={row} cause={cause} liveNumber={liveNumber} />
      <Facts
        rows={[
          ["State", <DeploymentState key="state" row={row} />],
          ["Source", <Source key="source" row={row} />],
          ["Created", <Time key="created" at={row.createdAt} />],
          ["By", row.by],
          ["Duration", durationText(row)],
          ["Pages", row.pageCount === null ? "–" : count(row.pageCount)],
          ...(isViewable
            ? [
                [
                  "URL",
                  <a key="url" href={row.url}>
                    {row.url}
                  </a>,
                ] as const,
              ]
            : []),
        ]}
      />
      {comparison && <Comparison {...comparison} />}
      <ProblemList problems={row.problems.filter((problem) => problem !== cause)} />
      <Log lines={row.logs} times={row.logTimes} />
    </Live>
  );
}

/** The state of the deployment: progress, success, or the reason for a failure. */
function Outcome({
  row,
  cause,
  liveNumber,
}: Pick<DeploymentProps, "liveNumber"> & { row: DeploymentProps["deployment"]; cause: Problem | undefined }) {
  const stays = liveNumber !== undefined && <p>{`Deployment ${liveNumber} stays live.`}</p>;

  if (row.status === "queued")
    return (
      <Note>
        <p>Queued. The build starts when a worker is free.</p>
      </Note>
    );

  if (row.status === "in_progress")
    return <Progress label={`Building: ${row.logs.at(-1) ?? "starting"}`} done={row.progress} />;
  if (row.state === "canceled") return <Note>{[<p key="canceled">Canceled.</p>, stays]}</Note>;

  return (
    <>
      {row.status === "failure" ? (
        <Failure row={row} cause={cause}>
          {stays}
        </Failure>
      ) : (
        <Success row={row}>{stays}</Success>
      )}
      {row.statusError !== null && (
        <Note kind="warning">
          <p>{`Couldn't report the result to the Git host. ${row.statusError}`}</p>
        </Note>
      )}
    </>
  );
}

/** What the state doesn't say: errors, or why the deployment can't be viewed. */
function Success({ row, children }: { row: DeploymentView; children: ComponentChildren }) {
  if (row.state === "held")
    return (
      <Note kind="warning">
        <p role="alert">
          <strong>{row.summary}</strong>
        </p>
        <p>
          The live site doesn't have these errors. Fix them and deploy again, or publish this deployment
          anyway.
        </p>
        {children}
      </Note>
    );

  const isShown = !row.isPurged && (row.isLive || row.branch !== null);
  if (isShown && row.errors === 0) return null;

  return (
    <Note kind={isShown ? "warning" : "info"}>
      <p>
        {row.isPurged
          ? "Deleted. It can no longer be viewed."
          : row.isLive
            ? `The build found ${resultDetail(row)}.`
            : row.summary}
      </p>
    </Note>
  );
}

/**
 * Codes of problems that can make a deployment fail. Other problems are shown on the page that they affect,
 * and the deployment succeeds.
 */
const fatalCodes = ["config-missing", "config-syntax", "config-value", "config-sign-in"];

function causeOf({ status, problems }: DeploymentProps["deployment"]): Problem | undefined {
  return status === "failure"
    ? problems.find(({ code, severity }) => severity === "error" && fatalCodes.includes(code))
    : undefined;
}

function Failure({
  row,
  cause,
  children,
}: {
  row: DeploymentView;
  cause: Problem | undefined;
  children: ComponentChildren;
}) {
  return (
    <Note kind="danger">
      <p role="alert">
        <strong>{row.summary ?? "The deployment failed."}</strong>
      </p>
      {cause && <Cause cause={cause} />}
      {children}
    </Note>
  );
}

/** The problem that made the deployment fail. */
function Cause({ cause }: { cause: Problem }) {
  const { title, fix } = problemCodes[cause.code];
  const location = [cause.file, cause.line, cause.line && cause.column].filter(Boolean).join(":");
  return (
    <>
      <p>
        <code>{location}</code> <Badge kind="danger">{cause.code}</Badge>
        {/* If docs.json can't be read, the summary contains the message. */}
        {cause.code !== "config-syntax" && ` ${cause.message}`}
      </p>
      {cause.frame && <Lines label={`Lines around ${location}`} text={cause.frame} />}
      <p>
        <InlineCode text={cause.hint ?? fix} />
      </p>
      <p>
        <a href={problemHref(cause.code)}>{title}: how to fix it</a>
      </p>
    </>
  );
}

function Log({ lines, times }: { lines: readonly string[]; times: readonly number[] }) {
  return (
    <Section title="Log" lead={times.length > 0 && <span class="d-no-js">Times are in UTC.</span>}>
      {lines.length === 0 ? (
        <p class="d-muted">Waiting for logs…</p>
      ) : (
        <Lines
          label="Log"
          text={lines.map((line, index) => (
            <>
              {times[index] !== undefined && <Clock at={new Date(times[index])} />}
              {`${times[index] === undefined ? "" : "  "}${line}\n`}
            </>
          ))}
        />
      )}
    </Section>
  );
}

function Actions({
  deploymentPath,
  row,
  liveNumber,
}: {
  deploymentPath: string;
  row: DeploymentView;
  liveNumber: number | undefined;
}) {
  const isGood = row.status === "success" && !row.isPurged;
  return (
    <>
      {!row.isPurged && !row.isLive && <LinkButton href={`${deploymentPath}/purge`}>Delete</LinkButton>}
      {!row.isPurged && <PostButton action={`${deploymentPath}/redeploy`}>Redeploy</PostButton>}
      {isGood && !row.isLive && (
        <PostButton
          action={`${deploymentPath}/${row.branch === null ? "rollback" : "promote"}`}
          kind={row.branch === null && row.errors === 0 ? "primary" : "plain"}
        >
          {row.branch === null && liveNumber !== undefined && row.number < liveNumber
            ? "Roll back to this deployment"
            : row.state === "held"
              ? "Publish anyway"
              : "Make live"}
        </PostButton>
      )}
    </>
  );
}
