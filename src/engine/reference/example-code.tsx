/** Renders the code blocks of the right column, and examples of bodies. */

import type { ComponentChildren } from "preact";
import { escapeText } from "../../base/html-text.ts";
import { limits } from "../../base/limits.ts";
import { safeUrl } from "../html/safe-attributes.ts";
import { bodyExamplesOf, exampleOf } from "../openapi/check/example.ts";
import { exampleBody } from "../openapi/check/initial-inputs.ts";
import { jsonText } from "../openapi/nodes/json-text.ts";
import { isJson, isXml } from "../openapi/nodes/media-types.ts";
import type { Example, MediaType } from "../openapi/request/operation.ts";
import { bodyText } from "../openapi/request/request-body.ts";
import type { Direction } from "../openapi/schema/schema-flags.ts";
import { sentValue } from "../openapi/schema/sent-values.ts";
import { highlightedHtml } from "./highlighted-html.ts";
import type { ReferencePrint } from "./print.ts";
import { Switch } from "./select-switch.tsx";

interface CodeProps {
  page: ReferencePrint;
  text: string;
  /** Language for `tokenizeCode`. Default: plain text. */
  language?: string | undefined;
  /** Key of the sample's language. The playground updates blocks with this key. */
  sample?: string;
  /**
   * Whether the block is initially visible. Visible blocks are highlighted at build time, and other blocks
   * when they are shown.
   */
  first: boolean;
  /** Maximum number of lines of a block that is shown in full. Default: unlimited. */
  shownLines_count?: number;
}

export function Code({ page, text, language, sample, first, shownLines_count = Infinity }: CodeProps) {
  const { messages } = page.context.render;
  const html = language && first ? highlightedHtml(language, text) : escapeText(text);
  const isLong = text.split("\n").length > shownLines_count;
  return (
    <div class={isLong ? "o-code code-block o-code-long" : "o-code code-block"}>
      <button type="button" class="o-copy o-js" aria-label={messages.copy} data-copy="" />
      <pre tabIndex={0}>
        <code
          data-lang={language}
          data-plain={language && !first ? "" : undefined}
          data-sample={sample}
          dangerouslySetInnerHTML={{ __html: html }}
        />
      </pre>
      {isLong && (
        <label class="o-expand">
          <input type="checkbox" aria-label={messages.expandCode} />
          <span data-more={messages.expandCode} data-less={messages.collapseCode} />
        </label>
      )}
    </div>
  );
}

interface BodyExample {
  label: string;
  /** Summary from the document, unless it's the label. */
  summary?: string;
  /** Empty if the example is only at `externalValue`. */
  text: string;
  language?: string;
  /** URL of an audio example. */
  audio?: string;
  /** Markdown from the document. */
  description?: string;
  externalValue?: string;
}

/**
 * Returns the document's examples for each media type. For a media type without examples, generates one from
 * the schema, if possible. An example looks like the body that is sent, or is shown as JSON if its media type
 * has no known text format.
 */
export function bodyExamples(
  page: ReferencePrint,
  content: readonly MediaType[],
  direction: Direction,
): BodyExample[] {
  return content.flatMap((media) => {
    const sent = (example: Example) => ({
      ...example,
      value: sentValue(example.value, media.schema, page.context.refs, direction),
    });

    const written = bodyExamplesOf(media, page.context.refs, direction);
    const examples = written.length ? written.map(sent) : generated(page, media, direction);
    return examples.flatMap((example): BodyExample[] => {
      const { value, description, externalValue } = example;
      const named =
        written.length > 1 || (externalValue !== undefined && value === undefined)
          ? example.label
          : media.type;

      const label = content.length > 1 && written.length > 1 ? `${media.type} · ${example.label}` : named;
      const shown =
        value === undefined
          ? { text: "" }
          : (textOf(page, media, value, direction) ??
            (written.length ? { text: jsonText(value, 2), language: "json" } : undefined));
      const summary =
        example.label !== example.key && !label.includes(example.label) ? { summary: example.label } : {};
      const more = {
        ...summary,
        ...(description === undefined ? {} : { description }),
        ...(externalValue === undefined ? {} : { externalValue }),
      };

      return shown ? [{ label, ...shown, ...more }] : [];
    });
  });
}

function generated({ context }: ReferencePrint, { schema }: MediaType, direction: Direction): Example[] {
  const value =
    schema &&
    exampleOf(schema, context.refs, {
      direction,
      optional: direction === "response" || context.samples.optional,
    });
  return value === undefined ? [] : [{ key: "", label: "", value }];
}

/** Returns the text of an example. Undefined if its media type has no known text format. */
function textOf(
  { context }: ReferencePrint,
  media: MediaType,
  value: unknown,
  direction: Direction,
): Omit<BodyExample, "label"> | undefined {
  const { type, schema } = media;
  if (/^audio\//i.test(type) && typeof value === "string" && /^https?:/i.test(value)) {
    const audio = safeUrl(value);
    return audio === undefined ? { text: value } : { text: value, audio };
  }
  const body = exampleBody(value, media, context.refs, direction);
  const text = bodyText(body, media, context.refs)?.replaceAll("\r\n", "\n");
  if (text === undefined) return undefined;
  if (isXml(type)) return { text, language: "xml" };
  const isJsonText = isJson(type) || (schema === undefined && typeof value === "object" && !("text" in body));
  return isJsonText || /^[[{]/.test(text) ? { text, language: "json" } : { text };
}

/**
 * One example, or a switch between several examples. Truncates long examples, at a line break if there is
 * one.
 */
export function Examples({
  page,
  examples,
  first,
}: {
  page: ReferencePrint;
  examples: readonly BodyExample[];
  first: boolean;
}) {
  const { messages } = page.context.render;

  const panels = examples.map((example, i) => ({
    title: example.label,
    children: <ExampleCode page={page} example={example} first={first && i === 0} />,
  }));

  if (panels.length < 2) return <>{panels[0]?.children}</>;

  return (
    <Switch
      class="o-example-switch"
      label={messages.example}
      options={examples.map(({ label }, panel) => ({ label, panel }))}
      panels={panels}
    />
  );
}

/** Renders the summary, description and URL of an example. Null if it has none. */
export function ExampleNote({
  page,
  example: { summary, description, externalValue },
}: {
  page: ReferencePrint;
  example: BodyExample;
}) {
  if (!summary && !description && !externalValue) return null;

  return (
    <>
      {summary && <p class="o-example-note">{summary}</p>}
      {description && (
        <div
          class="o-example-note"
          dangerouslySetInnerHTML={{ __html: page.context.markdown(description) }}
        />
      )}
      {externalValue && (
        <p class="o-example-note">
          <a {...page.context.link(externalValue)}>{externalValue}</a>
        </p>
      )}
    </>
  );
}

function ExampleCode({
  page,
  example,
  first,
}: {
  page: ReferencePrint;
  example: BodyExample;
  first: boolean;
}): ComponentChildren {
  const { text, language, audio, externalValue } = example;
  const shown = cutAtLine(text, limits.example_chars);
  return (
    <>
      <ExampleNote page={page} example={example} />
      {audio && <audio class="o-example-audio" controls preload="none" src={audio} />}
      {(text !== "" || !externalValue) && <Code page={page} text={shown} language={language} first={first} />}
      {shown !== text && <p class="o-example-note">{page.context.render.messages.exampleCut}</p>}
    </>
  );
}

function cutAtLine(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.lastIndexOf("\n", most);
  return text.slice(0, end > 0 ? end : most);
}
