/** Tests requests and initial inputs. The first table is based on the table of styles in OpenAPI. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasSpecs, operationOf, operationsOf } from "../../../../test/engine/operation.ts";
import { initialInputs } from "../check/initial-inputs.ts";
import type { Raw } from "../nodes/refs.ts";
import { sampleLanguages } from "../samples/sample-languages.ts";
import { buildRequest } from "./request.ts";
import { requestBytes } from "./request-bytes.ts";
import { withPlaceholders } from "./request-credentials.ts";
import type { Credential, HttpRequest, RequestInputs } from "./request-model.ts";
import { boundariesIn, multipartText } from "./request-multipart.ts";
import { fillPath, readableUrl } from "./request-parameters.ts";

const api = "https://api.example.com";

function request(
  node: Raw,
  inputs: Partial<RequestInputs>,
  options: Parameters<typeof operationOf>[1] = {},
): HttpRequest {
  const { operation, refs } = operationOf(node, options);
  return buildRequest(operation, { server: api, parameters: {}, credentials: [], ...inputs }, refs);
}

function header({ headers }: HttpRequest, name: string): string | undefined {
  return headers.find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1];
}

function bodyText(built: HttpRequest): string {
  return built.body?.kind === "text"
    ? built.body.text
    : built.body?.kind === "multipart"
      ? multipartText(built.body)
      : "";
}

/** Serializes the parameter `color` in a style. Returns the part of the request that contains the value. */
function styled(place: string, style: string, explode: boolean, value: unknown, more: Raw = {}): string {
  const built = request(
    { parameters: [{ name: "color", in: place, required: true, style, explode, schema: {}, ...more }] },
    { parameters: { [`${place}.color`]: value } },
    { path: place === "path" ? "/x{color}" : "/x" },
  );
  if (place === "path") return built.url.slice(`${api}/x`.length);
  if (place === "query") return built.url.slice(`${api}/x?`.length);
  return header(built, place === "header" ? "color" : "Cookie") ?? "";
}

const list = ["blue", "black", "brown"];
const object = { R: 100, G: 200, B: 150 };

