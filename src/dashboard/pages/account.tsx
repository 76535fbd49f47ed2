import { limits } from "../../base/limits.ts";
import { Form, Input, PostButton, Submit } from "../kit/form.tsx";
import { Badge, PageHead, Section } from "../kit/page-parts.tsx";
import { type Wrong, WrongForm } from "../kit/problems.tsx";
import { Table } from "../kit/table.tsx";
import { Time } from "../kit/time.tsx";
import { browserName } from "../user-agent.ts";

export interface SessionView {
  id: string;
  address: string;
  userAgent: string;
  createdAt: Date;
  seenAt: Date;
  isThis: boolean;
}

export interface AccountProps {
  person: { name: string; email: string };
  hasPassword: boolean;
  sessions: readonly SessionView[];
  wrong: Wrong | undefined;
}

export function Account({ person, hasPassword, sessions, wrong }: AccountProps) {
  return (
    <>
      <PageHead title="Your account" lead={person.email} />
      <WrongForm wrong={wrong} />
      <Section
        title="Sessions"
        lead="Where you are signed in. End what you do not know."
        actions={sessions.length > 1 && <PostButton action="/dashboard/account/sessions/others">End all others</PostButton>}
      >
        <Table
          label="Sessions"
          rows={sessions}
          keyOf={({ id }) => id}
          columns={[
            {
              title: "Browser",
              isWide: true,
              cell: (row) => (
                <>
                  {browserName(row.userAgent)} {row.isThis && <Badge kind="check">this one</Badge>}
                </>
              ),
            },
            { title: "Address", cell: (row) => <code>{row.address}</code> },
            { title: "Signed in", cell: (row) => <Time at={row.createdAt} /> },
            { title: "Last used", cell: (row) => <Time at={row.seenAt} /> },
            {
              title: "Actions",
              isQuiet: true,
              align: "end",
              cell: (row) =>
                !row.isThis && (
                  <PostButton
                    action={`/dashboard/account/sessions/${row.id}/end`}
                    of={`the session of ${browserName(row.userAgent)} at ${row.address}`}
                  >
                    End
                  </PostButton>
                ),
            },
          ]}
        />
      </Section>
      <Section title="Name">
        <Form action="/dashboard/account/name">
          <Input name="name" label="Name" value={person.name} isRequired autocomplete="name" maxLength={limits.personName_chars} />
          <Submit kind="plain">Save</Submit>
        </Form>
      </Section>
      <Section title="Password">
        <Form action="/dashboard/account/password">
          <input type="hidden" name="username" autocomplete="username" value={person.email} />
          {hasPassword && <Input name="before" label="Current password" type="password" isRequired autocomplete="current-password" />}
          <Input
            name="after"
            label="New password"
            type="password"
            isRequired
            autocomplete="new-password"
            minLength={limits.password_chars.least}
            hint={`At least ${limits.password_chars.least} characters. You are signed out everywhere else.`}
          />
          <Submit kind="plain">Change the password</Submit>
        </Form>
      </Section>
    </>
  );
}
