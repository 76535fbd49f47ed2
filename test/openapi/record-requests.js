/**
 * Records the requests that swagger-client builds for random values, which `recorded-requests.test.ts`
 * compares with ours. The package isn't a development dependency, because it needs Node 22, programs that
 * are compiled at installation, and sends statistics. To record again:
 *
 *     npm install --ignore-scripts --prefix /tmp/client swagger-client@3.39.0
 *     node test/openapi/record-requests.js /tmp/client/node_modules/swagger-client/es/index.js
 */

import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { describedDocument, namedParameters } from "./recorded-operation.js";

const { default: SwaggerClient } = await import(pathToFileURL(path.resolve(process.argv[2])).href);

const styles = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
};

const text = fc.constantFrom(
  ..."a|b c|a,b|x&y=z|ä/ö|50%|#x?|a+b|😀|;.|'(!)*|-_.~|q\"|<i>|a:b@c|$1".split("|"),
);
const scalar = fc.oneof(text, fc.integer({ min: -99, max: 9999 }), fc.boolean());
const list = fc.array(text, { minLength: 1, maxLength: 3 });
const map = fc.dictionary(fc.constantFrom("r", "g", "b_2"), text, {
  minKeys: 1,
  maxKeys: 3,
  noNullPrototype: true,
});
const value = fc.oneof(scalar, list, map);

const parameter = fc.constantFrom(...Object.keys(styles)).chain((place) =>
  fc.record({
    place: fc.constant(place),
    style: fc.constantFrom(...styles[place]),
    explode: fc.boolean(),
    isJson: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
    value,
  }),
);
const body = fc.record({
  place: fc.constant("body"),
  type: fc.constantFrom("application/json", "application/x-www-form-urlencoded"),
  value: fc.dictionary(fc.constantFrom("r", "g", "b_2"), fc.oneof(scalar, list), {
    minKeys: 1,
    maxKeys: 3,
    noNullPrototype: true,
  }),
});

/** Every credential that the clients write. */
const credentials = {
  basic: { username: "ana", password: "p:s" },
  bearer: { value: "t.o-k" },
  header: { value: "k 1" },
  query: { value: "k&2" },
  cookie: { value: "k=3" },
};
/** Names the members of a parameter's value by its position, because exploded members are parameters. */
function withOwnMembers(parameter, index) {
  const { value } = parameter;
  if (typeof value !== "object" || Array.isArray(value)) return parameter;
  const members = Object.entries(value).map(([name, below]) => [`${name}${index}`, below]);
  return { ...parameter, value: Object.fromEntries(members) };
}

/** Operations with several parameters, a body, and a credential. */
const operation = fc.record({
  place: fc.constant("operation"),
  parameters: fc
    .array(parameter, { minLength: 2, maxLength: 4 })
    .map((parameters) => parameters.map(withOwnMembers)),
  given: fc.option(body, { nil: undefined }),
  credential: fc.option(fc.constantFrom(...Object.keys(credentials)), { nil: undefined }),
});

const one = fc.oneof({ arbitrary: parameter, weight: 5 }, { arbitrary: body, weight: 1 });
const cases = [
  ...fc.sample(one, { numRuns: 700, seed: 7 }),
  ...fc.sample(operation, { numRuns: 300, seed: 8 }),
].map((one) => {
  const given = one.place === "body" ? one : one.given;
  const { url, headers, body } = SwaggerClient.buildRequest({
    spec: describedDocument(one),
    operationId: "it",
    parameters: Object.fromEntries(namedParameters(one).map(({ name, value }) => [name, value])),
    ...(given ? { requestBody: given.value, requestContentType: given.type } : {}),
    ...(one.credential
      ? { securities: { authorized: { [one.credential]: credentials[one.credential] } } }
      : {}),
  });
  return { ...one, url: url.replace("https://api.example.com", ""), headers, body };
});

const lines = [...new Set(cases.map((one) => JSON.stringify(one)))];
writeFileSync(path.join(import.meta.dirname, "recorded-requests.json"), `[\n${lines.join(",\n")}\n]\n`);
