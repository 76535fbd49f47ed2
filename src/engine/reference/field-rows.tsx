/**
 * Renders trees of fields as rows. The parts of a row are plain functions instead of components, since pages
 * contain many rows and components take longer to render.
 */

import type { ComponentChild, VNode } from "preact";
import { cutText } from "../../base/cut-text.ts";
import { TabSet } from "../components/tab-set.tsx";
import { spaced } from "../html/spaced.ts";
import type { SiteMessages } from "../i18n/messages.ts";
import { fill } from "../i18n/messages.ts";
import type { Example, Parameter } from "../openapi/request/operation.ts";
import type { Limit } from "../openapi/schema/constraint-text.ts";
import type { Direction } from "../openapi/schema/schema-flags.ts";
import type { FieldNode, FieldVariants } from "./expand-schemas.ts";
import {
  choicesOf,
  choiceTextsOf,
  conditionsOf,
  configuredPills,
  descriptionsOf,
  isFolded,
  limitsOf,
  listedExamples,
  optionLabel,
  parameterLimits,
  saysAll,
  sentExample,
  titleOf,
  valueAsJson,
  valueText,
} from "./field-text.ts";
import type { ReferencePrint } from "./print.ts";
import { Switch } from "./select-switch.tsx";

interface FieldContext {
  page: ReferencePrint;
  /** Path of the field that contains the rows: `data.user`. Empty at the first level. */
  path: string;
  /** Section of the page, which distinguishes equal names: `query`, `body`, `404`. */
  section: string;
  /** Whether the tree is inside a field. */
  nested: boolean;
  /** Returns additional constraints of a first-level field. */
  details?: ((name: string) => readonly Limit[]) | undefined;
}

/** Renders the first level of a tree: the value itself, followed by its fields. */
export function FieldTree({
  node,
  said,
  ...given
}: Pick<FieldContext, "page" | "section" | "details"> & {
  node: FieldNode;
  nested?: boolean;
  /** Text above the tree, which its description doesn't repeat. */
  said?: string | undefined;
}) {
  const around = { nested: false, ...given, path: "" };
  return (
    <>
      {rootType(node, around.page.context.render.messages)}
      {fieldText(around.page, node, { name: "", said })}
      {node.cut ? below(around, node) : rows(around, node)}
    </>
  );
}

/**
 * Renders the type of a value that has no name. Null for an object with fields or alternatives, and for
 * alternatives without a type, unless it's deprecated, read-only or write-only.
 */
function rootType(node: FieldNode, messages: SiteMessages): ComponentChild {
  const { types } = node.view;
  const isPlain =
    types.length === 1 && types[0] === "object"
      ? rowsOf(node) || node.cut
      : types.length === 0 && node.variants.length > 0;
  const { deprecated, readOnly, writeOnly } = node.view;
  if (isPlain && !deprecated && !readOnly && !writeOnly) return null;
  return <p class="o-field-head o-field-root">{spaced([typeLabel(node), ...flags(node, messages)])}</p>;
}

/** Renders first-level rows, framed as one list. */
function rows(around: FieldContext, node: FieldNode): ComponentChild {
  return rowsOf(node) ? <div class="o-fields">{level(around, node)}</div> : null;
}

interface ParameterProps {
  page: ReferencePrint;
  parameter: Omit<Parameter, "in"> & { in?: string };
  direction: Direction;
  section: string;
}

/** A parameter or a header, with the fields of its value. */
export function ParameterField({ page, parameter, direction, section }: ParameterProps) {
  const node = page.expansion.addSchema(parameter.schema, direction);
  const more = parameterLimits(parameter, node, page.context);
  const { name, required } = parameter;
  return field({ page, path: "", section, nested: false }, { name, required, node, parameter }, more);
}

interface Named {
  name: string;
  node: FieldNode;
  required: boolean;
  /** Properties of the parameter that take precedence over the schema's properties. */
  parameter?: Pick<Parameter, "pointer" | "deprecated" | "description" | "examples">;
}

