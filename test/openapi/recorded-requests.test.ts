/**
 * Requests are those that swagger-client builds, which `record-requests.js` has recorded. Where they differ,
 * the text of the specification decides.
 */

import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bodyText } from "../../src/browser/playground/request-text.ts";
import { buildRequest } from "../../src/engine/openapi/request/request.ts";
import type { RequestInputs } from "../../src/engine/openapi/request/request-model.ts";
import { operationsIn } from "../engine/operation.ts";
import { describedDocument, namedParameters } from "./recorded-operation.js";

interface Recorded {
  place: "path" | "query" | "header" | "cookie" | "body" | "operation";
  style?: string;
  explode?: boolean;
  isJson?: boolean;
  type?: string;
  value: unknown;
  /** Of an operation. */
  parameters?: Recorded[];
  given?: Recorded;
  credential?: keyof typeof credentials;
  url: string;
  headers: Record<string, string>;
  body?: unknown;
}

const recorded = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "recorded-requests.json"), "utf8"),
) as Recorded[];

const encode = (value: unknown) => encodeURIComponent(String(value));
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Differences, and the request that the specification wants in each. OpenAPI sections are those of 3.1.1. */
const decisions: { section: string; is: (one: Recorded) => boolean; correct: (one: Recorded) => object }[] = [
  {
    section: "OpenAPI 4.8.12.2: the value of `content` is serialized as JSON, a string too",
    is: ({ isJson, value }) => isJson === true && typeof value === "string",
    correct: (one) => withText(one, encode(JSON.stringify(one.value)), JSON.stringify(one.value)),
  },
  {
    section: "RFC 9110, 5.5: header values are US-ASCII, and `fetch` throws for other letters",
    is: ({ place, value }) => place === "header" && /[^\x00-\x7f]/.test(JSON.stringify(value)),
    correct: (one) => ({
      headers: { color: one.headers.color!.replace(/[^\x00-\x7f]+/g, encode) },
    }),
  },
  {
    section: "OpenAPI 4.8.12.6, RFC 6570, 3.2.5: items of `label` without `explode` are separated by commas",
    is: ({ style, explode, isJson, value }) =>
      style === "label" && !explode && !isJson && typeof value === "object",
    correct: ({ url }) => {
      const [, text] = /^\/a\/\.(.*)\/b$/.exec(url)!;
      // The values of these cases have no dots, except those at the end of `;.` and in `-_.~`.
      return { url: `/a/.${text!.replace(/(?<!%3B|-_)\.(?!~)/g, ",")}/b` };
    },
  },
  {
    section: "OpenAPI 4.8.12.6: members of an object are separated by the delimiter of the style",
    is: ({ style, explode, isJson, value }) =>
      /Delimited/.test(style ?? "") && !explode && !isJson && isObject(value),
    correct: ({ style, value }) => ({
      url: `/a/b?color=${Object.entries(value as object)
        .flat()
        .map(encode)
        .join(style === "pipeDelimited" ? "%7C" : "%20")}`,
    }),
  },
  {
    section: "OpenAPI 4.8.12.6: `deepObject` isn't defined for lists, so names repeat as in `form`",
    is: ({ style, explode, isJson, value }) =>
      style === "deepObject" && !explode && !isJson && Array.isArray(value),
    correct: ({ value }) => ({
      url: `/a/b?${(value as unknown[]).map((item) => `color=${encode(item)}`).join("&")}`,
    }),
  },
  {
    section: "RFC 6265, 5.4 (OpenAPI, Appendix D): cookies are separated by `; `, not by the `&` of `form`",
    is: ({ place, explode, isJson, value }) =>
      place === "cookie" && explode === true && !isJson && typeof value === "object",
    correct: ({ value }) => ({
      headers: {
        Cookie: (isObject(value)
          ? Object.entries(value)
          : (value as unknown[]).map((item) => ["color", item])
        )
          .map(([name, item]) => `${name}=${encode(item)}`)
          .join("; "),
      },
    }),
  },
  {
    section: "OpenAPI 4.8.15.1.2: in forms, `explode` is true. URL Standard, 5.2: a space is `+`",
    is: ({ type, value }) =>
      type === "application/x-www-form-urlencoded" &&
      Object.values(value as object).some((item) => Array.isArray(item) || / /.test(String(item))),
    correct: ({ value }) => ({
      body: Object.entries(value as object)
        .flatMap(([name, item]) =>
          [item].flat().map((one) => `${name}=${encode(one).replaceAll("%20", "+")}`),
        )
        .join("&"),
    }),
  },
];

