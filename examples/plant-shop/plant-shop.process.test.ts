/** The responses of the demo API match its document. */

import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkRequest, checkResponse } from "../../src/engine/openapi/check/check-contract.ts";
import { initialInputs } from "../../src/engine/openapi/check/initial-inputs.ts";
import { type ApiDocument, readDocument } from "../../src/engine/openapi/document/api-document.ts";
import { parseJson } from "../../src/engine/openapi/nodes/json-text.ts";
import { type Operation, readOperation } from "../../src/engine/openapi/request/operation.ts";
import { buildRequest } from "../../src/engine/openapi/request/request.ts";
import { requestBytes } from "../../src/engine/openapi/request/request-bytes.ts";
import type { RequestInputs } from "../../src/engine/openapi/request/request-model.ts";
import { root, startOctavo } from "../../test/engine/build.ts";
import { demoApi } from "./api.ts";

const server = demoApi();
let origin = "";
let document: ApiDocument;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const read = await readDocument(
    "plants.yaml",
    readFileSync(path.join(root, "docs/openapi/plants.yaml"), "utf8"),
  );
  expect(read.problems).toEqual([]);
  document = read.document!;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function operationOf(id: string): Operation {
  const {
    pathItem,
    method,
    path: at,
    kind,
  } = document.operations.find(({ node }) => (node.value as { operationId?: string }).operationId === id)!;
  return readOperation(document.refs, pathItem, method, at, kind)!;
}

type Change = (inputs: RequestInputs) => void;

/**
 * Sends a request as the playground does, and returns the response with the differences from the document.
 */
async function send(id: string, change: Change = () => {}) {
  const operation = operationOf(id);
  const { refs } = document;
  const inputs = initialInputs(operation, refs, { optional: false });
  inputs.server = `${origin}/v1`;
  change(inputs);
  const request = buildRequest(operation, inputs, refs);
  const bytes = await requestBytes(request);
  const response = await fetch(request.url, {
    method: request.method,
    headers: request.headers,
    body: bytes ?? null,
  });
  const text = Buffer.from(await response.arrayBuffer());
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  const body = isJson ? { value: parseJson(text.toString()) } : undefined;
  const received = {
    status: response.status,
    headers: [...response.headers] as [string, string][],
    ...(body ? { body } : {}),
  };
  const findings = [...checkRequest(operation, inputs, refs), ...checkResponse(operation, received, refs)];
  return { status: response.status, headers: response.headers, bytes: text, value: body?.value, findings };
}

const set =
  (parameters: Record<string, unknown>): Change =>
  (inputs) =>
    Object.assign(inputs.parameters, parameters);
const body =
  (value: unknown, mediaType = "application/json"): Change =>
  (inputs) => {
    inputs.body = { mediaType, content: { value } };
  };
const all =
  (...changes: Change[]): Change =>
  (inputs) =>
    changes.forEach((change) => {
      change(inputs);
    });
const png = new Blob([Buffer.from("iVBORw0KGgo=", "base64")], { type: "image/png" });
const photo = { file: { name: "a.png", type: "image/png", bytes: png } };
const order = { items: [{ plantId: "basil", count: 2 }], payment: { method: "voucher", code: "SPRING" } };

