/** Writes the parts of a Swagger 2.0 document that differ from OpenAPI 3 as OpenAPI 3 has them. */

// biome-ignore lint/suspicious/noExplicitAny: documents are untyped.
type Node = any;

const methods = "get put post delete options head patch".split(" ");
/** Keys of a parameter that aren't a part of its schema in OpenAPI 3. */
const parameterKeys = new Set(["name", "in", "required", "description", "collectionFormat", "schema"]);

const mapValues = (map: Node, change: (value: Node) => Node): Node =>
  Object.fromEntries(Object.entries(map ?? {}).map(([key, value]) => [key, change(value)]));

/** References to schemas stay as they are, because `definitions` is kept. */
export function asVersion3(root: Node): Node {
  const resolve = (node: Node) =>
    node?.$ref ? root[node.$ref.split("/")[1]]?.[node.$ref.split("/").slice(2).join("/")] : node;

  /** A parameter, a field of a form, or a header: its schema is written next to its name. */
  const withSchema = (node: Node): Node => {
    const entries = Object.entries(node);
    return {
      ...Object.fromEntries(entries.filter(([key]) => parameterKeys.has(key))),
      schema: Object.fromEntries(entries.filter(([key]) => !parameterKeys.has(key))),
    };
  };

  const response = (node: Node, types: readonly string[]): Node => {
    const { schema, headers, examples = {}, ...rest } = resolve(node) ?? {};
    const all = [...new Set([...(schema ? types : []), ...Object.keys(examples)])];
    return {
      ...rest,
      headers: mapValues(headers, withSchema),
      content: Object.fromEntries(all.map((type) => [type, { schema }])),
    };
  };

  const operation = (node: Node, shared: readonly Node[]): Node => {
    const own = (node.parameters ?? []).map(resolve);
    const all: Node[] = [
      ...shared.filter((one) => !own.some((o: Node) => o?.name === one?.name && o?.in === one?.in)),
      ...own,
    ];
    const types = node.consumes ?? root.consumes ?? ["application/json"];
    const body = all.find((one) => one?.in === "body");
    const fields = all.filter((one) => one?.in === "formData");
    const forms = types.filter((type: string) => /multipart|urlencoded/.test(type));
    const schema = body?.schema ?? {
      properties: Object.fromEntries(
        fields.map(({ name, in: _, required: __, collectionFormat: ___, ...field }) => [name, field]),
      ),
    };
    const content = body ? types : forms;
    return {
      ...node,
      parameters: all.filter((one) => !["body", "formData"].includes(one?.in)).map(withSchema),
      ...(body || fields.length
        ? {
            requestBody: {
              description: body?.description,
              required: [body, ...fields].some((one) => one?.required === true),
              content: Object.fromEntries(content.map((type: string) => [type, { schema }])),
            },
          }
        : {}),
      responses: mapValues(node.responses, (one) =>
        response(one, node.produces ?? root.produces ?? ["application/json"]),
      ),
    };
  };

  const item = ({ parameters = [], ...node }: Node): Node =>
    Object.fromEntries(
      Object.entries(node).map(([key, value]) => [
        key,
        methods.includes(key) ? operation(value, parameters.map(resolve)) : value,
      ]),
    );

  const scheme = ({ flow, authorizationUrl, tokenUrl, scopes, ...rest }: Node): Node =>
    flow ? { ...rest, flows: { [flow]: { authorizationUrl, tokenUrl, scopes } } } : rest;

  const servers = root.host
    ? (root.schemes ?? ["https"]).map((name: string) => ({
        url: `${name}://${root.host}${root.basePath ?? ""}`.replace(/\/$/, ""),
      }))
    : root.basePath
      ? [{ url: root.basePath.replace(/(.)\/$/, "$1") }]
      : [];
  return {
    ...root,
    servers,
    paths: mapValues(root.paths, item),
    components: { securitySchemes: mapValues(root.securityDefinitions, scheme) },
  };
}
