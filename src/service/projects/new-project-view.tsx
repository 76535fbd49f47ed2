import { type RepositoryFields, RepositoryInputs } from "../repositories/repository-form.tsx";
import { organizationHref } from "../ui/dashboard-urls.ts";
import { Checkbox, Form, Input, Submit } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { PageHead } from "../ui/kit/page-parts.tsx";

export interface NewProjectProps {
  organization: { id: string; name: string };
  siteUrlExample: string;
  filled: { name: string; subdomain: string };
  repository: RepositoryFields;
  errors: FormErrors | undefined;
}

export function NewProject({ organization, siteUrlExample, filled, repository, errors }: NewProjectProps) {
  const projects = organizationHref(organization.id, "/projects");
  return (
    <div class="d-narrow">
      <PageHead
        title="New project"
        lead="Connect a repository to deploy when you push, or leave its URL blank to upload a folder."
        back={{ label: organization.name, href: organizationHref(organization.id) }}
      />
      <FormErrorNote errors={errors} />
      <Form action={projects}>
        <Input
          name="name"
          label="Name"
          value={filled.name}
          isRequired
          maxLength={100}
          placeholder="Acme docs"
        />
        <Input
          name="subdomain"
          label="Subdomain"
          value={filled.subdomain}
          isRequired
          isMono
          maxLength={63}
          placeholder="acme"
          hint={`Letters, digits, and hyphens. If you enter acme, your site will be at ${siteUrlExample}.`}
        />
        <RepositoryInputs fields={repository} checkAction={`${projects}/check`} />
        {repository.check?.result === "failed" && (
          <Checkbox name="createAnyway" label="Create the project without a connection" />
        )}
        <Submit>Create project</Submit>
      </Form>
    </div>
  );
}
