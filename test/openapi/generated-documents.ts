/**
 * Generates OpenAPI documents of each version, with the odd forms that the specifications allow. Texts are
 * plain words, because the judges look for them.
 */

import fc from "fast-check";

export type Version = "2.0" | "3.0.4" | "3.1.1" | "3.2.0";
type Node = Record<string, unknown>;
type Arbitrary = fc.Arbitrary<Node>;

const word = fc.constantFrom(..."amber birch cedar dune ember fjord grove harbor".split(" "));
const sentence = fc
  .tuple(word, word, word)
  .map((words) => `The ${words.join(" ")}.`)
  .map((text) => text);
const propertyName = fc.constantFrom(
  ..."id user_id name x-rate a.b c[0] Tags 2 10 with_space total@type größe".split(" "),
  "two words",
);
/** Renames the properties of a schema, so that it doesn't declare the same ones as the schema next to it. */
const renamed = (object: Arbitrary, end: string): Arbitrary =>
  object.map((schema) => {
    const rename = (name: string) => `${name}_${end}`;
    const { properties, required } = schema as { properties: Node; required?: string[] };
    return {
      ...schema,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, below]) => [rename(name), below]),
      ),
      ...(required ? { required: required.map(rename) } : {}),
    };
  });

const componentNames = ["Alpha", "Beta_2", "Gamma.v1", "Delta-x"] as const;

/** Objects with a literal key of this name look like promises to the linter. */
const conditionTrue = "then";

/** Adds some of the entries of a record. */
const some = (entries: Record<string, fc.Arbitrary<unknown>>): Arbitrary =>
  fc.record(entries, { requiredKeys: [], noNullPrototype: true });
const join = (...parts: Arbitrary[]): Arbitrary =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as Node);
const texts = some({ title: sentence, description: sentence });
/** Adds a part to about one of `every`. */
const seldom = (part: Arbitrary, every = 4): Arbitrary =>
  fc.oneof({ arbitrary: fc.constant({}), weight: every - 1 }, { arbitrary: part, weight: 1 });
const mapOf = (value: fc.Arbitrary<unknown>, most = 4): Arbitrary =>
  fc.dictionary(propertyName, value, { maxKeys: most, noNullPrototype: true });
const range = (least: string, most: string, max: number): Arbitrary =>
  fc.tuple(fc.nat(max), fc.nat(max), fc.constantFrom(1, 2, 3)).map(([one, other, which]) => ({
    ...(which & 1 ? { [least]: Math.min(one, other) } : {}),
    ...(which & 2 ? { [most]: Math.max(one, other) } : {}),
  }));

const enumOf = (values: readonly unknown[]) =>
  fc.subarray([...values], { minLength: 2 }).map((list) => [...new Set([...list, values[0]])]);
const textLimits = (version: Version): Arbitrary =>
  join(
    seldom(range("minLength", "maxLength", 30), 2),
    seldom(
      fc.constantFrom("^[a-z]", "[a-z]$", "^\\w+$", "e").map((pattern) => ({ pattern })),
      2,
    ),
    seldom(fc.constantFrom("email", "hostname", "custom-format").map((format) => ({ format }))),
    seldom(some({ default: word, example: word }), 2),
    seldom(enumOf(["low", "middle", "high", "none"]).map((list) => ({ enum: list }))),
    version === "2.0" || version === "3.0.4"
      ? fc.constant({})
      : seldom(fc.uniqueArray(word, { minLength: 1, maxLength: 3 }).map((examples) => ({ examples }))),
  );
const numberLimits = join(
  seldom(range("minimum", "maximum", 1000), 2),
  seldom(
    fc.constantFrom(2, 3, 5).map((multipleOf) => ({ multipleOf })),
    2,
  ),
  seldom(fc.constantFrom("int32", "int64").map((format) => ({ format }))),
  seldom(some({ default: fc.nat(9), example: fc.nat(9) }), 2),
  seldom(enumOf([1, 2, 3, 4]).map((list) => ({ enum: list }))),
);

