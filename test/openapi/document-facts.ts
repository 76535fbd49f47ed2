/**
 * Collects the texts and constraints of an operation from a parsed document, independently of the product's reader. Only follows `$ref`s.
 */

// biome-ignore lint/suspicious/noExplicitAny: documents are untyped.
type Node = any;

/** A text or constraint of an operation. */
export interface Fact {
  pointer: string;
  /** `text` for prose, `name` for names, `value` for values in examples and enums, or the keyword of a constraint. */
  kind: string;
  value: unknown;
  /** Whether the fact is inside a schema. Deep schemas are on pages of their own. */
  inSchema: boolean;
  /** The reason why the fact can be missing. */
  exception?: Exception;
}

/** Why a fact isn't on the page of its operation. Documented for authors in `docs/apis/limits`. */
export type Exception = "direction" | "overridden" | "annotation" | "ignored header" | "hidden";

const limitKeys = new Set(
  "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems minProperties maxProperties minContains maxContains".split(
    " ",
  ),
);
const rawKeys = new Set("if then else dependentRequired dependentSchemas unevaluatedProperties unevaluatedItems".split(" "));
/** Keywords that describe the document and not the API, or whose effect is only visible in samples. */
const annotationKeys = new Set("$comment xml $id $schema $anchor $dynamicAnchor".split(" "));
/** Keywords whose content is checked where it's used: definitions by their references, and discriminators by their alternatives. */
const shownElsewhere = new Set(["$defs", "discriminator"]);

export class FactWalker {
  readonly facts: Fact[] = [];
  readonly exceptions = new Map<Exception, number>();
  private readonly root: Node;

  constructor(root: Node) {
    this.root = root;
  }

  operation(item: Node, method: string, pointer: string): void {
    const node = item[method];
    for (const key of ["summary", "description"]) this.text(item[key], `${pointer}/${key}`);
    for (const key of ["summary", "description"]) this.text(node[key], `${pointer}/${method}/${key}`);
    this.docs(node.externalDocs, `${pointer}/${method}`);
    const own = (node.parameters ?? []).map((one: Node) => this.resolve(one));
    const isOwn = (one: Node) => own.some((other: Node) => other?.name === one?.name && other?.in === one?.in);
    const shared = (item.parameters ?? []).map((one: Node) => this.resolve(one)).filter((one: Node) => !isOwn(one));
    for (const [index, parameter] of [...shared, ...own].entries()) this.parameter(parameter, `${pointer}/parameters/${index}`, "request");
    const body = this.resolve(node.requestBody);
    this.text(body?.description, `${pointer}/requestBody/description`);
    this.content(body?.content, `${pointer}/requestBody`, "request");
    for (const [status, entry] of Object.entries(node.responses ?? {})) {
      if (status.startsWith("x-")) continue;
      const response = this.resolve(entry);
      const at = `${pointer}/responses/${status}`;
      this.fact("name", status, at, false);
      this.text(response?.description, `${at}/description`);
      this.text(response?.summary, `${at}/summary`);
      for (const [name, header] of Object.entries(response?.headers ?? {}))
        this.parameter({ ...this.resolve(header), name }, `${at}/headers/${name}`, "response");
      this.content(response?.content, at, "response");
      for (const [name, link] of Object.entries(response?.links ?? {})) {
        const { description, parameters = {}, requestBody } = this.resolve(link) ?? {};
        this.fact("name", name, `${at}/links`, false);
        this.text(description, `${at}/links/${name}`);
        for (const [key, value] of Object.entries(parameters)) this.fact("name", key + String(value), `${at}/links/${name}`, false);
        if (typeof requestBody === "string") this.fact("name", requestBody, `${at}/links/${name}`, false);
      }
    }
  }

