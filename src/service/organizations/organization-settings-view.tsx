/** Renders the settings page of an organization. */

import { useContext } from "preact/hooks";
import { organizationHref, proveHref } from "../ui/dashboard-urls.ts";
import {
  buttonClass,
  Checkbox,
  FileInput,
  Form,
  FormToken,
  Input,
  LinkButton,
  type Option,
  PostButton,
  Select,
  Submit,
} from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { PageHead, Section } from "../ui/kit/page-parts.tsx";
import { roleNames } from "../ui/kit/role.tsx";

export interface OrganizationSettingsProps {
  organizationId: string;
  filled: { name: string; defaultRole: string };
  /** URL of the logo; undefined if there is none. */
  logo: string | undefined;
  /** `isProved`: whether the session's sign-in method is confirmed. */
  signIn: { requiresConfirmedSignIn: boolean; isProved: boolean };
  errors: FormErrors | undefined;
}

const roles: readonly Option[] = Object.entries(roleNames).map(([value, label]) => ({ value, label }));

export function OrganizationSettings({
  organizationId,
  filled,
  logo,
  signIn,
  errors,
}: OrganizationSettingsProps) {
  const path = organizationHref(organizationId, "/settings");
  return (
    <div class="d-narrow">
      <PageHead title="Settings" lead="The organization's name, logo, sign-in, and defaults." />
      <FormErrorNote errors={errors} />
      <Section title="General">
        <Form action={path}>
          <Input name="name" label="Name" value={filled.name} isRequired maxLength={100} />
          <Select
            name="defaultRole"
            label="Default role for invitations"
            options={roles}
            value={filled.defaultRole}
            hint="Preselected when you invite a teammate. You can choose a different role for each invitation."
          />
          <Submit>Save</Submit>
        </Form>
      </Section>
      <Section
        title="Sign-in"
        lead="Members confirm a sign-in method when they join, or later with a second one. Others could have added the methods that an account had before."
      >
        {signIn.requiresConfirmedSignIn || signIn.isProved ? (
          <Form action={`${path}/sign-in`}>
            <Checkbox
              name="requiresConfirmedSignIn"
              label="Require a sign-in method that members confirmed after joining"
              hint="Members without one can't open the organization until they confirm theirs. API keys aren't affected."
              isChecked={signIn.requiresConfirmedSignIn}
            />
            <Submit>Save sign-in</Submit>
          </Form>
        ) : (
          <LinkButton href={proveHref(organizationId)}>Confirm your sign-in method</LinkButton>
        )}
      </Section>
      <Section title="Logo" lead="Shown next to the organization's name in the dashboard.">
        {logo && (
          <div class="d-logo-preview">
            <img src={logo} alt="Logo" />
            <PostButton action={`${path}/logo/remove`}>Remove logo</PostButton>
          </div>
        )}
        <LogoForm action={`${path}/logo`} hasLogo={logo !== undefined} />
      </Section>
    </div>
  );
}

function LogoForm({ action, hasLogo }: { action: string; hasLogo: boolean }) {
  return (
    <form class="d-form" method="post" action={action} enctype="multipart/form-data">
      <input type="hidden" name="_token" value={useContext(FormToken)} />
      <FileInput
        name="logo"
        label="Logo"
        accept="image/png,image/jpeg,image/webp"
        hint="PNG, JPEG, or WebP, up to 200 KB. Square images look best."
      />
      <button type="submit" class={buttonClass("plain")}>
        {hasLogo ? "Replace logo" : "Upload logo"}
      </button>
    </form>
  );
}
