import type { Division } from "../../config/navigation-types.ts";
import { listedRoutes } from "../sources/listed-routes.ts";

/**
 * Adds the page with the changes of the API to the navigation, after the generated pages of operations.
 * Returns the navigation unchanged if it lists the page, or has no such pages.
 */
export function withChanges(
  navigation: Division,
  route: string,
  generated: readonly { route: string }[],
): Division {
  if (listedRoutes(navigation).has(route)) return navigation;
  const routes = new Set(generated.map((page) => page.route));
  const holdsPages = ({ children }: Division) =>
    children.some((child) => child.kind === "page" && routes.has(child.route));
  let isAdded = false;

  const visit = (division: Division): Division => {
    const { children } = division;
    const isPlace =
      holdsPages(division) || children.some((child) => child.kind === "group" && holdsPages(child));
    if (!isAdded && isPlace) {
      isAdded = true;
      return { ...division, children: [...children, { kind: "page", route, path: division.path }] };
    }
    return {
      ...division,
      children: children.map((child) =>
        child.kind === "page" || child.kind === "operation" ? child : visit(child),
      ),
    };
  };

  return visit(navigation);
}
