/**
 * Expands the schemas of a page to trees of rows. All schemas are expanded together, level by level, up to a
 * maximum number of rows, so that a large body leaves rows for the responses. Deeper schemas and schemas that
 * repeat an ancestor are cut: the page links to a file that shows them.
 */

import { limits } from "../../base/limits.ts";
import { jsonText } from "../openapi/nodes/json-text.ts";
import { own, type Refs } from "../openapi/nodes/refs.ts";
import { additionalName } from "../openapi/schema/additional-name.ts";
import type { Condition } from "../openapi/schema/conditional-schemas.ts";
import type { Direction } from "../openapi/schema/schema-flags.ts";
import type { SchemaRef, SchemaView, VariantList } from "../openapi/schema/schema-view.ts";
import { viewOf } from "../openapi/schema/schema-view.ts";
import type { SchemaCut } from "./context.ts";

/** Maximum number of levels of fields on a reference page. Deeper levels are loaded from a shared file. */
const referenceDepth_levels = 4;
/** Number of rows that an expanded schema can have even if the page has fewer rows left. */
const referenceRowsAtLeast_count = 12;

export interface FieldNode {
  direction: Direction;
  view: SchemaView;
  /** Views of the items of an array, outermost first. */
  items: SchemaView[];
  /** The schema that the rows show: the schema of the value or, for an array, of its innermost items. */
  core: { view: SchemaView; schema: SchemaRef };
  rows: FieldRow[];
  /** The schema of `not`. */
  not: SchemaView | undefined;
  /** Names of fields that are not shown because of the maximum number of rows. */
  rest: string[];
  /**
   * The fields in `rest`, if the schema's Markdown is the place where they are listed, or else the schema to
   * link to.
   */
  restRows: FieldRow[];
  restCut: SchemaCut | undefined;
  /** The shared schema that Markdown links to instead of repeating the rows. */
  named: SchemaCut | undefined;
  variants: FieldVariants[];
  cut: (SchemaCut & { repeats: boolean }) | undefined;
}

export interface FieldRow {
  /** Display name, such as `name`, `[0]`, `{key}` or `/^x-/`. */
  name: string;
  required: boolean;
  node: FieldNode;
}

export interface FieldVariants {
  kind: VariantList["kind"];
  discriminator?: string | undefined;
  options: FieldOption[];
}

export interface FieldOption {
  label: string;
  /** The discriminator values that select the option. */
  values?: string[] | undefined;
  /** When a conditional part applies. Undefined for alternatives. */
  condition?: Condition | undefined;
  /** Names of fields next to the alternatives that the option requires. */
  requires: string[];
  node: FieldNode;
}

/**
 * Maximum number of rows on a page, and of levels in a tree. An expanded schema can have
 * `referenceRowsAtLeast_count` rows even if the page has fewer rows left.
 */
export interface ExpansionLimits {
  rows: number;
  levels: number;
  /**
   * Whether the tree is that of a shared schema. Its Markdown lists all fields at the first level, even if
   * there are more than `rows`, and links to nested schemas that have a name.
   */
  isShared?: boolean;
}

interface PendingNode {
  node: FieldNode;
  /** Fallback name for a schema that has no name. */
  name: string;
  level: number;
  /** Keys of the schemas that contain this schema. */
  trail: readonly string[];
  /**
   * Keys and names of fields that are already shown next to an alternative, which often repeats the fields of
   * its parent.
   */
  shownFields?: ReadonlySet<string>;
}

/** Maximum depth of nested arrays whose items are expanded. */
const arrayDepth_levels = 6;

/** Expands the schemas of one page. */
export class SchemaExpansion {
  readonly cuts: SchemaCut[] = [];
  private readonly refs: Refs;
  private readonly limit: ExpansionLimits;
  private readonly pending: PendingNode[] = [];
  private readonly views: Record<Direction, Map<SchemaRef, SchemaView>> = {
    request: new Map(),
    response: new Map(),
    schema: new Map(),
  };
  private readonly roots = new Map<string, FieldNode>();
  private readonly cutKeys = new Set<string>();
  private rows = 0;

