/**
 * Serves the demo API that the playground of Octavo's documentation calls, described in
 * `docs/openapi/plants.yaml`. Data is only kept in memory.
 */

import { randomUUID } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { escapeHtml } from "../../src/base/html-text.ts";
import { categories, kinds, type Plant, type PlantInput, plantDefaults, plantErrors, Shop } from "./shop.ts";
import { type Caller, DemoSignIn } from "./sign-in.ts";

/** Maximum size of a request body in bytes. */
const body_bytes = 1024 * 1024;
/** Maximum number of orders. When it is reached, the next order replaces all others. */
const orders_count = 500;

interface Call {
  request: IncomingMessage;
  url: URL;
  /** Value of the route's `{id}`. */
  id: string;
  /** Aborted when the response has ended or the client has disconnected. */
  signal: AbortSignal;
  /**
   * Returns the authenticated caller. Throws `HttpError`: 401 for missing or invalid credentials, 403 for a
   * missing scope.
   */
  caller(scope?: string): Caller;
  body(): Promise<Buffer>;
  json(): Promise<unknown>;
  form(): Promise<URLSearchParams>;
}

interface Reply {
  status?: number;
  headers?: OutgoingHttpHeaders;
  /** Strings, bytes and streams are sent unchanged, other values as JSON. */
  body?: unknown;
}

/** Thrown to send an error to the client as problem details (RFC 9457). */
class HttpError extends Error {
  readonly status: number;
  readonly more: Record<string, unknown>;
  constructor(status: number, message: string, more: Record<string, unknown> = {}) {
    super(message);
    this.status = status;
    this.more = more;
  }
}

/** Creates the server, which the caller starts. */
export function demoApi(): Server {
  const signIn = new DemoSignIn();
  const routes = shopRoutes(new Shop(), signIn);
  return createServer(async (request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-expose-headers", "*");
    response.setHeader("cache-control", "no-store");
    response.setHeader("x-content-type-options", "nosniff");
    const abort = new AbortController();
    response.on("close", () => abort.abort());
    try {
      if (request.method === "OPTIONS") return void preflight(request, response);
      await send(response, await answer(request, routes, signIn, abort.signal), request.method === "HEAD");
    } catch (error) {
      if (abort.signal.aborted) return;
      if (response.headersSent) return void response.destroy();
      const { status, message, more } =
        error instanceof HttpError ? error : new HttpError(500, "The demo API failed");
      // If a body is too large, the rest of it isn't read, so the connection can't be reused.
      const headers = {
        "content-type": "application/problem+json",
        ...(status === 413 ? { connection: "close" } : {}),
      };
      await send(
        response,
        { status, headers, body: { title: message, status, ...more } },
        request.method === "HEAD",
      );
    }
  });
}

function preflight(request: IncomingMessage, response: ServerResponse): void {
  response
    .writeHead(204, {
      "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "*",
      "access-control-max-age": "600",
    })
    .end();
}

async function answer(
  request: IncomingMessage,
  routes: readonly Route[],
  signIn: DemoSignIn,
  signal: AbortSignal,
): Promise<Reply> {
  const url = new URL(request.url ?? "/", "http://localhost");
  const method = request.method === "HEAD" ? "GET" : request.method;
  const known = routes.filter(({ path }) => path.test(url.pathname));
  const route = known.find((one) => one.method === method);
  if (!route)
    throw known.length
      ? new HttpError(405, `${url.pathname} has no ${method}`)
      : new HttpError(404, `Not found: ${url.pathname}`);
  const body = () => readBody(request);
  return route.handle({
    request,
    url,
    id: pathId(route.path.exec(url.pathname)![1] ?? ""),
    signal,
    body,
    caller: (scope) => callerOf(signIn, request, url, scope),
    json: async () => parsed((await body()).toString()),
    form: async () => new URLSearchParams((await body()).toString()),
  });
}

