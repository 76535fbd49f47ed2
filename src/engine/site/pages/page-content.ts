/** Reads the content of a page for an audience. */

import { problem } from "../../../base/problem.ts";
import type { ContentNode } from "../../content.ts";
import { type ExpansionListener, expandPage } from "../../page/expand-page.ts";
import { changesFile } from "../../paths.ts";
import { contentFor } from "../audience.ts";
import { changesContent } from "../changes/changes-page.ts";
import { operationPath } from "../navigation/link-targets.ts";
import { overviewContent } from "../sources/document-overview.ts";
import { type CompileContext, overviewDependency } from "./compile-context.ts";
import type { PageSource } from "./page-source.ts";
import { plainComponents } from "./plain-components.ts";

/** Returns the content and the audiences with other content. Undefined if the page can't be parsed. */
export function pageContent(
  source: PageSource,
  context: CompileContext,
  listener: ExpansionListener,
): ReturnType<typeof contentFor> | undefined {
  const { file, found, linesBefore, text = "" } = source;
  const { report, dependsOn } = listener;
  const written = source.nodes ?? expandPage({ text, file, linesBefore }, context.mdx, listener);

  const { document } = found?.reference?.kind === "document" ? found.reference : {};
  if (document) dependsOn(overviewDependency(document.file));
  if (!written) return undefined;
  const overview = document
    ? overviewContent(document, context.renderFor(source.route, report).messages, context.isClosed)
    : [];
  const { changes } = context;
  const changed =
    changes?.route === source.route
      ? changesContent(changes.apiChanges, {
          messages: context.renderFor(source.route, report).messages,
          jsonUrl: `/${changesFile(changes.route)}`,
          routeOf: (document, pointer) => changes.routes.get(operationPath(document, pointer)),
        })
      : [];
  const expanded = [...written, ...overview, ...changed];
  const nodes =
    source.name === file
      ? expanded
      : withoutIslands(expanded, () => report(problem("openapi-content", { file }, interactiveContent)));

  for (const component of plainComponents(nodes))
    report(
      problem(
        "plain-component",
        { file },
        `An interactive component renders <${component}>, which is shown without its style`,
      ),
    );

  return contentFor(nodes, source.audience, { file, report });
}

const interactiveContent =
  "x-platform.content contains an interactive component, which is shown in its initial state";

/**
 * Replaces islands with their static content, since content of OpenAPI documents must not run in the browser.
 */
function withoutIslands(nodes: readonly ContentNode[], onIsland: () => void): ContentNode[] {
  return nodes.flatMap((node): ContentNode[] => {
    if (typeof node === "string") return [node];
    const children = withoutIslands(node.children, onIsland);
    if (node.name !== "Island") return [{ ...node, children }];
    onIsland();
    return children;
  });
}