  constructor(
    refs: Refs,
    limit: ExpansionLimits = { rows: limits.referenceRows_count, levels: referenceDepth_levels },
  ) {
    this.refs = refs;
    this.limit = limit;
  }

  /** Adds a tree, which `expandAll` expands. Returns the same tree for the same schema and direction. */
  addSchema(schema: SchemaRef, direction: Direction): FieldNode {
    const key = schemaKey(schema, direction);
    let node = this.roots.get(key);
    if (!node) {
      node = this.node(schema, direction);
      this.roots.set(key, node);
      this.pending.push({ node, name: node.view.label, level: 0, trail: [] });
    }
    return node;
  }

  /**
   * Returns the key of a schema. References to the same schema have the same key, unless the texts or
   * defaults next to them differ.
   */
  keyOf(schema: SchemaRef, direction: Direction): string {
    const { key, title, description, deprecated, default: value } = this.view(schema, direction);
    return jsonText([key, title, description, deprecated, value]);
  }

  /** Subtracts rows outside the trees from the maximum number of rows. */
  reserveRows(rows: number): void {
    this.rows += rows;
  }

  /** Expands all added trees, level by level. */
  expandAll(): void {
    for (let i = 0; i < this.pending.length; i++) this.expand(this.pending[i]!);
    this.pending.length = 0;
  }

  private view(schema: SchemaRef, direction: Direction): SchemaView {
    const views = this.views[direction];
    let view = views.get(schema);
    if (!view) views.set(schema, (view = viewOf(schema, this.refs, direction)));
    return view;
  }

  private node(schema: SchemaRef, direction: Direction): FieldNode {
    const view = this.view(schema, direction);
    const items: SchemaView[] = [];
    let core = { view, schema };
    while (
      core.view.items &&
      items.length < arrayDepth_levels &&
      !core.view.prefixItems.length &&
      !core.view.contains &&
      !core.view.variants.length
    ) {
      const item = core.view.items;
      core = { view: this.view(item, direction), schema: item };
      items.push(core.view);
    }

    const not = view.not && this.view(view.not, direction);
    return {
      direction,
      view,
      items,
      core,
      rows: [],
      not,
      rest: [],
      restRows: [],
      restCut: undefined,
      named: undefined,
      variants: [],
      cut: undefined,
    };
  }

  private expand({ node, name, level, trail, shownFields }: PendingNode): void {
    const { view } = node.core;
    if (!isNested(view)) return;
    const repeats = trail.includes(view.key);
    if (repeats || level >= this.limit.levels || (trail.length > 0 && !this.hasRowsFor(view))) {
      this.cut(node, name, repeats);
      return;
    }

    if (this.limit.isShared && trail.length > 0 && view.name !== undefined)
      this.addCut((node.named = cutOf(node, name)));
    const below = [...trail, view.key];
    const free = Math.max(this.limit.rows - this.rows, referenceRowsAtLeast_count);
    const all = fieldsOf(view);
    const fields = shownFields
      ? all.filter(
          ({ key, name, isUndeclared }) =>
            !shownFields.has(key) && !(isUndeclared && shownFields.has(`name ${name}`)),
        )
      : all;

    const shown = fields.slice(0, free);
    this.rows += shown.length;
    const rest = fields.slice(shown.length);
    node.rest = rest.map((field) => field.name);

    const rowOf = ({ name, required, schema }: Field) => ({
      name,
      required,
      node: this.node(schema, node.direction),
    });

    node.rows = shown.map(rowOf);

    if (rest.length > 0 && this.limit.isShared && trail.length === 0) {
      node.restRows = rest.map(rowOf);
      for (const row of node.restRows)
        if (isNested(row.node.core.view)) this.cut(row.node, row.name, row.node.core.view.key === view.key);
    } else if (rest.length > 0) this.addCut((node.restCut = cutOf(node, name)));

    const known = new Set([
      ...(shownFields ?? []),
      ...all.flatMap(({ key, name: shownName }) => [key, `name ${shownName}`]),
    ]);

    node.variants = view.variants.map(({ kind, discriminator, options }) => ({
      kind,
      discriminator,
      options: options.map(({ label, values, condition, schema: option }) => {
        const below = this.node(option, node.direction);
        const undeclared = below.core.view.properties.filter(
          (property) => property.undeclared && known.has(`name ${property.name}`),
        );
        return {
          label,
          values,
          condition,
          requires: undeclared.map((property) => property.name),
          node: below,
        };
      }),
    }));

    for (const row of node.rows)
      this.pending.push({ node: row.node, name: row.name, level: level + 1, trail: below });
    if (node.variants.length === 0) return;

    // An alternative has the same level as the fields next to it. It counts as a row, because alternatives
    // can be nested to any depth.
    for (const { options } of node.variants) {
      for (const option of options) {
        this.pending.push({ node: option.node, name: option.label, level, trail: below, shownFields: known });
        this.rows++;
      }
    }
  }