  /** Collects the texts about the whole API. */
  document(): void {
    const { info = {}, tags = [], servers = [], components = {} } = this.root;
    const { contact = {}, license = {}, ...texts } = info;
    for (const key of ["title", "summary", "description", "version", "termsOfService"]) this.text(texts[key], `info/${key}`);
    for (const value of [...Object.values(contact), ...Object.values(license)]) this.text(value, "info");
    this.docs(this.root.externalDocs, "document");
    for (const { name, description, summary, externalDocs } of tags) {
      if (!description && !externalDocs) continue;
      if (this.isHidden(name)) {
        this.except("hidden");
        continue;
      }
      for (const text of [description, summary]) this.text(text, `tags/${name}`);
      this.docs(externalDocs, `tags/${name}`);
    }
    for (const { url, name, description } of servers) for (const text of [url, name, description]) this.text(text, "servers");
    for (const [name, entry] of Object.entries(components.securitySchemes ?? {}))
      this.text(this.resolve(entry)?.description, `securitySchemes/${name}`);
  }

  /** Whether only hidden operations have a tag. */
  private isHidden(tag: string): boolean {
    const operations = Object.values(this.root.paths ?? {}).flatMap((item: Node) => Object.values(item ?? {})) as Node[];
    const own = operations.filter((operation) => operation?.tags?.includes?.(tag));
    return own.length > 0 && own.every((operation) => "x-hidden" in operation || "x-excluded" in operation);
  }

  private except(exception: Exception, count = 1): void {
    this.exceptions.set(exception, (this.exceptions.get(exception) ?? 0) + count);
  }

  private fact(kind: string, value: unknown, pointer: string, inSchema: boolean): void {
    this.facts.push({ kind, value, pointer, inSchema });
  }

  private text(value: unknown, pointer: string, inSchema = false): void {
    if (typeof value === "string" && value.trim()) this.fact("text", value, pointer, inSchema);
  }

  private docs(docs: Node, pointer: string, inSchema = false): void {
    if (!docs?.url) return;
    this.fact("name", docs.url, `${pointer}/externalDocs`, inSchema);
    this.text(docs.description, `${pointer}/externalDocs`, inSchema);
  }

  resolve(node: Node): Node {
    let at = node;
    for (let hop = 0; hop < 20 && typeof at?.$ref === "string"; hop++) at = this.at(at.$ref);
    return at;
  }

