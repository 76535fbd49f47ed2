/**
 * Converts Swagger 2.0 documents to OpenAPI 3.0. Nodes that stay the same, such as schemas, are the same
 * objects, so that positions of problems can be found in the source.
 */

import { isRaw, own, ownText, pointerKeys, pointerTo, type Raw, texts } from "../nodes/refs.ts";
import { isDataKey, mapKeys } from "../nodes/walk-references.ts";

export interface ConvertedDocument {
  root: Raw;
  /**
   * Returns the pointer in the source for a pointer in the converted document: to the same node, or to the
   * closest one that contains it.
   */
  sourcePointer(pointer: string): string;
  /** Number of lists whose `collectionFormat` has no equivalent, so that commas separate their values. */
  commaLists_count: number;
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch"];
const defaultType = "application/json";

/** Converts a document. Reads `source`, and changes its schemas in place. */
export function convertSwagger(source: Raw): ConvertedDocument {
  return new Converter(source).convert();
}

class Converter {
  private readonly source: Raw;
  /** Pointers in the source, by node of the converted document. */
  private readonly origins = new Map<unknown, string>();
  /** Converted operations, by operation of the source. */
  private readonly operations = new Map<Raw, Raw>();
  private readonly commaLists = new Set<Raw>();

  constructor(source: Raw) {
    this.source = source;
  }

  convert(): ConvertedDocument {
    const { source } = this;
    this.visit(source, "#", false);

    const components: [string, Raw][] = [
      ["schemas", mapped(source.definitions, (schema) => schema)],
      ["parameters", this.sharedParameters()],
      [
        "responses",
        mapped(source.responses, (response) =>
          this.response(response, this.types(source, source, "produces")),
        ),
      ],
      ["securitySchemes", mapped(source.securityDefinitions, (scheme) => this.scheme(scheme))],
    ];

    for (const [index, key] of ["definitions", "parameters", "responses", "securityDefinitions"].entries())
      if (isRaw(source[key])) this.origins.set(components[index]![1], pointerTo([key]));
    const used = components.filter(([, map]) => Object.keys(map).length > 0);
    const paths = mapped(source.paths, (item) => this.pathItem(item));
    if (isRaw(source.paths)) this.origins.set(paths, "#/paths");

    const webhooks = mapped(source.webhooks, (item) => this.pathItem(item));
    if (isRaw(source.webhooks)) this.origins.set(webhooks, "#/webhooks");

    const converted = new Set(
      "swagger host basePath schemes consumes produces paths webhooks definitions parameters responses securityDefinitions".split(
        " ",
      ),
    );

    const servers = serversOf(source);
    for (const server of servers)
      this.origins.set(server, source.host === undefined ? "#/basePath" : "#/host");

    const root: Raw = {
      openapi: "3.0.3",
      ...Object.fromEntries(Object.entries(source).filter(([key]) => !converted.has(key))),
      ...(servers.length ? { servers } : {}),
      paths,
      ...(isRaw(source.webhooks) ? { webhooks } : {}),
      ...(used.length ? { components: Object.fromEntries(used) } : {}),
    };

    this.origins.set(root, "#");
    return {
      root,
      sourcePointer: (pointer) => this.sourcePointer(root, pointer),
      commaLists_count: this.commaLists.size,
    };
  }

  private sourcePointer(root: Raw, pointer: string): string {
    let node: unknown = root;
    let found = "#";
    for (const key of pointerKeys(pointer) ?? []) {
      node = own(node, key);
      const origin = typeof node === "object" && node !== null ? this.origins.get(node) : undefined;
      // A key without a node of its own: a scalar, or a part that the source has elsewhere.
      found = origin ?? `${found}/${pointerTo([key]).slice(2)}`;
    }
    return found;
  }