  /**
   * Whether rows are left for a nested schema and its alternatives. Without this limit, a schema whose
   * subtypes refer back to it would be listed with all its alternatives once for each of them.
   */
  private hasRowsFor({ variants }: SchemaView): boolean {
    const alternatives = variants.reduce((sum, { options }) => sum + options.length, 0);
    const free = this.limit.rows - this.rows;
    return free > 0 && alternatives <= Math.max(free, referenceRowsAtLeast_count);
  }

  private cut(node: FieldNode, name: string, repeats: boolean): void {
    node.cut = { ...cutOf(node, name), repeats };
    this.addCut(node.cut);
  }

  private addCut(cut: SchemaCut): void {
    const key = `${schemaKey(cut.schema, cut.direction)} ${cut.name}`;
    if (this.cutKeys.has(key)) return;
    this.cutKeys.add(key);
    this.cuts.push({ key: cut.key, direction: cut.direction, schema: cut.schema, name: cut.name });
  }
}

/** `name`: fallback for a schema that has no name. */
function cutOf({ core: { view, schema }, direction }: FieldNode, name: string): SchemaCut {
  return { key: view.key, direction, schema, name: view.name ?? view.title ?? name };
}

function schemaKey(schema: SchemaRef, direction: Direction): string {
  return `${direction} ${partsKey(schema)}`;
}

function partsKey({ parts }: SchemaRef): string {
  return parts.map(({ pointer, value }) => `${pointer} ${own(value, "$ref") ?? ""}`).join(" ");
}

/** Whether a schema has fields or alternatives. */
function isNested(view: SchemaView): boolean {
  return view.variants.length > 0 || fieldsOf(view).length > 0;
}

const anything: SchemaRef = { parts: [{ value: true, pointer: "#" }] };

interface Field {
  name: string;
  required: boolean;
  schema: SchemaRef;
  /** Identifies the field by its name, declaration and `required`. */
  key: string;
  /** Whether the field is required but not declared. */
  isUndeclared?: boolean | undefined;
}

/** Cache of the fields of each view, since many pages show the same views. */
const fieldsOfViews = new WeakMap<SchemaView, readonly Field[]>();

function fieldsOf(view: SchemaView): readonly Field[] {
  let fields = fieldsOfViews.get(view);
  if (!fields) fieldsOfViews.set(view, (fields = readFields(view)));
  return fields;
}

function readFields(view: SchemaView): Field[] {
  const { additional } = view;
  return [
    ...view.properties.map(({ name, required, schema, undeclared }) => ({
      ...field(name, required, schema),
      isUndeclared: undeclared,
    })),
    ...view.prefixItems.map((schema, index) => field(`[${index}]`, false, schema)),
    ...((view.prefixItems.length || view.contains) && view.items ? [field("[…]", false, view.items)] : []),
    ...view.patternProperties.map(([pattern, schema]) => field(`/${pattern}/`, false, schema)),
    ...(additional
      ? [field(`{${additionalName(view) ?? "key"}}`, false, additional === true ? anything : additional)]
      : []),
    ...(view.propertyNames ? [field("propertyNames", false, view.propertyNames)] : []),
    ...(view.contains ? [field("contains", false, view.contains)] : []),
    ...(view.content ? [field("contentSchema", false, view.content)] : []),
  ];
}

function field(name: string, required: boolean, schema: SchemaRef): Field {
  return { name, required, schema, key: `${required} ${name} ${partsKey(schema)}` };
}