/** The keywords of a version's schemas. `hasConflicts`: whether members of `allOf` restrict each other. */
export function schemaOf(version: Version, hasConflicts: boolean): Arbitrary {
  const isOld = version === "2.0" || version === "3.0.4";
  const refPrefix = version === "2.0" ? "#/definitions/" : "#/components/schemas/";
  const nullable = (type: string): Arbitrary =>
    version === "2.0"
      ? fc.constant({ type })
      : fc.constantFrom<Node>({ type }, isOld ? { type, nullable: true } : { type: [type, "null"] });
  const exclusive = isOld
    ? fc.nat(50).map((minimum) => ({ minimum, exclusiveMinimum: true }))
    : fc.nat(50).map((exclusiveMinimum) => ({ exclusiveMinimum }));

  const string = fc.oneof(
    join(nullable("string"), seldom(range("minLength", "maxLength", 30), 2), texts),
    join(
      nullable("string"),
      fc
        .constantFrom("date", "date-time", "uuid", "uri", "email", "custom-format")
        .map((format) => ({ format })),
      texts,
    ),
    join(
      nullable("string"),
      fc.constantFrom("^[a-z]{3}-\\d{2,4}$", "^(?:x|y)+$").map((pattern) => ({ pattern })),
      texts,
    ),
    join(fc.constant({ type: "string" }), some({ default: word, example: word }), texts),
    join(
      fc.constant({ type: "string" }),
      fc.constantFrom<Node>(
        { enum: ["low", "high"] },
        { enum: ["", "set"] },
        { enum: Array.from({ length: 130 }, (_, index) => `value_${index}`) },
        ...(version === "2.0"
          ? []
          : [{ enum: ["low", null], ...(isOld ? { nullable: true } : { type: ["string", "null"] }) }]),
      ),
      texts,
    ),
  );
  const number = fc.oneof(
    join(nullable("integer"), range("minimum", "maximum", 1000), texts),
    join(nullable("number"), exclusive, some({ multipleOf: fc.constant(0.5) }), texts),
    join(
      fc.constant({ type: "integer" }),
      some({ format: fc.constantFrom("int32", "int64"), default: fc.nat(9) }),
      texts,
    ),
    join(fc.constantFrom<Node>({ type: "integer", enum: [1, 2, 3] }, { type: "boolean" }), texts),
  );

  const { schema } = fc.letrec<{ schema: Node }>((tie) => {
    const below = tie("schema");
    const object = fc
      .tuple(
        nullable("object"),
        texts,
        mapOf(below),
        fc.boolean(),
        seldom(some({ additionalProperties: fc.oneof(below, fc.boolean()) }), 3),
        seldom(range("minProperties", "maxProperties", 5)),
      )
      .map(
        ([type, text, properties, all, ...more]) =>
          Object.assign(
            {},
            type,
            text,
            { properties },
            all && Object.keys(properties).length ? { required: Object.keys(properties) } : {},
            ...more,
          ) as Node,
      );
    const reference = fc.constantFrom(...componentNames).map((name) => ({ $ref: `${refPrefix}${name}` }));
    const array = join(
      nullable("array"),
      below.map((items) => ({ items })),
      seldom(range("minItems", "maxItems", 5), 2),
      seldom(fc.constant({ uniqueItems: true })),
      texts,
    );
    const members = fc.array(below, { minLength: 1, maxLength: 3 });
    // The members restrict each other, or describe the value in other words.
    const restricted = fc.constantFrom("string", "integer").chain((type) =>
      fc
        .tuple(
          fc.array(
            join(
              type === "string" ? textLimits(version) : numberLimits,
              some({ readOnly: fc.constant(true) }),
              texts,
            ),
            { minLength: 1, maxLength: 3 },
          ),
          join(seldom(type === "string" ? textLimits(version) : numberLimits), texts),
        )
        .map(([members, outer]) => ({
          allOf: members.map((member) => ({ type, ...member })),
          ...(outer as Node),
        })),
    );
    const forOld: Arbitrary[] = [
      ...(hasConflicts ? [restricted] : []),
      join(
        fc.tuple(reference, renamed(object, "more")).map((allOf) => ({ allOf })),
        texts,
      ),
    ];
    const forThree: Arbitrary[] = [
      join(
        members.map((oneOf) => ({ oneOf })),
        texts,
      ),
      join(
        members.map((anyOf) => ({ anyOf })),
        texts,
      ),
      fc.constant({
        oneOf: [{ $ref: `${refPrefix}Alpha` }, { $ref: `${refPrefix}Gamma.v1` }],
        discriminator: { propertyName: "kind" },
      }),
    ];
    const forNew: Arbitrary[] = [
      join(reference, texts),
      join(reference, seldom(some({ deprecated: fc.constant(true), default: word }), 2), texts),
      join(
        nullable("array"),
        fc.array(below, { minLength: 1, maxLength: 3 }).map((prefixItems) => ({ prefixItems })),
        seldom(
          fc.oneof(below, fc.constant(false)).map((items) => ({ items })),
          2,
        ),
        texts,
      ),
      join(
        fc.constant({ type: "array" }),
        below.map((contains) => ({ contains })),
        range("minContains", "maxContains", 4),
      ),
      join(
        fc.constant({ type: "string", contentMediaType: "application/json" }),
        below.map((contentSchema) => ({ contentSchema })),
        texts,
      ),
      join(fc.constant({ type: "string", contentEncoding: "base64", contentMediaType: "image/png" }), texts),
      join(
        object,
        fc.tuple(renamed(object, "then"), renamed(object, "else")).map(([first, other]) => ({
          if: { properties: { kind: { const: "amber" } }, required: ["kind"] },
          [conditionTrue]: first,
          else: other,
        })),
      ),
      join(object, fc.constant({ dependentRequired: { id: ["name", "user_id"] } })),
      join(
        object,
        below.map((one) => ({ dependentSchemas: { id: one } })),
      ),
      join(
        object,
        string.map((propertyNames) => ({ propertyNames })),
      ),
      join(
        object,
        below.map((one) => ({ patternProperties: { "^x-": one } })),
      ),
      join(fc.constantFrom<Node>({ const: "amber" }, { const: 7 }, { type: ["string", "integer"] }), texts),
      fc.tuple(sentence, sentence).map(([one, other]) => ({
        oneOf: [
          { const: "amber", description: one },
          { const: "birch", title: "Birch", description: other },
        ],
      })),
    ];
    return {
      schema: fc.oneof(
        { maxDepth: 2, depthIdentifier: "schema", withCrossShrink: true },
        string,
        number,
        reference,
        object,
        object,
        array,
        ...forOld,
        ...(version === "2.0" ? [] : forThree),
        ...(isOld ? [] : forNew),
      ),
    };
  });
  return schema;
}

