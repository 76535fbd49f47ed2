/**
 * Renders the code samples of an operation (generated ones, then those in the document) and examples of the
 * body.
 */

import type { TabPanel } from "../components/tab-set.tsx";
import { TabSet } from "../components/tab-set.tsx";
import { bodyExamplesOf } from "../openapi/check/example.ts";
import { initialInputs } from "../openapi/check/initial-inputs.ts";
import type { Operation } from "../openapi/request/operation.ts";
import { buildRequest } from "../openapi/request/request.ts";
import { withPlaceholders } from "../openapi/request/request-credentials.ts";
import { languageOf, sampleLanguages } from "../openapi/samples/sample-languages.ts";
import { bodyExamples, Code, ExampleNote, Examples } from "./example-code.tsx";
import { listedExamples } from "./field-text.ts";
import type { ReferencePrint } from "./print.ts";

/** Maximum number of languages in a row of tabs. If there are more, a select box replaces the tabs. */
const tabs_count = 4;
/** Maximum number of lines of a sample that is shown in full, so that the response stays in view. */
const shownLines_count = 16;

export function RequestSamples({ page, operation }: { page: ReferencePrint; operation: Operation }) {
  const { messages } = page.context.render;
  const panels = samplePanels(page, operation);
  if (panels.length === 0) return null;

  return (
    <div class="o-example" data-example="request">
      <TabSet
        panels={panels}
        selected={0}
        sync
        class="o-code-group code-group"
        dropdown={panels.length > tabs_count}
        dropdownLabel={messages.codeExample}
      />
    </div>
  );
}

/**
 * Returns the generated samples, which samples of the document in the same language replace, and then the
 * other samples of the document.
 */
function samplePanels(page: ReferencePrint, operation: Operation): TabPanel[] {
  const { refs, samples, languages } = page.context;
  const texts = new Map<string, Pick<Parameters<typeof Code>[0], "text" | "language" | "sample">>();

  if (samples.generated && operation.kind === "operation") {
    const request = buildRequest(
      operation,
      withPlaceholders(initialInputs(operation, refs, { optional: samples.optional })),
      refs,
    );
    for (const key of languages) {
      const language = languageNamed(key);
      if (language)
        texts.set(language.label, {
          text: language.sample(request),
          language: language.syntax,
          sample: language.key,
        });
    }
  }

  const own = new Set<string>();
  for (const { lang, label, source } of operation.codeSamples) {
    const language = languageNamed(lang);
    const title = label ?? language?.label ?? lang;
    let free = title;
    for (let n = 2; own.has(free); n++) free = `${title} ${n}`;
    own.add(free);
    texts.set(free, { text: source.replace(/\s+$/, ""), language: language?.syntax });
  }

  return [...texts].map(([label, code], index) => ({
    label,
    title: label,
    children: <Code page={page} {...code} first={index === 0} shownLines_count={shownLines_count} />,
  }));
}

/** Finds a language by key, alias or label (`C#`). */
function languageNamed(name: string) {
  return (
    languageOf(name) ?? sampleLanguages.find(({ label }) => label.toLowerCase() === name.trim().toLowerCase())
  );
}

/**
 * Examples of the payload of a webhook. Also shows the examples of a request body, if one of its media types
 * has several examples, or else the texts of the example that the samples send. Null if there are none.
 */
export function BodySamples({ page, operation }: { page: ReferencePrint; operation: Operation }) {
  const { body, kind } = operation;
  if (!body) return null;
  const isCall = kind === "operation";
  const direction = isCall ? "request" : "response";
  const written = body.content.map((media) => bodyExamplesOf(media, page.context.refs, direction));
  const isSent = isCall && written.every((examples) => examples.length < 2);
  if (isSent && written.every((examples) => listedExamples(examples).length === 0)) return null;

  const examples = bodyExamples(page, body.content, direction);
  if (examples.length === 0) return null;

  return (
    <div class="o-example" data-example="body">
      <p class="o-example-title">{page.context.render.messages.body}</p>
      {isSent ? (
        examples.map((example) => <ExampleNote page={page} example={example} />)
      ) : (
        <Examples page={page} examples={examples} first />
      )}
    </div>
  );
}