function pathId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new HttpError(400, "Invalid path");
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError(400, "The body isn't valid JSON");
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > body_bytes) throw new HttpError(413, "The request is larger than 1 MB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function send(
  response: ServerResponse,
  { status = 200, headers = {}, body }: Reply,
  isHead: boolean,
): Promise<void> {
  const isRaw =
    body === undefined || typeof body === "string" || body instanceof Uint8Array || isStream(body);
  response.writeHead(status, isRaw ? headers : { "content-type": "application/json", ...headers });
  if (isHead || !isStream(body))
    return void response.end(isHead ? undefined : isRaw ? body : JSON.stringify(body));
  response.flushHeaders();
  for await (const piece of body) response.write(piece);
  response.end();
}

function isStream(body: unknown): body is AsyncIterable<string> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

interface Route {
  method: string;
  path: RegExp;
  handle(call: Call): Reply | Promise<Reply>;
}

function shopRoutes(shop: Shop, signIn: DemoSignIn): Route[] {
  return [
    ...plantRoutes(shop),
    ...orderRoutes(shop),
    ...visitorRoutes(shop),
    ...greenhouseRoutes(),
    ...oauthRoutes(signIn),
  ];
}

/** Creates a route. `line`: method and path, such as `GET /v1/plants/{id}`. */
function route(line: string, handle: Route["handle"]): Route {
  const [method, path] = line.split(" ") as [string, string];
  return { method, path: new RegExp(`^${path.replace(/[.]/g, "\\.").replace("{id}", "([^/]+)")}$`), handle };
}

/** Creates a route that requires valid credentials. */
function guarded(line: string, handle: Route["handle"]): Route {
  return route(line, (call) => {
    call.caller();
    return handle(call);
  });
}

function plantRoutes(shop: Shop): Route[] {
  return [
    guarded("GET /v1/plants", ({ url }) => listPlants(shop, url.searchParams)),
    guarded("POST /v1/plants", async ({ json }) => {
      const input = await json();
      check(input, false);
      const plant = shop.add({ ...plantDefaults, ...(input as PlantInput) }, now());
      if (!plant) throw new HttpError(409, "The shop is full. Delete a plant, or restart the demo.");
      return { status: 201, headers: { location: `/v1/plants/${plant.id}` }, body: plant };
    }),
    guarded("GET /v1/plants/{id}", ({ id }) => ({ body: plantOf(shop, id) })),
    guarded("PATCH /v1/plants/{id}", async ({ id, json }) => {
      const plant = plantOf(shop, id);
      const change = await json();
      check(change, true);
      Object.assign(plant, change);
      return { body: plant };
    }),
    guarded("DELETE /v1/plants/{id}", ({ id }) => {
      plantOf(shop, id);
      shop.remove(id);
      return { status: 204 };
    }),
    guarded("GET /v1/plants/{id}/price", ({ id }) => ({
      headers: { sunset: "Thu, 31 Dec 2026 00:00:00 GMT" },
      body: plantOf(shop, id).priceCents,
    })),
    guarded("GET /v1/plants/{id}/photo", ({ id }) => {
      const plant = plantOf(shop, id);
      const photo = shop.photos.get(id) ?? { type: "image/svg+xml", bytes: Buffer.from(drawing(plant)) };
      // SVG that is opened directly must not run scripts.
      return {
        headers: { "content-type": photo.type, "content-security-policy": "sandbox" },
        body: photo.bytes,
      };
    }),
    guarded("POST /v1/plants/{id}/photo", (call) => uploadPhoto(shop, call)),
    guarded("GET /v1/categories", () => ({ body: categories })),
    guarded("GET /v1/catalog", ({ url }) => {
      const all = [...shop.plants.values()];
      if (url.searchParams.get("format") === "gzip")
        return {
          headers: {
            "content-type": "application/gzip",
            "content-disposition": 'attachment; filename="catalog.json.gz"',
          },
          body: gzipSync(JSON.stringify(all)),
        };
      return { headers: { "content-type": "application/xml" }, body: xmlOf(all) };
    }),
    // The JSON is a literal string, because JavaScript numbers would lose digits.
    guarded("GET /v1/seeds", () => ({
      headers: { "content-type": "application/json" },
      body: '{"count":9007199254740993,"largestBatch":9223372036854775807,"weightGrams":1250.50}',
    })),
  ];
}