/** Replaces the text of a parameter. `plain`: the text in a header. */
function withText({ place, headers }: Recorded, text: string, plain: string): object {
  if (place === "header") return { headers: { color: plain.replace(/[^\x00-\x7f]+/g, encode) } };
  if (place === "cookie") return { headers: { Cookie: `color=${text}` } };
  return { url: place === "path" ? `/a/${text}/b` : `/a/b?color=${text}`, headers };
}

/** Writes the same characters in the same way, since some may be escaped (RFC 3986, 2.3; RFC 6265, 4.1.1). */
function canonical({ url, headers, body }: Pick<Recorded, "url" | "headers" | "body">) {
  const escaped = (text: string) =>
    text
      .replace(/[!'()*|[\]]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
      .replace(/%[\da-f]{2}/gi, (escape) => escape.toUpperCase());
  const { Cookie: cookie, ...others } = headers;
  const isForm = others["Content-Type"]?.includes("urlencoded");
  return {
    url: escaped(url),
    headers: others,
    // Servers shouldn't rely on the order of cookies (RFC 6265, 4.2.2).
    cookies: cookie
      ?.replace(/(?:%[\da-f]{2})+/gi, (text) => decodeURIComponent(text))
      .split("; ")
      .sort(),
    body: isForm ? escaped(String(body)) : typeof body === "string" ? JSON.parse(body) : body,
  };
}

/** What `record-requests.js` gives for each scheme. */
const credentials = {
  basic: { username: "ana", password: "p:s" },
  bearer: "Bearer t.o-k",
  header: "k 1",
  query: "k&2",
  cookie: "k=3",
};

function oursFor(one: Recorded) {
  const { operation, refs } = operationsIn(describedDocument(one))[0]!;
  const given = one.place === "body" ? one : one.given;
  const parameters = namedParameters(one).map(({ place, name, value }) => [`${place}.${name}`, value]);
  const inputs: RequestInputs = {
    server: "",
    parameters: Object.fromEntries(parameters),
    credentials: one.credential
      ? [{ scheme: operation.security[0]!.schemes[0]!, value: credentials[one.credential] }]
      : [],
    ...(given ? { body: { mediaType: given.type!, content: { value: given.value } } } : {}),
  };
  const request = buildRequest(operation, inputs, refs);
  return {
    url: request.url,
    headers: Object.fromEntries(request.headers),
    ...(request.body ? { body: bodyText(request.body) } : {}),
  };
}

describe("requests of swagger-client", () => {
  const [whole, single] = [true, false].map((isWhole) =>
    recorded.filter(({ place }) => (place === "operation") === isWhole),
  ) as [Recorded[], Recorded[]];

  test("are ours for one value, except where the specification decides", () => {
    for (const one of single) {
      const correct = decisions.find(({ is }) => is(one))?.correct(one);
      expect(canonical(oursFor(one)), JSON.stringify(one)).toEqual(canonical({ ...one, ...correct }));
    }
    expect(single.length).toBeGreaterThan(600);
  });

  test("are ours for operations with several values, which the clients agree on", () => {
    // Of several cookies, swagger-client only sends the last one.
    const agreed = whole.filter(
      ({ parameters = [], given }) =>
        [...parameters, given].every((part) => !part || !decisions.some(({ is }) => is(part))) &&
        parameters.filter(({ place }) => place === "cookie").length < 2,
    );
    for (const one of agreed) expect(canonical(oursFor(one)), JSON.stringify(one)).toEqual(canonical(one));
    expect(agreed.length).toBeGreaterThan(100);
  });

  test.each(decisions)("$section", ({ is }) => {
    expect(single.filter(is).length).toBeGreaterThan(0);
  });
});
