/**
 * Collects the texts and constraints of an operation from a parsed document, independently of the product's
 * reader. Only follows `$ref`s.
 */

// biome-ignore lint/suspicious/noExplicitAny: documents are untyped.
type Node = any;

/** A text or constraint of an operation. */
export interface Fact {
  pointer: string;
  /**
   * `text` for prose, `name` for names, `value` for values in examples and enums, or the keyword of a
   * constraint.
   */
  kind: string;
  value: unknown;
  /** Whether the fact is inside a schema. Deep schemas are on pages of their own. */
  inSchema: boolean;
  /** The reason why the fact can be missing. */
  exception?: Exception;
}

/** Why a fact isn't on the page of its operation. Documented for authors in `docs/apis/limits`. */
export type Exception = "direction" | "overridden" | "stricter" | "annotation" | "hidden";

const limitKeys = new Set(
  "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems minProperties maxProperties minContains maxContains".split(
    " ",
  ),
);
/**
 * Whether OpenAPI ignores a header parameter (Parameter Object, `name`). Such a parameter is reported and not
 * shown.
 */
const isIgnored = (parameter: Node) =>
  parameter?.in === "header" && /^(?:accept|content-type|authorization)$/i.test(parameter.name);
/** Returns the keyword of a limit. In OpenAPI 3.0, exclusive limits are flags next to the others. */
const limitKind = (key: string, node: Node) =>
  key === "minimum" && node.exclusiveMinimum === true
    ? "exclusiveMinimum"
    : key === "maximum" && node.exclusiveMaximum === true
      ? "exclusiveMaximum"
      : key;
/** Keywords whose value `false` allows nothing else. */
const closedKeys = ["additionalProperties", "unevaluatedProperties", "items", "unevaluatedItems"];
const rawKeys = new Set("unevaluatedProperties unevaluatedItems".split(" "));
const methods = "get put post delete options head patch trace query".split(" ");
/** Keywords that describe the document and not the API, or whose effect is only visible in samples. */
const annotationKeys = new Set("$comment xml $id $schema $anchor $dynamicAnchor".split(" "));
/** Keywords whose content is data and not a part of the description. */
const dataKeys = new Set("example examples value default enum const required mapping scopes".split(" "));
/**
 * Keywords whose content is checked where it's used: definitions by their references, and discriminators by
 * their alternatives.
 */
const shownElsewhere = new Set(["$defs", "discriminator"]);

/** Extensions that contain path items. */
const operationExtensions = new Set(["x-webhooks", "x-ms-paths"]);

/** Names of headers are case-insensitive. */
const nameOf = (parameter: Node) =>
  parameter?.in === "header" ? parameter.name?.toLowerCase() : parameter?.name;

/** Returns the path items of a document by path or name, with those in extensions. */
export function itemsOf(root: Node, kind: string): Record<string, Node> {
  return kind === "webhook"
    ? { ...root["x-webhooks"], ...root.webhooks }
    : { ...root["x-ms-paths"], ...root.paths };
}

const textKeys = new Set(["title", "summary", "description"]);

/** Appends a word of its own to each text of a document. */
export function markTexts(root: Node): void {
  let count = 0;
  const visit = (node: Node): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      const isNamedExamples = key === "examples" && !Array.isArray(value);
      if ((dataKeys.has(key) && !isNamedExamples) || (key.startsWith("x-") && !operationExtensions.has(key)))
        continue;
      if (typeof value === "string" && textKeys.has(key) && value.trim())
        node[key] = `${value}${key === "description" ? "\n\n" : " "}qz${++count}zq`;
      else if (key === "externalDocs" && typeof (value as Node)?.url === "string")
        (value as Node).url += `#qz${++count}zq`;
      visit(value);
    }
  };
  visit(root);
}

/** Returns the word that `markTexts` appended to a text. */
export function markOf(text: string): string | undefined {
  return /qz\d+zq$/.exec(text)?.[0];
}

/**
 * What takes precedence over a schema: whether there is such a title or description, and the schemas whose
 * properties do.
 */
interface Overriding {
  title: boolean;
  description: boolean;
  example: boolean;
  default: boolean;
  members: readonly Node[];
  /** The schemas that apply to the same value. Undefined for a schema whose value has none yet. */
  together?: readonly Node[] | undefined;
}