function orderRoutes(shop: Shop): Route[] {
  const orders = new Map<string, object>();
  return [
    guarded("POST /v1/orders", async (call) => {
      const { scopes } = call.caller("orders:write");
      if (orders.size >= orders_count) orders.clear();
      const order = orderOf(shop, await call.json());
      orders.set(order.id, order);
      return { status: 201, headers: { "x-granted-scopes": scopes.join(" ") }, body: order };
    }),
    guarded("GET /v1/orders/{id}", (call) => {
      call.caller("orders:read");
      const order = orders.get(call.id);
      if (!order) throw new HttpError(404, `Order not found: ${call.id}`);
      return { body: order };
    }),
  ];
}

/** Returns the routes for the newsletter, status, account and cart. */
function visitorRoutes(shop: Shop): Route[] {
  return [
    route("POST /v1/newsletter", async ({ form }) => {
      const fields = await form();
      const email = fields.get("email") ?? "";
      if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new HttpError(422, "email must be a valid email address");
      return {
        status: 202,
        body: { email, topics: fields.getAll("topics"), weekly: fields.get("weekly") === "true" },
      };
    }),
    route("GET /v1/status", () => ({ body: { status: "open", plants: shop.plants.size } })),
    guarded("GET /v1/me", ({ caller }) => ({ body: caller() })),
    guarded("GET /v1/cart", ({ request }) => {
      const session = /(?:^|; *)session=([^;]*)/.exec(request.headers.cookie ?? "")?.[1];
      return { body: { session: session ?? null, items: [] } };
    }),
  ];
}

function greenhouseRoutes(): Route[] {
  return [
    guarded("GET /v1/greenhouse/events", ({ url, signal }) => {
      const count = whole(url.searchParams, "count", 5, 1, 100);
      const pause = whole(url.searchParams, "pause", 400, 0, 5_000);
      return { headers: { "content-type": "text/event-stream" }, body: readings(count, pause, signal) };
    }),
    guarded("GET /v1/greenhouse/sound", () => ({
      headers: { "content-type": "audio/wav" },
      body: dripSound(),
    })),
    // This response violates the document in four ways, to show the playground's findings.
    guarded("GET /v1/greenhouse/faulty", () => ({
      body: { sensor: "attic", celsius: "warm", at: "yesterday" },
    })),
  ];
}

function oauthRoutes(signIn: DemoSignIn): Route[] {
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self' http://localhost:* http://*.localhost:* http://127.0.0.1:*; frame-ancestors 'none'";
  const html = (body: string): Reply => ({
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy },
    body,
  });

  return [
    route("GET /oauth/authorize", ({ url }) => {
      const page = signIn.consentPage(url.searchParams);
      if ("error" in page) throw new HttpError(400, page.error);
      return html(page.html);
    }),
    route("POST /oauth/authorize", async ({ form }) => {
      const target = signIn.consent(await form(), Date.now());
      if (!target) throw new HttpError(400, "redirect_uri must be a URL on this machine");
      return { status: 303, headers: { location: target } };
    }),
    route("POST /oauth/device", async ({ form, request: { headers } }) => {
      const verification = `http://${headers.host}/oauth/activate`;
      return signIn.device(await form(), headers.authorization, verification, Date.now());
    }),
    route("GET /oauth/activate", ({ url }) => html(signIn.devicePage(url.searchParams))),
    route("POST /oauth/activate", async ({ form }) => html(signIn.decideDevice(await form(), Date.now()))),
    route("POST /oauth/token", async ({ form, request }) =>
      signIn.token(await form(), request.headers.authorization, Date.now()),
    ),
  ];
}