  private at(ref: string): Node {
    let at = this.root;
    for (const key of ref.replace(/^#\/?/, "").split("/").filter(Boolean))
      at = at?.[decodeURIComponent(key).replace(/~1/g, "/").replace(/~0/g, "~")];
    return at;
  }

  private parameter(parameter: Node, pointer: string, direction: string): void {
    if (!parameter?.name) return;
    if (parameter.in === "header" && /^(?:accept|content-type|authorization)$/i.test(parameter.name)) this.except("ignored header");
    this.fact("name", parameter.name, pointer, false);
    this.text(parameter.description, `${pointer}/description`);
    this.examples(parameter, pointer, false);
    const [media] = Object.values(parameter.content ?? {}) as Node[];
    this.schema(parameter.schema ?? media?.schema, `${pointer}/schema`, direction, parameter.description !== undefined, new Set());
  }

  private content(content: Node, pointer: string, direction: string): void {
    for (const [type, entry] of Object.entries(content ?? {})) {
      const media = this.resolve(entry);
      this.fact("name", type, `${pointer}/content`, false);
      this.examples(media, `${pointer}/content/${type}`, true);
      this.schema(media?.schema ?? media?.itemSchema, `${pointer}/content/${type}/schema`, direction, false, new Set());
    }
  }

  private examples(node: Node, pointer: string, isBody: boolean): void {
    const entries = Object.entries(node?.examples ?? {}) as [string, Node][];
    for (const [key, entry] of entries) {
      const example = this.resolve(entry);
      if (!example || Array.isArray(node.examples)) continue;
      if (entries.length > 1) this.text(example.summary ?? key, `${pointer}/examples/${key}`);
      this.text(example.description, `${pointer}/examples/${key}`);
      if (example.externalValue) this.fact("name", example.externalValue, `${pointer}/examples/${key}`, false);
      if (typeof example.value === "string" && !isBody) this.fact("value", example.value, `${pointer}/examples/${key}`, false);
    }
  }

  /** `hasText`: whether an outer schema or a parameter has a description, which takes precedence. */
  private schema(node: Node, pointer: string, direction: string, hasText: boolean, seen: Set<Node>, name = ""): void {
    if (typeof node !== "object" || node === null || seen.has(node)) return;
    seen.add(node);
    if (typeof node.$ref === "string") {
      this.schema(this.at(node.$ref), pointer, direction, hasText || typeof node.description === "string", seen, name);
      if (Object.keys(node).length === 1) return;
    }
    const describes = typeof node.description === "string";
    if (describes && hasText) {
      const overridden = { kind: "text", value: node.description, pointer: `${pointer}/description`, inSchema: true } as const;
      if (node.description.trim()) this.facts.push({ ...overridden, exception: "overridden" });
    } else this.text(node.description, `${pointer}/description`, true);
    if (typeof node.title === "string" && !hasText && node.allOf === undefined && name === "")
      this.text(node.title, `${pointer}/title`, true);
    this.docs(node.externalDocs, pointer, true);
    for (const key of Object.keys(node)) {
      const value = node[key];
      const at = `${pointer}/${key}`;
      if (key.startsWith("x-") || shownElsewhere.has(key)) continue;
      if (key === "xml" && value?.name)
        this.facts.push({ kind: "name", value: value.name, pointer: at, inSchema: true, exception: "annotation" });
      else if (annotationKeys.has(key)) this.except("annotation");
      else if (limitKeys.has(key) && typeof value !== "boolean") this.fact(key, value, at, true);
      else if (rawKeys.has(key) && typeof value === "object") this.fact("raw", value, at, true);
      else if (key === "enum" && Array.isArray(value)) {
        for (const one of value) if (one !== null) this.fact("value", one, at, true);
      }
      // Alternatives that each have a const are shown as a list of values.
      else if (key === "const" && typeof value !== "object") this.fact("value", value, at, true);
      else if (key === "default" && typeof value !== "object") this.fact(key, value, at, true);
    }
    if (node.uniqueItems === true) this.fact("uniqueItems", true, pointer, true);
    // The type of a file is `file`.
    if (typeof node.format === "string" && !/^(?:binary|base64)$/.test(node.format))
      this.fact("name", node.format, `${pointer}/format`, true);
    for (const required of Array.isArray(node.required) ? node.required : []) this.requiredName(required, node, pointer, direction);
    const inPlace = hasText || describes;
    const members: Node[] = node.allOf ?? [];
    for (const [index, part] of members.entries()) {
      // The description of the last member takes precedence.
      const isLast = !members.slice(index + 1).some((other) => (other.description ?? this.resolve(other)?.description) !== undefined);
      this.schema(part, `${pointer}/allOf/${index}`, direction, inPlace || !isLast, seen, name);
    }
    for (const kind of ["oneOf", "anyOf"])
      for (const [index, option] of (node[kind] ?? []).entries())
        this.schema(option, `${pointer}/${kind}/${index}`, direction, inPlace, new Set(seen), name);
    for (const [key, property] of Object.entries(node.properties ?? {})) this.property(key, property, pointer, direction, seen);
    for (const [pattern, below] of Object.entries(node.patternProperties ?? {})) {
      this.fact("name", pattern, `${pointer}/patternProperties`, true);
      this.schema(below, `${pointer}/patternProperties`, direction, false, new Set(seen), pattern);
    }
    for (const key of ["items", "additionalProperties", "contains"])
      this.schema(node[key], `${pointer}/${key}`, direction, key === "items" && inPlace, new Set(seen), key);
    for (const [index, below] of (node.prefixItems ?? []).entries())
      this.schema(below, `${pointer}/prefixItems/${index}`, direction, false, new Set(seen), "item");
  }

  private requiredName(required: unknown, node: Node, pointer: string, direction: string): void {
    const property = this.resolve(node.properties?.[String(required)]);
    if (property === undefined && typeof required === "string" && direction === "response")
      this.fact("name", required, `${pointer}/required`, true);
  }

  private property(key: string, property: Node, pointer: string, direction: string, seen: Set<Node>): void {
    const target = this.resolve(property);
    if (target === false) return;
    if (target?.[direction === "request" ? "readOnly" : "writeOnly"] === true) return this.except("direction");
    this.fact("name", key, `${pointer}/properties`, true);
    this.schema(property, `${pointer}/properties/${key}`, direction, false, new Set(seen), key);
  }
}
