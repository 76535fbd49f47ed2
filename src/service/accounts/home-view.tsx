import type { MemberRole } from "../core/tables.ts";
import { organizationHref } from "../ui/dashboard-urls.ts";
import { Empty, PageHead } from "../ui/kit/page-parts.tsx";
import { roleNames } from "../ui/kit/role.tsx";

/** List of organizations, for users who are members of several organizations or of none. */
export function Home({
  organizations,
}: {
  organizations: readonly { id: string; name: string; role: MemberRole }[];
}) {
  return (
    <div class="d-narrow">
      <PageHead title="Organizations" />
      {organizations.length === 0 ? (
        <Empty title="You aren't a member of any organizations">Ask an admin for an invitation.</Empty>
      ) : (
        <ul class="d-cards">
          {organizations.map(({ id, name, role }) => (
            <li key={id}>
              <a href={organizationHref(id)}>
                <strong>{name}</strong>
                <small>{roleNames[role]}</small>
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
