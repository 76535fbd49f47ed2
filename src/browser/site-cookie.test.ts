import { afterEach, describe, expect, test, vi } from "vitest";
import type { Refs } from "../engine/openapi/nodes/refs.ts";
import type { Operation } from "../engine/openapi/request/operation.ts";
import type { Draft } from "./playground/draft.ts";
import { withReaderData } from "./playground/reader-data.ts";

afterEach(() => vi.unstubAllGlobals());

/** Opens a page of a site. `root`: relative URL of the site's root. */
function openPage(url: string, root: string, cookies: readonly string[]): void {
  vi.stubGlobal("location", new URL(url));
  vi.stubGlobal("document", {
    cookie: cookies.join("; "),
    documentElement: { dataset: { root } },
    addEventListener() {},
  });
}

const reader = (server: object) => btoa(JSON.stringify({ server })).replace(/=+$/, "");

/** Returns the variables of the server's URL that a cookie's values fill in. */
function variables(url = "https://api.example.com/{path}"): Record<string, string> {
  const variable = (name: string, choices: string[] = []) => ({
    name,
    default: choices[0] ?? "standard",
    enum: choices,
  });
  const server = { url, variables: [variable("path"), variable("tenant"), variable("port", ["1", "2"])] };
  const operation = { servers: [server], parameters: [], security: [] } as unknown as Operation;
  const draft = { variables: {}, parameters: {}, credentials: {} } as unknown as Draft;
  return withReaderData(draft, operation, {} as Refs).variables;
}

describe("scripts use a cookie of the site", () => {
  const [own, tossed] = [reader({ path: "own" }), reader({ path: "tossed" })];
  const page = "https://a.example.com/api/pay";
  test.each([
    ["over HTTP", "http://a.example.com/api/pay", "../", [`octavo_reader_data=${own}`], "own"],
    ["over HTTPS", page, "../", [`__Host-octavo_reader_data=${own}`], "own"],
    ["below a path", page, "./", [`__Secure-octavo_reader_data=${own}`], "own"],
    [
      "if another host of the domain has set one without the prefix",
      page,
      "../",
      [`octavo_reader_data=${tossed}`, `__Host-octavo_reader_data=${own}`],
      "own",
    ],
    ["only with the prefix", page, "../", [`octavo_reader_data=${tossed}`], undefined],
    ["only with the prefix of its path", page, "../", [`__Secure-octavo_reader_data=${tossed}`], undefined],
    ["only with the whole name", page, "../", [`x__Host-octavo_reader_data=${tossed}`], undefined],
    [
      "only if there aren't several",
      page,
      "./",
      [`__Secure-octavo_reader_data=${tossed}`, `__Secure-octavo_reader_data=${own}`],
      undefined,
    ],
  ])("%s", (_, url, root, cookies, expected) => {
    openPage(url, root, cookies);
    expect(variables().path).toBe(expected);
  });

  test("for the session of the stored values, too", async () => {
    openPage("https://a.example.com/", "./", [
      "octavo_reader_session=tossed",
      "__Host-octavo_reader_session=a",
    ]);
    // The module reads the session of the page when it's loaded.
    vi.resetModules();
    const storage = await import("./reader-storage.ts");
    expect(storage.isSessionOver()).toBe(false);
    openPage("https://a.example.com/", "./", [
      "octavo_reader_session=other",
      "__Host-octavo_reader_session=a",
    ]);
    expect(storage.isSessionOver()).toBe(false);
    openPage("https://a.example.com/", "./", ["octavo_reader_session=a"]);
    expect(storage.isSessionOver()).toBe(true);
  });
});

test("a value that isn't one of a list doesn't change the host that requests are sent to", () => {
  const data = reader({ tenant: "evil", path: "v2", port: "2" });
  openPage("https://a.example.com/pay", "./", [`__Host-octavo_reader_data=${data}`]);
  expect(variables("https://{tenant}.example.com:{port}/{path}")).toEqual({ path: "v2", port: "2" });
  // Without the values, the URL isn't valid.
  expect(variables("https://[{tenant}/{path}")).toEqual({ port: "2" });
});
