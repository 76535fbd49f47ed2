/** Renders the operator page that shows all users' active sessions. */

import { confirmHref } from "../ui/dashboard-urls.ts";
import { LinkButton, PostButton } from "../ui/kit/form.tsx";
import { count } from "../ui/kit/format-number.ts";
import { Badge } from "../ui/kit/page-parts.tsx";
import { Pager } from "../ui/kit/pager.tsx";
import { Table } from "../ui/kit/table.tsx";
import { Time } from "../ui/kit/time.tsx";
import { browserName } from "../ui/user-agent.ts";
import type { SignInLine } from "./platform-lists.ts";
import { type ListPages, OperatorPage, operatorHome } from "./screen-view.tsx";

export interface SignInsProps {
  rows: readonly SignInLine[];
  /** ID of the operator's own session. */
  ownId: string;
  /** Whether the operator has confirmed their identity recently. Otherwise, sessions can't be ended. */
  isConfirmed: boolean;
  pages: ListPages;
}

export function SignIns({ rows, ownId, isConfirmed, pages }: SignInsProps) {
  return (
    <OperatorPage screen="Sign-ins" lead="All users' active sessions, most recently used first.">
      {!isConfirmed && (
        <div>
          <LinkButton href={confirmHref(`${operatorHome}/sign-ins`)}>
            Confirm it's you to end sessions
          </LinkButton>
        </div>
      )}
      <Table
        label="Active sessions"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          {
            title: "User",
            isWide: true,
            cell: ({ id, name, email }) => (
              <>
                {name} {id === ownId && <Badge kind="check">You</Badge>}
                <small class="d-under">{email}</small>
              </>
            ),
          },
          { title: "Organizations", align: "end", cell: ({ organizations }) => count(organizations) },
          { title: "Browser", cell: (row) => browserName(row.user_agent) },
          { title: "Last used", cell: (row) => <Time at={row.seen_at} /> },
          {
            title: "Actions",
            isQuiet: true,
            align: "end",
            cell: ({ id, name }) =>
              isConfirmed &&
              id !== ownId && (
                <PostButton action={`${operatorHome}/sign-ins/${id}/end`} of={name} removesRow>
                  End session
                </PostButton>
              ),
          },
        ]}
      />
      <Pager first={pages.first} next={pages.next} />
    </OperatorPage>
  );
}