describe("responses match the document", () => {
  const rows: [operation: string, what: string, status: number, change?: Change][] = [
    ["listPlants", "as the playground starts", 200],
    [
      "listPlants",
      "every filter",
      200,
      set({
        "query.search": "fern",
        "query.kind": ["fern", "herb"],
        "query.height": { from: 5, to: 90 },
        "query.page": 2,
      }),
    ],
    ["listPlants", "a page that is none", 400, set({ "query.page": 1.5 })],
    ["createPlant", "what is required", 201, body({ name: "Thyme", kind: "herb", priceCents: 490 })],
    ["createPlant", "the first example", 201],
    ["createPlant", "a plant without a kind", 422, body({ name: "Moss", priceCents: 1 })],
    ["getPlant", "monstera", 200],
    ["getPlant", "a plant that is not there", 404, set({ "path.plantId": "moss" })],
    ["getPlant", "without a key", 401, (inputs) => (inputs.credentials = [])],
    ["changePlant", "its example", 200],
    [
      "changePlant",
      "null where it is allowed",
      200,
      body({ waterEveryDays: null }, "application/merge-patch+json"),
    ],
    ["getPrice", "monstera", 200],
    ["getPhoto", "a drawing", 200],
    ["sendPhoto", "in a form", 201, body({ file: photo, caption: "In the morning" }, "multipart/form-data")],
    ["sendPhoto", "as the body", 201, body(photo, "image/png")],
    ["deletePlant", "mint", 204, set({ "path.plantId": "mint" })],
    ["listCategories", "the tree", 200],
    ["createOrder", "its example", 201, keyed],
    [
      "createOrder",
      "of a plant that is not there",
      404,
      all(keyed, body({ ...order, items: [{ plantId: "moss" }] })),
    ],
    ["getCart", "with a cookie", 200, set({ "cookie.session": "sill" })],
    ["watchGreenhouse", "three events", 200, set({ "query.count": 3, "query.pause": 0 })],
    ["hearGreenhouse", "a drop", 200],
    ["getCatalog", "XML", 200],
    ["getCatalog", "packed", 200, set({ "query.format": "gzip" })],
    ["countSeeds", "large numbers", 200],
    ["whoAmI", "with the first method", 200],
    [
      "subscribe",
      "a form",
      202,
      body(
        { email: "alex@example.com", topics: ["care", "recipes"], weekly: true },
        "application/x-www-form-urlencoded",
      ),
    ],
    ["getStatus", "without a key", 200],
  ];

  test.each(rows)("%s: %s", async (operation, _, status, change) => {
    const answer = await send(operation, change);
    const wrong =
      status < 400 ? answer.findings : answer.findings.filter(({ path: at }) => at.startsWith("response"));
    expect({ status: answer.status, findings: wrong }).toEqual({ status, findings: [] });
  });

  test("getOrder: returns the order that was placed", async () => {
    const placed = (await send("createOrder", keyed)).value as { id: string };
    const answer = await send("getOrder", all(keyed, set({ "path.orderId": placed.id })));
    expect(answer).toMatchObject({ status: 200, value: placed, findings: [] });
  });

  test("readFaulty: differs from the document in four ways, on purpose", async () => {
    const { status, findings } = await send("readFaulty");
    expect(status).toBe(200);
    expect(findings.map(({ code, path: at }) => `${code} ${at}`).sort()).toEqual([
      "enum response.sensor",
      "format response.at",
      "header header.X-Battery",
      "type response.celsius",
    ]);
  });

  test("every operation is tested", () => {
    const tested = new Set([...rows.map(([operation]) => operation), "getOrder", "readFaulty"]);
    const ids = document.operations
      .filter(({ kind }) => kind === "operation")
      .map(({ node }) => (node.value as { operationId: string }).operationId);
    expect(ids.filter((id) => !tested.has(id))).toEqual([]);
  });

  /**
   * Selects the API key as the credential. By default, the playground uses the first security requirement of
   * the operation.
   */
  function keyed(inputs: RequestInputs): void {
    const { schemes } = operationOf("whoAmI").security[0]!;
    inputs.credentials = [{ scheme: schemes[0]!, value: "demo-key" }];
  }
});