  /** Records the pointers of all nodes, and converts schemas and references in place. */
  private visit(node: unknown, pointer: string, isMap: boolean): void {
    if (typeof node !== "object" || node === null || this.origins.has(node)) return;
    this.origins.set(node, pointer);
    const isObject = isRaw(node);
    if (isObject && !isMap) {
      if (typeof node.$ref === "string") node.$ref = this.reference(node.$ref);
      if (node.type === "file") Object.assign(node, { type: "string", format: "binary" });
      if (node["x-nullable"] === true) node.nullable ??= true;
      const { discriminator } = node;
      if (typeof discriminator === "string") node.discriminator = { propertyName: discriminator };
    }

    for (const key of Object.keys(node)) {
      const below = (node as Raw)[key];
      if (isObject && !isMap && (isDataKey(key, below) || key === "examples")) continue;
      this.visit(
        below,
        `${pointer}/${pointerTo([key]).slice(2)}`,
        isObject && !isMap && mapKeys.has(key) && isRaw(below),
      );
    }
  }

  private reference(ref: string): string {
    const [, kind, name] = /^#\/(definitions|parameters|responses)\/(.+)$/s.exec(ref) ?? [];
    return name === undefined ? ref : `#/components/${kind === "definitions" ? "schemas" : kind}/${name}`;
  }

  /** Returns a new node that takes the place of a node in the source. */
  private from(source: unknown, node: Raw): Raw {
    const origin = this.origins.get(source);
    if (origin !== undefined) this.origins.set(node, origin);
    return node;
  }

  /** Returns the media types of an operation. */
  private types(operation: unknown, document: unknown, key: "consumes" | "produces"): string[] {
    const declared = own(operation, key) ?? own(document, key);
    return texts(declared).length ? texts(declared).slice(0, types_count) : [defaultType];
  }

  /** Returns the shared parameters. Those for the body are part of each operation instead. */
  private sharedParameters(): Raw {
    const all = Object.entries(isRaw(this.source.parameters) ? this.source.parameters : {});
    return Object.fromEntries(
      all
        .filter(([, parameter]) => !isForBody(parameter))
        .map(([name, parameter]) => [name, this.parameter(parameter)]),
    );
  }

  /** Returns a node, or the shared node that it refers to. The references have already been converted. */
  private followed(node: unknown): unknown {
    const [, kind, name] =
      /^#\/components\/(parameters|responses)\/(.+)$/s.exec(ownText(node, "$ref") ?? "") ?? [];
    return kind === undefined ? node : own(this.source[kind], pointerKeys(`#/${name}`)![0]!);
  }

  private pathItem(item: unknown): unknown {
    if (!isRaw(item)) return item;
    const shared = Array.isArray(item.parameters) ? (item.parameters as unknown[]) : [];
    const isContent = (parameter: unknown) => isForBody(this.followed(parameter));
    return this.from(
      item,
      Object.fromEntries(
        Object.entries(item).map(([key, value]) => {
          if (key === "parameters")
            return [key, shared.filter((one) => !isContent(one)).map((one) => this.parameter(one))];
          if (!methods.includes(key) || !isRaw(value)) return [key, value];
          const content = shared.filter(isContent);
          if (content.length > 0) return [key, this.operation(value, content)];
          // Several paths can refer to the same operation.
          const operation = this.operations.get(value) ?? this.operation(value, []);
          this.operations.set(value, operation);
          return [key, operation];
        }),
      ),
    );
  }

  /** `shared`: body and form parameters of the path item. */
  private operation(operation: Raw, shared: readonly unknown[]): Raw {
    const { consumes: _, produces: __, schemes, parameters, responses, ...rest } = operation;
    const ofOperation = Array.isArray(parameters) ? (parameters as unknown[]) : [];
    const placeOf = (parameter: unknown) => ownText(this.followed(parameter), "in");
    const all = [...ofOperation, ...shared];
    const body = all.find((one) => placeOf(one) === "body");
    const fields = new Map<unknown, unknown>();
    for (const one of all) {
      const name = ownText(this.followed(one), "name");
      if (placeOf(one) === "formData" && !fields.has(name)) fields.set(name, this.followed(one));
    }

    const types = this.types(operation, this.source, "consumes");
    const requestBody = body
      ? this.body(this.followed(body), types)
      : fields.size
        ? this.form([...fields.values()], operation)
        : undefined;

    const kept = ofOperation.filter((one) => !isForBody(this.followed(one)));
    const produced = this.types(operation, this.source, "produces");
    const hasOwnTypes = operation.produces !== undefined;
    const converted = mapped(responses, (response) =>
      this.response(hasOwnTypes ? this.followed(response) : response, produced),
    );
    if (isRaw(responses)) this.from(responses, converted);

    return this.from(operation, {
      ...rest,
      ...(texts(schemes).length ? { servers: serversOf({ ...this.source, schemes }) } : {}),
      ...(kept.length ? { parameters: kept.map((one) => this.parameter(one)) } : {}),
      ...(requestBody ? { requestBody } : {}),
      ...(responses === undefined ? {} : { responses: isRaw(responses) ? converted : responses }),
    });
  }