/** A schema that isn't a reference, so that no component refers only to itself. */
const component = (schema: Arbitrary): Arbitrary =>
  fc.tuple(mapOf(schema, 4), texts, sentence).map(([properties, text, kind]) => ({
    type: "object",
    ...text,
    properties: { kind: { type: "string", description: kind }, ...properties },
  }));

const styles: Record<string, string[]> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
};
const parameterTypes: Arbitrary = fc.constantFrom<Node>(
  { type: "string" },
  { type: "integer", minimum: 3 },
  { type: "boolean" },
  { type: "string", enum: ["up", "down"] },
  { type: "array", items: { type: "string" } },
  { type: "array", items: { type: "string", enum: ["up", "down"] } },
  { type: "object", properties: { r: { type: "integer" }, g: { type: "string" } } },
);

function parametersOf(schema: Arbitrary): fc.Arbitrary<Node[]> {
  const one = fc.constantFrom("query", "header", "cookie", "query").chain((place) =>
    fc.oneof(
      join(
        fc.record({
          in: fc.constant(place),
          schema: fc.oneof({ arbitrary: parameterTypes, weight: 4 }, schema),
        }),
        some({ style: fc.constantFrom(...styles[place]!), explode: fc.boolean(), required: fc.boolean() }),
        some({ description: sentence, deprecated: fc.boolean() }),
        seldom(
          fc.tuple(word, sentence).map(([value, summary]) => ({
            examples: { first: { value, summary }, second: { value: "zinc" } },
          })),
        ),
      ),
      join(
        schema.map((below) => ({ in: place, content: { "application/json": { schema: below } } })),
        some({ description: sentence, required: fc.boolean() }),
      ),
    ),
  );
  return fc
    .array(one, { maxLength: 4 })
    .map((all) =>
      all.map((each, index) => ({ name: `${["filter", "X-Trace", "page.size", "ids"][index]}`, ...each })),
    );
}

