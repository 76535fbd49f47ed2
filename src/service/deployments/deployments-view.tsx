import { type ProjectIds, projectHref } from "../ui/dashboard-urls.ts";
import { Form, Input, PostButton, Submit } from "../ui/kit/form.tsx";
import { Empty, Live, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { type Wrong, WrongForm } from "../ui/kit/problems.tsx";
import { Pager } from "../ui/kit/table.tsx";
import { DeploymentTable, type DeploymentView, FirstSteps } from "./deployment-table.tsx";

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
