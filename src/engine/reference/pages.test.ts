/**
 * Tests the pages of operations (sections, links, samples, responses, callbacks) and of schemas, and their
 * Markdown.
 */

import { describe, expect, test } from "vitest";
import {
  bodyDocument,
  contextOf,
  fieldsOf,
  operationDocument,
  pageOf,
  textOf,
} from "../../../test/engine/reference-page.ts";
import { messagesOf } from "../i18n/locales.ts";
import { schemaRef } from "../openapi/schema/schema-view.ts";
import { renderSchemaFragment, renderSchemaPage } from "./schema-page.tsx";

const text = { schema: { type: "string" } };
const json = (schema: object, more: object = {}) => ({
  content: { "application/json": { schema, ...more } },
});
const parameter = (place: string, name: string, more: object = {}) => ({ in: place, name, ...text, ...more });

describe("sections", () => {
  const document = operationDocument(
    {
      security: [{ key: [] }],
      parameters: [
        parameter("cookie", "session"),
        parameter("header", "X-Trace"),
        parameter("query", "limit", { required: true, description: "How **many**", deprecated: true }),
        parameter("path", "id"),
      ],
      requestBody: {
        required: true,
        description: "The thing",
        ...json({ type: "object", properties: { name: { type: "string" } } }),
      },
      callbacks: {
        done: { "{$request.body#/url}": { post: { responses: { 200: { description: "ok" } } } } },
      },
    },
    { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
  );
  const page = pageOf(document);

  test("are in order, with ids and entries in the table of contents", () => {
    const expected = [
      "authorization",
      "path-parameters",
      "query-parameters",
      "headers",
      "cookies",
      "body",
      "callbacks",
      "responses",
    ];
    expect([...page.html.matchAll(/<h2[^>]* id="([^"]+)"/g)].map((match) => match[1])).toEqual(expected);
    expect(page.toc).toEqual(expected.map((id) => expect.objectContaining({ id, level: 2 })));
    expect(page.anchors).toEqual(expect.arrayContaining([...expected, "param-limit"]));
  });
  test("the properties of a parameter take precedence over its schema, and a path parameter is required", () => {
    expect(fieldsOf(page.html)["param-limit"]).toBe("limit string required Deprecated\nHow many");
    expect(fieldsOf(page.html)["param-id"]).toBe("id string required");
  });
  test("badges, a path's texts, external documentation and conditions are on the page and in its Markdown", () => {
    const { html, markdown } = pageOf(
      operationDocument({
        "x-badges": [{ name: "Beta", color: "purple" }, "Internal"],
        externalDocs: { url: "https://example.com/more", description: "Read more" },
        requestBody: json({
          type: "object",
          properties: {
            a: {
              oneOf: [
                { const: "x", description: "First **one**." },
                { const: "y", title: "Second" },
              ],
            },
          },
          dependentRequired: { a: ["b"] },
          not: { required: ["c", "d"] },
        }),
      }),
    );
    for (const shown of [textOf(html), markdown])
      for (const words of [
        "Beta",
        "Internal",
        "Read more",
        "enum<string>",
        "First",
        "Second",
        "If a is set",
        "not c + d",
      ])
        expect(shown.replaceAll("`c + d`", "c + d")).toContain(words);
  });
  test("the Markdown starts with the description, which is the text of search results", () => {
    const { markdown } = pageOf(operationDocument({ operationId: "make", description: "Makes a thing." }));
    expect(markdown.indexOf("Makes a thing.")).toBeLessThan(markdown.indexOf("operationId"));
  });
  test.each(["# Steps", "Steps\n---", "- Step", "```sh\n# Step\n```", "<table>\n</table>"])(
    "the operationId isn't part of a block of the description: %j",
    (block) => {
      const markdown = (description: string) =>
        pageOf(operationDocument({ operationId: "make", description })).markdown;
      const facts = "operationId: `make`\n\nBase URL:\n\n- `https://api.example.com`";
      expect(markdown(`Makes a thing.\n\n${block}`)).toContain(`Makes a thing.\n\n${facts}\n\n${block}`);
      expect(markdown(`${block}\n\nEnd.`)).toContain(`${facts}\n\n${block}\n\nEnd.`);
    },
  );
  test.each(["Data:\n<table>\n\n<tr></tr>\n</table>", "---\n\nMakes a thing."])(
    "the operationId is before a description that doesn't start with a paragraph alone: %j",
    (description) => {
      const { markdown } = pageOf(operationDocument({ operationId: "make", description }));
      expect(markdown.indexOf("operationId")).toBeLessThan(markdown.indexOf(description));
    },
  );
  test("the operationId is in the Markdown", () => {
    expect(pageOf(operationDocument({ operationId: "thing_make" })).markdown).toContain(
      "operationId: `thing_make`",
    );
    const webhook = { webhooks: { made: { post: { operationId: "on_made", responses: {} } } } };
    expect(pageOf({ openapi: "3.1.0", ...webhook }).markdown).toContain("operationId: `on_made`");
  });
  test("a header of an operation replaces the path's in another case", () => {
    const header = (name: string, description: string) => ({
      name,
      in: "header",
      description,
      schema: { type: "string" },
    });
    const document = operationDocument({ parameters: [header("x-trace-id", "Of the operation")] });
    document.paths["/things/{id}"].parameters = [
      header("X-Trace-Id", "Of the path"),
      { ...header("X-Trace-Id", "In the query"), in: "query" },
    ];
    const { markdown } = pageOf(document);
    expect(markdown).toContain("`x-trace-id` (`string`): Of the operation");
    expect(markdown).toContain("In the query");
    expect(markdown).not.toContain("Of the path");
  });
  test("the endpoint comes first, then the page's text, then the description", () => {
    const own = pageOf(operationDocument({ description: "Generated words" }), {
      bodyHtml: "<p>Own words</p>",
    }).html;
    expect(own.startsWith('<div class="o-endpoint">')).toBe(true);
    expect(own.indexOf("Own words")).toBeLessThan(own.indexOf("Generated words"));
  });
  test("an unusual serialization of lists and objects is shown", () => {
    const list = { schema: { type: "array", items: { type: "string" } } };
    const page = pageOf(
      operationDocument({
        parameters: [
          { in: "query", name: "plain", ...list },
          { in: "query", name: "comma", explode: false, ...list },
          { in: "query", name: "pipe", style: "pipeDelimited", explode: false, ...list },
          { in: "query", name: "deep", style: "deepObject", schema: { type: "object" } },
          { in: "query", name: "packed", content: { "application/json": { schema: { type: "object" } } } },
        ],
      }),
    );
    const fields = fieldsOf(page.html);
    expect(fields["param-plain"]).toBe("plain string[]");
    expect(fields["param-comma"]).toBe("comma string[]\nComma-separated");
    expect(fields["param-pipe"]).toBe("pipe string[]\nSeparated by pipes");
    expect(fields["param-deep"]).toBe("deep object\nOne parameter for each field: deep[key]=…");
    expect(fields["param-packed"]).toBe("packed object\napplication/json");
  });
});

describe("anchors", () => {
  test("ids have kebab case, start with the parent's path, and are unique", () => {
    const page = pageOf(
      operationDocument({
        parameters: [parameter("path", "id"), parameter("query", "id"), parameter("header", "X-API-Key")],
        requestBody: json({
          type: "object",
          properties: { id: {}, data: { type: "object", properties: { user_id: {} } } },
        }),
        responses: { 200: { description: "x", ...json({ type: "object", properties: { id: {} } }) } },
      }),
    );
    expect(Object.keys(fieldsOf(page.html))).toEqual([
      "param-id",
      "param-query-id",
      "param-x-api-key",
      "param-body-id",
      "param-data",
      "param-data-user-id",
      "param-200-id",
    ]);
    for (const id of page.anchors) expect(page.html.split(` id="${id}"`)).toHaveLength(2);
    expect(page.html).toContain('<a class="o-field-name" href="#param-data-user-id">user_id');
  });
  test("the page's own text keeps its ids", () => {
    const page = pageOf(operationDocument({ parameters: [parameter("query", "q")] }), {
      bodyHtml: '<h2 id="responses">Mine</h2><i id="param-q"></i>',
    });
    expect(page.html).toContain('id="responses-1"');
    expect(page.html).toContain('id="param-query-q"');
  });
});

describe("examples", () => {
  const schema = { type: "object", properties: { a: { type: "string", example: "made" } } };
  const aside = (content: object) =>
    textOf(
      pageOf(operationDocument({ responses: { 200: { description: "x", content } } })).aside.split(
        'data-example="response"',
      )[1]!,
    );

  test("named examples with a value come first, labeled by their summary", () => {
    const examples = {
      one: { summary: "First one", value: { a: 1 } },
      two: { value: { a: 2 } },
      three: { externalValue: "https://example.com" },
    };
    const shown = aside({ "application/json": { schema, examples, example: { a: 3 } } });
    expect(shown).toContain("First one\ntwo");
    expect(shown).not.toContain("made");
    expect(shown).toContain("three\nhttps://example.com");
  });
  test("then the single example, then an example that is generated from the schema", () => {
    expect(aside({ "application/json": { schema, example: { a: "given" } } })).toContain('"given"');
    expect(aside({ "application/json": { schema } })).toContain('"made"');
  });
  test("several media types have a select box", () => {
    expect(aside({ "application/json": { schema }, "application/xml": { schema } })).toContain(
      "application/json\napplication/xml",
    );
  });
  test("examples of media types without a known text format are shown as JSON", () => {
    const examples = { one: { summary: "First one", description: "About it", value: { a: 1 } } };
    const content = { "application/x-protobuf": { schema, examples } };
    expect(aside(content)).toMatch(/First one[\s\S]*About it[\s\S]*"a"/);
  });
  test("references to the same schema with other texts are shown apart", () => {
    const $ref = "#/components/schemas/Plant";
    const schemas = { Plant: { type: "object", title: "Plant" } };
    const content = {
      "application/json": { schema: { $ref } },
      "application/xml": { schema: { $ref, title: "Plant as XML" } },
    };
    const page = pageOf(operationDocument({ requestBody: { content } }, { schemas }));
    for (const text of [page.html, page.markdown]) expect(text).toContain("Plant as XML");
  });
  test("integers beyond 2^53 keep their digits", () => {
    expect(aside({ "application/json": { example: { id: 9007199254740993n } } })).toContain(
      "9007199254740993",
    );
  });
  test("examples of YAML are YAML, unless the document has them as text", () => {
    const body = {
      type: "object",
      properties: { a: { type: "array", items: { type: "integer", example: 1 } } },
    };
    for (const type of ["application/yaml", "text/x-yaml"]) {
      const content = { [type]: { schema: body } };
      const page = pageOf(operationDocument({ requestBody: { content }, responses: { 200: { content } } }));
      expect(page.markdown.match(/^```\na:\n {2}- 1\n/gm)).toHaveLength(2);
      expect(textOf(page.aside)).toContain("a:\n- 1");
      expect(aside({ [type]: { schema: body, example: "a: [1] # one" } })).toContain("a: [1] # one");
    }
    const part = {
      requestBody: {
        content: {
          "multipart/form-data": {
            schema: { type: "object", properties: { p: body } },
            encoding: { p: { contentType: "application/yaml" } },
          },
        },
      },
    };
    expect(textOf(pageOf(operationDocument(part)).aside)).toContain("a:\n- 1");
  });
  test("an audio example has a player", () => {
    const page = pageOf(
      operationDocument({
        responses: {
          200: { description: "x", content: { "audio/mpeg": { example: "https://example.com/a.mp3" } } },
        },
      }),
    );
    expect(page.aside).toContain(
      '<audio class="o-example-audio" controls preload="none" src="https://example.com/a.mp3"',
    );
  });
  test("a long example is highlighted at its start and cut at a line break", () => {
    const example = Array.from({ length: 4_000 }, (_, i) => `entry ${i}`);
    const { aside: html } = pageOf(
      operationDocument({ responses: { 200: { description: "x", ...json({}, { example }) } } }),
    );
    expect(html).toContain("This example is truncated.");
    expect(html.match(/<span class=/g)!.length).toBeLessThan(100);
    expect(html.length).toBeLessThan(40_000);
  });
  test("a long line is cut too", () => {
    const { aside: html } = pageOf(
      operationDocument({
        responses: {
          200: { description: "x", content: { "text/plain": { example: "x".repeat(1_000_000) } } },
        },
      }),
    );
    expect(html.length).toBeLessThan(40_000);
  });
  test("the named examples of a request body have a select box", () => {
    const examples = {
      one: { summary: "Short", value: { a: 1 } },
      two: { summary: "Long", value: { a: 2 } },
    };
    const page = pageOf(operationDocument({ requestBody: json(schema, { examples }) }));
    expect(textOf(page.aside.split('data-example="body"')[1]!)).toContain("Short\nLong");
  });
  test("several examples of a body's schema, or of the items of a list, can be chosen", () => {
    const several = { ...schema, examples: [{ a: "sun" }, { a: "rain" }] };
    for (const body of [several, { allOf: [several] }, { type: "array", items: several }]) {
      const response = { 200: { description: "x", ...json(body) } };
      const page = pageOf(operationDocument({ requestBody: json(body), responses: response }));
      const [, request, answer] = page.aside.split(/data-example="(?:body|response)"/);
      for (const part of [request!, answer!])
        expect(textOf(part)).toMatch(/\n1\n2\n[\s\S]*"sun"[\s\S]*"rain"/);
      expect(page.markdown.match(/^Example: 2\n\n```json\n[^`]*"rain"/gm)).toHaveLength(2);
    }
    const callbacks = { done: { "/done": { post: { requestBody: json(several), responses: {} } } } };
    expect(textOf(pageOf(operationDocument({ callbacks })).html)).toMatch(/"sun"[\s\S]*"rain"/);
  });
  test("the page's own examples replace them", () => {
    const document = operationDocument({ responses: { 200: { description: "x", ...json(schema) } } });
    expect(pageOf(document, { ownExamples: { request: true, response: true } }).aside).toBe("");
    expect(pageOf(document, { ownExamples: { request: true, response: false } }).aside).not.toContain("curl");
  });
});

describe("code samples", () => {
  const labels = (html: string) =>
    [...html.split('data-example="response"')[0]!.matchAll(/data-label="([^"]+)"/g)].map((match) => match[1]);

  test("there is one for each language, in order, which the playground can update", () => {
    const page = pageOf(operationDocument({}), { languages: ["python", "bash"] });
    expect(labels(page.aside)).toEqual(["Python", "cURL"]);
    expect(page.aside).toContain('data-sample="bash"');
    expect(page.aside).toContain('data-tabs="sync"');
  });
  test("samples of the document replace generated ones or come after them, and malformed samples are ignored", () => {
    const samples = [
      { lang: "python", label: "SDK", source: "sdk()" },
      { lang: "curl", source: "own" },
      { lang: "go" },
      { lang: "python", label: "SDK", source: "again()" },
    ];
    const page = pageOf(operationDocument({ "x-codeSamples": samples }));
    expect(labels(page.aside)).toEqual(["cURL", "Python", "SDK", "SDK 2"]);
    expect(page.aside).not.toContain('data-sample="bash"');
  });
  test("if generated samples are off, only samples of the document are shown", () => {
    const samples = { generated: false, optional: true };
    expect(
      labels(
        pageOf(operationDocument({ "x-codeSamples": [{ lang: "ruby", source: "x" }] }), { samples }).aside,
      ),
    ).toEqual(["Ruby"]);
    expect(pageOf(operationDocument({}), { samples }).aside).not.toContain('data-example="request"');
  });
  test("many languages have a select box", () => {
    expect(
      pageOf(operationDocument({}), { languages: ["bash", "python", "go", "php", "ruby"] }).aside,
    ).toContain("o-tab-select");
  });
});

describe("security", () => {
  const words = (
    schemes: Record<string, object>,
    security: object[] = [Object.fromEntries(Object.keys(schemes).map((key) => [key, []]))],
  ) =>
    textOf(
      pageOf(operationDocument({ security }, { securitySchemes: schemes }))
        .html.split("</section>")[0]!
        .split('id="authorization"')[1]!,
    );

  test.each([
    ["apiKey", { type: "apiKey", in: "query", name: "token" }, "token API key query required"],
    [
      "bearer",
      { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      "Authorization bearer · JWT header required\nFormat: Bearer <token>",
    ],
    [
      "basic",
      { type: "http", scheme: "basic" },
      "Authorization basic header required\nFormat: Basic <base64(username:password)>",
    ],
    [
      "a description replaces the default text",
      { type: "http", scheme: "bearer", description: "Ask *us*" },
      "Authorization bearer header required\nAsk us",
    ],
    [
      "mutualTLS",
      { type: "mutualTLS" },
      "s mutual TLS required\nA client certificate (mutual TLS) is required.",
    ],
    [
      "openIdConnect",
      { type: "openIdConnect", openIdConnectUrl: "https://example.com/oidc" },
      "OpenID Connect",
    ],
    [
      "oauth2 metadata",
      { type: "oauth2", oauth2MetadataUrl: "https://example.com/meta", flows: {} },
      "https://example.com/meta",
    ],
  ])("%s", (_name, scheme, expected) => {
    expect(words({ s: scheme })).toContain(expected);
  });
  test("oauth2 has its URLs and scopes", () => {
    const flows = {
      clientCredentials: { tokenUrl: "https://example.com/token", scopes: { "read:all": "Read everything" } },
    };
    const shown = words({ o: { type: "oauth2", flows } }, [{ o: ["read:all"] }]);
    expect(shown).toContain("Scopes: read:all");
    expect(shown).toContain("Token URL: https://example.com/token");
    expect(shown).toContain("read:all Read everything");
  });
  test("alternatives have a select box, schemes of one alternative are listed together, and no authorization is stated", () => {
    const schemes = {
      my_key: { type: "apiKey", in: "header", name: "X-Key" },
      my_token: { type: "http", scheme: "bearer" },
    };
    const shown = words(schemes, [{ my_key: [], my_token: [] }, { my_token: [] }, {}]);
    expect(shown).toContain("One of\nmy key & my token\nmy token\nNo authorization");
  });
  test("an operation without security has no such section", () => {
    expect(pageOf(operationDocument({ security: [] }, {}, { security: [{ key: [] }] })).html).not.toContain(
      'id="authorization"',
    );
  });
});

describe("servers and the bar", () => {
  test("a single server is shown if the site configures it", () => {
    expect(textOf(pageOf(operationDocument({})).html)).not.toContain("https://api.example.com");
    const page = pageOf(operationDocument({}), { showBaseUrl: true });
    expect(textOf(page.html)).toContain("Base URL https://api.example.com");
    expect(page.html).toContain('data-copy="https://api.example.com/things/{id}"');
  });
  test.each([
    ["a description", { description: "Live" }, "Live"],
    [
      "variables",
      { url: "https://{zone}.example.com", variables: { zone: { default: "eu", description: "Where" } } },
      "Where eu (default)",
    ],
  ])("a single server with %s is shown", (_, server, text) => {
    const servers = [{ url: "https://one.example.com", ...server }];
    expect(textOf(pageOf(operationDocument({ servers })).html)).toContain(text);
  });
  test("several servers have a select box, and their variables are described", () => {
    const servers = [
      {
        url: "https://{region}.example.com",
        description: "Live",
        variables: { region: { default: "eu", enum: ["eu", "us"], description: "Where" } },
      },
      { url: "https://test.example.com" },
    ];
    const page = pageOf(operationDocument({ servers }));
    expect(textOf(page.html)).toContain(
      "https://{region}.example.com (Live)\nhttps://test.example.com\n{region}\nWhere eu (default), us",
    );
    expect(page.html).toContain('data-base="https://eu.example.com"');
  });
  test("the button is shown if there is a playground", () => {
    const button = (playground: "interactive" | "simple" | "none") =>
      pageOf(operationDocument({}), { playground }).html.includes(">Try it</button>");
    expect([button("interactive"), button("simple"), button("none")]).toEqual([true, true, false]);
  });
  test("the method and path are text, with line break opportunities before slashes", () => {
    const { html } = pageOf(operationDocument({}));
    expect(html).toContain('<span class="o-method method-pill o-m-post">POST</span>');
    expect(html).toContain("<wbr/>/things<wbr/>/<b>{id}</b>");
  });
});

describe("responses", () => {
  const document = operationDocument({
    responses: {
      default: { description: "Anything else" },
      404: { description: "Not found" },
      200: {
        description: "The *thing*",
        headers: { "X-Rate": { description: "Calls left", schema: { type: "integer" } } },
        links: { next: { operationId: "getNext", parameters: { id: "$response.body#/id" } } },
        content: {
          "application/json": { schema: { type: "object", properties: { a: {} } } },
          "text/csv": { schema: { type: "string" } },
          "application/vnd.x+json": { schema: { type: "object", properties: { a: {} } } },
        },
      },
      "2XX": { description: "Other" },
    },
  });
  const { html } = pageOf(document);

  test("are tabs by status in ascending order, default last, with a dot and a name", () => {
    expect([...html.matchAll(/role="tab"[^>]*data-label="([^"]+)"/g)].map((match) => match[1])).toEqual([
      "200",
      "2XX",
      "404",
      "default",
    ]);
    expect(textOf(html)).toContain("200 OK");
    expect(html).toContain('<i class="o-dot o-dot-4"></i>');
  });
  test("media types have a select box", () => {
    const options = [...html.matchAll(/<option value="(\d)">([^<]+)/g)].map(([, panel, label]) => [
      panel,
      label,
    ]);
    expect(options.map(([, label]) => label)).toEqual([
      "application/json",
      "text/csv",
      "application/vnd.x+json",
    ]);
  });
  test("equal schemas are shown once", () => {
    const $ref = "#/components/schemas/T";
    const content = { "application/json": { schema: { $ref } }, "application/xml": { schema: { $ref } } };
    const page = pageOf(
      operationDocument(
        { responses: { 200: { description: "x", content } } },
        { schemas: { T: { type: "object", properties: { only: {} } } } },
      ),
    );
    expect(page.html.match(/param-only"/g)).toHaveLength(2);
    expect([...page.html.matchAll(/<option value="(\d)"/g)].map((match) => match[1])).toEqual(["0", "0"]);
  });
  test("have descriptions, headers and links", () => {
    const shown = textOf(html);
    expect(shown).toContain("The thing");
    expect(fieldsOf(html)["param-x-rate"]).toMatch(/^X-Rate integer\nCalls left/);
    expect(shown).toContain("next → getNext\nid = $response.body#/id");
  });
});

describe("callbacks and webhooks", () => {
  const callback = {
    post: {
      description: "Tells you",
      requestBody: json({ type: "object", properties: { event: { type: "string" } } }),
      responses: { 204: { description: "Thanks" } },
    },
  };
  test("a callback has the examples and the security of its operation", () => {
    const content = (summary: string) => ({
      "application/json": { examples: { one: { summary, value: { state: summary } } } },
    });
    const post = {
      security: [{ key: [] }],
      requestBody: { content: content("Sent") },
      responses: { 200: { description: "Fine", content: content("Returned") } },
    };
    const securitySchemes = { key: { type: "apiKey", in: "header", name: "X-Signature" } };
    const page = pageOf(
      operationDocument({ callbacks: { done: { "{$url}": { post } } } }, { securitySchemes }),
    );
    const text = textOf(page.html.slice(page.html.indexOf('<details class="o-callback">')));
    for (const shown of ["X-Signature", "Sent", "Returned"]) {
      expect(text).toContain(shown);
      expect(page.markdown).toContain(shown);
    }
  });
  test("a callback is collapsed between body and responses, with method and expression", () => {
    const { html } = pageOf(
      operationDocument({
        requestBody: json({}),
        callbacks: { done: { "{$request.body#/url}/end": callback } },
      }),
    );
    const start = html.indexOf('<details class="o-callback">');
    expect(start).toBeGreaterThan(html.indexOf('id="body"'));
    expect(start).toBeLessThan(html.indexOf('id="responses"'));
    expect(textOf(html.slice(start))).toMatch(
      /^POST done \{\$request.body#\/url\} \/end\nTells you\nBody\napplication\/json|^POST done/,
    );
    expect(fieldsOf(html)["param-event"]).toBe("event string");
    expect(textOf(html.slice(start))).toContain("204 No Content");
  });
  test("a webhook has a payload and responses, but no server and no playground", () => {
    const page = pageOf({
      openapi: "3.1.0",
      info: {},
      servers: [{ url: "https://a.example.com" }, { url: "https://b.example.com" }],
      webhooks: {
        newPet: {
          post: {
            requestBody: json({ type: "object", properties: { id: { type: "integer", readOnly: true } } }),
            responses: { 200: { description: "ok" } },
          },
        },
      },
    });
    expect(textOf(page.html)).toMatch(/^WEBHOOK newPet/);
    expect(page.html).not.toContain("a.example.com");
    expect(page.html).not.toContain("o-try-it");
    expect(fieldsOf(page.html)["param-id"]).toBe("id integer read-only");
    expect(page.aside).not.toContain('data-example="request"');
    expect(page.aside).toContain('data-example="body"');
    expect(page.markdown).toContain("WEBHOOK newPet");
    expect(page.markdown).toContain("`id` (`integer`");
  });
});

describe("the Markdown twin", () => {
  test("contains the whole reference", () => {
    const { markdown } = pageOf(
      operationDocument(
        {
          description: "Makes a thing.",
          security: [{ key: [] }],
          parameters: [
            parameter("path", "id"),
            {
              in: "query",
              name: "limit",
              description: "How\nmany",
              schema: { type: "integer", minimum: 1, default: 5 },
            },
          ],
          requestBody: {
            required: true,
            ...json({
              type: "object",
              required: ["kind"],
              properties: { kind: { enum: ["a", "b"] }, inner: { type: "object", properties: { deep: {} } } },
            }),
          },
          callbacks: { done: { "{$url}": { post: { responses: { 200: { description: "ok" } } } } } },
          responses: {
            200: {
              description: "Fine",
              ...json({ type: "object", properties: { ok: { type: "boolean" } } }),
            },
          },
        },
        { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
      ),
    );
    for (const line of [
      "```http\nPOST /things/{id}\n```",
      "- `https://api.example.com`",
      "Makes a thing.",
      "- `Authorization` (bearer, header): `Bearer <token>`",
      "- `id` (`string` · required)",
      "- `limit` (`integer` · at least 1 · default `5`): How many",
      "## Body (required)",
      "- `kind` (`enum<string>` · required · `a` | `b`)",
      "  - `deep` (`any`)",
      "### done",
      "POST {$url}",
      "### 200 OK",
      "- `ok` (`boolean`)",
      '```json\n{\n  "ok": true\n}\n```',
    ])
      expect(markdown).toContain(line);
  });
  test("fences are longer than the backticks in an example", () => {
    const { markdown } = pageOf(
      operationDocument({
        responses: {
          200: { description: "x", content: { "text/plain": { example: "```\n# Not a heading" } } },
        },
      }),
    );
    expect(markdown).toContain("````\n```\n# Not a heading\n````");
  });
});

describe("schemas on their own", () => {
  const document = bodyDocument(
    {},
    {
      schemas: {
        Node: {
          type: "object",
          description: "A node",
          properties: { next: { $ref: "#/components/schemas/Node" } },
        },
      },
    },
  );
  const schema = { parts: [{ value: { $ref: "#/components/schemas/Node" }, pointer: "#/x" }] };

  test("a page has the fields and an example", () => {
    const page = renderSchemaPage(schema, contextOf(document));
    expect(textOf(page.html)).toContain("A node");
    expect(fieldsOf(page.html)["param-next"]).toBe("next object\nA node\nSame as Node");
    expect(page.aside).toContain("Example");
  });
  test("a fragment contains one more level, and needs no initialization", () => {
    const fragment = renderSchemaFragment(
      { key: "k", direction: "response", schema, name: "Node" },
      contextOf(document),
    );
    expect(fragment.html).toContain('id="param-next"');
    expect(fragment.html).not.toContain('role="tab"');
    expect(fragment.cuts).toHaveLength(1);
  });
});

describe("hostile text", () => {
  const evil = `"><img src=x onerror=alert(1)><script>alert(1)</script>'\u0000`;
  const place = (value: string) => ({
    title: value,
    description: value,
    pattern: value,
    default: value,
    example: value,
  });
  const document = operationDocument(
    {
      summary: evil,
      description: evil,
      externalDocs: { url: "javascript:alert(1)", description: evil },
      servers: [
        {
          url: `javascript:alert(1)//${evil}`,
          description: evil,
          variables: { [evil]: { default: evil, enum: [evil], description: evil } },
        },
        { url: evil },
      ],
      security: [{ [evil]: [evil] }, { o: [] }],
      parameters: [
        {
          in: "query",
          name: evil,
          description: evil,
          schema: {
            type: "string",
            ...place(evil),
            enum: [evil],
            "x-p": evil,
            "x-platform": { pre: [evil], post: [evil] },
          },
        },
      ],
      requestBody: {
        description: evil,
        content: {
          [evil]: {
            schema: {
              type: "object",
              properties: {
                [evil]: {
                  oneOf: [{ ...place(evil), type: "object", properties: { a: {} } }, { title: evil }],
                  discriminator: { propertyName: evil },
                },
                constructor: { type: "string" },
              },
            },
            example: evil,
          },
          "application/xml": {
            schema: { type: "object", xml: { name: evil }, properties: { [evil]: { type: "string" } } },
          },
        },
      },
      callbacks: {
        [evil]: { [evil]: { post: { description: evil, responses: { 200: { description: evil } } } } },
      },
      responses: {
        [evil]: {
          description: evil,
          headers: { [evil]: { schema: { type: "string" } } },
          links: { [evil]: { operationId: evil, parameters: { [evil]: evil } } },
          ...json({ [evil]: evil }, { examples: { [evil]: { summary: evil, value: evil } } }),
        },
      },
      "x-codeSamples": [{ lang: evil, label: evil, source: evil }],
    },
    {
      securitySchemes: {
        o: {
          type: "oauth2",
          description: evil,
          flows: { implicit: { authorizationUrl: "javascript:alert(1)", scopes: { [evil]: evil } } },
        },
      },
    },
  );

  test("stays text in every field of a document", () => {
    const { html, aside } = pageOf(document, { postKeys: ["x-p"] });
    for (const part of [html, aside]) {
      expect(part).not.toMatch(/<script|<img/i);
      expect(part).not.toMatch(/(?:href|src)="\s*javascript:/i);
      // Quotes are escaped in every attribute, so no tag ends early.
      for (const tag of part.match(/<[a-z][^<>]*>/gi) ?? []) expect(tag).not.toContain("onerror=alert(1)>");
    }
  });
  test("the messages of every language are complete", () => {
    for (const language of ["de", "ja", "ar", "pt-BR", "zh-Hant"])
      expect(messagesOf(language).site.pathParameters).not.toBe(messagesOf("en").site.pathParameters);
  });
});

describe("subtypes that refer back to their parent", () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const child = (index: number, more: object = {}) => ({
    allOf: [ref("Base"), { type: "object", properties: { [`size${index}`]: { type: "integer" }, ...more } }],
  });
  const base = (more: object) => ({
    type: "object",
    required: ["kind"],
    properties: { kind: { type: "string" }, label: { type: "string", description: "The label" } },
    discriminator: { propertyName: "kind" },
    ...more,
  });

  const schemasOf = {
    "in a field": (names: string[]) => ({
      Base: base({ discriminator: { propertyName: "kind", mapping: mappingOf(names) } }),
      ...childrenOf(names, { parent: ref("Base"), children: { type: "array", items: ref("Base") } }),
    }),
    "that lists them": (names: string[]) => ({
      Base: base({ oneOf: names.map(ref) }),
      ...childrenOf(names),
    }),
  };
  const mappingOf = (names: string[]) => Object.fromEntries(names.map((name) => [name, ref(name).$ref]));
  const childrenOf = (names: string[], more: object = {}) =>
    Object.fromEntries(names.map((name, index) => [name, child(index, more)]));
  const namesOf = (count: number) => Array.from({ length: count }, (_, index) => `Sub${index}`);

  /** The HTML and Markdown of all schemas. */
  const textOfAll = (schemas: object) => {
    const context = contextOf({ components: { schemas } });
    const texts = Object.keys(schemas).map((name) => {
      const { $ref: key } = ref(name);
      const schema = schemaRef(context.refs.at(key)!);
      const { html, markdown } = renderSchemaFragment({ key, direction: "schema", schema, name }, context);
      return html + markdown;
    });
    return texts.join("");
  };

  test.each(Object.keys(schemasOf) as (keyof typeof schemasOf)[])(
    "are as large as their number: %s",
    (kind) => {
      const sizeOf = (count: number) => textOfAll(schemasOf[kind](namesOf(count))).length;
      expect(sizeOf(120) / sizeOf(60)).toBeLessThan(2.2);
    },
  );

  test("don't list their siblings", () => {
    const context = contextOf({ components: { schemas: schemasOf["that lists them"](namesOf(3)) } });
    const [page, parent] = ["Sub1", "Base"].map(
      (name) => renderSchemaPage(schemaRef(context.refs.at(ref(name).$ref)!), context).html,
    );
    expect(Object.keys(fieldsOf(page!))).toEqual(["param-kind", "param-label", "param-size1"]);
    expect(page).not.toContain("Sub2");
    for (const name of namesOf(3)) expect(parent).toContain(name);
  });
});

test("all patterns and formats of allOf are shown", () => {
  const schema = {
    type: "string",
    allOf: [
      { pattern: "^a", format: "email" },
      { pattern: "z$", format: "hostname" },
    ],
  };
  const { html } = pageOf(bodyDocument({ type: "object", properties: { name: schema } }));
  for (const shown of ["^a", "z$", "email", "hostname"]) expect(textOf(html)).toContain(shown);
});
