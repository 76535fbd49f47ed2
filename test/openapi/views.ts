/**
 * What each view of an operation says: its parameters, the fields of its body and its responses, as
 * lines of text. One function per view reads it, without the product's reader.
 */

import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { unescapeHtml } from "../../src/base/html-text.ts";
import { inputsOf } from "../../src/browser/playground/draft.ts";
import { firstDraft } from "../../src/browser/playground/first-draft.ts";
import { messagesOf } from "../../src/engine/i18n/locales.ts";
import { checkRequest } from "../../src/engine/openapi/check/check-contract.ts";
import { initialInputs } from "../../src/engine/openapi/check/initial-inputs.ts";
import type { Refs } from "../../src/engine/openapi/nodes/refs.ts";
import type { Operation } from "../../src/engine/openapi/request/operation.ts";
import { buildRequest } from "../../src/engine/openapi/request/request.ts";
import { parameterKey } from "../../src/engine/openapi/request/request-model.ts";
import { viewOf } from "../../src/engine/openapi/schema/schema-view.ts";
import type { FactWalker } from "./document-facts.ts";

// biome-ignore lint/suspicious/noExplicitAny: documents are untyped.
type Node = any;

/** Lines of a view by kind. A view has only the kinds that it can say something about. */
export type View = Partial<
  Record<"parameters" | "names" | "required" | "fields" | "bodies" | "responses", string[]>
>;

const places: Record<string, string> = {
  "Path parameters": "path",
  "Query parameters": "query",
  Headers: "header",
  Cookies: "cookie",
  Path: "path",
  Query: "query",
  Body: "body",
};

/** A name in a place, with `required` if it is. */
const line = (place: string, name: string, isRequired: boolean) =>
  `${place} ${name}${isRequired ? " required" : ""}`;

/** What the document says. `item` and `node`: the path item and the operation. */
export function documentView(walker: FactWalker, item: Node, node: Node): View {
  const own: Node[] = (node.parameters ?? []).map((one: Node) => walker.resolve(one));
  const isSame = (one: Node, other: Node) =>
    one?.in === other?.in &&
    (one?.in === "header" ? one.name.toLowerCase() === other.name.toLowerCase() : one?.name === other?.name);
  const shared: Node[] = (item.parameters ?? []).map((one: Node) => walker.resolve(one));
  const all = [...shared.filter((one) => !own.some((other) => isSame(one, other))), ...own].filter(
    (one) => one?.name && !(one.in === "header" && /^(?:accept|content-type|authorization)$/i.test(one.name)),
  );
  const isRequired = (one: Node) => one.required === true || one.in === "path";
  const placeOf = (one: Node) => (one.in === "querystring" ? "query" : one.in);
  const body = walker.resolve(node.requestBody);
  return {
    parameters: all.map((one) => line(placeOf(one), one.name, isRequired(one))),
    names: all.map((one) => `${placeOf(one)} ${one.name}`),
    required: [
      ...all.filter(isRequired).map((one) => `${placeOf(one)} ${one.name}`),
      ...(body?.required === true ? ["body"] : []),
    ],
    bodies: Object.keys(body?.content ?? {}),
    responses: Object.entries(node.responses ?? {})
      .filter(([status]) => !status.startsWith("x-"))
      .flatMap(([status, response]) => [
        status,
        ...Object.keys(walker.resolve(response as Node)?.content ?? {}).map((type) => `${status} ${type}`),
      ]),
  };
}

/** What the page says. */
export function pageView(html: string): View {
  const view = emptyView();
  for (const section of html.split('<section class="o-part">').slice(1)) {
    const title = unescapeHtml(/<h2[^>]*>([^<]*)/.exec(section)?.[1] ?? "");
    if (title === "Responses")
      for (const response of section.split('<p class="o-tab-title"><i class="o-dot').slice(1)) {
        const status = /<\/i>([^\s<]*)/.exec(response)![1]!;
        view.responses.push(status, ...mediaTypes(response).map((type) => `${status} ${type}`));
      }
    const place = places[title];
    if (place === "body") view.bodies.push(...mediaTypes(section));
    if (place)
      for (const field of fieldsIn(section, place === "body"))
        view[place === "body" ? "fields" : "parameters"].push(line(place, field.name, field.isRequired));
  }
  return view;
}

const emptyView = () => ({
  parameters: [] as string[],
  fields: [] as string[],
  bodies: [] as string[],
  responses: [] as string[],
});

/** Returns the only media type of a body, or those to choose from. */
function mediaTypes(html: string): string[] {
  const choice = /aria-label="Media type">(.*?)<\/select>/s.exec(html)?.[1];
  const only = /class="o-media">([^<]*)/.exec(html)?.[1];
  const types =
    choice === undefined
      ? only === undefined
        ? []
        : [only]
      : [...choice.matchAll(/<option[^>]*>([^<]*)/g)].map(([, type]) => type!);
  return types.map(unescapeHtml);
}

