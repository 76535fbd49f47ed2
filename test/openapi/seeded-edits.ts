/**
 * Edits a copy of an OpenAPI document at random: adds, removes, renames, and changes operations, parameters,
 * bodies, responses, headers, and schemas. Each edit says which changes a comparison has to list.
 */

import { numbers } from "../shared/random.ts";

export type Json = Record<string, unknown>;

/** A change that has to be listed for the operation. One of `rules`, at the object before or after the edit. */
export interface ExpectedChange {
  edit: string;
  rules: RegExp;
  operation: string;
  before?: string;
  /** Pointer in the edited document. */
  after?: string;
}

export interface EditedDocument {
  document: Json;
  expected: ExpectedChange[];
}

/** An object of the document: that of the edited copy, and the pointer of its original. */
interface Place {
  value: Json;
  pointer: string;
}

interface OperationPlace extends Place {
  name: string;
  parent: Json;
  method: string;
}

/** An object schema on a way from an operation, through references and properties. */
interface SchemaPlace extends Place {
  operation: string;
  direction: "request" | "response";
  /** Pointers of all objects on the way. */
  way: string[];
  /** Whether another part can have the same limits, as in `allOf`. */
  isCombined: boolean;
}

const methods = ["get", "put", "post", "delete", "patch"];
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const escaped = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("%", "%25");

export function editDocument(source: Json, count: number, seed: number): EditedDocument {
  const editor = new Editor(structuredClone(source), numbers(seed));
  const kinds = Object.entries(editor.edits);
  for (let done = 0, tried = 0; done < count && tried < count * 200; tried++) {
    const [kind, edit] = kinds[tried % kinds.length]!;
    const found = edit();
    if (!found) continue;
    editor.expect(kind, found);
    done++;
  }
  return editor.result();
}

type Found = (Omit<ExpectedChange, "edit" | "after"> & { moved?: unknown })[];

class Editor {
  private readonly document: Json;
  private readonly pick: (below: number) => number;
  private readonly operations: OperationPlace[];
  private readonly expected: (ExpectedChange & { moved?: unknown })[] = [];
  private readonly originals = new Map<object, string>();
  /** Pointers on the ways to edits, which other edits must not take away, and pointers of edited objects. */
  private readonly used = new Set<string>();
  private readonly edited = new Set<string>();
  private next = 1;

  constructor(document: Json, pick: (below: number) => number) {
    this.document = document;
    this.pick = pick;
    walk(document, "#", (value, pointer) => this.originals.set(value, pointer));
    this.operations = Object.values(document.paths as Json).flatMap((item, index) =>
      isObject(item)
        ? methods.flatMap((method): OperationPlace[] => {
            const value = item[method];
            if (!isObject(value)) return [];
            const name = `${method.toUpperCase()} ${Object.keys(document.paths as Json)[index]}`;
            return [{ value, pointer: this.originals.get(value)!, name, parent: item, method }];
          })
        : [],
    );
  }

  expect(edit: string, found: Found): void {
    for (const one of found) this.expected.push({ edit, ...one });
  }

  result(): EditedDocument {
    const pointers = new Map<unknown, string>();
    walk(this.document, "#", (value, pointer) => pointers.set(value, pointer));
    return {
      document: this.document,
      expected: this.expected.map(({ moved, ...rest }) => {
        const after = pointers.get(moved);
        return { ...rest, ...(after === undefined ? {} : { after }) };
      }),
    };
  }

  private name(): string {
    return `edited_${this.next++}`;
  }

  private one<T>(list: readonly T[]): T | undefined {
    return list[this.pick(Math.max(1, list.length))];
  }

  /** Marks an object as edited. False if it's on the way to another edit, or was edited before. */
  private take(pointer: string, way: readonly string[], isRemoved = false): boolean {
    if (this.edited.has(pointer) || way.some((one) => this.edited.has(`${one} removed`))) return false;
    if (isRemoved && this.used.has(pointer)) return false;
    this.edited.add(pointer);
    if (isRemoved) this.edited.add(`${pointer} removed`);
    for (const one of way) this.used.add(one);
    return true;
  }

  private operation(isRemoved = false): OperationPlace | undefined {
    const found = this.one(this.operations)!;
    if (this.edited.has(`${found.pointer} removed`)) return undefined;
    if (isRemoved) return this.take(found.pointer, [], true) ? found : undefined;
    return found;
  }

