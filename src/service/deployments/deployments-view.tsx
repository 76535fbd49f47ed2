import { type ProjectIds, projectHref } from "../ui/dashboard-urls.ts";
import { Form, Input, PostButton, Submit } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { Empty, Live, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { Pager } from "../ui/kit/pager.tsx";
import { DeploymentTable, type DeploymentView } from "./deployment-table.tsx";
import { FirstSteps } from "./first-steps.tsx";

export interface DeploymentsProps {
  ids: ProjectIds;
  deployments: readonly DeploymentView[];
  /** Whether there are sources to deploy. */
  canDeploy: boolean;
  /** Whether branches can be previewed. */
  canPreview: boolean;
  mayEdit: boolean;
  filled: { branch: string };
  newer: string | undefined;
  older: string | undefined;
  /** URL of the API, for the commands of a first deployment. */
  url: string;
  errors: FormErrors | undefined;
}

export function Deployments(props: DeploymentsProps) {
  const { ids, deployments, canDeploy, canPreview, mayEdit, filled, newer, older, errors } = props;
  const deploymentsPath = projectHref(ids.organizationId, ids.projectId, "/deployments");
  return (
    <>
      <PageHead
        title="Deployments"
        lead="Each is the whole site as it was built once. One of them is live."
        actions={
          mayEdit &&
          canDeploy && (
            <PostButton action={deploymentsPath} kind="primary">
              Deploy
            </PostButton>
          )
        }
      />
      <FormErrorNote errors={errors} />
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
          <DeploymentTable ids={ids} deployments={deployments} />
        </Live>
      )}
      <Pager newer={newer} older={older} />
      {!canDeploy && <FirstSteps projectId={ids.projectId} url={props.url} />}
      {mayEdit && canPreview && (
        <Section title="Preview a branch" lead="Builds the branch at a private, unguessable URL.">
          <Form action={projectHref(ids.organizationId, ids.projectId, "/previews")}>
            <Input name="branch" label="Branch" value={filled.branch} isRequired isMono />
            <Submit kind="plain">Preview</Submit>
          </Form>
        </Section>
      )}
    </>
  );
}
