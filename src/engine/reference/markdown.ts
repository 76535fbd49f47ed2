/**
 * Writes the Markdown of operations and schemas. Schemas are expanded within the same limits as on the page.
 */

import { limits } from "../../base/limits.ts";
import { oneLine } from "../../base/one-line.ts";
import { fill } from "../i18n/messages.ts";
import { exampleOf } from "../openapi/check/example.ts";
import { resolveSecurity } from "../openapi/document/document-urls.ts";
import { jsonText } from "../openapi/nodes/json-text.ts";
import type {
  Example,
  MediaType,
  Operation,
  Parameter,
  Response,
  Server,
} from "../openapi/request/operation.ts";
import type { SecurityAlternative } from "../openapi/request/security.ts";
import { languageOf } from "../openapi/samples/sample-languages.ts";
import type { Limit } from "../openapi/schema/constraint-text.ts";
import type { Direction } from "../openapi/schema/schema-flags.ts";
import type { SchemaRef } from "../openapi/schema/schema-view.ts";
import { codeSpan, fence } from "../write-markdown.ts";
import { credentialLocation, flowTexts, schemeLabel } from "./authorization.tsx";
import { contentPanels, encodedHeaders, encodingOf } from "./body-content.tsx";
import type { ReferenceContext, SchemaCut } from "./context.ts";
import { bodyExamples } from "./example-code.tsx";
import type { FieldNode, SchemaExpansion } from "./expand-schemas.ts";
import {
  choicesOf,
  choiceTextsOf,
  conditionsOf,
  configuredPills,
  descriptionsOf,
  limitsOf,
  listedExamples,
  optionLabel,
  parameterLimits,
  sentExample,
  titleOf,
  valueAsJson,
  valueText,
} from "./field-text.ts";
import { addSchemas, directionsOf } from "./operation-schemas.ts";
import { type ReferencePrint, startPage } from "./print.ts";
import { statusName } from "./status-names.ts";

/** `expansion`: the operation's schemas, if they have already been expanded for its HTML. */
export function operationMarkdown(
  operation: Operation,
  context: ReferenceContext,
  expansion?: SchemaExpansion,
): string {
  const page = startPage(context);
  if (expansion) page.expansion = expansion;
  else {
    addSchemas(page, operation);
    page.expansion.expandAll();
  }
  return `${new MarkdownPage(page).operation(operation, 2).join("\n\n")}\n`;
}

export function schemaMarkdown(schema: SchemaRef, context: ReferenceContext): string {
  const page = startPage(context);
  const node = page.expansion.addSchema(schema, "schema");
  page.expansion.expandAll();
  const example = exampleOf(schema, context.refs, { direction: "schema", optional: true });
  const blocks = new MarkdownPage(page).tree(node);
  if (example !== undefined) blocks.push(fence("json", jsonText(example, 2)));
  return `${blocks.join("\n\n")}\n`;
}

/** Returns the Markdown of a schema that several pages share. */
export function fragmentMarkdown(page: ReferencePrint, node: FieldNode): string {
  return `${new MarkdownPage(page).tree(node).join("\n\n")}\n`;
}

interface MarkdownField {
  name: string;
  required: boolean;
  deprecated?: boolean;
  description?: string | undefined;
  node: FieldNode;
  more?: readonly Limit[];
  parameter?: { pointer: string };
  examples?: readonly Example[];
}

class MarkdownPage {
  private readonly page: ReferencePrint;

  constructor(page: ReferencePrint) {
    this.page = page;
  }

  private get messages() {
    return this.page.context.render.messages;
  }

