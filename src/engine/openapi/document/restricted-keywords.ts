/**
 * Finds the keywords of schemas that name restricted properties or values of the same schema, such as
 * `pattern`, `not`, and `propertyNames`.
 */

import { isRaw, own, ownText, type Raw, type Refs, valueText } from "../nodes/refs.ts";
import { isOneOf } from "./any-case.ts";
import { CombinedSchemas, partsOf, type RestrictedSchema } from "./combined-schemas.ts";

/** What the search changes. */
interface Target {
  /** Removes a key of an object or list. */
  remove(holder: object, key: string, schema: Raw): void;
  /** Returns the restricted names and values of a schema, to add to them. */
  restrictedSchema(schema: Raw): RestrictedSchema;
  /** Removes values from an enum. */
  removeValues(schema: Raw, values: ReadonlySet<string>): void;
}

export class RestrictedKeywords {
  private readonly combined: CombinedSchemas;
  /** Without restricted parts, which change during the search. */
  private readonly plain: CombinedSchemas;
  private readonly target: Target;

  constructor(refs: Refs, restricted: ReadonlyMap<object, RestrictedSchema>, target: Target) {
    this.combined = new CombinedSchemas(refs, restricted);
    this.plain = new CombinedSchemas(refs, new Map());
    this.target = target;
  }

  /** A value that is restricted for `propertyNames` is a restricted property, and the reverse. */
  findNames(node: Raw): void {
    const { names, schemas } = this.combined.of(node);
    for (const schema of schemas) {
      if (!isRaw(schema.propertyNames)) continue;
      const keys = this.combined.of(schema.propertyNames);
      for (const value of keys.values) {
        if (own(node.properties, value) !== undefined)
          this.target.remove(node.properties as Raw, value, node);
        this.target.restrictedSchema(node).names.add(value);
      }
      if (names.size > 0) for (const part of keys.schemas) this.restrict(part, names);
    }
  }

  /** Removes the keywords of a schema that name restricted names or values. Returns their keys. */
  findKeywords(node: Raw): string[] {
    const { names, values } = this.combined.of(node);
    if (names.size + values.size === 0) return [];
    const found = [
      ...(names.size ? this.namesIn(node, names) : []),
      ...(values.size ? this.valuesIn(node, values) : []),
    ];
    for (const key of found) this.target.remove(node, key, node);
    return found;
  }

  private namesIn(node: Raw, names: ReadonlySet<string>): string[] {
    const { patternProperties, xml, discriminator } = node;
    for (const pattern of Object.keys(isRaw(patternProperties) ? patternProperties : {}))
      if (namesOneOf(pattern, names)) this.target.remove(patternProperties as Raw, pattern, node);
    if (isRaw(xml) && names.has(ownText(xml, "name") ?? "")) this.target.remove(xml, "name", node);
    const selector = ownText(discriminator, "propertyName");
    return selector !== undefined && names.has(selector) ? ["discriminator"] : [];
  }

  private valuesIn(node: Raw, values: ReadonlySet<string>): string[] {
    if (Array.isArray(node.enum)) this.target.removeValues(node, values);
    for (const key of ["oneOf", "anyOf", "allOf"])
      for (const [index, part] of partsOf(node, key).entries()) {
        if (!isRaw(part)) continue;
        if (this.isOnly(part, values)) this.target.remove(node[key] as object, String(index), node);
        else if (!("$ref" in part)) this.restrict(part, values);
      }

    const found = typeof node.pattern === "string" && namesOneOf(node.pattern, values) ? ["pattern"] : [];
    for (const key of ["not", "then", "else"]) if (this.mentions(node[key], values)) found.push(key);
    if (this.mentions(node.if, values)) found.push("if", "then", "else");
    return [...new Set(found)].filter((key) => key in node);
  }

  private restrict(schema: Raw, values: ReadonlySet<string>): void {
    for (const value of values) this.target.restrictedSchema(schema).values.add(value);
    if (Array.isArray(schema.enum)) this.target.removeValues(schema, values);
  }

  /** Whether a schema allows only restricted values. */
  private isOnly(schema: Raw, values: ReadonlySet<string>): boolean {
    return this.plain
      .of(schema)
      .schemas.some((each) =>
        Array.isArray(each.enum)
          ? each.enum.length > 0 && each.enum.every((value) => values.has(valueText(value)))
          : "const" in each && values.has(valueText(each.const)),
      );
  }

  private mentions(schema: unknown, values: ReadonlySet<string>): boolean {
    return this.plain.of(schema).schemas.some((each) => {
      const listed = [
        ...(Array.isArray(each.enum) ? each.enum : []),
        ...("const" in each ? [each.const] : []),
      ];
      const isNamed = typeof each.pattern === "string" && namesOneOf(each.pattern, values);
      return isNamed || listed.some((value) => values.has(valueText(value))) || this.mentionsIn(each, values);
    });
  }

  private mentionsIn({ not }: Raw, values: ReadonlySet<string>): boolean {
    return isRaw(not) && this.mentions(not, values);
  }
}

/** Whether a regular expression contains one of the texts as a word or an alternative, in any case. */
function namesOneOf(pattern: string, texts: ReadonlySet<string>): boolean {
  const plain = unescaped(pattern.replace(/\\[bBdDsSwW]/g, "|")).replaceAll("\\", "");
  const words = [/[^\p{L}\p{N}_]+/u, /[^\p{L}\p{N}_-]+/u, /[\^$|()]+/].flatMap((gap) => plain.split(gap));
  return words.some((word) => word !== "" && isOneOf(word, texts));
}

/** Decodes the escape sequences for characters in JSON and regular expressions: `\u0061` → `a`. */
export function unescaped(text: string): string {
  return text.replace(/\\(?:u([\da-f]{4})|x([\da-f]{2}))/gi, (_, long: string, short: string) =>
    String.fromCharCode(Number.parseInt(long ?? short, 16)),
  );
}
