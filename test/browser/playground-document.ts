/** An API document with every kind of field, body and credential. */

import type { Raw } from "../../src/engine/openapi/nodes/refs.ts";

export function documentFor(api: string, authorization: string): Raw {
  const ok = {
    "200": { description: "Fine", content: { "application/json": { schema: { type: "object" } } } },
  };
  return {
    openapi: "3.1.0",
    info: { title: "Test", version: "1" },
    servers: [
      { url: api, description: "Test server" },
      {
        url: "http://{host}:{port}/v1",
        variables: {
          host: { default: "127.0.0.1", enum: ["127.0.0.1", "localhost"] },
          port: { default: new URL(api).port },
        },
      },
      { url: "javascript:alert(1)//{x}", variables: { x: { default: "1" } } },
    ],
    paths: {
      "/moved": { get: { summary: "Open the file", responses: { "302": { description: "Elsewhere" } } } },
      "/gifts": {
        post: {
          summary: "Send a gift",
          parameters: [
            {
              name: "day",
              in: "query",
              schema: { type: "string" },
              examples: { one: { summary: "One day", value: "2024-05-17" }, from: { value: "2024-05-17.." } },
            },
            { name: "order", in: "query", schema: { type: "string", examples: ["name", "-name"] } },
            { name: "only", in: "query", schema: { type: "string" }, example: "x" },
          ],
          requestBody: {
            content: {
              "application/json": {
                schema: {
                  oneOf: [
                    {
                      title: "Plant",
                      type: "object",
                      required: ["item"],
                      properties: { item: { type: "string" }, note: { type: "string" } },
                    },
                    {
                      title: "Money",
                      type: "object",
                      required: ["amount"],
                      properties: { amount: { type: "integer" } },
                    },
                  ],
                },
                examples: {
                  short: { summary: "Short order", value: { item: "moss" } },
                  money: { summary: "Some money", value: { amount: 5 } },
                },
              },
            },
          },
          responses: ok,
        },
      },
      "/addresses": {
        post: {
          summary: "Check an address",
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  required: ["country"],
                  properties: {
                    country: { type: "string", enum: ["US", "NL"] },
                    card: { type: "string" },
                    details: {
                      type: "string",
                      contentMediaType: "application/json",
                      contentSchema: {
                        type: "object",
                        properties: { floor: { type: "integer", minimum: 3 } },
                      },
                    },
                  },
                  if: { properties: { country: { const: "US" } } },
                  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
                  then: { required: ["zip"], properties: { zip: { type: "string" } } },
                  else: { required: ["postcode"], properties: { postcode: { type: "string" } } },
                  dependentSchemas: { card: { required: ["cvc"], properties: { cvc: { type: "string" } } } },
                },
              },
            },
          },
          responses: ok,
        },
      },
      "/orders/{orderId}": {
        post: {
          summary: "Create an order",
          security: [
            { key: [] },
            { bearer: [] },
            { basic: [] },
            { query_key: [] },
            { cookie_key: [] },
            { oauth: ["read"] },
            { oidc: [] },
            {},
          ],
          parameters: [
            {
              name: "orderId",
              in: "path",
              required: true,
              schema: { type: "string" },
              description: "Identifier of the order, as `list orders` [gives](x) it.",
            },
            {
              name: "limit",
              in: "query",
              schema: { type: "integer", minimum: 1, maximum: 100 },
              description: "How many to return.",
            },
            { name: "sort", in: "query", schema: { type: "string", enum: ["newest", "oldest"] } },
            { name: "verbose", in: "query", schema: { type: "boolean" } },
            { name: "tags", in: "query", schema: { type: "array", items: { type: "string" } } },
            {
              name: "channels",
              in: "query",
              explode: false,
              schema: { type: "array", items: { enum: ["email", "sms", "post"] } },
            },
            { name: "since", in: "query", schema: { type: "string", format: "date-time" } },
            { name: "currency", in: "query", schema: { type: "string", "x-default": "EUR", default: "USD" } },
            { name: "code", in: "query", schema: { type: "string", pattern: "^[A-Z]{3}$" } },
            { name: "trap", in: "query", schema: { type: "string", pattern: "^(a+)+$" } },
            { name: "empty", in: "query", allowEmptyValue: true, schema: { type: "string" } },
            {
              name: "X-Request-Id",
              in: "header",
              schema: { type: "string", format: "uuid" },
              deprecated: true,
            },
            { name: "theme", in: "cookie", schema: { type: "string" } },
          ],
          requestBody: {
            required: true,
            content: {
              "application/json": { schema: { $ref: "#/components/schemas/Order" } },
              "application/xml": { schema: { $ref: "#/components/schemas/Address" } },
            },
          },
          responses: ok,
        },
      },
      "/events": { get: { responses: { "200": { description: "Events" } } } },
      "/slow": { get: { responses: ok } },
      "/big": {
        get: {
          responses: {
            "200": {
              description: "Big",
              content: {
                "application/json": {
                  schema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
                },
              },
            },
          },
        },
      },
      "/long": { get: { responses: ok } },
      "/image": { get: { responses: ok } },
      "/html": { get: { responses: ok } },
      "/bytes": { get: { responses: ok } },
      "/closed": {
        put: {
          responses: ok,
          parameters: [
            { name: "X-Trace", in: "header", schema: { type: "string", default: "1" } },
            { name: "mood", in: "cookie", schema: { type: "string" } },
          ],
        },
      },
      "/upload": {
        post: {
          requestBody: {
            content: {
              "multipart/form-data": {
                schema: {
                  type: "object",
                  required: ["file"],
                  properties: {
                    file: { type: "string", format: "binary" },
                    photos: { type: "array", maxItems: 3, items: { type: "string", format: "binary" } },
                    note: { type: "string" },
                    meta: {
                      type: "object",
                      properties: { a: { type: "integer" }, picture: { type: "string", format: "binary" } },
                    },
                  },
                },
              },
              "application/x-www-form-urlencoded": {
                schema: {
                  type: "object",
                  properties: { note: { type: "string" }, count: { type: "integer" } },
                },
              },
              "text/plain": { schema: { type: "string" } },
              "application/octet-stream": { schema: { type: "string", format: "binary" } },
            },
          },
          responses: ok,
        },
      },
    },
    components: {
      securitySchemes: {
        key: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description: "From the [dashboard](https://example.com).",
        },
        query_key: { type: "apiKey", in: "query", name: "api_key" },
        cookie_key: { type: "apiKey", in: "cookie", name: "session" },
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        basic: { type: "http", scheme: "basic" },
        oidc: {
          type: "openIdConnect",
          openIdConnectUrl: `${authorization}/.well-known/openid-configuration`,
        },
        oauth: {
          type: "oauth2",
          flows: {
            authorizationCode: {
              authorizationUrl: `${authorization}/authorize`,
              tokenUrl: `${authorization}/token`,
              scopes: { read: "Read orders", write: "Write orders" },
            },
            clientCredentials: { tokenUrl: `${authorization}/token`, scopes: { read: "Read orders" } },
            password: { tokenUrl: `${authorization}/token`, scopes: {} },
            implicit: { authorizationUrl: `${authorization}/authorize`, scopes: { read: "Read orders" } },
          },
        },
      },
      schemas: {
        Address: {
          type: "object",
          required: ["city"],
          properties: { city: { type: "string" }, street: { type: "string" } },
        },
        Card: {
          type: "object",
          required: ["method", "number"],
          properties: {
            method: { type: "string" },
            number: { type: "string", description: "Sixteen digits." },
          },
        },
        Transfer: {
          type: "object",
          required: ["method", "iban"],
          properties: { method: { type: "string" }, iban: { type: "string" } },
        },
        Payment: {
          oneOf: [{ $ref: "#/components/schemas/Card" }, { $ref: "#/components/schemas/Transfer" }],
          discriminator: {
            propertyName: "method",
            mapping: { card: "#/components/schemas/Card", transfer: "#/components/schemas/Transfer" },
          },
        },
        Node: {
          type: "object",
          properties: { label: { type: "string" }, child: { $ref: "#/components/schemas/Node" } },
        },
        Order: {
          type: "object",
          required: ["number", "address", "payment"],
          properties: {
            id: { type: "string", readOnly: true },
            number: {
              type: "integer",
              format: "int64",
              description: "A number beyond what a browser can count.",
            },
            note: { type: ["string", "null"], maxLength: 400 },
            gift: { type: "boolean" },
            address: { $ref: "#/components/schemas/Address" },
            billing: { $ref: "#/components/schemas/Address" },
            items: {
              type: "array",
              items: {
                type: "object",
                required: ["sku"],
                properties: { sku: { type: "string" }, count: { type: "integer", default: 1 } },
              },
            },
            labels: { type: "object", additionalProperties: { type: "string" } },
            payment: { $ref: "#/components/schemas/Payment" },
            tree: { $ref: "#/components/schemas/Node" },
            weight: { type: ["string", "number"] },
            anything: {},
            picture: { type: "string", contentEncoding: "base64", contentMediaType: "image/png" },
          },
        },
      },
    },
  };
}