/** Returns the fields of a section. Without `nested`, those that aren't inside of others. */
function fieldsIn(section: string, nested: boolean): { name: string; isRequired: boolean }[] {
  const found: { name: string; isRequired: boolean }[] = [];
  const open: boolean[] = [];
  for (const { 0: tag, index } of section.matchAll(/<div\b[^>]*>|<\/div>/g)) {
    if (tag === "</div>") open.pop();
    else {
      const isField = tag.includes('class="o-field field"');
      if (isField && (nested || !open.includes(true))) {
        const head = section.slice(index, section.indexOf("</div>", index));
        const name = /class="o-field-name"[^>]*>(.*?)<\/(?:a|code)>/s.exec(head)![1]!;
        found.push({
          name: unescapeHtml(name.replace(/<[^>]*>/g, "")),
          isRequired: /<em>required<\/em>/.test(head),
        });
      }
      open.push(isField);
    }
  }
  return found;
}

/** What the Markdown says. */
export function markdownView(markdown: string): View {
  const view = emptyView();
  for (const part of markdown.split(/^## /m).slice(1)) {
    const title = /^(.*?)(?: \(required\))?$/m.exec(part)![1]!;
    const place = places[title];
    if (place)
      for (const [, indent, ticks, name, facts] of part.matchAll(/^( *)- (`+) ?(.+?) ?\2 \((.*)/gm))
        if (place === "body" || indent === "")
          view[place === "body" ? "fields" : "parameters"].push(
            line(place, name!, new RegExp(`${ticks} · required\\b`).test(facts!)),
          );
    if (place === "body") view.bodies.push(...writtenTypes(part));
    if (title === "Responses")
      for (const response of part.split(/^### /m).slice(1)) {
        const status = response.split(/[\s\n]/)[0]!;
        view.responses.push(status, ...writtenTypes(response).map((type) => `${status} ${type}`));
      }
  }
  return view;
}

/** Returns the media types that lines of their own name. */
function writtenTypes(markdown: string): string[] {
  const lines = markdown.match(/^`[^`\s]+\/[^`]*`(?:, `[^`]*`)*$/gm) ?? [];
  return lines.flatMap((one) => [...one.matchAll(/`([^`]*)`/g)].map(([, type]) => type!));
}

/** The browser's code has a configuration of its own for TypeScript, so its components aren't typed here. */
const component = async (file: string, name: string) =>
  (await import(`../../src/browser/playground/${file}`))[name];
const RequestForm = await component("request-form.tsx", "RequestForm");
const FormContext = await component("form-context.ts", "FormContext");

const nothing = () => undefined;

/** What the playground's form says. */
export function formView(operation: Operation, refs: Refs): View {
  const draft = firstDraft(operation, refs, formSettings, "");
  const { playground, constraints } = messagesOf("en");
  const form = h(RequestForm, {
    operation,
    request: buildRequest(operation, inputsOf(draft, operation, refs), refs),
    target: { text: "" },
    isCopyOnly: false,
    remember: false,
    setRemember: nothing,
    redirect: "",
    environments: { list: [], selected: undefined, isChanged: false } as never,
  });
  const value = {
    messages: { ...playground, constraints },
    refs,
    view: (schema: Parameters<typeof viewOf>[0]) => viewOf(schema, refs, "request"),
    draft,
    change: nothing,
    findings: new Map(),
    isSent: false,
  };
  const html = renderToString(h(FormContext.Provider, { value: value as never, children: form }));
  // The ids of inputs are paths, such as `query.filter.name` and `header["X-Name"]`.
  const ids = [...html.matchAll(/ id="o-pg-((?:path|query|querystring|header|cookie)[.[][^"]*)"/g)];
  return { names: ids.map(([, id]) => nameIn(unescapeHtml(id!).replace(/-about$/, ""))) };
}

/** Returns the place and the name at the start of a path. */
function nameIn(path: string): string {
  const [, place, name, quoted] =
    /^(path|query|header|cookie)(?:string)?(?:\.([^.[]+)|\[("(?:[^"\\]|\\.)*")\])/.exec(path)!;
  return `${place} ${name ?? JSON.parse(quoted!)}`;
}

const formSettings = {
  mode: "interactive",
  proxy: false,
  credentials: false,
  languages: [] as string[],
  prefill: true,
  optional: true,
} as const;

/** What the checker requires of a request without any value. */
export function checkerView(operation: Operation, refs: Refs): View {
  const findings = checkRequest(operation, { server: "", parameters: {}, credentials: [] }, refs);
  return {
    required: findings
      .filter(({ code }) => code === "required")
      .map(({ path, wanted }) =>
        path === "body" ? "body" : `${path.split(/[.[]/)[0]!.replace("querystring", "query")} ${wanted}`,
      ),
  };
}

/**
 * The parameters whose value changes the request that samples show. Each value is changed to a marked text, and
 * back.
 */
export function sampleView(operation: Operation, refs: Refs): View {
  const inputs = initialInputs(operation, refs, { optional: true });
  const names = operation.parameters.filter((parameter) => {
    const key = parameterKey(parameter);
    const parameters = { ...inputs.parameters, [key]: "qzmark" };
    return JSON.stringify(buildRequest(operation, { ...inputs, parameters }, refs)).includes("qzmark");
  });
  return { names: names.map(({ in: place, name }) => `${place.replace("querystring", "query")} ${name}`) };
}