/**
 * Authenticates a request. Throws `HttpError`: 401 for missing or unknown credentials, 403 for an OAuth token
 * without the scope. Other credentials have all scopes.
 */
function callerOf(signIn: DemoSignIn, request: IncomingMessage, url: URL, scope: string | undefined): Caller {
  const caller = signIn.caller(request.headers, url.searchParams);
  if (!caller) throw new HttpError(401, "Missing or invalid credentials");
  if (scope !== undefined && caller.method === "oauth" && !caller.scopes.includes(scope))
    throw new HttpError(403, `The token is missing the scope ${scope}`);
  return caller;
}

function now(): string {
  return new Date().toISOString();
}

function plantOf(shop: Shop, id: string): Plant {
  const plant = shop.plants.get(id);
  if (!plant) throw new HttpError(404, `Plant not found: ${id}`);
  return plant;
}

function check(input: unknown, partial: boolean): void {
  const violations = plantErrors(input, partial);
  if (violations.length) throw new HttpError(422, "Invalid plant", { violations });
}

function whole(query: URLSearchParams, name: string, otherwise: number, min: number, max: number): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  const value = Number(text);
  if (text === "" || !Number.isInteger(value) || value < min || value > max)
    throw new HttpError(400, `${name} must be an integer from ${min} to ${max}`);
  return value;
}

function listPlants(shop: Shop, query: URLSearchParams): Reply {
  const page = whole(query, "page", 1, 1, 1_000);
  const limit = whole(query, "limit", 5, 1, 50);
  const kind = query.get("kind")?.split(",");
  const text = query.get("search")?.toLowerCase() ?? "";
  const [from, to] = [query.get("height[from]"), query.get("height[to]")];
  const wrong = kind?.find((each) => !kinds.some((one) => one === each));
  if (wrong !== undefined) throw new HttpError(400, `${JSON.stringify(wrong)} isn't a plant type`);
  const { items, total } = shop.list(
    (plant) =>
      (!kind || kind.includes(plant.kind)) &&
      `${plant.name} ${plant.latinName ?? ""}`.toLowerCase().includes(text) &&
      (from === null || plant.height >= Number(from)) &&
      (to === null || plant.height <= Number(to)),
    page,
    limit,
  );
  const pages = Math.ceil(total / limit);
  return {
    headers: { "x-total-count": String(total) },
    body: { items, page, pages, next: page < pages ? page + 1 : null },
  };
}