function field(
  around: FieldContext,
  { name, node, required, parameter }: Named,
  more?: readonly Limit[],
): VNode {
  const { page, path, section } = around;
  const { context, ids } = page;
  const { messages } = context.render;
  const { view } = node;
  const ownPath = path ? `${path}.${name}` : name;
  const id = ids.field(ownPath, section);
  return (
    <div class="o-field field" id={id}>
      <div class="o-field-head">
        {spaced([
          ...view.pre.map(pill),
          <a class="o-field-name" href={`#${encodeURI(id)}`}>
            {name}
          </a>,
          typeLabel(node),
          required && <em>{messages.required}</em>,
          ...flags(node, messages, parameter?.deprecated),
          ...configuredPills(node, context, parameter).map(pill),
          ...view.post.map(pill),
        ])}
      </div>
      {fieldText(page, node, {
        name,
        description: parameter?.description,
        more,
        examples: parameter?.examples,
        hasFoldedFields: node.cut !== undefined || rowsOf(node),
      })}
      {below({ page, path: ownPath, section, nested: true }, node)}
    </div>
  );
}

function flags({ view }: FieldNode, messages: SiteMessages, isDeprecated = false): ComponentChild[] {
  return [
    (isDeprecated || view.deprecated) && <span class="o-field-deprecated">{messages.deprecated}</span>,
    view.readOnly && pill(messages.readOnly),
    view.writeOnly && pill(messages.writeOnly),
  ];
}

const pill = (label: string) => <span class="o-field-pill">{label}</span>;

function typeLabel(node: FieldNode): ComponentChild {
  return <code>{cutText(node.view.label, 120)}</code>;
}

interface FieldTextOptions {
  name: string;
  /** Overrides the schema's description. */
  description?: string | undefined;
  /** Constraints to list first. */
  more?: readonly Limit[] | undefined;
  examples?: readonly Example[] | undefined;
  /** Text above the row, which its description doesn't repeat. */
  said?: string | undefined;
  /** Whether a disclosure or a link to the fields follows, which says that there are no other fields. */
  hasFoldedFields?: boolean;
}

/**
 * Renders the text of a row: title, description, link to external documentation, note about a broken
 * reference, constraints, choices, examples and conditions.
 */
function fieldText(
  page: ReferencePrint,
  node: FieldNode,
  { name, description, more, examples = [], said, hasFoldedFields }: FieldTextOptions,
): ComponentChild[] {
  const { context } = page;
  const { messages } = context.render;
  const texts = descriptionsOf(node, description).filter(
    (text) => said === undefined || !saysAll(said, text),
  );
  const title = titleOf(node, name, texts);

  // The example of a whole body is part of the samples. The examples of a parameter override those of its
  // schema.
  const all = limitsOf(node, context, more, name !== "" && examples.length === 0);
  const folded = all.filter((limit) => isFolded(limit, context));
  const closing = hasFoldedFields && context.render.constraints.noOtherProperties;
  const limits = all.filter((limit) => limit.text !== closing && !folded.includes(limit));
  const listed = listedExamples(examples);
  const choices = choicesOf(node);
  const { externalDocs, broken } = node.view;
  return [
    title && <p class="o-limits">{title}</p>,
    ...texts.map((text) => (
      <div class="o-field-body" dangerouslySetInnerHTML={{ __html: context.markdown(text) }} />
    )),
    externalDocs && <MoreLink page={page} {...externalDocs} />,
    broken && <p class="o-broken">{messages.brokenReference}</p>,
    limits.length > 0 && <p class="o-limits">{limits.map(limitParts)}</p>,
    ...folded.map(foldedLimit),
    choices && choices.length > 0 && choiceList(page, choices, choiceTextsOf(node, messages)),
    listed.length > 0 && exampleList(page, node, listed),
    ...conditionsOf(node).map(([keyword, value]) => conditionText(keyword, value)),
  ];
}

function limitParts({ text, value }: Limit, index: number): ComponentChild[] {
  return [
    index > 0 && " · ",
    text,
    text !== "" && value !== undefined && " ",
    value !== undefined && <code>{value}</code>,
  ];
}

