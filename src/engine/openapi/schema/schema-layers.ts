/**
 * Flattens a schema and the schemas that apply together with it (`$ref`, `allOf`, a single alternative) into
 * a list of nodes.
 */

import {
  child,
  children,
  componentName,
  isRaw,
  type Located,
  own,
  ownText,
  type Refs,
} from "../nodes/refs.ts";

/** One node of a flattened schema. */
export interface Layer {
  node: Located;
  /**
   * Lists of several alternatives, without `null`. A single alternative is merged into the schema instead.
   */
  options: { oneOf?: Located[]; anyOf?: Located[] };
  /** Whether one of the alternatives was `null`. */
  nullable: boolean;
  /** Whether the node is the schema itself or the target of its reference. */
  isDirect: boolean;
}

export interface FlatSchema {
  /**
   * The nodes, the outermost one last. For a keyword with a single value, such as `title`, the last node that
   * has it takes precedence.
   */
  layers: Layer[];
  /** Pointers of the direct nodes, joined by ` + `. Excludes references that only annotate their target. */
  key: string;
  /**
   * Name of the component that the schema refers to. Undefined if it doesn't refer to one or consists of
   * several parts.
   */
  name: string | undefined;
  /** Whether a reference can't be resolved or a node is not a schema. */
  broken: boolean;
}

/** Maximum number of nodes of one flattened schema. The rest are ignored. */
const layers_count = 500;

/** Keywords next to a `$ref` that have no effect on the schema's `key`. */
const annotations = new Set(
  "$ref $dynamicRef description title summary deprecated readOnly writeOnly example examples default nullable".split(
    " ",
  ),
);

/** Flattens a schema: its nodes (`parts`, which all apply) and the schemas that they refer to or include. */
export function flatten(parts: readonly Located[], refs: Refs): FlatSchema {
  const flat: FlatSchema = { layers: [], key: "", name: undefined, broken: false };
  const seen = new Set<string>();
  const keys: string[] = [];

  const add = (node: Located, isDirect: boolean) => {
    if (seen.has(node.pointer) || flat.layers.length >= layers_count) return;
    seen.add(node.pointer);

    if (typeof node.value === "boolean") {
      flat.layers.push({ node, options: {}, nullable: false, isDirect });
      if (isDirect) keys.push(node.pointer);
      return;
    }

    if (!isRaw(node.value)) {
      flat.broken = true;
      return;
    }

    const hasRef = typeof (node.value.$ref ?? node.value.$dynamicRef) === "string";
    if (hasRef) {
      const target = refs.target(node);
      if (target) {
        if (isDirect && parts.length === 1) flat.name ??= componentName(target.pointer);
        add(target, isDirect);
      } else flat.broken = true;
    }

    const hasOwnKeywords =
      !hasRef ||
      Object.keys(node.value).some((keyword) => !annotations.has(keyword) && !keyword.startsWith("x-"));
    if (isDirect && hasOwnKeywords) keys.push(node.pointer);
    for (const member of children(child(node, "allOf"))) add(member, false);
    const layer: Layer = { node, options: {}, nullable: false, isDirect };
    for (const kind of ["oneOf", "anyOf"] as const) {
      const all = children(child(node, kind));
      const options = all.filter(
        (option) =>
          !isNull(typeof own(option.value, "$ref") === "string" ? refs.follow(option)?.value : option.value),
      );
      if (options.length < all.length) layer.nullable = true;
      if (options.length === 1) {
        const [only] = options;
        const name =
          isDirect && parts.length === 1 ? componentName(ownText(only!.value, "$ref") ?? "") : undefined;
        if (name !== undefined) flat.name ??= name;
        add(only!, false);
      } else if (options.length) layer.options[kind] = options;
    }

    flat.layers.push(layer);
  };

  for (const part of parts) add(part, true);

  // In OpenAPI 3.0, documents use `allOf` with a single reference to add keywords to the reference.
  if (flat.name === undefined && parts.length === 1) {
    const members = children(child(parts[0]!, "allOf"));
    const ref = members.length === 1 ? own(members[0]!.value, "$ref") : undefined;
    if (typeof ref === "string" && !isRaw(own(parts[0]!.value, "properties"))) flat.name = componentName(ref);
  }

  flat.key = keys.join(" + ");
  return flat;
}

/** Whether a schema allows only `null`. */
export function isNull(value: unknown): boolean {
  return (
    own(value, "type") === "null" ||
    (isRaw(value) && Array.isArray(value.enum) && value.enum.length === 1 && value.enum[0] === null)
  );
}
