/** Compiles `errors.404.description` in docs.json, which is MDX. */

import type { Problem, Report } from "../../base/problem.ts";
import type { PositionOf } from "../config/docs-json.ts";
import { languagesIn } from "../highlight/code-meta.ts";
import { prepareLanguages } from "../highlight/highlight.ts";
import { expandPage } from "../page/expand-page.ts";
import { assignAnchors } from "../page/heading-ids.ts";
import { renderContent } from "../page/render-content.tsx";
import { contentFor } from "./audience.ts";
import type { CompileContext } from "./compile-context.ts";

/** Returns the description as HTML, with URLs marked with `siteUrlMark`. Empty if there is no description. */
export async function compileNotFound(
  text: string | undefined,
  context: CompileContext,
  placeOf: PositionOf,
  report: Report,
): Promise<string> {
  if (text === undefined) return "";

  const reportHere: Report = (found) => {
    const { line: _, column: __, ...rest } = found;
    report({ ...rest, ...placeOf(["errors", "404", "description"]) });
  };

  const expanded = await context.mdx.sandbox.use(() => {
    const problems: Problem[] = [];
    const report: Report = (found) => problems.push(found);
    const nodes = expandPage({ text, file: "docs.json", linesBefore: 0 }, context.mdx, {
      report,
      dependsOn: () => {},
    });
    return { nodes: nodes ?? [], problems };
  });

  expanded.problems.forEach(reportHere);
  const { nodes } = contentFor(expanded.nodes, "visitor", { file: "docs.json", report: reportHere });
  assignAnchors(nodes, { mode: "default" });
  const render = context.renderFor("", reportHere);
  await prepareLanguages(languagesIn(nodes), render.codeThemes);

  return renderContent(nodes, render);
}
