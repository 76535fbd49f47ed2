/** Renders the form where users choose the events that they get by email. */

import { Fragment } from "preact";
import { Form, Submit } from "../ui/kit/form.tsx";
import { Empty, Note, PageHead } from "../ui/kit/page-parts.tsx";
import type { EventOption } from "./event-labels.ts";
import { EventChoice } from "./notifications-view.tsx";

export interface EmailChoicesProps {
  email: string;
  /** Whether the service sends email. */
  hasMail: boolean;
  organizations: readonly { id: string; name: string; events: readonly string[] }[];
  options: readonly EventOption[];
}

export function EmailChoices({ email, hasMail, organizations, options }: EmailChoicesProps) {
  return (
    <div class="d-narrow">
      <PageHead
        title="Email notifications"
        lead={`Sent to ${email}.`}
        back={{ label: "Your account", href: "/dashboard/account" }}
      />
      {!hasMail && (
        <Note>
          <p>
            This service can't send email yet. Your choices will take effect once its operator sets up SMTP.
          </p>
        </Note>
      )}
      {organizations.length === 0 ? (
        <Empty title="No organizations">
          You can get notifications only for organizations that you're a member of.
        </Empty>
      ) : (
        <Form action="/dashboard/account/notifications">
          {organizations.map(({ id, name, events }) => (
            <Fragment key={id}>
              <input type="hidden" name="organizations" value={id} />
              <EventChoice name={`events-${id}`} legend={name} options={options} chosen={events} />
            </Fragment>
          ))}
          <Submit>Save</Submit>
        </Form>
      )}
    </div>
  );
}