const mediaTypes = [
  ..."application/json application/vnd.acme+json application/x-www-form-urlencoded multipart/form-data".split(
    " ",
  ),
  ..."application/xml text/plain application/octet-stream image/png application/yaml application/x-ndjson".split(
    " ",
  ),
  ..."application/x-protobuf application/*+json */* text/event-stream application/graphql multipart/mixed".split(
    " ",
  ),
];

function contentOf(schema: Arbitrary): Arbitrary {
  const media = (type: string) =>
    join(
      schema.map((below) => ({
        schema: /form/.test(type)
          ? { type: "object", properties: { part: below, file: { type: "string", format: "binary" } } }
          : below,
      })),
      seldom(
        fc.tuple(sentence, sentence).map(([summary, description]) => ({
          examples: {
            one: { summary, value: { kind: "amber" } },
            two: { description, value: { kind: "birch" } },
          },
        })),
      ),
      /form-data/.test(type)
        ? seldom(
            sentence.map((description) => ({
              encoding: {
                part: {
                  contentType: "application/json",
                  headers: { "X-Part": { description, schema: { type: "string" } } },
                },
              },
            })),
            2,
          )
        : fc.constant({}),
    );
  return fc
    .uniqueArray(fc.constantFrom(...mediaTypes), { minLength: 1, maxLength: 2 })
    .chain((types) =>
      fc
        .tuple(...types.map(media))
        .map((all) => Object.fromEntries(types.map((type, at) => [type, all[at]]))),
    );
}

function responsesOf(schema: Arbitrary): Arbitrary {
  const response = fc
    .tuple(
      sentence,
      seldom(
        contentOf(schema).map((content) => ({ content })),
        2,
      ),
      seldom(
        fc
          .tuple(sentence, schema)
          .map(([description, below]) => ({ headers: { "X-Count": { description, schema: below } } })),
      ),
      seldom(
        sentence.map((description) => ({
          links: { next: { operationId: "first", description, parameters: { id: "$response.body#/id" } } },
        })),
      ),
    )
    .map(([description, ...more]) => Object.assign({ description }, ...more) as Node);
  return fc
    .uniqueArray(fc.constantFrom("200", "201", "2XX", "404", "default"), { minLength: 1, maxLength: 3 })
    .chain((statuses) =>
      fc
        .tuple(...statuses.map(() => response))
        .map((all) => Object.fromEntries(statuses.map((status, at) => [status, all[at]]))),
    );
}

const schemes = {
  basic: { type: "http", scheme: "basic" },
  token: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
  key: { type: "apiKey", in: "header", name: "X-Key" },
  query_key: { type: "apiKey", in: "query", name: "api_key" },
  session: { type: "apiKey", in: "cookie", name: "sid" },
  login: {
    type: "oauth2",
    flows: {
      clientCredentials: {
        tokenUrl: "https://id.example.com/token",
        scopes: { read: "Read", "write:all": "Write" },
      },
    },
  },
  oidc: { type: "openIdConnect", openIdConnectUrl: "https://id.example.com/.well-known" },
  signed: { type: "http", scheme: "hoba" },
};
const requirement = fc
  .uniqueArray(fc.constantFrom(...Object.keys(schemes), "undeclared"), { maxLength: 2 })
  .map((keys) => Object.fromEntries(keys.map((key) => [key, key === "login" ? ["read"] : []])));
const security = fc.array(requirement, { maxLength: 3 }).map((list) => ({ security: list }));
const servers = fc
  .uniqueArray(
    fc.constantFrom<Node>(
      { url: "https://api.example.com/v1" },
      { url: "/relative", description: "Relative" },
      {
        url: "https://{region}.example.com:{port}/",
        description: "Regions",
        variables: { region: { default: "eu", enum: ["eu", "us"] }, port: { default: "443" } },
      },
    ),
    { minLength: 1, maxLength: 3, selector: ({ url }) => url },
  )
  .map((list) => ({ servers: list }));

