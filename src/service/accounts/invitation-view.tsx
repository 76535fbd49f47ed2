import { limits } from "../../base/limits.ts";
import { Form, Input, LinkButton, PostButton, Submit } from "../ui/kit/form.tsx";
import { PageHead } from "../ui/kit/page-parts.tsx";
import { type Wrong, WrongForm } from "../ui/kit/problems.tsx";

export interface InvitationProps {
  organization: string;
  role: string;
  /** Whom it was sent to; null: whoever has the link. */
  email: string | null;
  /** Where the answer goes: the page's own address. */
  action: string;
  /** Who is signed in and could take it as themselves. */
  person: { name: string; email: string } | undefined;
  provider: { name: string; href: string } | undefined;
  hasPasswords: boolean;
  /** What was filled in before. */
  filled: { email: string; name: string };
  wrong: Wrong | undefined;
}

export function Invitation({ organization, role, email, action, person, provider, hasPasswords, filled, wrong }: InvitationProps) {
  const canAccept = person && (email === null || email === person.email);
  return (
    <div class="d-sign-in">
      <PageHead
        title={`Join ${organization}`}
        lead={
          <>
            You are invited as <strong>{role}</strong>
            {email && <> with {email}</>}.
          </>
        }
      />
      <WrongForm wrong={wrong} />
      {canAccept ? (
        <PostButton action={action} kind="primary">{`Join as ${person.name}`}</PostButton>
      ) : (
        <>
          {person && <p class="d-muted">{`You are signed in as ${person.email}, for whom this invitation is not.`}</p>}
          {provider && (
            <>
              <LinkButton href={provider.href} kind="primary">{`Continue with ${provider.name}`}</LinkButton>
              {hasPasswords && <p class="d-or">or with a password</p>}
            </>
          )}
          {hasPasswords && (
            <Form action={action}>
              <Input name="email" label="E-mail" type="email" value={email ?? filled.email} isRequired autocomplete="username" />
              <Input name="name" label="Your name" value={filled.name} isRequired autocomplete="name" maxLength={limits.personName_chars} />
              <Input
                name="password"
                label="Password"
                type="password"
                isRequired
                autocomplete="new-password"
                minLength={limits.password_chars.least}
                hint={`At least ${limits.password_chars.least} characters. A sentence is easy to remember and hard to guess.`}
              />
              <Submit kind={provider ? "plain" : "primary"}>Create account</Submit>
            </Form>
          )}
          {!person && hasPasswords && (
            <p class="d-muted">
              You have an account? <a href={`/dashboard/sign-in?next=${encodeURIComponent(action)}`}>Sign in</a> and open this link again.
            </p>
          )}
        </>
      )}
    </div>
  );
}
