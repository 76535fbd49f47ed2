/** Renders buttons that limit the search to the product and the version of the page. */

import type { SearchLinks } from "../../engine/frame/page-view.ts";
import type { SearchFilter } from "../../engine/search/search-hit.ts";
import { dialogMessages, fill } from "../dialog-messages.ts";

type Scope = SearchLinks["scope"];
const scopes = ["product", "version"] as const;

/** The limits that the reader has turned off. */
export type Unlimited = Partial<Record<(typeof scopes)[number], boolean>>;

/** Returns the search filter for the limits that are turned on. */
export function filterOf(scope: Scope, unlimited: Unlimited): SearchFilter {
  const filter: SearchFilter = {};
  for (const kind of scopes) if (scope[kind] && !unlimited[kind]) filter[kind] = scope[kind].name;
  return filter;
}

interface ScopeButtonsProps {
  scope: Scope;
  unlimited: Unlimited;
  change(unlimited: Unlimited): void;
}

export function ScopeButtons({ scope, unlimited, change }: ScopeButtonsProps) {
  if (!scope.product && !scope.version) return null;

  return (
    <div class="o-search-scope">
      {scopes.map(
        (kind) =>
          scope[kind] && (
            <button
              type="button"
              aria-pressed={!unlimited[kind]}
              onClick={() => change({ ...unlimited, [kind]: !unlimited[kind] })}
            >
              {fill(dialogMessages().onlyIn, { name: scope[kind].label })}
            </button>
          ),
      )}
    </div>
  );
}
