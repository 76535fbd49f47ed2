/**
 * Renders the page of an operation as HTML: parameters, body and responses on the left, samples on the right.
 */

import type { ComponentChildren } from "preact";
import { limits } from "../../base/limits.ts";
import { renderWithContext } from "../html/render-context.ts";
import { spaced } from "../html/spaced.ts";
import type { SiteMessages } from "../i18n/messages.ts";
import { bodyExamplesOf } from "../openapi/check/example.ts";
import { resolveSecurity } from "../openapi/document/document-urls.ts";
import type { MediaType, Operation, Parameter, ParameterLocation } from "../openapi/request/operation.ts";
import type { Direction } from "../openapi/schema/schema-flags.ts";
import type { TocEntry } from "../page/table-of-contents.ts";
import { Alternatives } from "./authorization.tsx";
import { Content, isCovered } from "./body-content.tsx";
import type { ReferenceContext, RenderedReference } from "./context.ts";
import { brokenAtSlashes, Endpoint, Method } from "./endpoint.tsx";
import type { SchemaExpansion } from "./expand-schemas.ts";
import { MoreLink, ParameterField } from "./field-rows.tsx";
import { anchorLink } from "./heading-anchor.tsx";
import { addSchemas, directionsOf } from "./operation-schemas.ts";
import { type ReferencePrint, startPage } from "./print.ts";
import { BodySamples, RequestSamples } from "./request-samples.tsx";
import { ResponseSamples } from "./response-samples.tsx";
import { Responses } from "./responses.tsx";

interface RenderedOperation extends RenderedReference {
  /** The expanded schemas, for `operationMarkdown`. Absent if the page doesn't show them. */
  expansion?: SchemaExpansion;
}

/** Renders an operation with all of its sections. */
export function renderOperation(operation: Operation, context: ReferenceContext): RenderedOperation {
  const page = startPage(context);
  addSchemas(page, operation);
  page.expansion.expandAll();
  const toc: TocEntry[] = [];
  const lead = renderWithContext(context.render, <Lead page={page} operation={operation} />);
  const html = renderWithContext(context.render, <Contract page={page} operation={operation} toc={toc} />);
  const aside = renderWithContext(context.render, <Aside page={page} operation={operation} />);
  return {
    lead,
    html,
    aside,
    toc,
    anchors: page.ids.all,
    cuts: page.expansion.cuts,
    expansion: page.expansion,
  };
}

/**
 * Renders an operation that is described by the page's own text: the endpoint before the text, and samples in
 * the right column.
 */
export function renderDescribed(operation: Operation, context: ReferenceContext): RenderedOperation {
  const page = startPage(context);
  const lead = renderWithContext(context.render, <Endpoint page={page} operation={operation} />);
  const aside = renderWithContext(context.render, <Aside page={page} operation={operation} />);

  // The Markdown contains the schemas.
  addSchemas(page, operation);
  page.expansion.expandAll();
  const { expansion } = page;
  return {
    lead,
    html: context.bodyHtml,
    aside,
    toc: [],
    anchors: page.ids.all,
    cuts: expansion.cuts,
    expansion,
  };
}

const sections: readonly { place: ParameterLocation; title: keyof SiteMessages; id: string }[] = [
  { place: "path", title: "pathParameters", id: "path-parameters" },
  { place: "query", title: "queryParameters", id: "query-parameters" },
  { place: "querystring", title: "queryString", id: "query-string" },
  { place: "header", title: "headers", id: "headers" },
  { place: "cookie", title: "cookies", id: "cookies" },
];

interface PartProps {
  page: ReferencePrint;
  operation: Operation;
  toc: TocEntry[];
  /** Prefix of the section in ids. Set for callbacks. */
  within?: string;
}

function Lead({ page, operation }: { page: ReferencePrint; operation: Operation }) {
  const { bodyHtml } = page.context;
  return (
    <>
      <Endpoint page={page} operation={operation} />
      {bodyHtml && <div class="o-flow o-own" dangerouslySetInnerHTML={{ __html: bodyHtml }} />}
      <Description page={page} operation={operation} />
    </>
  );
}

function Contract(props: PartProps) {
  const { page, operation, toc } = props;
  const { messages } = page.context.render;
  return (
    <>
      <Authorization {...props} />
      <Parameters {...props} />
      <RequestBody {...props} />
      {operation.callbacks.length > 0 && (
        <section class="o-part">
          <Title page={page} toc={toc} id="callbacks">
            {messages.callbacks}
          </Title>
          {operation.callbacks.map((callback) => (
            <CallbackDetails page={page} name={callback.name} operation={callback.operation} />
          ))}
        </section>
      )}
      <ResponseList {...props} />
    </>
  );
}

function Description({
  page,
  operation: { badges, description, pathTexts, externalDocs },
}: {
  page: ReferencePrint;
  operation: Operation;
}) {
  const { markdown } = page.context;
  return (
    <>
      {badges.length > 0 && (
        <p class="o-choices">{badges.map((badge) => [<span class="o-field-pill">{badge}</span>, " "])}</p>
      )}
      {description && <div class="o-flow" dangerouslySetInnerHTML={{ __html: markdown(description) }} />}
      {pathTexts.map((text) => (
        <div class="o-flow" dangerouslySetInnerHTML={{ __html: markdown(text) }} />
      ))}
      {externalDocs && <MoreLink page={page} {...externalDocs} />}
    </>
  );
}

/**
 * The heading of a section. Inside a callback, it is smaller, has no id, and isn't in the table of contents.
 */