function foldedLimit({ text, value }: Limit): ComponentChild {
  return (
    <details class="o-expandable expandable">
      <summary>{text}</summary>
      <p class="o-limits">
        <code>{value}</code>
      </p>
    </details>
  );
}

/** Renders the examples of a parameter with their descriptions. */
function exampleList(
  { context }: ReferencePrint,
  node: FieldNode,
  examples: readonly Example[],
): ComponentChild {
  return (
    <dl class="o-pairs">
      {examples.map(({ label, value, description, externalValue }) => (
        <div>
          <dt>{label}</dt>
          <dd>
            {externalValue === undefined ? (
              <code>{valueText(sentExample(value, node, context.refs))}</code>
            ) : (
              <a {...context.link(externalValue)}>{externalValue}</a>
            )}
            {description && (
              <div class="o-field-body" dangerouslySetInnerHTML={{ __html: context.markdown(description) }} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Renders a keyword that contains schemas as it's written. */
function conditionText(keyword: string, value: unknown): ComponentChild {
  return (
    <p class="o-limits">
      {keyword} <code>{valueAsJson(value)}</code>
    </p>
  );
}

export function MoreLink({
  page,
  url,
  description,
}: {
  page: ReferencePrint;
  url: string;
  description?: string;
}) {
  return (
    <p class="o-field-body">
      <a {...page.context.link(url)}>{description ?? page.context.render.messages.moreInformation}</a>
    </p>
  );
}

/** Number of choices (enum values) that are shown initially. If there is only one more, it is also shown. */
const firstChips_count = 8;
/**
 * Maximum number of further choices that are shown as chips. If there are more, they are shown as one line of
 * text.
 */
const foldedChips_count = 40;

function choiceList(
  page: ReferencePrint,
  values: readonly unknown[],
  texts: readonly (string | undefined)[] | undefined,
): ComponentChild {
  const { messages } = page.context.render;
  if (texts) return choiceTable(page, values, texts);
  const first = values.slice(0, values.length === firstChips_count + 1 ? values.length : firstChips_count);
  const rest = values.slice(first.length);
  const asChips = rest.length <= foldedChips_count && page.chipsLeft_count >= rest.length;
  page.chipsLeft_count -= first.length + (asChips ? rest.length : 1);

  return (
    <>
      <p class="o-choices">{chips(first)}</p>
      {rest.length > 0 && (
        <details class="o-expandable expandable">
          <summary>{fill(messages.allValues, { count: values.length })}</summary>
          <p class="o-choices">
            {asChips ? chips(rest) : <code>{rest.map((value) => valueText(value)).join(", ")}</code>}
          </p>
        </details>
      )}
    </>
  );
}

/** Renders values with their descriptions. The rows after the first ones are folded. */
function choiceTable(
  { context }: ReferencePrint,
  values: readonly unknown[],
  texts: readonly (string | undefined)[],
): ComponentChild {
  const row = (value: unknown, index: number) => (
    <div>
      <dt>
        <code>{valueText(value)}</code>
      </dt>
      <dd dangerouslySetInnerHTML={{ __html: context.markdown(texts[index] ?? "") }} />
    </div>
  );

  const count = values.length <= firstChips_count + 1 ? values.length : firstChips_count;
  return (
    <>
      <dl class="o-pairs o-choice-texts">{values.slice(0, count).map(row)}</dl>
      {values.length > count && (
        <details class="o-expandable expandable">
          <summary>{fill(context.render.messages.allValues, { count: values.length })}</summary>
          <dl class="o-pairs o-choice-texts">
            {values.slice(count).map((value, index) => row(value, count + index))}
          </dl>
        </details>
      )}
    </>
  );
}

/** Renders values as chips, with spaces between them for copying and for screen readers. */
function chips(values: readonly unknown[]): ComponentChild[] {
  return spaced(values.map((value) => <code>{valueText(value)}</code>));
}

/**
 * Renders the nested fields of a field: rows in a disclosure, or a link to the fields. Null if there are
 * none.
 */
function below(around: FieldContext, node: FieldNode): ComponentChild {
  const { context } = around.page;
  const { messages } = context.render;

  if (node.cut) {
    const { repeats, ...cut } = node.cut;
    const text = repeats ? messages.sameAs : messages.showSchema;
    return (
      <p>
        <a class="o-cut" href={context.schemaHref(cut)}>
          {fill(text, { name: cut.name })}
        </a>
      </p>
    );
  }

  if (!rowsOf(node)) return null;
  const options = node.variants[0]?.options.length ?? 0;
  const count = node.rows.length + node.rest.length;
  const content =
    count > 0 ? `${messages.showFields} (${count})` : `${messages[node.variants[0]!.kind]} (${options})`;
  return (
    <details class="o-expandable expandable" open={context.expanded === "all"}>
      <summary>
        {isClosed(node) ? `${content} · ${context.render.constraints.noOtherProperties}` : content}
      </summary>
      <div class="o-expandable-body">{level(around, node)}</div>
    </details>
  );
}

/** Maximum length of the list of omitted fields, in characters. */
const rest_chars = 20_000;

function level(around: FieldContext, node: FieldNode): ComponentChild[] {
  return [
    ...node.rows.map((row) => field(around, row, around.path ? undefined : around.details?.(row.name))),
    node.rest.length > 0 && (
      <p class="o-rest">
        {around.page.context.render.messages.moreFields}:{" "}
        <code>{cutText(node.rest.join(", "), rest_chars)}</code>
      </p>
    ),
    ...node.variants.map((variants) => alternatives(around, variants)),
  ];
}

/** Maximum number of options in a tab row. */
const tabs_count = 4;
/** Maximum length of a tab row, in characters. Three characters are added to each label, for spacing. */
const tabs_chars = 56;

/**
 * Renders the alternatives of a value: tabs for a few alternatives with short labels at the top level, and
 * otherwise a select box.
 */
function alternatives(around: FieldContext, variants: FieldVariants): ComponentChild {
  const { messages } = around.page.context.render;
  const { kind, discriminator, options } = variants;
  const title = discriminator ? `${messages[kind]} · ${discriminator}` : messages[kind];

  const panels = options.map((option) => {
    const { values, requires, node } = option;
    const text = optionLabel(option, around.page.context);
    const label = cutText(text, 80);
    const children = [
      label !== text && <p class="o-limits">{text}</p>,
      discriminator && values && (
        <p class="o-limits">
          <code>{`${discriminator} = ${values.map((value) => cutText(value, 120)).join(", ")}`}</code>
        </p>
      ),
      requires.length > 0 && (
        <p class="o-limits">
          {messages.required}: <code>{requires.join(", ")}</code>
        </p>
      ),
      rootType(node, messages),
      ...fieldText(around.page, node, { name: label }),
      node.cut ? below(around, node) : rows(around, node),
    ];

    return { label, children };
  });

  const fits =
    options.length <= tabs_count &&
    panels.reduce((sum, { label }) => sum + label.length + 3, 0) <= tabs_chars;

  if (!around.nested && fits) {
    return (
      <div class="o-alternatives">
        <p class="o-switch-word">{title}</p>
        <TabSet
          class="o-tabset o-segments"
          sync={false}
          selected={0}
          panels={panels.map((panel) => ({ ...panel, title: panel.label }))}
        />
      </div>
    );
  }

  return (
    <Switch
      class="o-alternatives"
      head={<span class="o-switch-word">{title}</span>}
      label={title}
      options={panels.map(({ label }, panel) => ({ label, panel }))}
      panels={panels.map(({ label, children }) => ({ title: label, children }))}
    />
  );
}

/** Whether a value allows no fields except its own. */
function isClosed({ view: { constraints } }: FieldNode): boolean {
  return constraints.some(
    ({ keyword }) => keyword === "additionalProperties" || keyword === "unevaluatedProperties",
  );
}

function rowsOf(node: FieldNode): boolean {
  return node.rows.length > 0 || node.variants.length > 0;
}
