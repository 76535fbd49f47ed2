/** Code in the right column: examples of bodies, and what all blocks there have in common. */
import type { ComponentChildren } from "preact";
import { limits } from "../../../base/limits.ts";
import { exampleOf } from "../../openapi/example.ts";
import { jsonText } from "../../openapi/json-text.ts";
import type { Example, MediaType } from "../../openapi/operation.ts";
import type { Direction } from "../../openapi/schema-view.ts";
import { isXml, xmlText } from "../../openapi/xml-text.ts";
import { address } from "../safe-attributes.ts";
import type { Page } from "./page.ts";
import { paintedHtml } from "./painted-html.ts";
import { Switch } from "./switch.tsx";

interface CodeProps {
  page: Page;
  text: string;
  /** Key of a language that can be painted; plain text without. */
  language?: string | undefined;
  /** Key of the sample's language: the playground writes its request there. */
  sample?: string;
}

export function Code({ page, text, language, sample }: CodeProps) {
  const { strings } = page.context.render;
  return (
    <div class="o-code">
      <button type="button" class="o-copy o-js" aria-label={strings.copy} data-copy="" data-done={strings.copied} />
      <pre tabIndex={0}>
        <code data-lang={language} data-sample={sample} dangerouslySetInnerHTML={{ __html: paintedHtml(page, language, text) }} />
      </pre>
    </div>
  );
}

export interface BodyExample {
  label: string;
  text: string;
  language?: string;
  /** Address of a recording that is the example. */
  audio?: string;
}

/** The examples of all media types; hand-written ones first to count, else one made from the schema. */
export function bodyExamples(page: Page, content: readonly MediaType[], direction: Direction): BodyExample[] {
  return content.flatMap((media) => {
    const examples = media.examples.length ? media.examples : generated(page, media, direction);
    return examples.map((example) => {
      const named = media.examples.length > 1 ? example.label : media.type;
      const label = content.length > 1 && media.examples.length > 1 ? `${media.type} · ${example.label}` : named;
      return { label, ...textOf(page, media, example.value) };
    });
  });
}

function generated({ context }: Page, { schema }: MediaType, direction: Direction): Pick<Example, "label" | "value">[] {
  const value = schema && exampleOf(schema, context.refs, { direction, optional: context.samples.optional });
  return value === undefined ? [] : [{ label: "", value }];
}

function textOf({ context }: Page, { type, schema }: MediaType, value: unknown): Omit<BodyExample, "label"> {
  if (/^audio\//i.test(type) && typeof value === "string" && /^https?:/i.test(value)) {
    const audio = address(value);
    return audio === undefined ? { text: value } : { text: value, audio };
  }
  if (isXml(type)) return { text: typeof value === "string" ? value : xmlText(value, schema, context.refs), language: "xml" };
  if (typeof value === "string" && !/json/i.test(type)) return { text: value };
  return { text: jsonText(value, 2), language: "json" };
}

/** One example, or several with a choice. Long ones are cut at a line. */
export function Examples({ page, examples }: { page: Page; examples: readonly BodyExample[] }) {
  const { strings } = page.context.render;
  const panels = examples.map((example) => ({ title: example.label, children: <ExampleCode page={page} example={example} /> }));
  if (panels.length < 2) return <>{panels[0]?.children}</>;
  return (
    <Switch
      class="o-example-switch"
      label={strings.example}
      options={examples.map(({ label }, panel) => ({ label, panel }))}
      panels={panels}
    />
  );
}

function ExampleCode({ page, example: { text, language, audio } }: { page: Page; example: BodyExample }): ComponentChildren {
  const shown =
    text.length > limits.example_chars ? text.slice(0, text.lastIndexOf("\n", limits.example_chars) >>> 0 || limits.example_chars) : text;
  return (
    <>
      {audio && <audio class="o-example-audio" controls preload="none" src={audio} />}
      <Code page={page} text={shown} language={language} />
      {shown !== text && <p class="o-example-note">{page.context.render.strings.exampleCut}</p>}
    </>
  );
}