const nothing: Overriding = { title: false, description: false, example: false, default: false, members: [] };

/** Adds what schemas take precedence over. */
function overriddenBy(schemas: readonly Node[], over: Overriding): Overriding {
  const has = (key: "title" | "description" | "example" | "default") =>
    over[key] || schemas.some((schema) => schema?.[key] !== undefined);
  return {
    title: has("title"),
    description: has("description"),
    example: has("example"),
    default: has("default"),
    members: [],
    together: over.together,
  };
}

export class FactWalker {
  readonly facts: Fact[] = [];
  private readonly root: Node;

  constructor(root: Node) {
    this.root = root;
  }

  /**
   * Collects the facts of an operation. `isReceived`: whether the API sends the request, as in webhooks and
   * callbacks.
   */
  operation(item: Node, node: Node, pointer: string, isReceived = false): void {
    const [request, answer] = isReceived
      ? (["response", "request"] as const)
      : (["request", "response"] as const);
    for (const key of ["summary", "description"]) this.text(item[key], `${pointer}/pathItem/${key}`);
    for (const key of ["summary", "description"]) this.text(node[key], `${pointer}/${key}`);
    this.docs(node.externalDocs, pointer);
    if (!isReceived) this.servers(node.servers ?? item.servers ?? this.root.servers ?? [], pointer);
    const own = (node.parameters ?? []).map((one: Node) => this.resolve(one));
    const isOwn = (one: Node) =>
      own.some((other: Node) => other?.in === one?.in && nameOf(other) === nameOf(one));
    const shared = (item.parameters ?? [])
      .map((one: Node) => this.resolve(one))
      .filter((one: Node) => !isOwn(one));
    for (const parameter of [...shared, ...own].filter((one) => !isIgnored(one)))
      this.parameter(parameter, `${pointer}/parameters/${parameter?.name}`, "request");
    const body = this.resolve(node.requestBody);
    this.text(body?.description, `${pointer}/requestBody/description`);
    this.content(body?.content, `${pointer}/requestBody`, request);
    for (const [status, entry] of Object.entries(node.responses ?? {})) {
      if (status.startsWith("x-")) continue;
      const response = this.resolve(entry);
      const at = `${pointer}/responses/${status}`;
      this.fact("name", status, at, false);
      this.text(response?.description, `${at}/description`);
      this.text(response?.summary, `${at}/summary`);
      this.headers(response?.headers, at, answer);
      this.content(response?.content, at, answer);
      for (const [name, link] of Object.entries(response?.links ?? {}))
        this.link(name, this.resolve(link) ?? {}, `${at}/links`);
    }
    for (const [name, entry] of Object.entries(node.callbacks ?? {}))
      for (const [expression, below] of Object.entries(this.resolve(entry) ?? {}) as [string, Node][]) {
        if (expression.startsWith("x-")) continue;
        const at = this.resolve(below);
        for (const method of methods)
          if (at?.[method]) this.operation(at, at[method], `${pointer}/callbacks/${name}/${method}`, true);
      }
  }

  private link(
    name: string,
    { description, parameters = {}, requestBody, server }: Node,
    pointer: string,
  ): void {
    this.fact("name", name, pointer, false);
    this.text(description, `${pointer}/${name}`);
    for (const [key, value] of Object.entries(parameters))
      this.fact("name", `${key} = ${String(value)}`, `${pointer}/${name}`, false);
    if (typeof requestBody === "string") this.fact("name", requestBody, `${pointer}/${name}`, false);
    if (server) this.servers([server], `${pointer}/${name}`);
  }

  private headers(headers: Node, pointer: string, direction: string): void {
    for (const [name, header] of Object.entries(headers ?? {}))
      if (name.toLowerCase() !== "content-type")
        this.parameter({ ...this.resolve(header), name }, `${pointer}/headers/${name}`, direction);
  }

  private servers(servers: Node[], pointer: string): void {
    for (const { url, name, description, variables = {} } of servers) {
      for (const text of [url, name, description]) this.text(text, `${pointer}/servers`);
      for (const [key, variable] of Object.entries(variables) as [string, Node][]) {
        this.text(variable.description, `${pointer}/servers/${key}`);
        for (const value of [variable.default, ...(variable.enum ?? [])])
          this.fact("name", String(value), `${pointer}/servers/${key}`, false);
      }
    }
  }