describe("styles", () => {
  test.each([
    ["path", "matrix", false, ";color", ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"],
    [
      "path",
      "matrix",
      true,
      ";color",
      ";color=blue",
      ";color=blue;color=black;color=brown",
      ";R=100;G=200;B=150",
    ],
    ["path", "label", false, ".", ".blue", ".blue,black,brown", ".R,100,G,200,B,150"],
    ["path", "label", true, ".", ".blue", ".blue.black.brown", ".R=100.G=200.B=150"],
    ["path", "simple", false, "", "blue", "blue,black,brown", "R,100,G,200,B,150"],
    ["path", "simple", true, "", "blue", "blue,black,brown", "R=100,G=200,B=150"],
    ["header", "simple", false, "", "blue", "blue,black,brown", "R,100,G,200,B,150"],
    ["header", "simple", true, "", "blue", "blue,black,brown", "R=100,G=200,B=150"],
    ["query", "form", false, "color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"],
    [
      "query",
      "form",
      true,
      "color=",
      "color=blue",
      "color=blue&color=black&color=brown",
      "R=100&G=200&B=150",
    ],
    ["cookie", "form", false, "color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"],
    [
      "cookie",
      "cookie",
      true,
      "color=",
      "color=blue",
      "color=blue; color=black; color=brown",
      "R=100; G=200; B=150",
    ],
    [
      "query",
      "spaceDelimited",
      false,
      "color=",
      "color=blue",
      "color=blue%20black%20brown",
      "color=R%20100%20G%20200%20B%20150",
    ],
    [
      "query",
      "pipeDelimited",
      false,
      "color=",
      "color=blue",
      "color=blue%7Cblack%7Cbrown",
      "color=R%7C100%7CG%7C200%7CB%7C150",
    ],
    [
      "query",
      "spaceDelimited",
      true,
      "color=",
      "color=blue",
      "color=blue&color=black&color=brown",
      "R=100&G=200&B=150",
    ],
    [
      "query",
      "deepObject",
      true,
      "color=",
      "color=blue",
      "color=blue&color=black&color=brown",
      "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
    ],
  ])("%s %s explode=%s", (place, style, explode, empty, one, array, members) => {
    expect(["", "blue", list, object].map((value) => styled(place, style, explode, value))).toEqual([
      empty,
      one,
      array,
      members,
    ]);
  });
});

describe("values", () => {
  const filter = { a: { b: "c", d: [1, 2] }, e: [{ f: true }], g: null };
  test.each<[string, string, string, unknown, Raw, string]>([
    ["false and 0 are sent", "query", "form", [false, 0], {}, "color=false&color=0"],
    ["null and undefined are not sent", "query", "form", [null, undefined], {}, ""],
    ["an empty list is not sent", "query", "form", [], {}, ""],
    [
      "a big integer keeps its digits",
      "query",
      "form",
      12345678901234567890n,
      {},
      "color=12345678901234567890",
    ],
    [
      "a list in an object repeats its name",
      "query",
      "form",
      { sort: ["a,b", "c"], page: 1 },
      {},
      "sort=a%2Cb&sort=c&page=1",
    ],
    [
      "a list in an object that isn't exploded",
      "query",
      "form",
      { sort: ["a", "b"], page: 1 },
      { explode: false },
      "color=sort,a%2Cb,page,1",
    ],
    [
      "a list in a list",
      "query",
      "form",
      [
        [1, 2],
        [3, 4],
      ],
      { explode: false },
      "color=1%2C2,3%2C4",
    ],
    ["an empty list in an object", "query", "form", { sort: [], page: 1 }, {}, "page=1"],
    ["a nested object is JSON text", "query", "form", { a: { b: 1 } }, {}, "a=%7B%22b%22%3A1%7D"],
    [
      "deepObject nests",
      "query",
      "deepObject",
      filter,
      {},
      "color%5Ba%5D%5Bb%5D=c&color%5Ba%5D%5Bd%5D=1&color%5Ba%5D%5Bd%5D=2&color%5Be%5D%5B0%5D%5Bf%5D=true",
    ],
    [
      "delimiters in values are escaped",
      "query",
      "form",
      "a,b&c=d;e+f g",
      {},
      "color=a%2Cb%26c%3Dd%3Be%2Bf%20g",
    ],
    [
      "characters that RFC 3986 reserves, and non-ASCII characters",
      "query",
      "form",
      "!'()*:/?#[]@$é☃",
      {},
      "color=%21%27%28%29%2A%3A%2F%3F%23%5B%5D%40%24%C3%A9%E2%98%83",
    ],
    ["a lone surrogate", "query", "form", "\ud800", {}, "color=%EF%BF%BD"],
    [
      "allowReserved",
      "query",
      "form",
      "a/b?c:d@e[f]%20#&+'",
      { allowReserved: true },
      "color=a/b?c:d@e%5Bf%5D%20%23%26%2B%27",
    ],
    [
      "content is JSON text",
      "query",
      "form",
      { a: [1, null] },
      { content: { "application/json": { schema: {} } } },
      "color=%7B%22a%22%3A%5B1%2Cnull%5D%7D",
    ],
    ["a header's line break", "header", "simple", "a\r\nX-Evil: 1", {}, "a%0D%0AX-Evil: 1"],
    ["a header beyond ASCII", "header", "simple", " é\0 ", {}, "%C3%A9%00"],
    ["a cookie's delimiter", "cookie", "form", "a;b=c, d", {}, "color=a%3Bb%3Dc%2C%20d"],
  ])("%s", (_, place, style, value, more, wanted) => {
    const { content } = more;
    const node = content ? { style: undefined, explode: undefined, schema: undefined, ...more } : more;
    expect(styled(place, style, style !== "simple", value, node)).toBe(wanted);
  });

  test("in: querystring is the whole query", () => {
    const whole = (type: string, value: unknown) =>
      request(
        { parameters: [{ name: "q", in: "querystring", content: { [type]: { schema: {} } } }] },
        { parameters: { "querystring.q": value } },
      ).url;
    expect(whole("application/x-www-form-urlencoded", { a: "b c", d: [1, 2] })).toBe(
      `${api}/?a=b%20c&d=1&d=2`,
    );
    expect(whole("application/json", { a: 1 })).toBe(`${api}/?%7B%22a%22%3A1%7D`);
    expect(whole("text/plain", "a=1&b=#")).toBe(`${api}/?a=1&b=%23`);
  });
});

describe("a path", () => {
  const at = (path: string, value: unknown, server = api, more: Raw = {}) =>
    request(
      { parameters: [{ name: "id", in: "path", required: true, schema: {}, ...more }] },
      { server, parameters: { "path.id": value } },
      { path },
    ).url;

  test.each([
    ["/pets/{id}", "a/b", "/pets/a%2Fb"],
    ["/pets/{id}", "..", "/pets/%7Bid%7D"],
    ["/pets/{id}/toys", "%2e%2E", "/pets/%252e%252E/toys"],
    ["/pets/{id}", ".", "/pets/%7Bid%7D"],
    ["/pets/{id}", "", "/pets/%7Bid%7D"],
    ["/pets/.{id}", ".", "/pets/.%7Bid%7D"],
    ["/pets/{id}", undefined, "/pets/%7Bid%7D"],
    ["/pets/{id}.{ending}", 7, "/pets/7.%7Bending%7D"],
    ["/pets/{id}", "a?b#c\\d", "/pets/a%3Fb%23c%5Cd"],
    ["/pets/{id}", "{id}$&", "/pets/%7Bid%7D%24%26"],
    ["/search?kind=all&of={id}#part", "x y", "/search?kind=all&of=x%20y"],
    ["/ä b/{id}", 0, "/%C3%A4%20b/0"],
    ["/v1/{id=shelves/*/books/*}", "shelves/5/books/7", "/v1/shelves/5/books/7"],
    ["/v1/{id=shelves/*}/books:list", "shelves/a b", "/v1/shelves/a%20b/books:list"],
    ["/v1/{id=*}", "a/b", "/v1/a%2Fb"],
    ["/v1/{id=**}/x", "a/b", "/v1/a/b/x"],
    ["/v1/{id=shelves/*}", "shelves/..", "/v1/%7Bid%3Dshelves%2F%2A%7D"],
    ["/v1/{id=shelves/*}/", "shelves/1", "/v1/shelves/1/"],
  ])("%s with %j", (path, value, wanted) => {
    const url = at(path, value);
    expect(url).toBe(api + wanted);
    expect(new URL(url).href).toBe(url);
  });

  test.each([
    ["https://api.example.com/", "https://api.example.com/pets/1"],
    ["https://api.example.com/v1//", "https://api.example.com/v1/pets/1"],
    ["https://api.example.com/v1?key=a'b#top", "https://api.example.com/v1/pets/1?key=a%27b"],
    ["https://user:pass@[::1]:8080/a b", "https://user:pass@[::1]:8080/a%20b/pets/1"],
    ["/v2", "/v2/pets/1"],
    ["", "/pets/1"],
  ])("joined to the server %j", (server, wanted) => {
    expect(at("/pets/{id}", 1, server)).toBe(wanted);
  });

  test("a parameter without a value is readable in the preview, and a value with braces is shown as it's sent", () => {
    const parameters = ["shop", "id"].map((name) => ({ name, in: "path", required: true, schema: {} }));
    const { operation } = operationOf({ parameters }, { path: "/{shop}/pets/{id}" });
    const { path, open } = fillPath(operation.path, operation.parameters, { "path.shop": "{shop}" });
    expect(readableUrl(path, open)).toBe("/%7Bshop%7D/pets/{id}");
  });

  test("a reserved value stays inside its segment", () => {
    expect(at("/pets/{id}", "a:b@c/d?e", api, { allowReserved: true })).toBe(`${api}/pets/a:b@c%2Fd%3Fe`);
    expect(at("/pets/{id}", "%2e%2e", api, { allowReserved: true })).toBe(`${api}/pets/%7Bid%7D`);
  });
});

describe("headers", () => {
  test("Accept lists the media types of a success, and three parameter names are ignored", () => {
    const parameters = ["Accept", "content-type", "AUTHORIZATION", "X-Id", "bad name"].map((name) => ({
      name,
      in: "header",
      schema: {},
    }));
    const built = request(
      {
        parameters,
        responses: {
          404: { content: { "text/plain": {} } },
          200: { content: { "application/json": {}, "text/csv": {} } },
        },
      },
      { parameters: Object.fromEntries(parameters.map(({ name }) => [`header.${name}`, "1"])) },
    );
    expect(built.headers).toEqual([
      ["Accept", "application/json, text/csv"],
      ["X-Id", "1"],
    ]);
  });

  test("all cookies go in one header", () => {
    const names = ["a", "b"].map((name) => ({ name, in: "cookie", schema: {} }));
    const built = request({ parameters: names }, { parameters: { "cookie.a": "1", "cookie.b": "2" } });
    expect(built.headers).toEqual([["Cookie", "a=1; b=2"]]);
  });
});

describe("credentials", () => {
  const key = (place: "header" | "query" | "cookie", value: string): Credential => ({
    scheme: { key: "k", scopes: [], type: "apiKey", in: place, name: "key" },
    value,
  });
  const scheme = (more: object) =>
    ({ key: "k", scopes: [] as string[], ...more }) as unknown as Credential["scheme"];
  test.each<[string, Credential, string]>([
    ["apiKey in a header", key("header", "s3cret\n"), "key: s3cret"],
    ["apiKey in a cookie", key("cookie", "a=b;c"), "Cookie: key=a=b%3Bc"],
    ["bearer", { scheme: scheme({ type: "bearer" }), value: "t0ken" }, "Authorization: Bearer t0ken"],
    [
      "bearer with the whole header value",
      { scheme: scheme({ type: "bearer" }), value: "bearer t0ken" },
      "Authorization: Bearer t0ken",
    ],
    ["oauth2", { scheme: scheme({ type: "oauth2", flows: [] }), value: "t" }, "Authorization: Bearer t"],
    [
      "openIdConnect",
      { scheme: scheme({ type: "openIdConnect", url: "" }), value: "t" },
      "Authorization: Bearer t",
    ],
    [
      "basic in UTF-8",
      { scheme: scheme({ type: "basic" }), value: { username: "zoë", password: "a:b" } },
      "Authorization: Basic em/DqzphOmI=",
    ],
    [
      "another scheme",
      { scheme: scheme({ type: "http", scheme: "digest" }), value: "Digest x=1" },
      "Authorization: Digest x=1",
    ],
    ["no value", { scheme: scheme({ type: "bearer" }), value: "" }, ""],
  ])("%s", (_, credential, wanted) => {
    const built = request({}, { credentials: [credential] });
    expect(built.headers.map((pair) => pair.join(": ")).join()).toBe(wanted);
  });

  test("take precedence over parameters with the same name", () => {
    const places = ["header", "query", "cookie"] as const;
    const parameters = places.map((place) => ({ name: "key", in: place, schema: {} }));
    const built = request(
      { parameters },
      {
        parameters: { "header.key": "no", "query.key": "no", "cookie.key": "no" },
        credentials: places.map((place) => key(place, "y/s")),
      },
    );
    expect(built.url).toBe(`${api}/?key=y%2Fs`);
    expect(built.headers).toEqual([
      ["key", "y/s"],
      ["Cookie", "key=y/s"],
    ]);
  });

  test("samples have placeholders for missing credentials", () => {
    const inputs: RequestInputs = {
      server: api,
      parameters: {},
      credentials: [key("query", ""), { scheme: scheme({ type: "bearer" }), value: "" }],
    };
    const { operation, refs } = operationOf({});
    const built = buildRequest(operation, withPlaceholders(inputs), refs);
    expect(built.url).toBe(`${api}/?key=YOUR_API_KEY`);
    expect(built.headers).toEqual([["Authorization", "Bearer YOUR_TOKEN"]]);
  });
});

describe("bodies", () => {
  const send = (
    type: string,
    content: { value: unknown } | { text: string },
    media: Raw = {},
    components: Raw = {},
  ) =>
    request(
      { requestBody: { content: { [type]: media } } },
      { body: { mediaType: type, content } },
      { method: "post", components },
    );
  const photo = (bytes?: string, name = "p.png") => ({
    file: { name, type: "image/png", ...(bytes === undefined ? {} : { bytes: new Blob([bytes]) }) },
  });

  test.each<[string, string, unknown, Raw, string]>([
    [
      "JSON keeps null and big integers",
      "application/json",
      { a: null, b: 12345678901234567890n, c: undefined, d: [] },
      {},
      '{\n  "a": null,\n  "b": 12345678901234567890,\n  "d": []\n}',
    ],
    [
      "JSON keeps hostile keys",
      "application/problem+json",
      JSON.parse('{"__proto__":{"a":1}}'),
      {},
      '{\n  "__proto__": {\n    "a": 1\n  }\n}',
    ],
    ["a JSON string is quoted", "application/json", 'say "hi"', {}, '"say \\"hi\\""'],
    ["lines", "application/x-ndjson", [{ a: 1 }, { a: 2 }], {}, '{"a":1}\n{"a":2}\n'],
    ["text", "text/plain", "a\0b", {}, "ab"],
    [
      "a form",
      "application/x-www-form-urlencoded",
      { a: "x y&z", b: [1, 2], c: { d: 1 }, e: false },
      {},
      "a=x+y%26z&b=1&b=2&c=%7B%22d%22%3A1%7D&e=false",
    ],
    [
      "a form with styles",
      "application/x-www-form-urlencoded",
      { a: ["x", "y"], b: { c: "d" }, e: ["f", "g"] },
      {
        encoding: {
          a: { style: "form", explode: false },
          b: { style: "deepObject" },
          e: { style: "spaceDelimited" },
        },
      },
      "a=x,y&b%5Bc%5D=d&e=f+g",
    ],
  ])("%s", (_, type, value, media, wanted) => {
    const built = send(type, { value }, media);
    expect(bodyText(built)).toBe(wanted);
    expect(header(built, "Content-Type")).toBe(type);
  });

  test("XML uses the names in the schema", () => {
    const Pet = {
      type: "object",
      xml: { name: "pet", namespace: "urn:pets", prefix: "p" },
      properties: {
        id: { type: "integer", xml: { attribute: true } },
        tags: {
          type: "array",
          xml: { wrapped: true, name: "labels" },
          items: { type: "string", xml: { name: "label" } },
        },
        photos: { type: "array", items: { type: "string", xml: { name: "photo" } } },
        name: { type: "string" },
      },
    };
    const value = { id: 7, name: 'a<b & "c"', tags: ["x", "y"], photos: ["1"], "2 odd": null };
    const built = send(
      "application/xml",
      { value },
      { schema: { $ref: "#/components/schemas/Pet" } },
      { schemas: { Pet } },
    );
    expect(bodyText(built).split("\n")).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<p:pet xmlns:p="urn:pets" id="7">',
      "  <name>a&lt;b &amp; &quot;c&quot;</name>",
      "  <labels>",
      "    <label>x</label>",
      "    <label>y</label>",
      "  </labels>",
      "  <photo>1</photo>",
      "  <_2_odd></_2_odd>",
      "</p:pet>",
    ]);
  });

  test("XML has attributes and list elements of OpenAPI 3.2", () => {
    const schema = {
      type: "object",
      xml: { name: "note" },
      properties: {
        lang: { type: "string", xml: { nodeType: "attribute" } },
        tags: {
          type: "array",
          xml: { nodeType: "element" },
          items: { type: "string", xml: { name: "tag" } },
        },
      },
    };
    const value = { lang: "en", tags: ["x"] };
    expect(
      bodyText(send("application/xml", { value }, { schema }))
        .split("\n")
        .slice(1),
    ).toEqual(['<note lang="en">', "  <tags>", "    <tag>x</tag>", "  </tags>", "</note>"]);
  });

  test("XML declares the prefix of an attribute once", () => {
    const lang = (name: string) => ({
      type: "string",
      xml: { attribute: true, name, prefix: "meta", namespace: "urn:meta" },
    });
    const schema = {
      type: "object",
      xml: { name: "feed", namespace: "urn:feed" },
      properties: {
        a: lang("lang"),
        b: lang("dir"),
        item: { type: "object", properties: { a: lang("lang") } },
      },
    };
    expect(
      bodyText(send("application/xml", { value: { a: "en", b: "ltr", item: { a: "de" } } }, { schema }))
        .split("\n")
        .slice(1),
    ).toEqual([
      '<feed xmlns="urn:feed" xmlns:meta="urn:meta" meta:lang="en" meta:dir="ltr">',
      '  <item xmlns:meta="urn:meta" meta:lang="de"/>',
      "</feed>",
    ]);
  });

  test("multipart: a part for each property, with its encoding", () => {
    const built = send(
      "multipart/form-data",
      { value: { 'a"\n': "1", tags: ["x", "y"], meta: { k: 1n }, xml: { b: "c" }, photo: photo(), id: 3 } },
      {
        encoding: {
          xml: { contentType: "application/xml" },
          photo: { contentType: "image/*", headers: { "X-Size": { schema: { default: 12 } } } },
          id: { contentType: "text/plain" },
        },
      },
    );
    expect(header(built, "Content-Type")).toBe("multipart/form-data; boundary=----octavo-boundary");
    expect(bodyText(built).replaceAll("\r\n", "\n")).toBe(`------octavo-boundary
Content-Disposition: form-data; name="a%22%0D%0A"

1
------octavo-boundary
Content-Disposition: form-data; name="tags"

x
------octavo-boundary
Content-Disposition: form-data; name="tags"

y
------octavo-boundary
Content-Disposition: form-data; name="meta"
Content-Type: application/json

{"k":1}
------octavo-boundary
Content-Disposition: form-data; name="xml"
Content-Type: application/xml

<?xml version="1.0" encoding="UTF-8"?>
<xml>
  <b>c</b>
</xml>
------octavo-boundary
Content-Disposition: form-data; name="photo"; filename="p.png"
Content-Type: image/png
X-Size: 12

<contents of p.png>
------octavo-boundary
Content-Disposition: form-data; name="id"
Content-Type: text/plain

3
------octavo-boundary--
`);
  });

  test("the boundary changes if the content contains it", async () => {
    const text = send("multipart/form-data", { value: { a: "----octavo-boundary" } });
    expect(header(text, "Content-Type")).toBe("multipart/form-data; boundary=----octavo-boundary-1");
    const bytes = new Blob([`${"x".repeat((1 << 20) - 9)}----octavo-boundary\u00e9`]);
    const value = {
      a: { file: { name: "p.png", type: "image/png", bytes, boundaries: await boundariesIn(bytes) } },
    };
    const file = send("multipart/form-data", { value });
    const type = header(file, "Content-Type")!;
    expect(type).toBe("multipart/form-data; boundary=----octavo-boundary-1");
    const form = await new Response(await requestBytes(file), {
      headers: { "Content-Type": type },
    }).formData();
    expect(await (form.get("a") as File).text()).toBe(await bytes.text());
  });

  test("parts of other multipart types have no names", () => {
    const built = send("multipart/mixed", { value: [{ a: 1 }, "text"] });
    expect(bodyText(built)).toBe(
      '------octavo-boundary\r\nContent-Type: application/json\r\n\r\n{"a":1}\r\n------octavo-boundary\r\n\r\ntext\r\n------octavo-boundary--\r\n',
    );
  });

  test("a file is sent unchanged", async () => {
    const built = send("image/*", { value: photo("bytes") });
    expect(header(built, "Content-Type")).toBe("image/png");
    expect(new TextDecoder().decode(await requestBytes(built))).toBe("bytes");
  });
});