describe("behavior outside of the document", () => {
  test("large numbers keep all digits, and events are streamed", async () => {
    expect((await send("countSeeds")).bytes.toString()).toContain('"largestBatch":9223372036854775807');
    expect(
      (await send("watchGreenhouse", set({ "query.count": 2, "query.pause": 0 }))).bytes.toString(),
    ).toMatch(/^id: 1\nevent: reading\ndata: \{.*\}\n\nid: 2\n/);
  });

  test("an uploaded photo is returned unchanged", async () => {
    await send("sendPhoto", all(set({ "path.plantId": "aloe" }), body(photo, "image/png")));
    const answer = await send("getPhoto", set({ "path.plantId": "aloe" }));
    expect(answer.headers.get("content-type")).toBe("image/png");
    expect(answer.bytes).toEqual(Buffer.from("iVBORw0KGgo=", "base64"));
  });

  test("uploads that are not photos are refused, so that no uploaded HTML is served", async () => {
    const form = new FormData();
    form.set("file", new Blob(["<script>"], { type: "text/html" }));
    const response = await fetch(`${origin}/v1/plants/aloe/photo`, {
      method: "POST",
      headers: { "x-api-key": "demo-key" },
      body: form,
    });
    expect(response.status).toBe(415);
  });

  test("a body over 1 MB is refused", async () => {
    expect(
      (await send("createPlant", body({ name: "x".repeat(1_100_000), kind: "herb", priceCents: 1 }))).status,
    ).toBe(413);
  });

  test("two shops share no plants", async () => {
    await send("changePlant", body({ name: "Renamed" }, "application/merge-patch+json"));
    const other = demoApi().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const plant = await (
      await fetch(`http://127.0.0.1:${port}/v1/plants/monstera`, { headers: { "x-api-key": "demo-key" } })
    ).json();
    other.close();
    expect(plant).toMatchObject({ name: "Monstera" });
  });

  test("pages of any origin may call it", async () => {
    const asked = await fetch(`${origin}/v1/plants`, {
      method: "OPTIONS",
      headers: { "access-control-request-headers": "x-api-key" },
    });
    expect([
      asked.status,
      asked.headers.get("access-control-allow-origin"),
      asked.headers.get("access-control-allow-headers"),
    ]).toEqual([204, "*", "x-api-key"]);
  });
});

