import { organizationHref, type ProjectIds } from "../ui/dashboard-urls.ts";
import { Snippet } from "../ui/kit/copy.tsx";
import { Section } from "../ui/kit/page-parts.tsx";

/** Instructions for a first deployment. `url`: URL of the API. */
export function FirstSteps({ ids: { organizationId, projectId }, url }: { ids: ProjectIds; url: string }) {
  return (
    <Section
      title="Deploy with a command"
      lead={
        <>
          You need an API key with write permission. Admins can create one under{" "}
          <a href={organizationHref(organizationId, "/keys")}>API keys</a>.
        </>
      }
    >
      <Snippet
        label="With the CLI"
        text={`export OCTAVO_URL="${url}"\nexport OCTAVO_API_KEY="oct_…"\noctavo deploy docs --project ${projectId}`}
      />
      <Snippet
        label="With Git"
        text={`git init --initial-branch=main\ngit add . && git commit --message="Add docs"\ngit push ${url}/git/${projectId}.git main`}
      />
      <Snippet
        label="With curl"
        text={`tar -cz -C docs . | curl -fsS "$OCTAVO_URL/v1/projects/${projectId}/deployments" \\\n  -H "Authorization: Bearer $OCTAVO_API_KEY" -H "Content-Type: application/gzip" --data-binary @-`}
      />
    </Section>
  );
}
