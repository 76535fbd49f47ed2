/** Compiles the source of a page to HTML, Markdown and a summary. */

import { readText } from "../../../base/files.ts";
import { type Problem, problem, type Report, type SourcePosition } from "../../../base/problem.ts";
import { hasVisibility } from "../../access-words.ts";
import { problemBox } from "../../author/convert-values.ts";
import { withFrames } from "../../code-frame.ts";
import { type ContentNode, element } from "../../content.ts";
import type { Dependencies } from "../../incremental/memo.ts";
import { DamagedValueError } from "../../incremental/store.ts";
import { BodyReader } from "../../page/read-body.ts";
import { folderOf } from "../../paths.ts";
import type { PageSummary } from "../page.ts";
import { unknownRule } from "../sources/operation-access.ts";
import { type CompileContext, nodeDependency, referenceDependency } from "./compile-context.ts";
import type { CompiledPage } from "./page-bodies.ts";
import { pageContent } from "./page-content.ts";
import type { PageSource } from "./page-source.ts";
import { type PrintedPage, printPage } from "./print-page.ts";

export async function compilePage(source: PageSource, context: CompileContext): Promise<CompiledPage> {
  const { name, file, frontmatter, found } = source;
  const problems = [...source.problems];

  // Line numbers of text inside an OpenAPI document aren't line numbers of the file.
  const isOwnFile = name === file;
  const report = (found: Problem) =>
    problems.push(
      isOwnFile ? found : { ...found, file, line: undefined, column: undefined, frame: undefined },
    );
  reportSettings(source, report);

  const { hashOf } = context;
  const dependencies: Dependencies = {};
  const dependsOn = (dependency: string) => {
    if (hashOf) dependencies[dependency] = hashOf(dependency);
  };
  const imports = new Set<string>();
  const importsFile = (path: string) => imports.add(`/${path}`);
  const crashed = context.crashed.get(name);
  if (crashed) report(crashed);
  const chosen = crashed ? undefined : pageContent(source, context, { report, dependsOn, importsFile });

  if (isOwnFile && found) {
    dependsOn(referenceDependency(frontmatter, file));
    const missing = found.problem;
    if (missing && !missing.isKnown)
      report(problem(missing.code, referencePosition(source, context), missing.message, missing.hint));
  }

  const printed = await printOrReport(source, chosen?.nodes, context, problems, report);
  for (const image of printed.images) dependsOn(image);
  if (hashOf)
    for (const node of printed.nodes) dependsOn(nodeDependency(found!.reference!.document.file, node));
  const islandScripts = Object.fromEntries(
    printed.summary.islands.map((id) => [id, context.mdx.sandbox.browserScripts().get(id) ?? ""]),
  );
  const linked = new Set(printed.summary.links.map(({ address }) => address));
  const reader = new BodyReader(folderOf(file));
  const body = reader.readBody(printed.body);
  for (const script of Object.values(islandScripts)) reader.readScript(script);
  const files = reader.files.filter((address) => !linked.has(address));

  const summary: PageSummary = {
    ...printed.summary,
    ...(files.length ? { files } : {}),
    ...(imports.size ? { imports: [...imports] } : {}),
    hosts: reader.embeddedHosts,
    ...(chosen?.others.length && source.audience === "visitor" ? { audiences: chosen.others } : {}),
  };

  return {
    title: printed.title,
    summary,
    body,
    frontmatter,
    problems: withFrames(problems, (file) => readText(context.files, file)),
    dependencies,
    islandScripts,
  };
}

function reportSettings({ writtenDescription, file, found }: PageSource, report: Report): void {
  if (hasVisibility(writtenDescription))
    report(
      problem(
        "unknown-audience",
        { file },
        "Descriptions are the same for all readers, so <Visibility> in the description is left out",
      ),
    );

  const rule = found?.reference?.kind === "operation" ? unknownRule(found.reference) : undefined;
  if (rule !== undefined)
    report(
      problem(
        "unknown-access-rule",
        { file },
        `${rule} of the operation isn't an access rule that Octavo supports, so no one can see the page`,
      ),
    );
}

/**
 * Renders a page. `nodes`: the page's content. If it couldn't be read or can't be rendered, the page shows
 * the last problem instead, since an error on one page must not prevent the build of the other pages.
 */
async function printOrReport(
  source: PageSource,
  nodes: ContentNode[] | undefined,
  context: CompileContext,
  problems: readonly Problem[],
  report: Report,
): Promise<PrintedPage> {
  const { file, name, frontmatter, found } = source;
  const reference = context.crashed.has(name) ? undefined : found?.reference;
  const missing =
    found && !found.reference
      ? [element("Undocumented", { part: frontmatter.openapi ? "operation" : "schema" })]
      : [];
  try {
    const content = nodes ? [...missing, ...nodes] : [problemBox(problems.at(-1)?.message ?? "")];
    return await printPage(source, content, reference, context, report);
  } catch (error) {
    if (error instanceof DamagedValueError) throw error;
    const reason = error instanceof Error ? error.message : error;
    report(problem("page-crashed", { file }, `The page couldn't be rendered: ${reason}`));
    return printPage(source, [problemBox(problems.at(-1)!.message)], undefined, context, report);
  }
}

/**
 * Returns the position of `openapi` or `openapi-schema` in the frontmatter. Without line and column if
 * neither is found.
 */
function referencePosition({ file }: PageSource, context: CompileContext): SourcePosition {
  const lines = (readText(context.files, file) ?? "").split("\n");
  const line = lines.findIndex((text) => /^["']?openapi(?:-schema)?["']?\s*:/.test(text));
  return line < 0 ? { file } : { file, line: line + 1, column: 1 };
}