describe("authentication", () => {
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });
  const rows: [method: string, query: string, headers: Record<string, string>][] = [
    ["headerKey", "", { "x-api-key": "demo-key" }],
    ["queryKey", "?api_key=demo-key", {}],
    ["cookieKey", "", { cookie: "a=b; api_key=demo-key" }],
    ["bearer", "", { authorization: "Bearer demo-token" }],
    ["basic", "", basic("gardener:green-thumb")],
  ];
  test.each(rows)("%s", async (method, query, headers) => {
    expect(await (await fetch(`${origin}/v1/me${query}`, { headers })).json()).toEqual({
      method,
      scopes: [],
    });
  });

  test("a wrong key is refused", async () => {
    expect((await fetch(`${origin}/v1/me`, { headers: { "x-api-key": "other" } })).status).toBe(401);
  });

  const client = { client_id: "demo-client", client_secret: "demo-secret" };
  async function token(form: Record<string, string>, headers: Record<string, string> = {}) {
    const response = await fetch(`${origin}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams(form),
      headers,
    });
    return {
      status: response.status,
      ...((await response.json()) as {
        access_token?: string;
        refresh_token?: string;
        error?: string;
        scope?: string;
      }),
    };
  }
  const scopesOf = async (accessToken = "") =>
    (await fetch(`${origin}/v1/me`, { headers: { authorization: `Bearer ${accessToken}` } })).json();

  test.each([
    ["client credentials in the body", { grant_type: "client_credentials", ...client }, {}],
    [
      "client credentials in the header",
      { grant_type: "client_credentials" },
      basic("demo-client:demo-secret"),
    ],
    [
      "a password",
      { grant_type: "password", client_id: "demo-client", username: "gardener", password: "green-thumb" },
      {},
    ],
  ])("OAuth: %s", async (_, form, headers) => {
    const { access_token } = await token({ ...form, scope: "orders:read unknown" }, headers);
    expect(await scopesOf(access_token)).toEqual({ method: "oauth", scopes: ["orders:read"] });
  });

  test("OAuth: a token without the scope cannot place an order", async () => {
    const { access_token } = await token({
      grant_type: "client_credentials",
      ...client,
      scope: "orders:read",
    });
    const place = await fetch(`${origin}/v1/orders`, {
      method: "POST",
      headers: { authorization: `Bearer ${access_token}` },
      body: JSON.stringify(order),
    });
    expect(place.status).toBe(403);
  });

  async function codeFor(verifier: string, redirect = "http://localhost:3000/back") {
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const query = new URLSearchParams({
      response_type: "code",
      client_id: "demo-client",
      redirect_uri: redirect,
      scope: "orders:write",
      state: 's"<',
      code_challenge: challenge,
      code_challenge_method: "S256",
    });
    const page = await fetch(`${origin}/oauth/authorize?${query}`);
    query.set("answer", "allow");
    const answer = await fetch(`${origin}/oauth/authorize`, {
      method: "POST",
      body: query,
      redirect: "manual",
    });
    return { page, target: answer.headers.get("location") };
  }

  test("OAuth: a refresh token is valid once, and not for another client", async () => {
    const password = { grant_type: "password", username: "gardener", password: "green-thumb" };
    const refreshed = (refresh_token = "", client_id = "demo-client") =>
      token({ grant_type: "refresh_token", client_id, refresh_token });
    const first = await token({ ...password, client_id: "demo-client", scope: "orders:read" });
    expect(await refreshed(first.refresh_token, "other")).toMatchObject({ error: "invalid_client" });
    const second = await refreshed(first.refresh_token);
    expect(await scopesOf(second.access_token)).toEqual({ method: "oauth", scopes: ["orders:read"] });
    expect(await refreshed(first.refresh_token)).toMatchObject({ error: "invalid_grant" });
    expect(await refreshed(second.refresh_token)).toMatchObject({ status: 200 });
  });

  test.each([
    ["allow", { status: 200, scope: "orders:read" }],
    ["refuse", { status: 400, error: "access_denied" }],
  ])("OAuth: a device gets a token after the user has entered its code: %s", async (answer, expected) => {
    const device = await fetch(`${origin}/oauth/device`, {
      method: "POST",
      body: new URLSearchParams({ client_id: "demo-client", scope: "orders:read" }),
    });
    const { device_code, user_code, verification_uri } = (await device.json()) as Record<string, string>;
    const ask = () =>
      token({
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
        client_id: "demo-client",
        device_code: device_code!,
      });
    expect(await ask()).toMatchObject({ status: 400, error: "authorization_pending" });
    expect(verification_uri).toBe(`${origin}/oauth/activate`);
    for (const code of ["other", user_code!])
      await fetch(verification_uri!, { method: "POST", body: new URLSearchParams({ code, answer }) });
    expect(await ask()).toMatchObject(expected);
    expect(await ask()).toMatchObject({ error: "expired_token" });
  });

  test("OAuth: a code with PKCE is valid once, and only with its verifier", async () => {
    const { page, target } = await codeFor("right");
    expect(await page.text()).toContain('name="state" value="s&quot;&lt;"');
    expect(new URL(target!).searchParams.get("state")).toBe('s"<');
    const code = new URL(target!).searchParams.get("code")!;
    const form = {
      grant_type: "authorization_code",
      client_id: "demo-client",
      redirect_uri: "http://localhost:3000/back",
      code,
    };
    expect(await token({ ...form, code_verifier: "right" })).toMatchObject({
      status: 200,
      scope: "orders:write",
    });
    expect(await token({ ...form, code_verifier: "right" })).toMatchObject({
      status: 400,
      error: "invalid_grant",
    });
    const second = new URL((await codeFor("right")).target!).searchParams.get("code")!;
    expect(await token({ ...form, code: second, code_verifier: "wrong" })).toMatchObject({
      status: 400,
      error: "invalid_grant",
    });
  });

  test("OAuth: redirects to other machines are refused", async () => {
    const { page, target } = await codeFor("right", "https://example.com/back");
    expect([page.status, target]).toEqual([400, null]);
  });
});

test("octavo demo-api prints its URL, responds on this machine only, and ends on a signal", async () => {
  const child = startOctavo(["demo-api", "--port", "0"]);
  const ended = once(child, "exit");
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  const address = /http:\/\/localhost:\d+\/v1/.exec(line.toString())![0];
  expect((await fetch(`${address.replace("localhost", "127.0.0.1")}/status`)).status).toBe(200);
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});
