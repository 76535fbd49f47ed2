/**
 * The schemas of a page as trees of rows. All trees grow together, level by level, until the page is
 * full: so a large body never leaves the responses without their first rows. What lies deeper, or
 * repeats what is above it, is cut: the page names it and leads to where it is shown.
 */
import { limits } from "../../../base/limits.ts";
import { own, type Refs } from "../../openapi/refs.ts";
import type { Direction, SchemaRef, SchemaView, VariantList } from "../../openapi/schema-view.ts";
import { viewOf } from "../../openapi/schema-view.ts";
import type { SchemaCut } from "./reference-context.ts";

export interface FieldNode {
  direction: Direction;
  view: SchemaView;
  /** Views of the items of an array, outermost first. */
  items: SchemaView[];
  /** What the rows belong to: the value itself, or the innermost item. */
  core: { view: SchemaView; schema: SchemaRef };
  rows: FieldRow[];
  /** What the value must not be. */
  not?: SchemaView;
  /** Names of fields for which the page has no room. */
  rest: string[];
  variants: FieldVariants[];
  cut?: SchemaCut & { repeats: boolean };
}

export interface FieldRow {
  /** As it is shown: `name`, `[0]`, `{key}`, `/^x-/`. */
  name: string;
  required: boolean;
  node: FieldNode;
}

export interface FieldVariants {
  kind: VariantList["kind"];
  discriminator?: string | undefined;
  options: { label: string; value?: string | undefined; node: FieldNode }[];
}

/** How far the trees of a page may grow. */
export interface Room {
  rows: number;
  levels: number;
}

interface Shoot {
  node: FieldNode;
  /** What it is called when its schema has no name. */
  name: string;
  level: number;
  /** Keys of what it lies in. */
  trail: readonly string[];
  /** Fields that stand beside an alternative already, by their places: children of a parent repeat what they have from it. */
  beside?: ReadonlySet<string>;
}

/** Arrays in arrays that are looked through for their rows. */
const arrayDepth_levels = 6;

export class FieldForest {
  readonly cuts: SchemaCut[] = [];
  private readonly refs: Refs;
  private readonly room: Room;
  private readonly shoots: Shoot[] = [];
  private readonly views = new Map<string, SchemaView>();
  private readonly planted = new Map<string, FieldNode>();
  private readonly cutKeys = new Set<string>();
  private rows = 0;

  constructor(refs: Refs, room: Room = { rows: limits.referenceRows_count, levels: limits.referenceDepth_levels }) {
    this.refs = refs;
    this.room = room;
  }

  /** A tree of the page, bare until `grow`. The same schema is the same tree. */
  plant(schema: SchemaRef, direction: Direction): FieldNode {
    const key = placeOf(schema, direction);
    let node = this.planted.get(key);
    if (!node) {
      node = this.node(schema, direction);
      this.planted.set(key, node);
      this.shoots.push({ node, name: node.view.label, level: 0, trail: [] });
    }
    return node;
  }

  /** Equal for equal schemas, wherever they stand. */
  keyOf(schema: SchemaRef, direction: Direction): string {
    return this.view(schema, direction).key;
  }

  /** Room that rows outside of the trees take. */
  take(rows: number): void {
    this.rows += rows;
  }

  grow(): void {
    for (let i = 0; i < this.shoots.length; i++) this.expand(this.shoots[i]!);
    this.shoots.length = 0;
  }

  private view(schema: SchemaRef, direction: Direction): SchemaView {
    const key = placeOf(schema, direction);
    let view = this.views.get(key);
    if (!view) {
      view = viewOf(schema, this.refs, direction);
      this.views.set(key, view);
    }
    return view;
  }

  private node(schema: SchemaRef, direction: Direction): FieldNode {
    const view = this.view(schema, direction);
    const items: SchemaView[] = [];
    let core = { view, schema };
    while (core.view.items && items.length < arrayDepth_levels && !core.view.prefixItems.length && !core.view.variants.length) {
      const item = core.view.items;
      core = { view: this.view(item, direction), schema: item };
      items.push(core.view);
    }
    const not = view.not && this.view(view.not, direction);
    return { direction, view, items, core, ...(not ? { not } : {}), rows: [], rest: [], variants: [] };
  }

  private expand({ node, name, level, trail, beside }: Shoot): void {
    const { view, schema } = node.core;
    if (!isNested(view)) return;
    const repeats = trail.includes(view.key);
    if (repeats || level >= this.room.levels || (trail.length > 0 && this.rows >= this.room.rows)) {
      node.cut = { key: view.key, direction: node.direction, schema, name: view.name ?? view.title ?? name, repeats };
      this.remember(node.cut);
      return;
    }
    const below = [...trail, view.key];
    const free = Math.max(this.room.rows - this.rows, limits.referenceRowsAtLeast_count);
    const all = fieldsOf(view);
    const placeIn = (field: Field) => `${field.required} ${field.name} ${placeOf(field.schema, node.direction)}`;
    const fields = beside ? all.filter((field) => !beside.has(placeIn(field))) : all;
    const shown = fields.slice(0, free);
    this.rows += shown.length;
    node.rest = fields.slice(shown.length).map((field) => field.name);
    node.rows = shown.map(({ schema: field, ...row }) => ({ ...row, node: this.node(field, node.direction) }));
    node.variants = view.variants.map(({ kind, discriminator, options }) => ({
      kind,
      discriminator,
      options: options.map(({ label, value, schema: option }) => ({ label, value, node: this.node(option, node.direction) })),
    }));
    for (const row of node.rows) this.shoots.push({ node: row.node, name: row.name, level: level + 1, trail: below });
    if (node.variants.length === 0) return;
    // An alternative stands at the level of the fields beside it. It takes room by itself: alternatives may lie in alternatives without end.
    const known = new Set([...(beside ?? []), ...all.map(placeIn)]);
    for (const { options } of node.variants) {
      for (const option of options) {
        this.shoots.push({ node: option.node, name: option.label, level, trail: below, beside: known });
        this.rows++;
      }
    }
  }

  private remember(cut: SchemaCut): void {
    const key = `${placeOf(cut.schema, cut.direction)} ${cut.name}`;
    if (this.cutKeys.has(key)) return;
    this.cutKeys.add(key);
    this.cuts.push({ key: cut.key, direction: cut.direction, schema: cut.schema, name: cut.name });
  }
}

function placeOf(schema: SchemaRef, direction: Direction): string {
  return `${direction} ${schema.parts.map(({ pointer, value }) => `${pointer} ${own(value, "$ref") ?? ""}`).join(" ")}`;
}

/** Whether a value has fields or alternatives of its own to show. */
function isNested(view: SchemaView): boolean {
  return view.variants.length > 0 || fieldsOf(view).length > 0;
}

const anything: SchemaRef = { parts: [{ value: true, pointer: "#" }] };

type Field = Omit<FieldRow, "node"> & { schema: SchemaRef };

function fieldsOf(view: SchemaView): Field[] {
  return [
    ...view.properties.map(({ name, required, schema }) => ({ name, required, schema })),
    ...view.prefixItems.map((schema, index) => ({ name: `[${index}]`, required: false, schema })),
    ...(view.prefixItems.length && view.items ? [{ name: "[…]", required: false, schema: view.items }] : []),
    ...view.patternProperties.map(([pattern, schema]) => ({ name: `/${pattern}/`, required: false, schema })),
    ...(view.additional ? [{ name: "{key}", required: false, schema: view.additional === true ? anything : view.additional }] : []),
    ...(view.contains ? [{ name: "contains", required: false, schema: view.contains }] : []),
  ];
}
