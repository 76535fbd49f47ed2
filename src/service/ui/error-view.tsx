/** Renders the error page of the dashboard. */

import { LinkButton } from "./kit/form.tsx";
import { PageHead } from "./kit/page-parts.tsx";

export interface ErrorPageProps {
  status: number;
  message: string;
  details: readonly string[];
  /** The page that the request came from. */
  backTo: string;
  isSignedIn: boolean;
}

const titles: Record<number, string> = {
  403: "Access denied",
  404: "Page not found",
  410: "Link expired",
  429: "Too many requests",
  500: "Something went wrong",
  503: "Service unavailable",
};

const texts: Record<number, string> = {
  404: "The page doesn't exist, or you don't have access to it.",
  500: "The error was logged. Try again in a moment.",
};

export function errorTitle(status: number): string {
  return titles[status] ?? "Request not completed";
}

export function ErrorPage({ status, message, details, backTo, isSignedIn }: ErrorPageProps) {
  return (
    <div class="d-sign-in">
      <PageHead title={errorTitle(status)} lead={texts[status] ?? message} />
      {details.length > 0 && (
        <ul class="d-list">
          {details.map((detail) => (
            <li key={detail}>{detail}</li>
          ))}
        </ul>
      )}
      <NextStep status={status} backTo={backTo} isSignedIn={isSignedIn} />
    </div>
  );
}

function NextStep({ status, backTo, isSignedIn }: Pick<ErrorPageProps, "status" | "backTo" | "isSignedIn">) {
  const isDeadEnd = status === 404 || status === 410;
  const [label, href] = !isDeadEnd
    ? ["Back", backTo]
    : isSignedIn
      ? ["Go to the dashboard", "/dashboard"]
      : ["Sign in", "/dashboard/sign-in"];
  return (
    <LinkButton href={href} kind="primary">
      {label}
    </LinkButton>
  );
}