describe("initial inputs", () => {
  const first = (node: Raw, options: { optional?: boolean; components?: Raw } = {}) => {
    const { operation, refs } = operationOf(node, {
      path: "/pets/{petId}",
      method: "post",
      components: options.components ?? {},
    });
    return initialInputs(operation, refs, { optional: options.optional ?? true });
  };
  const parameter = (more: Raw) =>
    first({ parameters: [{ name: "q", in: "query", ...more }] }).parameters["query.q"];

  test.each<[string, Raw, unknown]>([
    [
      "x-default has priority",
      { schema: { type: "integer", "x-default": 1, default: 2, example: 3 }, example: 4 },
      1,
    ],
    ["then the parameter's example", { schema: { type: "integer", default: 2, example: 3 }, example: 4 }, 4],
    ["then the schema's example", { schema: { type: "integer", default: 2, example: 3 } }, 3],
    ["then the default, even if it is false", { schema: { type: "boolean", default: false } }, false],
    ["then a generated value", { schema: { type: "string", enum: ["a", "b"] } }, "a"],
    ["then a placeholder with the parameter's name", { schema: { type: "string" } }, "Q"],
    ["no value for a deprecated parameter", { deprecated: true, schema: { type: "string" } }, undefined],
  ])("%s", (_, more, wanted) => {
    expect(parameter(more)).toEqual(wanted);
  });

  test("x-default of body fields takes precedence over examples, also in optional fields", () => {
    const properties = {
      name: { type: "string", "x-default": "Fern", example: "Rose" },
      size: {
        type: "object",
        properties: { height: { type: "integer", "x-default": 7 }, width: { type: "integer", example: 3 } },
      },
      note: { type: "string", "x-default": "Hi" },
      more: { type: "string" },
    };
    const schema = { type: "object", required: ["name"], properties };
    const body = (media: Raw, optional = true) =>
      first({ requestBody: { content: { "application/json": { schema, ...media } } } }, { optional }).body
        ?.content;
    expect(body({})).toEqual({
      value: { name: "Fern", size: { height: 7, width: 3 }, note: "Hi", more: "<string>" },
    });
    expect(body({}, false)).toEqual({ value: { name: "Fern", note: "Hi" } });
    expect(body({ example: { name: "Ivy", size: { width: 1 }, own: 1 } })).toEqual({
      value: { name: "Fern", size: { height: 7, width: 1 }, note: "Hi", own: 1 },
    });
    expect(parameter({ schema, example: { name: "Ivy" } })).toEqual({ name: "Fern", note: "Hi" });
  });

  test("optional: false omits optional fields and parameters, except in the path", () => {
    const parameters = [
      { name: "petId", in: "path", schema: { type: "string" } },
      { name: "a", in: "query", schema: { type: "integer", minimum: 5 } },
      { name: "b", in: "query", required: true, schema: { type: "integer", minimum: 5 } },
    ];
    const schema = {
      type: "object",
      required: ["x"],
      properties: { x: { type: "boolean" }, y: { type: "boolean" } },
    };
    const inputs = first(
      { parameters, requestBody: { content: { "application/json": { schema } } } },
      { optional: false },
    );
    expect(inputs.parameters).toEqual({ "path.petId": "PET_ID", "query.b": 6 });
    expect(inputs.body).toEqual({ mediaType: "application/json", content: { value: { x: true } } });
  });

  test("binary fields of a form are files", () => {
    const properties = {
      photo: { type: "string", contentMediaType: "image/png" },
      all: { type: "array", items: { type: "string", format: "binary" } },
      note: { type: "string", example: "hi" },
    };
    const inputs = first({
      requestBody: { content: { "multipart/form-data": { schema: { type: "object", properties } } } },
    });
    expect(inputs.body?.content).toEqual({
      value: {
        photo: { file: { name: "example.png", type: "image/png" } },
        all: [{ file: { name: "example.bin", type: "" } }],
        note: "hi",
      },
    });
    expect(first({ requestBody: { content: { "application/pdf": {} } } }).body?.content).toEqual({
      value: { file: { name: "example.pdf", type: "application/pdf" } },
    });
  });

  test("binary fields of the alternatives of a form are files", () => {
    const file = { type: "string", format: "binary" };
    const parts = (schema: Raw) => {
      const { operation, refs } = operationOf(
        { requestBody: { content: { "multipart/form-data": { schema } } } },
        {
          method: "post",
          components: { schemas: { Disk: { type: "object", required: ["file"], properties: { file } } } },
        },
      );
      return initialInputs(operation, refs, { optional: true }).body?.content;
    };
    const url = { type: "object", required: ["url"], properties: { url: { type: "string" } } };
    const disk = { $ref: "#/components/schemas/Disk" };
    const wanted = { value: { file: { file: { name: "example.bin", type: "" } } } };
    expect(parts({ oneOf: [disk, url] })).toEqual(wanted);
    expect(parts({ anyOf: [{ allOf: [disk] }, url] })).toEqual(wanted);
    expect(parts({ oneOf: [{ oneOf: [disk, url] }, url] })).toEqual(wanted);
    expect(parts({ allOf: [{ oneOf: [disk, url] }] })).toEqual(wanted);
    expect(
      parts({ oneOf: [{ type: "object", properties: { file: { type: "array", items: file } } }, url] }),
    ).toEqual({
      value: { file: [{ file: { name: "example.bin", type: "" } }] },
    });
  });

  test.each([
    "application/x-protobuf",
    "application/cbor",
    "application/msgpack",
    "application/vnd.acme.binary",
  ])("an object of %s is a file", (type) => {
    const schema = { type: "object", properties: { n: { type: "integer", example: 1 } } };
    const { operation, refs } = operationOf(
      { requestBody: { content: { [type]: { schema } } } },
      { method: "post" },
    );
    expect(initialInputs(operation, refs, { optional: true }).body?.content).toEqual({
      value: { file: { name: "example.bin", type } },
    });
  });

  test("examples that are text stay unchanged", () => {
    const body = (type: string, example: unknown) =>
      first({ requestBody: { content: { [type]: { schema: { type: "object" }, example } } } }).body?.content;
    expect(body("application/json", '{"a": 1.0}')).toEqual({ text: '{"a": 1.0}' });
    expect(body("application/json", { a: 1 })).toEqual({ value: { a: 1 } });
    expect(body("application/xml", "<a/>")).toEqual({ text: "<a/>" });
  });

  test("server and credentials", () => {
    const inputs = first(
      {
        servers: [{ url: "https://{region}.example.com", variables: { region: { default: "eu" } } }],
        security: [{}, { key: [], user: [] }],
      },
      {
        components: {
          securitySchemes: {
            key: { type: "apiKey", in: "header", name: "X-Key", "x-default": "demo" },
            user: { type: "http", scheme: "basic" },
          },
        },
      },
    );
    expect(inputs.server).toBe("https://eu.example.com");
    expect(inputs.credentials.map(({ scheme, value }) => [scheme.key, value])).toEqual([
      ["key", "demo"],
      ["user", { username: "", password: "" }],
    ]);
  });
});