  private follow(value: unknown): Place | undefined {
    let found = value;
    for (let depth = 0; isObject(found) && typeof found.$ref === "string" && depth < 10; depth++) {
      let at: unknown = this.document;
      for (const key of found.$ref.split("/").slice(1))
        at = isObject(at) ? at[key.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
      found = at;
    }
    const pointer = isObject(found) && this.originals.get(found);
    return isObject(found) && pointer ? { value: found, pointer } : undefined;
  }

  /** Edits an operation itself. */
  private inOperation(
    rules: RegExp,
    edit: (operation: OperationPlace) => boolean | undefined,
  ): Found | undefined {
    const operation = this.operation();
    if (!operation || this.edited.has(`${operation.pointer} ${rules}`) || !edit(operation)) return undefined;
    this.edited.add(`${operation.pointer} ${rules}`);
    this.used.add(operation.pointer);
    return [{ rules, operation: operation.name, before: operation.pointer }];
  }

  /** Edits a parameter that isn't in the path. */
  private inParameter(
    rules: RegExp,
    edit: (parameter: Json, list: unknown[]) => boolean | undefined,
    isRemoved = false,
  ): Found | undefined {
    const operation = this.operation();
    const list = operation?.value.parameters;
    if (!operation || !Array.isArray(list)) return undefined;
    const parameter = this.follow(this.one(list));
    if (!parameter || parameter.value.in === "path" || (isRemoved && !list.includes(parameter.value)))
      return undefined;
    if (!this.take(parameter.pointer, [operation.pointer], isRemoved) || !edit(parameter.value, list))
      return undefined;
    return [{ rules, operation: operation.name, before: parameter.pointer, moved: parameter.value }];
  }

  /** Edits a response or the content of a body. */
  private inMap(
    part: "responses" | "content",
    edit: (
      map: Json,
      key: string,
      place: Place,
      direction: string,
    ) => Omit<Found[number], "operation">[] | undefined,
  ): Found | undefined {
    const operation = this.operation();
    if (!operation) return undefined;
    const key = this.one(Object.keys((operation.value.responses as Json) ?? {}));
    const response = key && this.follow((operation.value.responses as Json)[key]);
    if (!key || !response) return undefined;
    const [direction, holder] =
      part === "content" && this.pick(2) === 1
        ? ["request", this.follow(operation.value.requestBody)]
        : ["response", response];
    const map = part === "responses" ? operation.value.responses : holder?.value.content;
    const name = part === "responses" ? key : isObject(map) ? this.one(Object.keys(map)) : undefined;
    const place = isObject(map) && name ? this.follow(map[name]) : undefined;
    if (!isObject(map) || !name || !place) return undefined;
    if (!this.take(`${operation.pointer} ${part}`, [operation.pointer, holder!.pointer])) return undefined;
    return edit(map, name, place, direction as string)?.map((one) => ({ ...one, operation: operation.name }));
  }

  /** Finds a schema by random steps from an operation. */
  private schema(): SchemaPlace | undefined {
    const operation = this.operation();
    if (!operation) return undefined;
    const direction = this.pick(3) === 0 ? "request" : "response";
    const way = [operation.pointer];
    const step = (value: unknown): Place | undefined => {
      if (isObject(value) && this.originals.has(value)) way.push(this.originals.get(value)!);
      const found = this.follow(value);
      if (found) way.push(found.pointer);
      return found;
    };
    const responses = (operation.value.responses as Json) ?? {};
    const body = step(
      direction === "request"
        ? operation.value.requestBody
        : responses[this.one(Object.keys(responses)) ?? ""],
    );
    const content = body?.value.content;
    const media = isObject(content) ? step(content[this.one(Object.keys(content)) ?? ""]) : undefined;
    let place = step(media?.value.schema);
    let isCombined = false;
    for (let depth = this.pick(6); depth > 0 && place; depth--) {
      const inside: unknown[] = [place.value.items];
      const lists = ["allOf", "oneOf", "anyOf"].flatMap((keyword) =>
        Array.isArray(place!.value[keyword]) ? (place!.value[keyword] as unknown[]) : [],
      );
      const all = [...inside, ...Object.values((place.value.properties as Json) ?? {}), ...lists].filter(
        isObject,
      );
      const chosen = this.one(all);
      if (chosen === undefined) break;
      isCombined ||= lists.includes(chosen);
      place = step(chosen);
    }
    const isHidden = way.some((pointer) => this.isHidden(pointer, direction));
    return place && !isHidden
      ? { ...place, operation: operation.name, direction, way, isCombined }
      : undefined;
  }

  private isHidden(pointer: string, direction: string): boolean {
    const value = this.byPointer(pointer);
    return isObject(value) && value[direction === "request" ? "readOnly" : "writeOnly"] === true;
  }

  private objects: Map<string, object> | undefined;
  private byPointer(pointer: string): unknown {
    this.objects ??= new Map([...this.originals].map(([value, at]) => [at, value]));
    return this.objects.get(pointer);
  }

  /** Edits a schema with a type. */
  private inSchema(
    rules: RegExp,
    edit: (schema: Json, place: SchemaPlace) => boolean | undefined,
  ): Found | undefined {
    const place = this.schema();
    if (!place || place.isCombined || typeof place.value.type !== "string") return undefined;
    if (["allOf", "oneOf", "anyOf"].some((keyword) => keyword in place.value)) return undefined;
    // The copy is edited only if the place is free.
    const copy = structuredClone(place.value);
    if (!edit(copy, place) || !this.take(place.pointer, place.way)) return undefined;
    edit(place.value, place);
    return [{ rules, operation: place.operation, before: place.pointer }];
  }

  /** Edits a property of an object schema. */
  private inProperties(
    edit: (schema: Json, name: string, property: Json) => Omit<Found[number], "operation">[] | undefined,
    isRemoved: boolean,
  ): Found | undefined {
    const place = this.schema();
    const properties = place?.value.properties;
    if (!place || place.isCombined || !isObject(properties) || Array.isArray(place.value.allOf))
      return undefined;
    const name = this.one(Object.keys(properties));
    const property = name === undefined ? undefined : properties[name];
    if (name === undefined || !isObject(property) || !this.originals.has(property)) return undefined;
    const pointer = `${place.pointer}/properties/${escaped(name)}`;
    const flags = [property, this.follow(property)?.value];
    if (flags.some((one) => one?.readOnly === true || one?.writeOnly === true)) return undefined;
    if (!this.take(pointer, place.way, isRemoved)) return undefined;
    return edit(place.value, name, property)?.map((one) => ({ ...one, operation: place.operation }));
  }

  readonly edits: Record<string, () => Found | undefined> = {
    "remove an operation": () => {
      const operation = this.operation(true);
      if (!operation) return undefined;
      delete operation.parent[operation.method];
      return [{ rules: /operation-removed$/, operation: operation.name, before: operation.pointer }];
    },
    "add an operation": () => {
      const operation = this.operation();
      if (!operation) return undefined;
      const path = `/${this.name()}`;
      const moved = { ...structuredClone(operation.value), operationId: this.name(), parameters: [] };
      (this.document.paths as Json)[path] = { [operation.method]: moved };
      return [{ rules: /^operation-added$/, operation: `${operation.method.toUpperCase()} ${path}`, moved }];
    },
    "rename an operation": () =>
      this.inOperation(/^operation-id-changed$/, ({ value }) => {
        value.operationId = this.name();
        return true;
      }),
    "change the path of an operation": () => {
      const operation = this.operation(true);
      if (!operation) return undefined;
      delete operation.parent[operation.method];
      const path = `/${this.name()}`;
      const shared = Array.isArray(operation.parent.parameters) ? operation.parent.parameters : [];
      (this.document.paths as Json)[path] = { [operation.method]: operation.value, parameters: shared };
      const name = `${operation.method.toUpperCase()} ${path}`;
      return [
        { rules: /operation-removed$/, operation: operation.name, before: operation.pointer },
        { rules: /^operation-added$/, operation: name, moved: operation.value },
      ];
    },
    "deprecate an operation": () =>
      this.inOperation(/^operation-(?:no-longer-)?deprecated$/, ({ value }) => {
        value.deprecated = value.deprecated !== true;
        return true;
      }),
    "change a summary": () =>
      this.inOperation(/^operation-text-changed$/, ({ value }) => {
        value.summary = this.name();
        return true;
      }),
    "remove a parameter": () =>
      this.inParameter(
        /^parameter-removed$/,
        (parameter, list) => list.splice(list.indexOf(parameter), 1).length > 0,
        true,
      ),
    "add a parameter": () => {
      const operation = this.operation();
      if (!operation) return undefined;
      const required = this.pick(2) === 0;
      const moved = { name: this.name(), in: "query", required, schema: { type: "string" } };
      operation.value.parameters = [...((operation.value.parameters as unknown[]) ?? []), moved];
      this.used.add(operation.pointer);
      return [{ rules: /^(?:required|optional)-parameter-added$/, operation: operation.name, moved }];
    },
    "rename a parameter": () => {
      const found = this.inParameter(/^parameter-removed$/, (parameter) => {
        parameter.name = this.name();
        return true;
      });
      return found?.flatMap((one) => [
        { rules: one.rules, operation: one.operation, ...(one.before ? { before: one.before } : {}) },
        { rules: /^(?:required|optional)-parameter-added$/, operation: one.operation, moved: one.moved },
      ]);
    },
    "require a parameter": () =>
      this.inParameter(/^parameter-(?:required|optional)$/, (parameter) => {
        parameter.required = parameter.required !== true;
        return true;
      }),
    "remove a response": () =>
      this.inMap("responses", (map, key, place) => {
        const pointer = this.originals.get(map[key] as object)!;
        if (!this.take(pointer, [], true) || this.used.has(place.pointer) || Object.keys(map).length < 2)
          return undefined;
        delete map[key];
        return [{ rules: /-response-removed$/, before: place.pointer }];
      }),
    "add a response": () =>
      this.inMap("responses", (map) => {
        const moved = { description: this.name() };
        if ("418" in map) return undefined;
        map["418"] = moved;
        return [{ rules: /^response-added$/, moved }];
      }),
    "rename a media type": () =>
      this.inMap("content", (map, key, { value, pointer }, direction) => {
        if (!this.take(pointer, [], true)) return undefined;
        delete map[key];
        map[`application/vnd.${this.name()}+json`] = value;
        return [
          { rules: new RegExp(`^${direction}-media-type-removed$`), before: pointer },
          { rules: new RegExp(`^${direction}-media-type-added$`), moved: value },
        ];
      }),
    "add a header": () => {
      const operation = this.operation();
      const [key] = Object.keys((operation?.value.responses as Json) ?? {});
      const response = operation && key ? this.follow((operation.value.responses as Json)[key]) : undefined;
      if (
        !operation ||
        !response ||
        !this.take(`${response.pointer} headers`, [operation.pointer, response.pointer])
      )
        return undefined;
      const moved = { schema: { type: "string" } };
      const headers = isObject(response.value.headers) ? response.value.headers : {};
      response.value.headers = headers;
      headers[this.name()] = moved;
      return [{ rules: /^response-header-added$/, operation: operation.name, moved }];
    },
    "remove a property": () =>
      this.inProperties((schema, name, property) => {
        const before = this.originals.get(property)!;
        delete (schema.properties as Json)[name];
        if (Array.isArray(schema.required)) schema.required = schema.required.filter((one) => one !== name);
        return [{ rules: /-property-removed$/, before }];
      }, true),
    "rename a property": () =>
      this.inProperties((schema, name, property) => {
        const before = this.originals.get(property)!;
        const renamed = this.name();
        delete (schema.properties as Json)[name];
        (schema.properties as Json)[renamed] = property;
        if (Array.isArray(schema.required))
          schema.required = schema.required.map((one) => (one === name ? renamed : one));
        return [
          { rules: /-property-removed$/, before },
          { rules: /-property-added$/, moved: property },
        ];
      }, true),
    "add a property": () =>
      this.inProperties((schema) => {
        const moved = { type: "string" };
        const name = this.name();
        (schema.properties as Json)[name] = moved;
        if (this.pick(2) === 0) schema.required = [...((schema.required as string[]) ?? []), name];
        return [{ rules: /-property-added$/, moved }];
      }, false),
    "require a property": () =>
      this.inProperties((schema, name, property) => {
        const required = (schema.required as string[] | undefined) ?? [];
        schema.required = required.includes(name)
          ? required.filter((one) => one !== name)
          : [...required, name];
        return [{ rules: /-property-(?:required|optional)$/, before: this.originals.get(property)! }];
      }, false),
    "change a type": () =>
      this.inSchema(/-type-(?:narrowed|widened)$/, (schema) => {
        if (schema.enum || schema.format || schema.type !== "string") return false;
        schema.type = "boolean";
        return true;
      }),
    "add a value": () =>
      this.inSchema(/-value-added$/, (schema) => {
        if (!Array.isArray(schema.enum) || schema.type !== "string") return false;
        schema.enum = [...schema.enum, "edited"];
        return true;
      }),
    "remove a value": () =>
      this.inSchema(/-value-removed$/, (schema) => {
        if (!Array.isArray(schema.enum) || schema.enum.length < 2) return false;
        schema.enum = schema.enum.slice(1);
        return true;
      }),
    "rename a value": () =>
      this.inSchema(/-value-removed$|-value-added$|-values-replaced$/, (schema) => {
        if (!Array.isArray(schema.enum) || schema.type !== "string") return false;
        schema.enum = [...schema.enum.slice(1), "renamed"];
        return true;
      }),
    "add a limit": () =>
      this.inSchema(/-limit-tightened$/, (schema) => {
        const limit = { string: "maxLength", integer: "maximum", array: "maxItems" }[schema.type as string];
        if (!limit || limit in schema) return false;
        schema[limit] = 9;
        return true;
      }),
    "change a format": () =>
      this.inSchema(/^format-changed$/, (schema) => {
        if (schema.type !== "string" || schema.enum) return false;
        schema.format = "edited";
        return true;
      }),
    "change a default": () =>
      this.inSchema(/^default-changed$/, (schema) => {
        if (schema.type !== "string" || schema.enum) return false;
        schema.default = "edited";
        return true;
      }),
    "change a text": () => {
      const place = this.schema();
      if (!place) return undefined;
      place.value.description = this.name();
      return [];
    },
  };
}

function walk(value: unknown, pointer: string, visit: (value: object, pointer: string) => void): void {
  if (typeof value !== "object" || value === null) return;
  visit(value, pointer);
  for (const [key, below] of Object.entries(value)) walk(below, `${pointer}/${escaped(key)}`, visit);
}
