import { CopyButton, CopyField } from "../ui/kit/copy.tsx";
import { Form, Input, LinkButton, Submit } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { Note, PageHead, Section } from "../ui/kit/page-parts.tsx";

export function SecondStepForm({ next, errors }: { next: string; errors: FormErrors | undefined }) {
  return (
    <div class="d-sign-in">
      <PageHead
        title="Two-factor authentication"
        lead="Enter the code from your authenticator app, or a recovery code."
      />
      <FormErrorNote errors={errors} />
      <Form action="/dashboard/sign-in/code">
        <input type="hidden" name="next" value={next} />
        <Input name="code" label="Code" isRequired isMono autocomplete="one-time-code" maxLength={40} />
        <Submit>Verify</Submit>
      </Form>
      <p class="d-muted">
        <a href="/dashboard/sign-in">Sign in as someone else</a>
      </p>
    </div>
  );
}

export interface TwoFactorSetupProps {
  action: string;
  /** Secret in Base32. */
  secret: string;
  /** The secret as the form sends it back. */
  sealed: string;
  /** Data URL of an image. */
  qrCode: string;
  errors: FormErrors | undefined;
}

export function TwoFactorSetup({ action, secret, sealed, qrCode, errors }: TwoFactorSetupProps) {
  return (
    <div class="d-narrow">
      <PageHead
        title="Set up two-factor authentication"
        lead="Signing in with your password will also require a code from an authenticator app."
        back={{ label: "Your account", href: "/dashboard/account" }}
      />
      <FormErrorNote errors={errors} />
      <Section
        title="1. Scan the QR code"
        lead="Use an authenticator app, such as the one built into your password manager."
      >
        <img class="d-qr" src={qrCode} width="192" height="192" alt="QR code for your authenticator app" />
        <p class="d-muted">Can't scan it? Enter this key in the app:</p>
        <CopyField label="setup key" text={secret} />
      </Section>
      <Section title="2. Enter the code">
        <Form action={action}>
          <input type="hidden" name="sealed" value={sealed} />
          <Input
            name="code"
            label="6-digit code"
            isRequired
            isMono
            autocomplete="one-time-code"
            maxLength={10}
          />
          <div class="d-buttons">
            <Submit>Turn on</Submit>
            <LinkButton href="/dashboard/account">Cancel</LinkButton>
          </div>
        </Form>
      </Section>
    </div>
  );
}

export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <div class="d-narrow">
      <PageHead
        title="Recovery codes"
        lead="Use one of these codes to sign in if you lose your authenticator app. Each code works once."
      />
      <Note kind="warning">
        Save these codes now. You won't be able to see them again, and earlier codes no longer work.
      </Note>
      <pre class="d-lines" role="region" aria-label="Recovery codes" tabIndex={0}>
        <code>{codes.join("\n")}</code>
      </pre>
      <div class="d-buttons">
        <CopyButton text={codes.join("\n")} of="recovery codes" />
        <LinkButton href="/dashboard/account" kind="primary">
          Done
        </LinkButton>
      </div>
    </div>
  );
}
