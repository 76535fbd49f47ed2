/**
 * Renders a single schema: as its own page, and as a fragment that other pages link to or load if they don't
 * include the schema.
 */

import { TabSet } from "../components/tab-set.tsx";
import { renderWithContext } from "../html/render-context.ts";
import { exampleOf } from "../openapi/check/example.ts";
import { jsonText } from "../openapi/nodes/json-text.ts";
import type { SchemaRef } from "../openapi/schema/schema-view.ts";
import type { ReferenceContext, RenderedReference, SchemaCut } from "./context.ts";
import { Code } from "./example-code.tsx";
import { FieldTree } from "./field-rows.tsx";
import { fragmentMarkdown } from "./markdown.ts";
import { startPage } from "./print.ts";

/** Maximum number of rows in the shared file of a schema. */
const schemaRows_count = 40;
/** Maximum number of levels of fields in the shared file of a schema. */
const schemaDepth_levels = 2;

export function renderSchemaPage(schema: SchemaRef, context: ReferenceContext): RenderedReference {
  const page = startPage(context);
  const node = page.expansion.addSchema(schema, "schema");
  page.expansion.expandAll();

  const html = renderWithContext(
    context.render,
    <>
      {context.bodyHtml && (
        <div class="o-flow o-own" dangerouslySetInnerHTML={{ __html: context.bodyHtml }} />
      )}
      <FieldTree page={page} node={node} section="" />
    </>,
  );

  const { messages } = context.render;
  const example = exampleOf(schema, context.refs, { direction: "schema", optional: true });
  const code = example !== undefined && !context.ownExamples.response && (
    <div class="o-example" data-example="response">
      <TabSet
        class="o-code-group code-group"
        sync={false}
        selected={0}
        panels={[
          {
            label: messages.example,
            title: messages.example,
            children: <Code page={page} text={jsonText(example, 2)} language="json" first />,
          },
        ]}
      />
    </div>
  );

  return {
    lead: "",
    html,
    aside: code ? renderWithContext(context.render, code) : "",
    toc: [],
    anchors: page.ids.all,
    cuts: page.expansion.cuts,
  };
}

/**
 * Renders the fields of a cut schema, for the script, the page, and the Markdown that several reference pages
 * share.
 */
export function renderSchemaFragment(
  cut: SchemaCut,
  context: ReferenceContext,
): { html: string; markdown: string; cuts: SchemaCut[] } {
  const page = startPage(
    { ...context, bodyHtml: "" },
    { rows: schemaRows_count, levels: schemaDepth_levels, isShared: true },
  );
  const node = page.expansion.addSchema(cut.schema, cut.direction);
  page.expansion.expandAll();
  return {
    html: renderWithContext(context.render, <FieldTree page={page} node={node} section="" nested />),
    markdown: fragmentMarkdown(page, node),
    cuts: page.expansion.cuts,
  };
}
