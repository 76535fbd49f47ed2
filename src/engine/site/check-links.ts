/** Reports broken links and missing images on pages, and a missing logo or favicon. */

import { nearest } from "../../base/nearest.ts";
import { type Problem, problem, type SourcePosition } from "../../base/problem.ts";
import { percentDecoded } from "../../base/url.ts";
import type { PositionOf } from "../config/docs-json.ts";
import type { DocsJson } from "../config/schema.ts";
import { findTarget, idOfAnchor, idsOn, isServedOrExternal, type LinkTargets, type Target } from "./link-targets.ts";
import type { Page, PageLink } from "./site-page.ts";

export function checkLinks(targets: LinkTargets): Problem[] {
  const problems: Problem[] = [];
  for (const page of targets.pages.values()) {
    const seen = new Set<string>();
    for (const link of page.summary.links) {
      if (seen.has(link.address)) continue;
      seen.add(link.address);
      const target: Target = link.address.startsWith("#")
        ? { kind: "page", page, suffix: link.address }
        : findTarget(link.address, targets);
      if (target.kind === "missing") {
        if (link.kind === "image") problems.push(problem("missing-image", placeOf(page, link), `Image not found: ${link.address}`));
        else {
          const near = nearest(`/${target.path}`, candidates(target.path, targets));
          problems.push(problem("dead-link", placeOf(page, link), `Page not found: ${link.address}`, near && `Did you mean ${near}?`));
        }
      } else if (target.kind === "page") {
        if (!target.suffix.includes("#")) continue;
        const anchor = percentDecoded(target.suffix.slice(target.suffix.indexOf("#") + 1));
        if (targets.redirects.fragments.get(target.page.route)?.has(anchor)) continue;
        if (anchor && anchor !== "top" && !anchor.startsWith(":~:") && idOfAnchor(anchor, target.page) === undefined) {
          const near = nearest(anchor, idsOn(target.page));
          problems.push(
            problem(
              "dead-anchor",
              placeOf(page, link),
              `Anchor not found on /${target.page.route}: #${anchor}`,
              near && `Did you mean #${near}?`,
            ),
          );
        }
      }
    }
  }
  return problems;
}

function placeOf(page: Page, { line, column }: PageLink): SourcePosition {
  return { file: page.file, ...(line ? { line, column: column ?? 1 } : {}) };
}

/** Reports a missing logo or favicon. */
export function checkPictures({ logo, favicon }: DocsJson, targets: LinkTargets, placeOf: PositionOf): Problem[] {
  return Object.entries({ logo, favicon }).flatMap(([key, value]) => {
    const urls = typeof value === "object" ? [value.light, value.dark] : [value];
    const missing = urls.find((url) => url && !isServedOrExternal(url, targets));
    return missing ? [problem("missing-image", placeOf([key]), `File not found: ${missing} (${key} in docs.json)`)] : [];
  });
}

/**
 * Returns paths of pages to compare with a missing path, for suggestions. At most 400, since comparing all pages of a large site would be
 * slow.
 */
function candidates(path: string, targets: LinkTargets): string[] {
  const last = path.split("/").at(-1)!.toLowerCase();
  const folder = path.split("/").slice(0, -1).join("/");
  const out: string[] = [];
  for (const route of targets.pages.keys()) {
    if (
      route.toLowerCase().endsWith(last) ||
      (folder !== "" && route.startsWith(`${folder}/`)) ||
      (targets.pages.size < 500 && folder === "")
    )
      out.push(`/${route}`);
    if (out.length >= 400) break;
  }
  return out;
}