  /** Collects the texts about the whole API. */
  document(): void {
    const { info = {}, tags = [], servers = [], components = {} } = this.root;
    const { contact = {}, license = {}, ...texts } = info;
    for (const key of ["title", "summary", "description", "version", "termsOfService"])
      this.text(texts[key], `info/${key}`);
    for (const [key, value] of [...Object.entries(contact), ...Object.entries(license)])
      if (!key.startsWith("x-")) this.text(value, "info");
    this.docs(this.root.externalDocs, "document");
    for (const { name, description, summary, externalDocs } of tags) {
      if (!description && !externalDocs) continue;
      if (this.isHidden(name)) {
        this.fact("text", description ?? name, `tags/${name}`, false, "hidden");
        continue;
      }
      for (const text of [description, summary]) this.text(text, `tags/${name}`);
      this.docs(externalDocs, `tags/${name}`);
    }
    this.servers(servers, "document");
    for (const [name, entry] of Object.entries(components.securitySchemes ?? {})) {
      const { description, flows = {} } = this.resolve(entry) ?? {};
      this.text(description, `securitySchemes/${name}`);
      for (const { scopes = {}, ...urls } of Object.values(flows) as Node[]) {
        for (const url of Object.values(urls))
          if (typeof url === "string") this.fact("name", url, `securitySchemes/${name}`, false);
        for (const [scope, text] of Object.entries(scopes))
          for (const one of [scope, text]) this.text(one, `securitySchemes/${name}`);
      }
    }
  }

  /** Whether only hidden operations have a tag. */
  private isHidden(tag: string): boolean {
    const operations = Object.values(this.root.paths ?? {}).flatMap((item: Node) =>
      Object.values(item ?? {}),
    ) as Node[];
    const own = operations.filter((operation) => operation?.tags?.includes?.(tag));
    return own.length > 0 && own.every((operation) => "x-hidden" in operation || "x-excluded" in operation);
  }

  private fact(
    kind: string,
    value: unknown,
    pointer: string,
    inSchema: boolean,
    exception?: Exception | false,
  ): void {
    this.facts.push({ kind, value, pointer, inSchema, ...(exception ? { exception } : {}) });
  }

  private text(value: unknown, pointer: string, inSchema = false): void {
    if (typeof value === "string" && value.trim()) this.fact("text", value, pointer, inSchema);
  }

  private docs(docs: Node, pointer: string, inSchema = false): void {
    if (!docs?.url) return;
    this.fact("name", docs.url, `${pointer}/externalDocs`, inSchema);
    this.text(docs.description, `${pointer}/externalDocs`, inSchema);
  }

  /** Returns the target of a reference, with the texts next to the reference. */
  resolve(node: Node): Node {
    let at = node;
    const texts: Node = {};
    for (let hop = 0; hop < 20 && typeof at?.$ref === "string"; hop++) {
      for (const key of ["summary", "description"]) if (typeof at[key] === "string") texts[key] ??= at[key];
      at = this.at(at.$ref);
    }
    return Object.keys(texts).length ? { ...at, ...texts } : at;
  }

  /** Returns a path item with the fields of its target (OpenAPI 3.1.1, 4.8.9.1). */
  pathItem(node: Node): Node {
    return typeof node?.$ref === "string" ? { ...this.pathItem(this.at(node.$ref)), ...node } : node;
  }

