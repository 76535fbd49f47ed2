import { type ProjectIds, projectHref } from "../ui/dashboard-urls.ts";
import { Form, Input, PostButton, Submit } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { Empty, Live, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { Pager } from "../ui/kit/pager.tsx";
import { stateLabel } from "./contract.ts";
import type { DeploymentView } from "./deployment-summary.ts";
import { DeploymentTable } from "./deployment-table.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { UploadArea } from "./upload-area.tsx";

export interface DeploymentsProps {
  ids: ProjectIds;
  deployments: readonly DeploymentView[];
  /** Whether there are sources to deploy. */
  canDeploy: boolean;
  /** Whether the project accepts uploads. */
  canUpload: boolean;
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
  const { ids, deployments, canDeploy, canUpload, canPreview, mayEdit, filled, newer, older, errors } = props;
  const deploymentsPath = projectHref(ids.organizationId, ids.projectId, "/deployments");
  return (
    <>
      <PageHead
        title="Deployments"
        lead="Every build of your site. One is live."
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
      {mayEdit && canUpload && (
        <UploadArea action={projectHref(ids.organizationId, ids.projectId, "/uploads")} />
      )}
      {deployments.length === 0 ? (
        <Empty title="No deployments yet">
          {mayEdit
            ? canDeploy
              ? "Push to your branch, or click Deploy."
              : "Upload your documentation folder."
            : canDeploy
              ? "Push to the project's branch to create one."
              : "Ask an editor to upload a folder."}
        </Empty>
      ) : (
        <Live
          id="deployments"
          isFinal={deployments.every(({ status }) => status === "success" || status === "failure")}
          state={`Deployment ${deployments[0]!.number}: ${stateLabel(deployments[0]!.state)}`}
        >
          <DeploymentTable ids={ids} deployments={deployments} />
        </Live>
      )}
      <Pager newer={newer} older={older} />
      {!canDeploy && <FirstSteps ids={ids} url={props.url} />}
      {mayEdit && canPreview && (
        <Section title="Preview a branch" lead="Builds the branch at a private, unguessable URL.">
          <Form action={projectHref(ids.organizationId, ids.projectId, "/previews")}>
            <Input name="branch" label="Branch" value={filled.branch} isRequired isMono />
            <Submit kind="plain">Create preview</Submit>
          </Form>
        </Section>
      )}
    </>
  );
}