function Title({
  page,
  toc,
  id: wanted,
  within,
  children,
}: {
  page: ReferencePrint;
  toc: TocEntry[];
  id: string;
  within?: string | undefined;
  children: string;
}) {
  if (within) return <h3 class="o-part-title">{children}</h3>;
  const id = page.ids.heading(wanted);
  toc.push({ id, text: children, level: 2 });
  return (
    <h2 class="o-part-title" id={id}>
      {children}
      {anchorLink(page.context.render.messages, id, children)}
    </h2>
  );
}

function Authorization({ page, operation, toc, within }: PartProps) {
  const { security, servers } = operation;
  if (security.length === 0) return null;
  return (
    <section class="o-part">
      <Title page={page} toc={toc} id="authorization" within={within}>
        {page.context.render.messages.authorization}
      </Title>
      <Alternatives page={page} security={resolveSecurity(security, servers)} />
    </section>
  );
}

function Parameters({ page, operation, toc, within }: PartProps) {
  const { messages } = page.context.render;
  return (
    <>
      {sections.map(({ place, title, id }) => {
        const parameters = operation.parameters.filter((parameter) => parameter.in === place);
        return parameters.length === 0 ? null : (
          <section class="o-part">
            <Title page={page} toc={toc} id={id} within={within}>
              {messages[title]}
            </Title>
            <ParameterList page={page} parameters={parameters} section={joined(within, place)} />
          </section>
        );
      })}
    </>
  );
}

function ParameterList({
  page,
  parameters,
  section,
}: {
  page: ReferencePrint;
  parameters: Parameter[];
  section: string;
}) {
  const rest = parameters.slice(limits.referenceRows_count);
  return (
    <div class="o-fields">
      {parameters.slice(0, limits.referenceRows_count).map((parameter) => (
        <ParameterField page={page} parameter={parameter} direction="request" section={section} />
      ))}
      {rest.length > 0 && (
        <p class="o-rest">
          {page.context.render.messages.moreFields}: <code>{rest.map(({ name }) => name).join(", ")}</code>
        </p>
      )}
    </div>
  );
}

function RequestBody({ page, operation, toc, within }: PartProps) {
  const { body } = operation;
  const { messages } = page.context.render;
  if (!body) return null;

  const direction = directionsOf(operation).body;
  const description =
    body.description && !isCovered(page, body.content, direction, body.description)
      ? body.description
      : undefined;

  const head: ComponentChildren = spaced([
    <Title page={page} toc={toc} id="body" within={within}>
      {messages.body}
    </Title>,
    body.required && <span class="o-field-required">{messages.required}</span>,
  ]);

  return (
    <section class="o-part">
      <Content
        page={page}
        content={body.content}
        direction={direction}
        section={joined(within, "body")}
        head={head}
        said={description}
      >
        {description && (
          <div
            class="o-field-body"
            dangerouslySetInnerHTML={{ __html: page.context.markdown(description) }}
          />
        )}
      </Content>
    </section>
  );
}

function ResponseList({ page, operation, toc, within }: PartProps) {
  if (operation.responses.length === 0) return null;

  return (
    <section class="o-part">
      <Title page={page} toc={toc} id="responses" within={within}>
        {page.context.render.messages.responses}
      </Title>
      <Responses
        page={page}
        responses={operation.responses}
        direction={directionsOf(operation).response}
        {...(within ? { section: within } : {})}
      />
    </section>
  );
}

/** A collapsed callback with the sections of its operation. */
function CallbackDetails({
  page,
  name,
  operation,
}: {
  page: ReferencePrint;
  name: string;
  operation: Operation;
}) {
  const parts = { page, operation, toc: [], within: name };
  return (
    <details class="o-callback">
      <summary>
        <Method name={operation.method} /> <strong>{name}</strong>{" "}
        <code>{brokenAtSlashes(operation.path)}</code>
      </summary>
      <div class="o-callback-body">
        {operation.summary && <p class="o-field-body">{operation.summary}</p>}
        <Description page={page} operation={operation} />
        <Authorization {...parts} />
        <Parameters {...parts} />
        <RequestBody {...parts} />
        <ResponseList {...parts} />
        <WrittenExamples page={page} operation={operation} />
      </div>
    </details>
  );
}

/** The examples of a callback that the document has. */
function WrittenExamples({ page, operation }: { page: ReferencePrint; operation: Operation }) {
  const { body, responses } = operation;
  const directions = directionsOf(operation);
  const written = (content: readonly MediaType[], direction: Direction) =>
    content.filter((media) => bodyExamplesOf(media, page.context.refs, direction).length > 0);
  const own: Operation = {
    ...operation,
    ...(body ? { body: { ...body, content: written(body.content, directions.body) } } : {}),
    responses: responses.map((response) => ({
      ...response,
      content: written(response.content, directions.response),
    })),
  };
  return (
    <>
      <BodySamples page={page} operation={own} />
      <ResponseSamples page={page} operation={own} direction={directions.response} />
    </>
  );
}

function joined(within: string | undefined, section: string): string {
  return within ? `${within}.${section}` : section;
}

function Aside({ page, operation }: { page: ReferencePrint; operation: Operation }) {
  const { ownExamples } = page.context;
  const body = !ownExamples.request && <BodySamples page={page} operation={operation} />;

  // The samples of a call contain the first example of its body, so the response is more important than the
  // other ones.
  const isCall = operation.kind === "operation";
  return (
    <>
      {!ownExamples.request && <RequestSamples page={page} operation={operation} />}
      {!isCall && body}
      {!ownExamples.response && (
        <ResponseSamples page={page} operation={operation} direction={directionsOf(operation).response} />
      )}
      {isCall && body}
    </>
  );
}
