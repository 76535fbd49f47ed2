import { organizationHref } from "../ui/dashboard-urls.ts";
import { Form, Input, Submit } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { PageHead } from "../ui/kit/page-parts.tsx";

export interface NewProjectProps {
  organization: { id: string; name: string };
  sitesDomain: string;
  filled: { name: string; subdomain: string; url: string; branch: string; directory: string };
  errors: FormErrors | undefined;
}

export function NewProject({ organization, sitesDomain, filled, errors }: NewProjectProps) {
  return (
    <div class="d-narrow">
      <PageHead
        title="New project"
        lead="Each project is one site."
        back={{ label: organization.name, href: organizationHref(organization.id) }}
      />
      <FormErrorNote errors={errors} />
      <Form action={organizationHref(organization.id, "/projects")}>
        <Input name="name" label="Name" value={filled.name} isRequired maxLength={100} />
        <Input
          name="subdomain"
          label="Subdomain"
          value={filled.subdomain}
          isRequired
          isMono
          maxLength={63}
          hint={`Letters, digits and hyphens: the site lives at it, under ${sitesDomain}.`}
        />
        <Input
          name="url"
          label="Git repository"
          type="url"
          value={filled.url}
          placeholder="https://git.example.com/team/docs.git"
          isMono
          hint="Leave it empty to deploy by uploading a folder."
        />
        <Input name="branch" label="Branch" value={filled.branch} isMono hint="Needed with a repository." />
        <Input
          name="directory"
          label="Folder in the repository"
          value={filled.directory}
          isMono
          hint="Folder that contains docs.json. Leave blank for the repository root."
        />
        <Submit>Create project</Submit>
      </Form>
    </div>
  );
}
