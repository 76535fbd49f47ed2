/** Renders the frame of an operator page: its head, and the links to the others. */

import type { ComponentChildren } from "preact";
import { Choices } from "../ui/kit/choices.tsx";
import { PageHead } from "../ui/kit/page-parts.tsx";

export const operatorHome = "/dashboard/operator";

const screens = [
  ["Organizations", ""],
  ["Queue", "/queue"],
  ["Health", "/health"],
  ["Storage", "/storage"],
  ["Sign-ins", "/sign-ins"],
] as const;

type Screen = (typeof screens)[number][0];

/** An operator page with links to the others. */
export function OperatorPage({
  screen,
  lead,
  children,
}: {
  screen: Screen;
  lead: string;
  children: ComponentChildren;
}) {
  return (
    <>
      <PageHead title={screen} lead={lead} />
      <Choices
        label="Operator"
        choices={screens.map(([label, path]) => ({
          label,
          href: operatorHome + path,
          isChosen: label === screen,
        }))}
      />
      {children}
    </>
  );
}

/**
 * Links to other pages of a list. `first`: the first page; undefined on the first page itself. `next`: the
 * next page; undefined on the last page.
 */
export interface ListPages {
  first: string | undefined;
  next: string | undefined;
}

export const organizationHref = (id: string) => `${operatorHome}/organizations/${encodeURIComponent(id)}`;