describe("arbitrary inputs", () => {
  const text = fc.string({ unit: "binary" });
  const value = fc.oneof(
    text,
    fc.jsonValue({ maxDepth: 3, stringUnit: "binary" }),
    fc.bigInt(),
    fc.constantFrom("..", ".", "%2e%2E", "/", "\\", "\ud800", "a\r\nb: c"),
  );
  const styles = {
    path: ["simple", "label", "matrix"],
    query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
    header: ["simple"],
    cookie: ["form", "cookie"],
  };
  const parameters = Object.entries(styles).flatMap(([place, names]) =>
    names.flatMap((style) =>
      [true, false].flatMap((explode) =>
        [true, false].map((allowReserved) => ({
          name: `${style}-${explode}-${allowReserved}`,
          in: place,
          style,
          explode,
          allowReserved,
          required: true,
          schema: {},
        })),
      ),
    ),
  );
  const path = `/v1/${parameters.flatMap(({ in: place, name }) => (place === "path" ? `{${name}}` : [])).join("/")}/end`;
  const types = [
    "application/json",
    "application/xml",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/mixed",
    "application/x-ndjson",
    "*/*",
  ];

  test("don't change the host or the path segments, add no headers and cause no exception", () => {
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 40, maxLength: 40 }),
        value,
        fc.constantFrom(...types),
        text,
        (values, body, mediaType, token) => {
          const { operation, refs } = operationOf(
            { parameters, requestBody: { content: { [mediaType]: {} } } },
            { method: "post", path },
          );
          const credentials: Credential[] = (["header", "query", "cookie"] as const).map((place) => ({
            scheme: { key: "k", scopes: [], type: "apiKey", in: place, name: "k" },
            value: token,
          }));
          const typed = Object.fromEntries(
            parameters.map((parameter, index) => [
              `${parameter.in}.${parameter.name}`,
              values[index % values.length],
            ]),
          );
          const inputs: RequestInputs = {
            server: api,
            parameters: typed,
            credentials,
            body: { mediaType, content: { value: body } },
          };
          const built = buildRequest(operation, inputs, refs);
          const url = new URL(built.url);
          expect(url.href).toBe(built.url);
          expect(url.origin).toBe(api);
          expect(url.pathname.split("/")).toHaveLength(path.split("/").length);
          expect(url.pathname).toMatch(/^\/v1\/.*\/end$/);
          expect(url.hash).toBe("");
          expect([...new Headers(built.headers)]).toHaveLength(built.headers.length);
          for (const [, item] of built.headers) expect(item).toMatch(/^[\x20-\x7e]*$/);
          for (const { sample } of sampleLanguages) expect(sample(built)).not.toContain("\0");
        },
      ),
      { numRuns: 200 },
    );
  });
});

const documents = [
  "parameters-style-3.1.json",
  "param-serialization-3.0.yaml",
  "multipart-encoding-3.1.yaml",
  "file-uploads-3.0.json",
  "security-3.1.json",
];

describe.skipIf(!hasSpecs)("operations of real documents", () => {
  test.each(documents)("%s", async (file) => {
    const operations = operationsOf(file);
    expect(operations.length).toBeGreaterThan(0);
    for (const { operation, refs } of operations) {
      for (const optional of [true, false]) {
        const inputs = withPlaceholders(initialInputs(operation, refs, { optional }));
        const built = buildRequest(operation, inputs, refs);
        expect(new URL(built.url, api).href, `${operation.method} ${operation.path}`).toBe(
          new URL(api).href.slice(0, built.url.startsWith("/") ? -1 : 0) + built.url,
        );
        expect(built.url).not.toContain("%7B");
        new Headers(built.headers);
        await requestBytes(built);
      }
    }
  });
});