  /** Returns an operation as blocks of Markdown. The caller joins the blocks with empty lines. */
  operation(operation: Operation, level: number): string[] {
    const { messages } = this;
    const { kind, method, path, servers, description, security, body, callbacks, responses } = operation;
    const title = (text: string) => `${"#".repeat(level)} ${text}`;
    const { badges, pathTexts, externalDocs, operationId, codeSamples } = operation;
    const directions = directionsOf(operation);
    const blocks = [fence("http", kind === "webhook" ? `WEBHOOK ${path}` : `${method} ${path}`)];
    if (operation.deprecated) blocks.push(`**${messages.deprecated}**`);
    if (badges.length) blocks.push(badges.map((badge) => code(badge)).join(" "));
    const [lead, more] = splitAfterLead(description ?? "");
    if (lead) blocks.push(lead);
    if (operationId !== undefined) blocks.push(`operationId: ${codeSpan(oneLine(operationId))}`);
    if (kind === "operation" && servers.length)
      blocks.push(`${messages.baseUrl}:\n\n${this.servers(servers, "").join("\n")}`);
    if (more) blocks.push(more);
    blocks.push(...pathTexts.map((text) => text.trim()));
    if (externalDocs) blocks.push(docsLink(externalDocs, messages.moreInformation));
    if (security.length)
      blocks.push(title(messages.authorization), this.security(resolveSecurity(security, servers)));

    for (const [place, word] of [
      ["path", messages.pathParameters],
      ["query", messages.queryParameters],
      ["querystring", messages.queryString],
      ["header", messages.headers],
      ["cookie", messages.cookies],
    ] as const) {
      const parameters = operation.parameters.filter((parameter) => parameter.in === place);
      if (parameters.length)
        blocks.push(
          title(word),
          parameters.map((parameter) => this.parameter(parameter, "request")).join("\n"),
        );
    }

    if (body) {
      blocks.push(title(`${messages.body}${body.required ? ` (${messages.required})` : ""}`));
      if (body.description) blocks.push(body.description.trim());
      blocks.push(...this.content(body.content, directions.body));
    }

    if (codeSamples.length) blocks.push(title(messages.codeExample));

    for (const { lang, label, source } of codeSamples)
      blocks.push(
        ...(label === undefined ? [] : [`${oneLine(label)}:`]),
        fence(languageOf(lang)?.syntax ?? lang, source.trimEnd()),
      );

    if (callbacks.length) blocks.push(title(messages.callbacks));

    for (const callback of callbacks) {
      blocks.push(`${"#".repeat(level + 1)} ${oneLine(callback.name)}`);
      if (callback.operation.summary) blocks.push(callback.operation.summary.trim());
      blocks.push(...this.operation(callback.operation, level + 2));
    }

    if (responses.length) blocks.push(title(messages.responses));
    for (const response of responses) blocks.push(...this.response(response, directions.response, level + 1));
    return blocks;
  }

  /**
   * Returns the Markdown of a value that has no name: type, constraints and description, and then its fields.
   */
  tree(node: FieldNode, details: (name: string) => Limit[] = () => []): string[] {
    const texts = descriptionsOf(node);
    const title = titleOf(node, "", texts);
    const facts = [
      code(node.view.label),
      ...this.flags(node),
      ...limitsOf(node, this.page.context, [], false).map(limitMarkdown),
      this.choices(node),
    ]
      .filter(Boolean)
      .join(" · ");
    const fields = [...this.details(node, ""), ...this.below(node, "", details)].join("\n");
    return [facts, title ?? "", ...texts.map((text) => text.trim()), fields].filter(Boolean);
  }

  private servers(servers: readonly Server[], margin: string): string[] {
    return servers.flatMap((server) => [
      `${margin}- ${code(server.url)}${[server.name, server.description].map((text) => (text ? `: ${oneLine(text)}` : "")).join("")}`,
      ...server.variables.map(
        (variable) =>
          `${margin}  - ${code(`{${variable.name}}`)}: ${[variable.description && oneLine(variable.description), `${this.messages.default} ${code(variable.default)}`, variable.enum.join(" | ")].filter(Boolean).join(" · ")}`,
      ),
    ]);
  }

  private security(security: readonly SecurityAlternative[]): string {
    const { messages } = this;
    return security
      .map(({ schemes }) => {
        if (schemes.length === 0) return `- ${messages.noAuthorization}`;

        return `- ${schemes
          .map((scheme) => {
            const { name, place, format } = credentialLocation(scheme);
            const scopes = scheme.scopes.length ? `${messages.scopes}: ${scheme.scopes.join(", ")}` : "";
            const text = scheme.description ? oneLine(scheme.description) : format ? code(format) : "";
            return `${code(name)} (${[schemeLabel(scheme), place, scheme.deprecated && messages.deprecated].filter(Boolean).join(", ")})${[
              text,
              scopes,
              ...flowTexts(scheme, messages),
            ]
              .filter(Boolean)
              .map((part) => `: ${part}`)
              .join("")}`;
          })
          .join(" + ")}`;
      })
      .join("\n");
  }