  private at(ref: string): Node {
    let at = this.root;
    for (const key of ref.replace(/^#\/?/, "").split("/").filter(Boolean))
      at = at?.[decodeURIComponent(key).replace(/~1/g, "/").replace(/~0/g, "~")];
    return at;
  }

  private parameter(parameter: Node, pointer: string, direction: string): void {
    if (!parameter?.name) return;
    this.fact("name", parameter.name, pointer, false);
    this.text(parameter.description, `${pointer}/description`);
    this.examples(parameter, pointer, false);
    const [media] = Object.values(parameter.content ?? {}) as Node[];
    this.schema(
      parameter.schema ?? media?.schema,
      `${pointer}/schema`,
      direction,
      {
        ...nothing,
        description: parameter.description !== undefined,
        example: (parameter.example ?? parameter.examples) !== undefined,
      },
      new Set(),
    );
  }

  private content(content: Node, pointer: string, direction: string): void {
    for (const [type, entry] of Object.entries(content ?? {})) {
      const media = this.resolve(entry);
      this.fact("name", type, `${pointer}/content`, false);
      this.examples(media, `${pointer}/content/${type}`, true);
      for (const [name, encoding] of Object.entries(media?.encoding ?? {}) as [string, Node][]) {
        if (encoding.contentType)
          this.fact("name", encoding.contentType, `${pointer}/encoding/${name}`, false);
        this.headers(encoding.headers, `${pointer}/encoding/${name}`, direction);
      }
      this.schema(
        media?.schema ?? media?.itemSchema,
        `${pointer}/content/${type}/schema`,
        direction,
        { ...nothing, example: (media?.example ?? media?.examples) !== undefined },
        new Set(),
      );
    }
  }

  private examples(node: Node, pointer: string, isBody: boolean): void {
    const entries = Object.entries(node?.examples ?? {}) as [string, Node][];
    for (const [key, entry] of entries) {
      const example = this.resolve(entry);
      if (!example || Array.isArray(node.examples)) continue;
      if (entries.length > 1 || example.summary)
        this.text(example.summary ?? key, `${pointer}/examples/${key}`);
      this.text(example.description, `${pointer}/examples/${key}`);
      if (example.externalValue)
        this.fact("name", example.externalValue, `${pointer}/examples/${key}`, false);
      if (typeof example.value === "string" && !isBody)
        this.fact("value", example.value, `${pointer}/examples/${key}`, false);
    }
  }

  private schema(node: Node, pointer: string, direction: string, given: Overriding, seen: Set<Node>): void {
    if (typeof node !== "object" || node === null || seen.has(node)) return;
    seen.add(node);
    const together = given.together ?? this.togetherWith(node);
    const over = { ...given, together };
    const isListed = together.some((other) => other.enum || other.const !== undefined);
    const inPlace: Overriding = { ...overriddenBy([node], over), members: [...over.members, node] };
    if (typeof node.$ref === "string") {
      this.schema(this.at(node.$ref), node.$ref, direction, inPlace, seen);
      if (Object.keys(node).length === 1) return;
    }
    this.schemaText(node.title, `${pointer}/title`, over.title);
    this.schemaText(node.description, `${pointer}/description`, over.description && !this.hasChoices(node));
    this.docs(node.externalDocs, pointer, true);
    for (const key of Object.keys(node)) {
      const value = node[key];
      const at = `${pointer}/${key}`;
      if (/^x-enum-?descriptions$/i.test(key))
        for (const text of Object.values(value)) this.text(text, at, true);
      if (key.startsWith("x-") || shownElsewhere.has(key)) continue;
      if (annotationKeys.has(key)) this.fact("name", value?.name ?? value, at, true, "annotation");
      else if (limitKeys.has(key) && typeof value !== "boolean") this.limit(key, node, at, together);
      else if (key === "not" && Array.isArray(value?.enum))
        for (const one of value.enum) this.fact("value", one, at, true);
      else if (rawKeys.has(key) && typeof value === "object") this.fact("raw", value, at, true);
      else if (key === "enum" && Array.isArray(value)) {
        // Several lists allow only the values that are in all of them.
        const lists = together.map((other) => other.enum).filter(Array.isArray);
        for (const one of value)
          if (one !== null && lists.every((list) => list.includes(one))) this.fact("value", one, at, true);
      }
      // Alternatives that each have a const are shown as a list of values.
      else if (key === "const" && typeof value !== "object") this.fact("value", value, at, true);
      else if (key === "default" && typeof value !== "object")
        this.fact(key, value, at, true, over.default && "overridden");
    }
    if (typeof node.example === "string" && !isListed)
      this.fact("value", node.example, `${pointer}/example`, true, over.example && "overridden");
    if (!isListed) this.schemaExamples(node, pointer, over);
    if (node.uniqueItems === true) this.fact("keyword", "no duplicates", pointer, true);
    for (const key of closedKeys)
      if (node[key] === false)
        this.fact("keyword", `no other ${/items/i.test(key) ? "items" : "properties"}`, pointer, true);
    if (typeof node.contentEncoding === "string") this.fact("keyword", node.contentEncoding, pointer, true);
    if (typeof node.contentMediaType === "string") this.fact("keyword", node.contentMediaType, pointer, true);
    // The type of a file is `file`.
    if (typeof node.format === "string" && !/^(?:binary|base64)$/.test(node.format))
      this.fact("name", node.format, `${pointer}/format`, true);
    for (const required of Array.isArray(node.required) ? node.required : [])
      this.requiredName(required, node, pointer, direction);
    const members: Node[] = node.allOf ?? [];
    for (const [index, part] of members.entries()) {
      // The texts of the last member take precedence.
      const later = members.slice(index + 1).map((other) => ({ ...this.resolve(other), ...other }));
      const around = { ...overriddenBy(later, inPlace), members: [...inPlace.members, ...later] };
      this.schema(part, `${pointer}/allOf/${index}`, direction, around, seen);
    }
    for (const kind of ["oneOf", "anyOf"]) {
      const options: Node[] = (node[kind] ?? []).filter((option: Node) => option?.type !== "null");
      // If a parent lists the schema that includes it, the other alternatives are the schema's siblings.
      if (options.some((option) => over.members.includes(this.resolve(option)))) continue;
      // A single alternative is a part of the schema.
      for (const [index, option] of options.entries())
        this.schema(
          option,
          `${pointer}/${kind}/${index}`,
          direction,
          options.length === 1 ? inPlace : nothing,
          new Set(seen),
        );
    }
    const isOf = (type: string) => node.type === undefined || [node.type].flat().includes(type);
    // Keywords of other types have no effect, which is reported.
    for (const [key, property] of isOf("object") ? Object.entries(node.properties ?? {}) : [])
      this.property(key, property, pointer, direction, over, seen);
    for (const [pattern, below] of Object.entries(node.patternProperties ?? {})) {
      this.fact("name", pattern, `${pointer}/patternProperties`, true);
      this.schema(below, `${pointer}/patternProperties`, direction, nothing, new Set(seen));
    }
    if (isOf("array"))
      this.schema(
        node.items,
        `${pointer}/items`,
        direction,
        { ...nothing, title: inPlace.title },
        new Set(seen),
      );
    for (const key of ["additionalProperties", "contains", "propertyNames", "contentSchema", "then", "else"])
      this.schema(node[key], `${pointer}/${key}`, direction, nothing, new Set(seen));
    for (const [name, below] of Object.entries(node.dependentSchemas ?? {}) as [string, Node][])
      this.schema(below, `${pointer}/dependentSchemas/${name}`, direction, nothing, new Set(seen));
    for (const [name, required] of Object.entries(node.dependentRequired ?? {}) as [string, string[]][])
      for (const one of [name, ...required]) this.fact("name", one, `${pointer}/dependentRequired`, true);
    for (const [index, below] of (node.prefixItems ?? []).entries())
      this.schema(below, `${pointer}/prefixItems/${index}`, direction, nothing, new Set(seen));
  }

  /** Returns a schema and those that its references, `allOf`, and single alternatives add to it. */
  private togetherWith(schema: Node, found: Set<Node> = new Set()): Node[] {
    if (typeof schema !== "object" || schema === null || found.has(schema)) return [...found];
    found.add(schema);
    if (typeof schema.$ref === "string") this.togetherWith(this.at(schema.$ref), found);
    for (const member of schema.allOf ?? []) this.togetherWith(member, found);
    for (const options of [schema.oneOf ?? [], schema.anyOf ?? []]) {
      const only = options.filter((option: Node) => !this.isNull(this.resolve(option)));
      if (only.length === 1) this.togetherWith(only[0], found);
    }
    return [...found];
  }

  /** Collects a limit. If several apply, the strictest one covers the others. */
  private limit(key: string, node: Node, pointer: string, together: readonly Node[]): void {
    const [kind, value] = [limitKind(key, node), node[key]];
    const others = together
      .filter((other) => typeof other[key] === "number" && limitKind(key, other) === kind)
      .map((other) => other[key] as number);
    if (key === "multipleOf" && others.every(Number.isInteger)) {
      let multiple = value;
      while (others.some((other) => multiple % other !== 0)) multiple += value;
      this.fact(kind, multiple, pointer, true);
    } else {
      const isCovered = /^(?:min|exclusiveMin)/.test(key)
        ? others.some((other) => other > value)
        : /^(?:max|exclusiveMax)/.test(key) && others.some((other) => other < value);
      this.fact(kind, value, pointer, true, isCovered && "stricter");
    }
  }

  /** Collects texts and numbers of examples. The last list of a schema's parts takes precedence. */
  private schemaExamples({ examples }: Node, pointer: string, over: Overriding): void {
    if (!Array.isArray(examples)) return;
    const exception = (over.example || over.members.some((member) => member?.examples)) && "overridden";
    for (const example of examples)
      for (const value of typeof example === "object" ? Object.values(example ?? {}) : [example])
        if (typeof value === "string" || typeof value === "number")
          this.fact("value", value, `${pointer}/examples`, true, exception);
  }

  /** Whether a schema lists values or alternatives, so that its description can explain each of them. */
  private hasChoices(node: Node): boolean {
    const several = (options: Node[] = []) =>
      options.filter((option) => !this.isNull(this.resolve(option))).length > 1;
    return node.enum !== undefined || several(node.oneOf) || several(node.anyOf);
  }

  private isNull(schema: Node): boolean {
    return schema?.type === "null" || (schema?.enum?.length === 1 && schema.enum[0] === null);
  }

  private schemaText(value: unknown, pointer: string, isOverridden: boolean): void {
    if (typeof value === "string" && value.trim())
      this.fact("text", value, pointer, true, isOverridden && "overridden");
  }

  private requiredName(required: unknown, node: Node, pointer: string, direction: string): void {
    const property = this.resolve(node.properties?.[String(required)]);
    if (property === undefined && typeof required === "string" && direction === "response")
      this.fact("name", required, `${pointer}/required`, true);
  }

  private property(
    key: string,
    property: Node,
    pointer: string,
    direction: string,
    over: Overriding,
    seen: Set<Node>,
  ): void {
    const target = this.resolve(property);
    if (target === false) return;
    const isLeftOut = this.isLeftOut(property, direction);
    this.fact("name", key, `${pointer}/properties`, true, isLeftOut && "direction");
    if (isLeftOut) return;
    const declared = over.members
      .flatMap((member) => this.declared(member, key))
      .filter((one) => one !== target);
    const together = [property, ...declared].flatMap((one) => this.togetherWith(one));
    const around = { ...overriddenBy(declared, nothing), together };
    this.schema(property, `${pointer}/properties/${key}`, direction, around, new Set(seen));
  }

  /**
   * A flag of any member of `allOf` applies to the whole property (JSON Schema 2020-12, Validation, section 9.4).
   * A property with both flags contradicts OpenAPI and stays.
   */
  private isLeftOut(property: Node, direction: string): boolean {
    // In older documents too, a flag next to a reference has an effect.
    const members = [property, ...this.membersOf(property)].flatMap((one) => [one, this.resolve(one)]);
    const [readOnly, writeOnly] = ["readOnly", "writeOnly"].map((flag) =>
      members.some((member) => member?.[flag] === true),
    );
    return direction === "request" ? readOnly! && !writeOnly! : writeOnly! && !readOnly!;
  }

  private membersOf(schema: Node, depth = 0): Node[] {
    const members = (depth < 10 ? (this.resolve(schema)?.allOf ?? []) : []) as Node[];
    return members.flatMap((member) => [member, ...this.membersOf(member, depth + 1)]);
  }

  /** Returns the declarations of a property in a schema and in the members of its `allOf`. */
  private declared(schema: Node, key: string, depth = 0): Node[] {
    const target = this.resolve(schema);
    const below = depth < 10 ? (target?.allOf ?? []) : [];
    return [
      this.resolve(target?.properties?.[key]),
      ...below.flatMap((member: Node) => this.declared(member, key, depth + 1)),
    ].filter(Boolean);
  }
}