function operationOf(schema: Arbitrary, method: string, depth = 0): Arbitrary {
  return fc
    .tuple(
      some({
        summary: sentence,
        description: sentence,
        tags: fc.constant(["Plants"]),
        deprecated: fc.boolean(),
        operationId: fc.uuid(),
      }),
      parametersOf(schema),
      /get|delete|head/.test(method)
        ? fc.constant({})
        : contentOf(schema).chain((content) =>
            some({ description: sentence, required: fc.boolean() }).map((more) => ({
              requestBody: { ...more, content },
            })),
          ),
      responsesOf(schema).map((responses) => ({ responses })),
      seldom(security, 2),
      seldom(servers, 5),
      depth > 0
        ? fc.constant({})
        : seldom(
            operationOf(schema, "post", 1).map((post) => ({
              callbacks: { onEvent: { "{$request.body#/url}": { post } } },
            })),
            5,
          ),
    )
    .map(
      ([texts, parameters, ...more]) =>
        Object.assign({}, texts, parameters.length ? { parameters } : {}, ...more) as Node,
    );
}

function pathItemOf(schema: Arbitrary, version: Version): Arbitrary {
  const methods = ["get", "post", "put", "delete", "patch", ...(version === "3.2.0" ? ["query"] : [])];
  return fc
    .tuple(
      fc
        .uniqueArray(fc.constantFrom(...methods), { minLength: 1, maxLength: 2 })
        .chain((names) =>
          fc
            .tuple(...names.map((name) => operationOf(schema, name)))
            .map((all) => Object.fromEntries(names.map((name, at) => [name, all[at]]))),
        ),
      some({ summary: sentence, description: sentence }),
      seldom(
        parametersOf(schema).map((list) => ({
          parameters: list.map((one) => ({ ...one, name: `${one.name}_all` })),
        })),
        3,
      ),
      version === "3.2.0"
        ? seldom(operationOf(schema, "post").map((COPY) => ({ additionalOperations: { COPY } })))
        : fc.constant({}),
    )
    .map((parts) => Object.assign({}, ...parts) as Node);
}

/** Documents of OpenAPI 3. */
function document3(version: Exclude<Version, "2.0">, hasConflicts: boolean): Arbitrary {
  const schema = schemaOf(version, hasConflicts);
  const isNew = version !== "3.0.4";
  const id = fc.record({
    schema: parameterTypes,
    style: fc.constantFrom(...styles["path"]!),
    explode: fc.boolean(),
    description: sentence,
  });
  return fc
    .tuple(
      fc.tuple(...componentNames.map(() => component(schema))),
      fc.tuple(pathItemOf(schema, version), pathItemOf(schema, version), pathItemOf(schema, version)),
      id,
      seldom(servers, 2),
      seldom(security, 2),
      fc.boolean(),
      sentence,
      seldom(
        pathItemOf(schema, version).map((item) => ({ "x-ms-paths": { "/seeds?kind=amber": item } })),
        2,
      ),
    )
    .map(([components, [first, second, third], path, ...more]): Node => {
      const [servers, security, isShared, description, withQuery] = more;
      const parameters = [
        { name: "id", in: "path", required: true, ...path },
        ...((first["parameters"] as Node[]) ?? []),
      ];
      return {
        openapi: version,
        info: { title: "Plants", version: "1", description },
        ...servers,
        ...security,
        paths: {
          "/plants/{id}": { ...first, parameters },
          "/seeds": second,
          ...(isShared ? { "/copies": { $ref: "#/paths/~1seeds" } } : {}),
        },
        ...withQuery,
        [isNew ? "webhooks" : "x-webhooks"]: { planted: third },
        components: {
          schemas: Object.fromEntries(componentNames.map((name, at) => [name, components[at]])),
          securitySchemes: schemes,
        },
      };
    });
}

const oldSchemes = {
  basic: { type: "basic" },
  key: { type: "apiKey", in: "header", name: "X-Key" },
  login: {
    type: "oauth2",
    flow: "application",
    tokenUrl: "https://id.example.com/token",
    scopes: { read: "Read" },
  },
};