  private parameter(parameter: unknown): unknown {
    if (!isRaw(parameter) || typeof parameter.$ref === "string") return parameter;
    if (hasLostFormat(parameter, parameter.in)) this.commaLists.add(parameter);
    const { schema, rest } = splitSchema(parameter);
    const { collectionFormat, ...others } = rest;
    return this.from(parameter, {
      ...others,
      ...styleOf(collectionFormat, parameter),
      schema: this.from(parameter, schema),
    });
  }

  private body(parameter: unknown, types: readonly string[]): Raw {
    const {
      name: _,
      in: __,
      schema = {},
      "x-example": one,
      "x-examples": several,
      ...rest
    } = parameter as Raw;

    const example = (type: string) => own(several, type) ?? own(one, type);
    const content = types.map((type) => [
      type,
      { schema, ...(example(type) === undefined ? {} : { example: example(type) }) },
    ]);

    return this.from(parameter, { ...rest, content: Object.fromEntries(content) });
  }

  private form(fields: readonly unknown[], operation: Raw): Raw {
    const isForm = (type: string) =>
      /^(?:multipart\/form-data|application\/x-www-form-urlencoded)$/i.test(type);
    const declared = this.types(operation, this.source, "consumes").filter(isForm);
    const isFile = fields.some((field) => own(field, "format") === "binary");
    const types = declared.length
      ? declared
      : [isFile ? "multipart/form-data" : "application/x-www-form-urlencoded"];
    const required = fields.flatMap((field) => (own(field, "required") === true ? [own(field, "name")] : []));
    const properties: [string, unknown][] = [];
    const encoding: [string, unknown][] = [];
    for (const field of fields) {
      const name = ownText(field, "name");
      if (!isRaw(field) || name === undefined) continue;
      if (hasLostFormat(field, "query")) this.commaLists.add(field);
      const { schema, rest } = splitSchema(field);
      const { name: _, in: __, required: ___, collectionFormat, allowEmptyValue: ____, ...others } = rest;
      properties.push([name, this.from(field, { ...schema, ...others })]);
      const style = styleOf(collectionFormat, { ...field, in: "query" });
      if (Object.keys(style).length) encoding.push([name, style]);
    }

    const schema = {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length ? { required } : {}),
    };

    const media = { schema, ...(encoding.length ? { encoding: Object.fromEntries(encoding) } : {}) };
    return {
      content: Object.fromEntries(types.map((type) => [type, media])),
      ...(required.length ? { required: true } : {}),
    };
  }

  private response(response: unknown, types: readonly string[]): unknown {
    if (!isRaw(response) || typeof response.$ref === "string") return response;
    const { schema, examples, headers, ...rest } = response;
    const given = isRaw(examples) ? examples : {};
    const isFile = own(schema, "format") === "binary";
    const named =
      types.length === 1 && types[0] === defaultType && isFile ? ["application/octet-stream"] : types;
    const all = [...new Set([...(schema === undefined ? [] : named), ...Object.keys(given)])];
    const content = all.map((type) => [
      type,
      {
        ...(schema === undefined ? {} : { schema }),
        ...(Object.hasOwn(given, type) ? { example: given[type] } : {}),
      },
    ]);

    return this.from(response, {
      ...rest,
      ...(isRaw(headers)
        ? {
            headers: this.from(
              headers,
              mapped(headers, (header) => this.parameter(header)),
            ),
          }
        : {}),
      ...(content.length ? { content: Object.fromEntries(content) } : {}),
    });
  }