/** Stores a photo that is sent as a multipart field or as the body. */
async function uploadPhoto(shop: Shop, { id, request, body }: Call): Promise<Reply> {
  plantOf(shop, id);
  const bytes = await body();
  let type = (request.headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase();
  let photo: Uint8Array = bytes;
  let caption: string | undefined;
  if (type === "multipart/form-data") {
    const form = await new Response(new Uint8Array(bytes), {
      headers: { "content-type": request.headers["content-type"]! },
    })
      .formData()
      .catch(() => undefined);
    const file = form?.get("file");
    if (!form || !(file instanceof Blob)) throw new HttpError(422, "The form has no field named file");
    type = file.type;
    photo = new Uint8Array(await file.arrayBuffer());
    caption = textOf(form.get("caption"));
  }
  if (!/^image\/(?:png|jpeg|webp|gif)$/.test(type))
    throw new HttpError(415, "The photo must be PNG, JPEG, WebP, or GIF");
  if (photo.length === 0) throw new HttpError(422, "The photo is empty");
  shop.addPhoto(id, { type, bytes: photo, ...(caption ? { caption } : {}) });
  return {
    status: 201,
    headers: { location: `/v1/plants/${id}/photo` },
    body: { type, bytes: photo.length, caption: caption ?? null },
  };
}

function textOf(value: FormDataEntryValue | null): string | undefined {
  return typeof value === "string" ? value.slice(0, 200) : undefined;
}

function orderOf(shop: Shop, input: unknown): { id: string } & Record<string, unknown> {
  const { items, payment, deliverOn } = (typeof input === "object" && input !== null ? input : {}) as Record<
    string,
    unknown
  >;
  if (!Array.isArray(items) || items.length === 0 || items.length > 20)
    throw new HttpError(422, "An order must have 1 to 20 items");
  const lines = items.map((item: { plantId?: unknown; count?: unknown } | null) => {
    const plant = plantOf(shop, String(item?.plantId));
    const count = item?.count ?? 1;
    if (!Number.isInteger(count) || Number(count) < 1 || Number(count) > 99)
      throw new HttpError(422, "count must be an integer from 1 to 99");
    return { plantId: plant.id, count: Number(count), priceCents: plant.priceCents };
  });
  const method = (payment as { method?: unknown } | undefined)?.method;
  if (method !== "card" && method !== "invoice" && method !== "voucher")
    throw new HttpError(422, "payment.method must be card, invoice or voucher");
  return {
    id: randomUUID(),
    status: method === "invoice" ? "open" : "paid",
    items: lines.map(({ plantId, count }) => ({ plantId, count })),
    totalCents: lines.reduce((sum, { count, priceCents }) => sum + count * priceCents, 0),
    ...(typeof deliverOn === "string" && /^\d{4}-\d\d-\d\d$/.test(deliverOn) ? { deliverOn } : {}),
    createdAt: now(),
  };
}

async function* readings(count: number, pause_ms: number, signal: AbortSignal): AsyncGenerator<string> {
  const sensors = ["north", "south", "door"];
  for (let n = 0; n < count && !signal.aborted; n++) {
    if (n > 0) await wait(pause_ms, undefined, { signal }).catch(() => {});
    const reading = { sensor: sensors[n % sensors.length], celsius: 19 + ((n * 7) % 10) / 2, at: now() };
    yield `id: ${n + 1}\nevent: reading\ndata: ${JSON.stringify(reading)}\n\n`;
  }
}

function xmlOf(plants: readonly Plant[]): string {
  const lines = plants.map(
    ({ id, name, kind, priceCents }) =>
      `  <plant id="${escapeHtml(id)}" kind="${kind}"><name>${escapeHtml(name)}</name><priceCents>${priceCents}</priceCents></plant>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<catalog>\n${lines.join("\n")}\n</catalog>\n`;
}

/** Returns an SVG drawing of a plant. The number of leaves depends on the light that the plant needs. */
function drawing({ name, light }: Plant): string {
  const leaves = Array.from({ length: light * 2 + 1 }, (_, n) => {
    const turn = -60 + (120 * n) / (light * 2);
    return `<ellipse cx="100" cy="70" rx="11" ry="46" transform="rotate(${turn.toFixed(1)} 100 118)" fill="#3f8f5b" fill-opacity=".8"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200" width="400" height="400" role="img"><title>${escapeHtml(name)}</title><rect width="200" height="200" fill="#f4efe6"/>${leaves.join("")}<path d="M66 118h68l-9 58H75z" fill="#b5653c"/></svg>`;
}

/** Returns a WAV file with the sound of a water drop: a tone that rises and fades for half a second. */
function dripSound(): Uint8Array {
  const rate = 8_000;
  const samples = rate / 2;
  const file = Buffer.alloc(44 + samples * 2);
  file.write("RIFF", 0);
  file.writeUInt32LE(36 + samples * 2, 4);
  file.write("WAVEfmt ", 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36);
  file.writeUInt32LE(samples * 2, 40);
  for (let n = 0; n < samples; n++) {
    const t = n / rate;
    file.writeInt16LE(
      Math.round(20_000 * Math.exp(-9 * t) * Math.sin(2 * Math.PI * (500 + 500 * t) * t)),
      44 + n * 2,
    );
  }
  return file;
}