/** Documents of Swagger 2.0. */
function document2(hasConflicts: boolean): Arbitrary {
  const schema = schemaOf("2.0", hasConflicts);
  const simple = fc.constantFrom<Node>(
    { type: "string", maxLength: 7 },
    { type: "integer", minimum: 3 },
    { type: "string", enum: ["up", "down"] },
    ...["csv", "ssv", "pipes", "multi"].map((collectionFormat) => ({
      type: "array",
      items: { type: "string" },
      collectionFormat,
    })),
    {
      type: "array",
      collectionFormat: "csv",
      items: { type: "array", collectionFormat: "pipes", items: { type: "integer", minimum: 2 } },
    },
  );
  const parameter = (place: string, name: string) =>
    join(simple, some({ description: sentence, required: fc.boolean() })).map((one) => ({
      name,
      in: place,
      ...one,
      // Only queries and forms can repeat a name.
      ...(one["collectionFormat"] === "multi" && place === "header" ? { collectionFormat: "csv" } : {}),
    }));
  const operation = (method: string) =>
    fc
      .tuple(
        some({ summary: sentence, description: sentence, operationId: fc.uuid(), deprecated: fc.boolean() }),
        fc.tuple(parameter("query", "filter"), parameter("header", "X-Trace")),
        method === "get"
          ? fc.constant([])
          : fc.oneof(
              schema.chain((below) =>
                some({ description: sentence, required: fc.boolean() }).map((more) => [
                  { name: "body", in: "body", ...more, schema: below },
                ]),
              ),
              fc.tuple(parameter("formData", "part"), parameter("formData", "other")),
            ),
        seldom(
          fc.constantFrom<Node>(
            { consumes: ["application/xml"] },
            { produces: ["application/json", "text/csv"] },
          ),
        ),
        fc.tuple(sentence, schema, sentence).map(([description, below, other]) => ({
          responses: {
            200: {
              description,
              schema: below,
              headers: { "X-Count": { type: "integer", description: other } },
            },
            default: { description: other },
          },
        })),
        seldom(
          fc
            .subarray(Object.keys(oldSchemes))
            .map((keys) => ({ security: keys.map((key) => ({ [key]: key === "login" ? ["read"] : [] })) })),
          2,
        ),
      )
      .map(([texts, parameters, body, media, ...more]) => {
        const isForm = (body as Node[])[0]?.["in"] === "formData";
        return Object.assign(
          {},
          texts,
          { parameters: [...parameters, ...body] },
          media,
          isForm ? { consumes: ["multipart/form-data"] } : {},
          ...more,
        ) as Node;
      });
  return fc
    .tuple(
      fc.tuple(...componentNames.map(() => component(schema))),
      operation("get"),
      operation("post"),
      operation("put"),
      sentence,
    )
    .map(([definitions, get, post, put, description]) => ({
      swagger: "2.0",
      info: { title: "Plants", version: "1", description },
      host: "api.example.com",
      basePath: "/v1",
      schemes: ["https"],
      consumes: ["application/json"],
      produces: ["application/json"],
      paths: {
        "/plants/{id}": {
          get,
          post,
          parameters: [
            {
              name: "id",
              in: "path",
              required: true,
              type: "string",
              description: "The number of amber birches.",
            },
          ],
        },
        "/seeds": { put },
      },
      definitions: Object.fromEntries(componentNames.map((name, at) => [name, definitions[at]])),
      securityDefinitions: oldSchemes,
    }));
}

/**
 * Returns documents of all versions in turn. The same `seed` gives the same documents. `hasConflicts`: whether
 * members of `allOf` restrict each other, so that some schemas allow no value.
 */
export function generatedDocuments(count: number, seed: number, hasConflicts = false): Node[] {
  const versions = ["3.0.4", "3.1.1", "3.2.0"] as const;
  const each = [...versions.map((version) => document3(version, hasConflicts)), document2(hasConflicts)].map(
    (arbitrary) => fc.sample(arbitrary, { numRuns: Math.ceil(count / 4), seed }),
  );
  return each[0]!.flatMap((_, index) => each.map((list) => JSON.parse(JSON.stringify(list[index])) as Node));
}
