/** Error page of the dashboard. */

import { LinkButton } from "./kit/form.tsx";
import { PageHead } from "./kit/page-parts.tsx";

export interface ErrorPageProps {
  status: number;
  message: string;
  details: readonly string[];
  backTo: string;
}

const titles: Record<number, string> = {
  404: "There is no such page",
  403: "This is not allowed",
  500: "Something went wrong here",
  503: "The service is busy",
};

export function ErrorPage({ status, message, details, backTo }: ErrorPageProps) {
  const lead: Record<number, string> = {
    404: "It does not exist, or it belongs to an organization that you are no member of.",
    500: "It is written down, and it is not your fault. Try again in a moment.",
  };
  return (
    <div class="d-narrow">
      <PageHead title={titles[status] ?? message} lead={lead[status] ?? (titles[status] ? message : undefined)} />
      {details.length > 0 && (
        <ul class="d-list">
          {details.map((detail) => (
            <li key={detail}>{detail}</li>
          ))}
        </ul>
      )}
      <LinkButton href={backTo}>Back</LinkButton>
    </div>
  );
}
