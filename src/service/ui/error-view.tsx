/** Renders the error page of the dashboard. */

import { LinkButton } from "./kit/form.tsx";
import { PageHead } from "./kit/page-parts.tsx";

export interface ErrorPageProps {
  status: number;
  message: string;
  details: readonly string[];
  backTo: string;
}

const titles: Record<number, string> = {
  404: "Page not found",
  403: "Access denied",
  500: "Something went wrong",
  503: "Service unavailable",
};

export function ErrorPage({ status, message, details, backTo }: ErrorPageProps) {
  const lead: Record<number, string> = {
    404: "The page doesn't exist, or you don't have access to it.",
    500: "The error was logged. Try again in a moment.",
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