  private scheme(scheme: unknown): unknown {
    if (!isRaw(scheme)) return scheme;
    if (scheme.type === "basic") return this.from(scheme, { ...scheme, type: "http", scheme: "basic" });
    if (scheme.type !== "oauth2") return scheme;
    const { flow, authorizationUrl, tokenUrl, scopes = {}, ...rest } = scheme;
    const names: Raw = { application: "clientCredentials", accessCode: "authorizationCode" };
    const urls = {
      ...(authorizationUrl === undefined ? {} : { authorizationUrl }),
      ...(tokenUrl === undefined ? {} : { tokenUrl }),
    };
    return this.from(scheme, {
      ...rest,
      flows: { [String(own(names, String(flow)) ?? flow ?? "implicit")]: { ...urls, scopes } },
    });
  }
}

/** Maximum number of media types of an operation. */
const types_count = 20;

/** Whether a parameter is the body or a field of a form. */
function isForBody(parameter: unknown): boolean {
  const place = ownText(parameter, "in");
  return place === "body" || place === "formData";
}

/** Keywords of parameters and headers that belong to the schema in OpenAPI 3. */
const schemaKeys = new Set(
  "type format items default maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems enum multipleOf nullable x-nullable".split(
    " ",
  ),
);

function splitSchema(node: Raw): { schema: Raw; rest: Raw } {
  const all = Object.entries(node);
  // `collectionFormat` of nested lists has no equivalent.
  for (let items = node.items; isRaw(items); items = items.items) delete items.collectionFormat;
  return {
    schema: Object.fromEntries(all.filter(([key]) => schemaKeys.has(key))),
    rest: Object.fromEntries(
      all
        .filter(([key]) => !schemaKeys.has(key))
        .map(([key, value]) => [key === "x-example" ? "example" : key, value]),
    ),
  };
}

/** Whether a list, or a list in it, has a `collectionFormat` without an equivalent. */
function hasLostFormat(node: Raw, place: unknown): boolean {
  const known = place === "query" ? ["csv", "ssv", "pipes", "multi"] : ["csv"];
  const isLost = (list: unknown, formats: readonly string[]) =>
    own(list, "type") === "array" && !formats.includes(ownText(list, "collectionFormat") ?? "csv");
  if (isLost(node, known)) return true;
  for (let items = node.items; isRaw(items); items = items.items) if (isLost(items, ["csv"])) return true;
  return false;
}

/** Returns the style of a list. `tsv` has no equivalent. */
function styleOf(collectionFormat: unknown, { type, in: place }: Raw): Raw {
  if (type !== "array" || place !== "query") return {};
  if (collectionFormat === "multi") return { style: "form", explode: true };
  if (collectionFormat === "ssv") return { style: "spaceDelimited", explode: false };
  if (collectionFormat === "pipes") return { style: "pipeDelimited", explode: false };
  return { style: "form", explode: false };
}

function serversOf({ host, basePath, schemes }: Raw): Raw[] {
  const path = typeof basePath === "string" ? basePath.replace(/\/+$/, "") : "";
  if (typeof host !== "string" || host === "")
    return path || typeof basePath === "string" ? [{ url: path || "/" }] : [];
  const listed = texts(schemes).filter((scheme) => scheme === "http" || scheme === "https");
  const sorted = listed.length ? [...new Set(listed)].sort().reverse() : ["https"];
  return sorted.map((scheme) => ({
    url: `${scheme}://${host}${path && !path.startsWith("/") ? "/" : ""}${path}`,
  }));
}

function mapped(map: unknown, convert: (value: unknown) => unknown): Raw {
  return Object.fromEntries(
    Object.entries(isRaw(map) ? map : {}).map(([key, value]) => [key, convert(value)]),
  );
}