  private response(
    { status, summary, description, headers, content, links }: Response,
    direction: Direction,
    level: number,
  ): string[] {
    const { messages } = this;
    const blocks = [`${"#".repeat(level)} ${[status, statusName(status)].filter(Boolean).join(" ")}`];
    if (summary) blocks.push(summary.trim());
    if (description) blocks.push(description.trim());

    if (headers.length)
      blocks.push(
        `${messages.headers}:\n\n${headers.map((header) => this.parameter(header, direction)).join("\n")}`,
      );

    blocks.push(...this.content(content, direction));

    if (links.length) {
      const lines = links.flatMap(
        ({ name, target, operation, parameters, requestBody, server, description: text }) => [
          [
            `- ${code(name)} → ${operation ? `${oneLine(operation.title)} (${code(target)})` : code(target)}`,
            text && oneLine(text),
            parameters.map(([key, value]) => code(`${key} = ${value}`)).join(", "),
            requestBody && `${messages.body} ${code(requestBody)}`,
          ]
            .filter(Boolean)
            .join(": "),
          ...(server ? this.servers([server], "  ") : []),
        ],
      );
      blocks.push(`${messages.links}:\n\n${lines.join("\n")}`);
    }

    return blocks;
  }

  private content(content: readonly MediaType[], direction: Direction): string[] {
    return contentPanels(this.page, content, direction).flatMap(({ media, node }) => {
      const examples = bodyExamples(this.page, media, direction);
      return [
        `${media.map(({ type }) => code(type)).join(", ")}`,
        ...(node ? this.tree(node, (name) => encodingOf(media, name)) : []),
        ...encodedHeaders(media).map(
          ([name, headers]) =>
            `${this.messages.headers} (${code(name)}):\n\n${headers.map((header) => this.parameter(header, direction)).join("\n")}`,
        ),
        ...examples.flatMap(({ label, summary, text, language, description, externalValue }) => [
          ...(examples.length > 1 || summary || description || externalValue
            ? [`${this.messages.example}: ${oneLine(summary ?? label)}`]
            : []),
          ...(description ? [description.trim()] : []),
          ...(externalValue ? [`<${externalValue}>`] : []),
          ...(text === "" && externalValue
            ? []
            : [
                fence(
                  language ?? "",
                  text.length > limits.example_chars ? `${text.slice(0, limits.example_chars)}\n…` : text,
                ),
              ]),
        ]),
      ];
    });
  }

  private parameter(parameter: Omit<Parameter, "in"> & { in?: string }, direction: Direction): string {
    const node = this.page.expansion.addSchema(parameter.schema, direction);
    const more = parameterLimits(parameter, node, this.page.context);
    return this.firstField({ ...parameter, node, more, parameter });
  }

  /** Returns the Markdown of a field at the first level. */
  private firstField(field: MarkdownField): string {
    return this.field(field, "").join("\n");
  }

  private field(field: MarkdownField, margin: string): string[] {
    const { messages } = this;
    const { name, required, deprecated, node, more, parameter } = field;
    const { view } = node;
    const facts = [
      ...view.pre,
      code(view.label),
      required && messages.required,
      ...this.flags(node, deprecated),
      ...configuredPills(node, this.page.context, parameter),
      ...view.post,
      // The examples of a parameter override those of its schema.
      ...limitsOf(node, this.page.context, more, !field.examples?.length).map(limitMarkdown),
      this.choices(node),
    ].filter(Boolean);

    const line = `${margin}- ${code(name)} (${facts.join(" · ")})${textsAfter(node, name, margin, field.description)}`;
    return [line, ...this.details(node, `${margin}  `, field.examples), ...this.nested(node, `${margin}  `)];
  }

  /** Returns the rows of a nested schema, or a link to its own Markdown. */
  private nested(node: FieldNode, margin: string): string[] {
    const cut = node.cut ?? node.named;
    if (!cut) return this.below(node, margin);
    const link = this.linkTo(cut);
    return [`${margin}- ${node.cut?.repeats ? fill(this.messages.sameAs, { name: link }) : link}`];
  }

  private linkTo(cut: SchemaCut): string {
    return `[${codeSpan(oneLine(cut.name))}](${this.page.context.schemaMarkdownHref(cut)})`;
  }

  /** `details`: returns additional constraints of a first-level field. */
  private below(node: FieldNode, margin: string, details?: (name: string) => Limit[]): string[] {
    const { messages } = this;
    return [
      ...node.rows.flatMap((row) =>
        margin ? this.field(row, margin) : this.firstField({ ...row, more: details?.(row.name) ?? [] }),
      ),
      ...node.restRows.flatMap((row) => this.field(row, margin)),
      ...(node.restCut
        ? [
            `${margin}- ${messages.moreFields}: ${node.rest.map(code).join(", ")}, ${this.linkTo(node.restCut)}`,
          ]
        : []),
      ...node.variants.flatMap(({ kind, discriminator, options }) => [
        `${margin}- ${messages[kind]}${discriminator ? ` (${code(discriminator)})` : ""}:`,
        ...options.flatMap((one) => {
          const { values = [], requires, node: option } = one;
          const label = optionLabel(one, this.page.context);
          const isNamed = values.length > 1 || (values.length === 1 && values[0] !== label);
          const name = isNamed ? `${label} (${values.map(code).join(", ")})` : label;
          const facts = [
            code(option.view.label),
            requires.length && `${messages.required}: ${requires.map(code).join(", ")}`,
            ...limitsOf(option, this.page.context).map(limitMarkdown),
            this.choices(option),
          ].filter(Boolean);
          const head = `${margin}  - ${oneLine(name)} ${facts.join(" · ")}${textsAfter(option, label, `${margin}  `)}`;
          return [head, ...this.details(option, `${margin}    `), ...this.nested(option, `${margin}    `)];
        }),
      ]),
    ];
  }

