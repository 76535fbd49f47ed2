import { expect, test } from "vitest";
import { serverOrigins } from "./playground-origins.ts";

const variable = (name: string, value: string, values: string[] = []) => ({
  name,
  default: value,
  enum: values,
});
const many = Array.from({ length: 60 }, (_, index) => `r${index}`);

test.each([
  ["a path", [{ url: "https://api.example.com/v1", variables: [] }], ["https://api.example.com"]],
  [
    "all values of an enum",
    [
      {
        url: "https://{region}.example.com",
        variables: [variable("region", "eu", ["eu", "us"])],
      },
    ],
    ["https://eu.example.com", "https://us.example.com"],
  ],
  [
    "the default of a variable without an enum",
    [{ url: "https://{host}:{port}", variables: [variable("host", "a.example"), variable("port", "8443")] }],
    ["https://a.example:8443"],
  ],
  [
    "no other schemes, relative URLs, and duplicates",
    ["ftp://a.example", "/v1", "http://b.example/1", "http://b.example/2"].map((url) => ({
      url,
      variables: [],
    })),
    ["http://b.example"],
  ],
])("origins of servers: %s", (_title, servers, origins) => {
  expect(serverOrigins(servers)).toEqual(origins);
});

test("at most 100 combinations of a server's variables are used", () => {
  const url = "https://{a}.{b}.example";
  const variables = [variable("a", "r0", many), variable("b", "r0", many)];
  expect(serverOrigins([{ url, variables }])).toHaveLength(100);
});