  /**
   * Returns the descriptions of enum values, the examples of a parameter, links, and conditions of a field.
   */
  private details(node: FieldNode, margin: string, examples: readonly Example[] = []): string[] {
    const values = choicesOf(node) ?? [];
    const { externalDocs } = node.view;
    return [
      ...(choiceTextsOf(node, this.messages) ?? []).flatMap((text, index) =>
        text ? [`${margin}- ${code(valueText(values[index]))}: ${oneLine(text)}`] : [],
      ),
      ...listedExamples(examples).map(
        ({ label, value, description, externalValue }) =>
          `${margin}- ${this.messages.example}: ${oneLine(label)}: ${externalValue ?? code(valueText(sentExample(value, node, this.page.context.refs)))}${description ? `: ${oneLine(description)}` : ""}`,
      ),
      ...(externalDocs ? [`${margin}- ${docsLink(externalDocs, this.messages.moreInformation)}`] : []),
      ...conditionsOf(node).map(([keyword, value]) => `${margin}- ${keyword} ${code(valueAsJson(value))}`),
    ];
  }

  private flags({ view }: FieldNode, isDeprecated = false): string[] {
    const { messages } = this;
    return [
      ...(isDeprecated || view.deprecated ? [messages.deprecated] : []),
      ...(view.readOnly ? [messages.readOnly] : []),
      ...(view.writeOnly ? [messages.writeOnly] : []),
    ];
  }

  private choices(node: FieldNode): string {
    const choices = choicesOf(node);
    return choices ? choices.map((value) => code(valueText(value))).join(" | ") : "";
  }
}

/** Writes a text as code on one line, also an empty one. */
function code(text: string): string {
  return codeSpan(text.replace(/[\r\n]+/g, " ")) || "``";
}

/**
 * Returns the title and descriptions of a field, each after a colon. They are on one line, except for the
 * blocks of Markdown whose lines have a meaning, such as lists. `margin`: indent of the field.
 */
function textsAfter(node: FieldNode, name: string, margin: string, description?: string): string {
  const texts = descriptionsOf(node, description);
  const title = titleOf(node, name, texts);
  return [...(title === undefined ? [] : [title]), ...texts]
    .map((text) => `: ${indented(text, `${margin}  `)}`)
    .join("");
}

/** A line of a list, a table, a quote, a heading or a code block. */
const blockLine = /\n[ \t]*(?:[-*+>] |\d+[.)] |\||#{1,6} |```|~~~)/;

/** Returns a text on one line, or with its own lines from its first block on, if it has one. */
function indented(text: string, margin: string): string {
  const trimmed = text.trim().replaceAll("\r\n", "\n");
  const start = blockLine.exec(`\n${trimmed}`)?.index;
  if (start === undefined) return oneLine(text);
  const lines = trimmed.slice(start).split("\n");
  const block = lines.map((line) => (line.trim() === "" ? "" : margin + line.trimEnd())).join("\n");
  return `${oneLine(trimmed.slice(0, start))}\n\n${block}\n`.trimStart();
}

/** Splits a description after its first paragraph. The first part is empty if another block is first. */
function splitAfterLead(description: string): [lead: string, more: string] {
  const text = description.trim().replaceAll("\r\n", "\n");
  const lead = text.split(/\n[ \t]*\n/, 1)[0]!;
  const isParagraph = !/^[ \t]*(?:<|(?:=+|-+)[ \t]*$)/m.test(lead) && !blockLine.test(`\n${lead}`);
  return isParagraph ? [lead, text.slice(lead.length).trim()] : ["", text];
}

function docsLink({ url, description }: { url: string; description?: string }, fallback: string): string {
  return `[${oneLine(description ?? fallback)}](${url})`;
}

function limitMarkdown({ text, value }: Limit): string {
  return [text, value && code(value)].filter(Boolean).join(" ");
}
