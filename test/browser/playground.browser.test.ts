/** The playground in a browser: the server receives requests as typed, and responses are shown. */

import { readFileSync, renameSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Raw } from "../../src/engine/openapi/nodes/refs.ts";
import { temporaryFolder } from "../engine/build.ts";
import { downloadedBytes, seriousFaults, sidewaysScroll, useChromium, wide } from "./chromium.ts";
import { documentFor } from "./playground-document.ts";
import {
  bundlePlayground,
  type PageOptions,
  type Recorder,
  serveSite,
  startAuthorization,
  startRecorder,
  writePage,
} from "./playground-fixture.ts";

const folder = temporaryFolder();
const { open } = useChromium();
let api: Recorder;
let authorization: Awaited<ReturnType<typeof startAuthorization>>;
let site: { url: string; close(): void };
let document: Raw;

beforeAll(async () => {
  await bundlePlayground(folder);
  api = await startRecorder();
  authorization = await startAuthorization();
  document = documentFor(api.url, authorization.url);
  site = await serveSite(folder, [api.url]);
});
afterAll(() => {
  api.close();
  authorization.close();
  site.close();
});

/** Opens the playground of an operation and calls `work` with the page. */
async function tryOut(
  method: string,
  at: string,
  work: (page: Page, complaints: { list: string[] }) => Promise<void>,
  options: PageOptions & { file?: boolean } = {},
): Promise<void> {
  const file = writePage(folder, `page-${method}${at.replace(/\W+/g, "-")}`, document, method, at, options);
  const address = options.file ? pathToFileURL(path.join(folder, file)).href : `${site.url}/${file}`;
  await open(address, async (page, complaints) => {
    await openPanel(page);
    await work(page, complaints);
  });
}

async function openPanel(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Try it" }).click();
  await page.locator(".o-pg[open]").waitFor();
}

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
/** Opens a group of fields that is folded into one line. */
async function unfold(page: Page, title: string | RegExp): Promise<void> {
  const group = page.locator(".o-pg-folded:not([open]) > summary", { hasText: title });
  if (await group.count()) await group.click();
}
const response = (page: Page) => page.locator(".o-pg-response");

async function send(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** Sends the request and resolves with what the API received. */
async function sent(
  page: Page,
): Promise<{ url: string; headers: Record<string, unknown>; text: string; json: unknown; body: Buffer }> {
  const before = api.requests.length;
  await send(page);
  await expect.poll(() => api.requests.length).toBe(before + 1);
  await response(page).locator(".o-pg-status").waitFor();
  const { url, headers, body } = api.requests.at(-1)!;
  const text = body.toString();
  return {
    url,
    headers,
    text,
    body,
    get json() {
      return JSON.parse(text);
    },
  };
}

const order = ["post", "/orders/{orderId}"] as const;

describe("the form", () => {
  test("parameters of every kind arrive where they belong; x-default is filled in, defaults stand behind it", () =>
    tryOut(...order, async (page) => {
      expect(await field(page, "currency").inputValue()).toBe("EUR");
      await field(page, "orderId").fill("o 42/ä");
      await field(page, "limit").fill("0");
      await field(page, "sort").selectOption("oldest");
      await field(page, "verbose").selectOption("false");
      await page.getByRole("button", { name: "tags", exact: true }).click();
      await page.getByRole("button", { name: "Add item: tags" }).click();
      await field(page, "tags[0]").fill("a&b");
      await page.getByRole("button", { name: "Add item: tags" }).click();
      await field(page, "tags[1]").fill("c");
      await page.getByRole("button", { name: "Remove tags[1]" }).click();
      await page.getByLabel("empty: Send without a value").check();
      await field(page, "X-Request-Id").fill("abc");
      const { url, headers } = await sent(page);
      expect(url).toBe(
        "/orders/o%2042%2F%C3%A4?limit=0&sort=oldest&verbose=false&tags=a%26b&currency=EUR&empty=",
      );
      expect(headers["x-request-id"]).toBe("abc");
    }));

  test("a body of objects, lists, maps, variants, null and a long integer", () =>
    tryOut(...order, async (page) => {
      await field(page, "orderId").fill("1");
      await field(page, "number").first().fill("9007199254740993");
      await page.getByLabel("note: Send null").check();
      await field(page, "gift").selectOption("true");
      await field(page, "city").first().fill("Berlin");
      await page.getByRole("button", { name: "items", exact: true }).click();
      await page.getByRole("button", { name: "Add item: items" }).click();
      await field(page, "sku").fill("A1");
      await page.getByRole("button", { name: "labels", exact: true }).click();
      await field(page, "Name of the new property").fill("colour");
      await page.keyboard.press("Enter");
      await field(page, "colour").fill("red");
      await page.getByRole("radiogroup", { name: "Variant of payment" }).getByText("Transfer").click();
      await field(page, "iban").fill("DE00");
      await page.getByRole("button", { name: "tree", exact: true }).click();
      await field(page, "label").fill("root");
      await page.getByRole("button", { name: "child", exact: true }).click();
      await field(page, "label").nth(1).fill("leaf");
      await page.getByLabel("Type of weight").selectOption("number");
      await field(page, "weight").fill("1.5");
      await page.getByLabel("Type of anything").selectOption("array");
      const { text, headers } = await sent(page);
      expect(headers["content-type"]).toBe("application/json");
      expect(text).toContain('"number": 9007199254740993');
      expect(JSON.parse(text)).toEqual({
        number: 9007199254740992,
        note: null,
        gift: true,
        address: { city: "Berlin" },
        items: [{ sku: "A1", count: 1 }],
        labels: { colour: "red" },
        payment: { method: "transfer", iban: "DE00" },
        tree: { label: "root", child: { label: "leaf" } },
        weight: 1.5,
        anything: [],
      });
    }));

  test("examples of the body and of parameters can be chosen", () =>
    tryOut("post", "/gifts", async (page) => {
      await page.getByLabel("Example: Body").selectOption({ label: "Some money" });
      expect(await field(page, "amount").inputValue()).toBe("5");
      await page.getByLabel("Example: day").selectOption({ label: "One day" });
      await page.getByLabel("Example: order").selectOption({ label: "-name" });
      expect(await page.getByLabel("Example: only").count()).toBe(0);
      const { url, json } = await sent(page);
      expect(url).toBe("/gifts?day=2024-05-17&order=-name");
      expect(json).toEqual({ amount: 5 });
      await page.getByLabel("Example: Body").selectOption({ label: "Short order" });
      expect(await field(page, "item").inputValue()).toBe("moss");
      expect(await page.locator(".o-pg-code").first().innerText()).toContain("moss");
    }));

  test("fields of conditions, and fields of JSON in a text", () =>
    tryOut("post", "/addresses", async (page) => {
      await field(page, "country").selectOption({ label: "US" });
      expect(await page.getByText("If country is US").isVisible()).toBe(true);
      await field(page, "zip").fill("12345");
      await field(page, "card").fill("4111");
      await field(page, "cvc").fill("123");
      expect(await field(page, "postcode").count()).toBe(1);
      await page.getByRole("button", { name: "details", exact: true }).click();
      await field(page, "floor").fill("2");
      expect(await page.locator("[id='o-pg-body.details.floor-about']").innerText()).toContain("at least 3");
      await expect.poll(() => page.locator(".o-pg-findings").innerText()).toContain("body.details.floor");
      expect((await sent(page)).json).toEqual({
        country: "US",
        zip: "12345",
        card: "4111",
        cvc: "123",
        details: '{"floor":2}',
      });
    }));

  test("an optional object isn't sent once it is empty again", () =>
    tryOut(...order, async (page) => {
      await field(page, "orderId").fill("1");
      await page.getByRole("button", { name: "billing", exact: true }).click();
      await field(page, "street").last().fill("x");
      await field(page, "street").last().fill("");
      expect((await sent(page)).json).not.toHaveProperty("billing");
    }));

  test("form and text say the same, and text that is no JSON is sent as it is", () =>
    tryOut(...order, async (page) => {
      await field(page, "orderId").fill("1");
      await field(page, "city").first().fill("Berlin");
      await page.getByText("JSON", { exact: true }).click();
      const text = page.getByLabel("Body (application/json)");
      expect(JSON.parse(await text.inputValue())).toEqual({ address: { city: "Berlin" } });
      await text.fill('{"number": 12345678901234567890, "address": {"city": "Rome"}}');
      await page.locator(".o-pg-body-head").getByText("Form", { exact: true }).click();
      expect(await field(page, "city").first().inputValue()).toBe("Rome");
      expect(await field(page, "number").first().inputValue()).toBe("12345678901234567890");
      await page.getByText("JSON", { exact: true }).click();
      await text.fill('{"number": ');
      expect(await page.getByText("Invalid JSON at line 1, column 12").isVisible()).toBe(true);
      expect((await sent(page)).text).toBe('{"number": ');
    }));

  test("XML, forms, text and files", () =>
    tryOut("post", "/upload", async (page) => {
      await field(page, "file").setInputFiles({
        name: "photo.png",
        mimeType: "image/png",
        buffer: Buffer.from([137, 80, 0, 255]),
      });
      await field(page, "note").fill("hello");
      await page.getByRole("button", { name: "meta", exact: true }).click();
      await field(page, "picture").fill("iVBOR");
      const multipart = await sent(page);
      expect(multipart.text).toContain('{"picture":"iVBOR"}');
      const boundary = /boundary=(.+)$/.exec(String(multipart.headers["content-type"]))![1]!;
      expect(multipart.text).toContain(`--${boundary}\r\n`);
      expect(multipart.text).toContain('filename="photo.png"');
      expect(multipart.body.includes(Buffer.from([137, 80, 0, 255]))).toBe(true);
      await field(page, "Content type").selectOption("application/x-www-form-urlencoded");
      await field(page, "note").fill("a b&c");
      await field(page, "count").fill("3");
      expect((await sent(page)).text).toBe("note=a+b%26c&count=3");
      await field(page, "Content type").selectOption("text/plain");
      await page.getByLabel("Body (text/plain)").fill("plain words");
      expect((await sent(page)).text).toBe("plain words");
      await field(page, "Content type").selectOption("application/octet-stream");
      await field(page, "Body")
        .first()
        .setInputFiles({ name: "raw.bin", mimeType: "", buffer: Buffer.from([0, 255]) });
      expect([...(await sent(page)).body]).toEqual([0, 255]);
    }));

  test("an array of files is one field, in which several are chosen, added and removed", () =>
    tryOut("post", "/upload", async (page) => {
      const file = (name: string) => ({
        name,
        mimeType: "text/plain",
        buffer: Buffer.from(`content of ${name}`),
      });
      await field(page, "file").setInputFiles(file("main.txt"));
      await field(page, "photos").setInputFiles([file("one.txt"), file("two.txt")]);
      await page.getByRole("button", { name: "Remove one.txt" }).waitFor();
      await field(page, "photos").setInputFiles(file("three.txt"));
      await page.getByRole("button", { name: "Remove three.txt" }).waitFor();
      await page.getByRole("button", { name: "Remove one.txt" }).click();
      const { text } = await sent(page);
      expect(text.match(/name="photos"; filename="[^"]*"/g)).toEqual([
        'name="photos"; filename="two.txt"',
        'name="photos"; filename="three.txt"',
      ]);
      expect(text).toContain("content of two.txt");
    }));

  test("XML by the form", () =>
    tryOut(...order, async (page) => {
      await field(page, "orderId").fill("1");
      await field(page, "Content type").selectOption("application/xml");
      await field(page, "city").fill("A & B");
      const { text, headers } = await sent(page);
      expect(headers["content-type"]).toBe("application/xml");
      expect(text).toContain("<city>A &amp; B</city>");
    }));

  test("lists of fixed values: each value has a checkbox", () =>
    tryOut(...order, async (page) => {
      await field(page, "orderId").fill("1");
      await field(page, "post").check();
      await field(page, "email").check();
      expect((await sent(page)).url).toMatch(/[?&]channels=email,post(?:&|$)/);
      await field(page, "email").uncheck();
      await field(page, "post").uncheck();
      expect((await sent(page)).url).not.toContain("channels");
    }));

  test("servers: variables fill in, and an address that is no web address is shown and not called", () =>
    tryOut(...order, async (page) => {
      await field(page, "orderId").fill("1");
      await field(page, "Server").selectOption({ index: 1 });
      await field(page, "host").selectOption("localhost");
      expect((await sent(page)).url).toMatch(/^\/v1\/orders\/1/);
      await field(page, "Server").selectOption({ index: 2 });
      expect(await page.getByRole("button", { name: "Send", exact: true }).count()).toBe(0);
      expect(await page.locator(".o-pg-line-start").innerText()).toContain("javascript:alert(1)//1");
    }));

  test("required objects are there, optional ones are not sent for the sake of a default inside", async () => {
    const part = (required: boolean) => ({
      type: "object",
      properties: { a: { type: "string", default: "x" }, b: { const: 1 } },
      ...(required ? { required: ["b"] } : {}),
    });
    const starting: Raw = {
      openapi: "3.1.0",
      info: { title: "t", version: "1" },
      servers: [{ url: api.url }],
      paths: {
        "/orders": {
          post: {
            requestBody: {
              content: {
                "application/json": {
                  schema: {
                    type: "object",
                    required: ["must", "map"],
                    properties: {
                      must: part(true),
                      map: { type: "object", additionalProperties: true },
                      may: part(true),
                      said: { type: "object", properties: { c: { "x-default": 7 } } },
                    },
                  },
                },
              },
            },
            responses: {},
          },
        },
      },
    };
    const file = writePage(folder, "starting", starting, "post", "/orders");
    await open(`${site.url}/${file}`, async (page) => {
      await openPanel(page);
      expect((await sent(page)).json).toEqual({ must: { a: "x", b: 1 }, map: {}, said: { c: 7 } });
    });
  });

  test("nothing is taken from the address bar", () =>
    tryOut("get", "/big", async (page) => {
      await page.goto(`${page.url()}?url=https://evil.example&server=https://evil.example&limit=3`);
      await openPanel(page);
      expect(await page.locator(".o-pg").innerText()).not.toContain("evil");
    }));

  test("simple mode: everything but sending", () =>
    tryOut(
      ...order,
      async (page) => {
        expect(await page.getByRole("button", { name: "Send", exact: true }).count()).toBe(0);
        await field(page, "orderId").fill("77");
        expect(await page.locator(".o-pg-code").first().innerText()).toContain("/orders/77");
      },
      { mode: "simple" },
    ));

  test("examples fill the form where the site wants them", () =>
    tryOut(
      ...order,
      async (page) => {
        expect(await field(page, "city").first().inputValue()).not.toBe("");
        expect(await field(page, "orderId").inputValue()).not.toBe("");
      },
      { prefill: true },
    ));
});

describe("the contract check", () => {
  const findings = (page: Page) => page.locator(".o-pg-findings");

  test("a missing value is asked for at its field, which gets the focus, and nothing is sent", () =>
    tryOut(...order, async (page) => {
      const before = api.requests.length;
      await field(page, "limit").press("Control+Enter");
      expect(await page.evaluate("document.activeElement.id")).toBe("o-pg-path.orderId");
      expect(await page.locator("[id='o-pg-path.orderId-about']").innerText()).toContain(
        "Enter the order ID",
      );
      // The error is only shown once, at the field.
      expect(await findings(page).getByText("orderId").count()).toBe(0);
      expect(await page.locator(".o-pg-line-start").innerText()).toContain("/{orderId}");
      expect(api.requests.length).toBe(before);
      await page.keyboard.type("1");
      await page.keyboard.press("Control+Enter");
      await response(page).locator(".o-pg-status").waitFor();
      expect(api.requests.length).toBe(before + 1);
    }));

  test("names what is wrong before it is sent, leads to the field, and keeps nothing from being sent", () =>
    tryOut(...order, async (page) => {
      await field(page, "limit").fill("500");
      expect(await findings(page).innerText()).toMatch(/query\.limit\s+expected at most 100, but found 500/);
      expect(await field(page, "limit").getAttribute("aria-invalid")).toBe("true");
      await field(page, "street").first().fill("Long Lane");
      await page.getByRole("button", { name: "address", exact: true }).click();
      await findings(page).getByRole("button", { name: "body.address.city" }).click();
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("o-pg-body.address.city");
      await field(page, "orderId").fill("1");
      expect((await sent(page)).url).toContain("limit=500");
    }));

  test("patterns run apart, and not for long", () =>
    tryOut(...order, async (page) => {
      await field(page, "code").fill("abc");
      await findings(page).getByText("should match ^[A-Z]{3}$").waitFor();
      await field(page, "code").fill("ABC");
      await findings(page).getByText("should match").waitFor({ state: "detached" });
      const start = Date.now();
      await field(page, "trap").fill(`${"a".repeat(60)}!`);
      await field(page, "orderId").fill("1");
      expect(Date.now() - start).toBeLessThan(5_000);
      expect((await sent(page)).url).toContain("trap=aaa");
    }));

  test("says where a response differs, by its place and the document's", () =>
    tryOut("get", "/big", async (page) => {
      await sent(page);
      expect(await findings(page).innerText()).toMatch(/response\.id\s+should be string, but is integer/);
      expect(await findings(page).innerText()).toContain("#/paths/~1big/get/responses/200");
    }));

  test("and that it keeps the contract", () =>
    tryOut("post", "/upload", async (page) => {
      await sent(page);
      await page.getByText("Response matches the schema").waitFor();
    }));
});

describe("samples", () => {
  test("in the panel and on the page they follow what is typed", () =>
    tryOut(...order, async (page) => {
      await field(page, "orderId").fill("77");
      await field(page, "Show as").selectOption({ label: "Python" });
      expect(await page.locator(".o-pg-sample").innerText()).toContain("/orders/77");
      expect(await page.locator("[data-sample]").textContent()).toContain("/orders/77");
      expect(await page.locator("[data-sample]").textContent()).toContain("YOUR_API_KEY");
    }));
});

describe("credentials", () => {
  const cases: [
    string,
    (page: Page) => Promise<void>,
    (got: { url: string; headers: Record<string, unknown> }) => void,
  ][] = [
    [
      "key",
      (page) => field(page, "X-API-Key").fill("k1"),
      ({ headers }) => expect(headers["x-api-key"]).toBe("k1"),
    ],
    [
      "query key",
      (page) => field(page, "api_key").fill("k 2"),
      ({ url }) => expect(url).toContain("api_key=k%202"),
    ],
    [
      "bearer",
      (page) => field(page, "Authorization").fill("t"),
      ({ headers }) => expect(headers["authorization"]).toBe("Bearer t"),
    ],
    [
      "basic",
      async (page) => {
        await field(page, "Username").fill("ann");
        await field(page, "Password").fill("pä:ss");
      },
      ({ headers }) =>
        expect(headers["authorization"]).toBe(`Basic ${Buffer.from("ann:pä:ss").toString("base64")}`),
    ],
  ];
  test.each(cases)("%s", (title, fill, check) =>
    tryOut(...order, async (page) => {
      await field(page, "orderId").fill("1");
      await field(page, "Authenticate with").selectOption({ label: title });
      await fill(page);
      check(await sent(page));
    }),
  );

  test("a cookie is shown, and said to be left out by browsers", () =>
    tryOut(...order, async (page) => {
      await field(page, "Authenticate with").selectOption({ label: "cookie key" });
      await field(page, "session").fill("s1");
      expect(await page.locator(".o-pg-line[data-not-sent]").innerText()).not.toContain("s1");
      await page.getByRole("button", { name: "Show credentials" }).click();
      expect(await page.locator(".o-pg-line[data-not-sent]").innerText()).toMatch(
        /Cookie: session=s1\s*not sent by browsers/,
      );
    }));

  test("hidden in the shown request and its samples until the reader reveals them", () =>
    tryOut(...order, async (page) => {
      const shown = () => page.locator(".o-pg-result .o-pg-code").innerText();
      await field(page, "Authenticate with").selectOption({ label: "query key" });
      await field(page, "api_key").fill("hush-1");
      await expect.poll(shown).toContain("api_key=••••••••");
      await field(page, "Authenticate with").selectOption({ label: "bearer" });
      await field(page, "Authorization").fill("hush-2");
      await expect.poll(shown).toContain("Authorization: Bearer ••••••••");
      await field(page, "Show as").selectOption({ label: "Python" });
      expect(await shown()).not.toContain("hush");
      await page.getByRole("button", { name: "Show credentials" }).click();
      expect(await shown()).toContain("Bearer hush-2");
    }));

  test("kept in the tab, on the device only when asked, never for another origin, and gone when cleared", () =>
    tryOut(...order, async (page) => {
      const kept = () =>
        page.evaluate("[JSON.stringify(sessionStorage), JSON.stringify(localStorage)]") as Promise<
          [string, string]
        >;
      await field(page, "X-API-Key").fill("secret-1");
      // The input is stored shortly after the key press.
      await expect.poll(async () => (await kept())[0]).toContain("secret-1");
      expect((await kept())[1]).not.toContain("secret-1");
      await page.reload();
      await openPanel(page);
      expect(await field(page, "X-API-Key").inputValue()).toBe("secret-1");
      await field(page, "Server").selectOption({ index: 1 });
      await field(page, "host").selectOption("localhost");
      expect(await field(page, "X-API-Key").inputValue()).toBe("");
      await field(page, "Server").selectOption({ index: 0 });
      await page.getByLabel("Remember on this device").check();
      await expect.poll(async () => (await kept())[1]).toContain("secret-1");
      expect((await kept())[0]).not.toContain("secret-1");
      await page.getByRole("button", { name: "Clear credentials" }).click();
      await expect.poll(async () => (await kept()).join()).not.toContain("secret-1");
      expect(await field(page, "X-API-Key").inputValue()).toBe("");
    }));
});

describe("environments", () => {
  const choose = (page: Page, label: string) => field(page, "Environment").selectOption({ label });
  const values = async (page: Page) => [
    await field(page, "Server").inputValue(),
    await field(page, "X-API-Key").inputValue(),
    await field(page, "orderId").inputValue(),
  ];
  const create = async (page: Page, name: string) => {
    await unfold(page, /^(?:Server|Environment)/);
    await page.getByRole("button", { name: "New environment" }).click();
    await field(page, "Environment name").waitFor();
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
    await expect.poll(() => field(page, "Environment").inputValue()).toBe(name);
  };

  test("are created from the form, fill it in on every visit, and are changed, renamed and deleted", () =>
    tryOut(...order, async (page) => {
      await field(page, "orderId").fill("7");
      await field(page, "X-API-Key").fill("live-key");
      await create(page, "Live");
      await field(page, "Server").selectOption({ index: 1 });
      await field(page, "host").selectOption("localhost");
      await field(page, "X-API-Key").fill("test-key");
      await create(page, "Test");
      expect(await page.evaluate("document.activeElement.tagName")).toBe("SELECT");
      await choose(page, "Live");
      expect(await values(page)).toEqual(["0", "live-key", "7"]);
      await page.reload();
      await openPanel(page);
      expect(await values(page)).toEqual(["0", "live-key", "7"]);
      await choose(page, "Test");
      expect([await values(page), await field(page, "host").inputValue()]).toEqual([
        ["1", "test-key", "7"],
        "localhost",
      ]);

      expect(await page.getByRole("button", { name: "Save changes" }).count()).toBe(0);
      // An integer that JavaScript numbers can't represent.
      await field(page, "orderId").fill("9007199254740993");
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("button", { name: "Rename" }).click();
      await page.keyboard.type("Live");
      await page.keyboard.press("Enter");
      await page.getByText("An environment with this name already exists.").waitFor();
      await page.keyboard.press("Escape");
      expect(await page.locator(".o-pg[open]").count(), "Escape only ends the renaming").toBe(1);
      await page.getByRole("button", { name: "Rename" }).click();
      await page.keyboard.type("Staging");
      await page.getByRole("button", { name: "Rename" }).click();
      await choose(page, "Live");
      await choose(page, "Staging");
      expect(await values(page)).toEqual(["1", "test-key", "9007199254740993"]);
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      expect(await field(page, "Environment").locator("option").allInnerTexts()).toEqual([
        "No environment",
        "Live",
      ]);
    }));

  test("keep secrets in the tab, on the device only when asked, and none when cleared", () =>
    tryOut(...order, async (page) => {
      const kept = () =>
        page.evaluate("[JSON.stringify(sessionStorage), JSON.stringify(localStorage)]") as Promise<
          [string, string]
        >;
      await field(page, "X-API-Key").fill("secret-3");
      await create(page, "Live");
      await expect.poll(async () => (await kept())[0].match(/secret-3/g)?.length).toBe(2);
      expect((await kept())[1]).toContain("Live");
      expect((await kept())[1]).not.toContain("secret-3");
      await page.getByLabel("Remember on this device").check();
      await expect.poll(async () => (await kept())[1].match(/secret-3/g)?.length).toBe(2);
      expect((await kept())[0]).not.toContain("secret-3");
      await page.getByLabel("Remember on this device").uncheck();
      await expect.poll(async () => (await kept())[1]).not.toContain("secret-3");
      // Another tab doesn't have the secret.
      await page.evaluate("sessionStorage.clear()");
      await page.reload();
      await openPanel(page);
      expect(await values(page)).toEqual(["0", "", ""]);
      await field(page, "X-API-Key").fill("secret-4");
      await unfold(page, /^(?:Server|Environment)/);
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("button", { name: "Clear credentials" }).click();
      await expect.poll(async () => (await kept()).join()).not.toMatch(/secret-[34]/);
    }));

  test("never send the credentials of another environment", () =>
    tryOut(...order, async (page) => {
      await create(page, "Empty");
      await field(page, "X-API-Key").fill("live-key");
      await create(page, "Live");
      await choose(page, "Empty");
      expect((await values(page))[1]).toBe("");
    }));
});

describe("OAuth", () => {
  async function choose(page: Page, grant?: string): Promise<void> {
    await field(page, "orderId").fill("1");
    await field(page, "Authenticate with").selectOption({ label: "OAuth" });
    if (grant) await field(page, "Grant type").selectOption({ label: grant });
    await field(page, "Client ID").fill("docs");
  }
  const token = (page: Page) => expect.poll(() => field(page, "Authorization").inputValue());

  test("authorization code with PKCE, in a window", () =>
    tryOut(...order, async (page) => {
      await choose(page);
      await page.getByLabel("write").check();
      await page.getByRole("button", { name: "Get token" }).click();
      await token(page).toBe("token-authorization_code");
      await expect.poll(() => page.context().pages()).toEqual([page]);
      const [asked] = authorization.asked.filter((each) => each["response_type"] === "code").slice(-1);
      expect(asked).toMatchObject({
        client_id: "docs",
        scope: "read write",
        code_challenge_method: "S256",
        redirect_uri: `${site.url}/oauth.html`,
      });
      expect((await sent(page)).headers["authorization"]).toBe("Bearer token-authorization_code");
    }));

  test("the window opens in the click, as WebKit requires, and not after the challenge is computed", () =>
    tryOut(...order, async (page) => {
      await page.evaluate(`{
        const [digest, openWindow] = [crypto.subtle.digest.bind(crypto.subtle), window.open];
        let isLate = false;
        crypto.subtle.digest = (...all) => digest(...all).finally(() => (isLate = true));
        window.open = (...all) => (isLate ? null : openWindow(...all));
      }`);
      await choose(page);
      await page.getByRole("button", { name: "Get token" }).click();
      await token(page).toBe("token-authorization_code");
    }));

  test("an answer with another state is not used", () =>
    tryOut(...order, async (page) => {
      authorization.wrongState.now = true;
      onTestFinished(() => {
        authorization.wrongState.now = false;
      });
      await choose(page);
      const opened = page.context().waitForEvent("page");
      await page.getByRole("button", { name: "Get token" }).click();
      const window = await opened;
      await expect.poll(() => window.isClosed()).toBe(true);
      await page.getByRole("button", { name: "Cancel" }).click();
      expect(await field(page, "Authorization").inputValue()).toBe("");
    }));

  test("an answer with another state, on the channel that all tabs share, doesn't end the sign-in", () =>
    tryOut(...order, async (page) => {
      let answered = 0;
      await page.context().route("**/authorize?*", async (route) => {
        // Resolves once the other channel of the page has received the message, and so the playground's, too.
        await page.evaluate(`new Promise((resolve) => {
          const [receiver, sender] = ["", ""].map(() => new BroadcastChannel("octavo-oauth"));
          receiver.onmessage = resolve;
          sender.postMessage({ octavoOAuth: "state=other&error=access_denied" });
        })`);
        answered += 1;
        await route.continue();
      });
      await choose(page);
      await page.getByRole("button", { name: "Get token" }).click();
      await token(page).toBe("token-authorization_code");
      expect(answered).toBe(1);
    }));

  test("client credentials, the secret in the header or in the body", () =>
    tryOut(...order, async (page) => {
      await choose(page, "Client credentials");
      await field(page, "Client secret").fill("s:1");
      await page.getByRole("button", { name: "Get token" }).click();
      await token(page).toBe("token-client_credentials");
      expect(authorization.asked.at(-1)!["authorization"]).toBe(`Basic ${btoa("docs:s%3A1")}`);
      await field(page, "Client authentication").selectOption("body");
      await page.getByRole("button", { name: "Get token" }).click();
      await expect.poll(() => authorization.asked.at(-1)!["client_secret"]).toBe("s:1");
      expect((await page.evaluate("JSON.stringify(sessionStorage)")) as string).not.toContain("s:1");
    }));

  test("an empty field that the grant needs is asked for, and nothing is sent", () =>
    tryOut(...order, async (page) => {
      const asked_count = authorization.asked.length;
      await choose(page, "Password");
      await field(page, "Client ID").fill("");
      const get = page.getByRole("button", { name: "Get token" });
      for (const [name, value] of [
        ["Username", "ann"],
        ["Password", "right"],
        ["Client ID", "docs"],
      ] as const) {
        await get.click();
        await page.getByText(`Enter the ${name}`).waitFor();
        expect(await field(page, name).getAttribute("aria-invalid")).toBe("true");
        expect(await field(page, name).evaluate((input) => input === document.activeElement)).toBe(true);
        await field(page, name).fill(value);
      }
      expect(authorization.asked).toHaveLength(asked_count);
      await get.click();
      await token(page).toBe("token-password");
    }));

  test("password, and what the server says when it is wrong", () =>
    tryOut(...order, async (page, complaints) => {
      await choose(page, "Password");
      await field(page, "Username").fill("ann");
      await field(page, "Password").fill("wrong");
      await page.getByRole("button", { name: "Get token" }).click();
      await page.getByText("Couldn't get a token: Wrong password").waitFor();
      complaints.list = [];
      await field(page, "Password").fill("right");
      await page.getByRole("button", { name: "Get token" }).click();
      await token(page).toBe("token-password");
    }));

  test("implicit", () =>
    tryOut(...order, async (page) => {
      await choose(page, "Implicit");
      await page.getByRole("button", { name: "Get token" }).click();
      await token(page).toBe("token-implicit");
    }));

  test("a device code of an OpenID provider is shown, and asked for until the reader has entered it", () =>
    tryOut(...order, async (page, complaints) => {
      await field(page, "Authenticate with").selectOption({ label: "OpenID Connect" });
      await page.getByRole("button", { name: "Discover endpoints" }).click();
      await field(page, "Grant type").selectOption({ label: "Device code" });
      await field(page, "Client ID").fill("docs");
      authorization.device.errors = ["authorization_pending", "slow_down"];
      await page.getByRole("button", { name: "Get token" }).click();
      await page.getByText("Open this page and enter the code WDJB-MJHT").waitFor();
      const link = page.getByRole("link", { name: "https://example.com/device" });
      expect(await link.getAttribute("href")).toBe("https://example.com/device");
      await token(page).toBe("token-device");
      const asked = authorization.asked.filter(({ device_code }) => device_code === "device-1");
      expect(asked).toHaveLength(3);
      complaints.list = [];

      authorization.device.errors = ["access_denied"];
      await page.getByRole("button", { name: "Get token" }).click();
      await page.getByText("Couldn't get a token: access_denied").waitFor();
      complaints.list = [];
      authorization.device.errors = Array<string>(9).fill("authorization_pending");
      await page.getByRole("button", { name: "Get token" }).click();
      await page.getByText("enter the code WDJB-MJHT").waitFor();
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByText("Request canceled.").waitFor();
      authorization.device.errors = [];
      complaints.list = [];
    }));

  test("OpenID Connect finds its addresses", () =>
    tryOut(...order, async (page) => {
      await field(page, "Authenticate with").selectOption({ label: "OpenID Connect" });
      await page.getByRole("button", { name: "Discover endpoints" }).click();
      await field(page, "Client ID").fill("docs");
      await page.getByRole("button", { name: "Get token" }).click();
      await token(page).toBe("token-authorization_code");
    }));
});

describe("the response", () => {
  test("on a phone it fills the window when it arrives", () =>
    tryOut("get", "/big", async (page) => {
      await page.setViewportSize({ width: 390, height: 700 });
      await sent(page);
      await expect.poll(async () => (await response(page).boundingBox())!.y).toBeLessThan(200);
    }));

  test("JSON keeps its digits and its double keys, as a tree and raw", () =>
    tryOut("get", "/big", async (page) => {
      await sent(page);
      const body = response(page);
      await body.locator(".o-pg-tree").waitFor();
      const tree = await body.locator(".o-pg-tree").innerText();
      expect(tree).toContain("9007199254740993");
      expect(tree).toContain("1.10");
      expect(tree.match(/"again": /g)).toHaveLength(2);
      expect(tree).toContain("<img src=x onerror=alert(1)>");
      await body.getByText("Raw", { exact: true }).click();
      expect(await body.locator("pre").innerText()).toContain('"id":9007199254740993');
      await body.getByText("Headers", { exact: true }).click();
      expect(await body.locator("table").innerText()).toMatch(/x-total\s+3/);
    }));

  test("a documented redirect is shown with its target, and isn't a difference", () =>
    tryOut("get", "/moved", async (page) => {
      await send(page);
      await response(page).getByText(`The browser followed a redirect to ${api.url}/big.`).waitFor();
      expect(await page.getByText("Status 200 isn't documented").count()).toBe(0);
    }));

  test("events are shown before the stream ends", () =>
    tryOut("get", "/events", async (page) => {
      await send(page);
      await response(page).locator("li").nth(1).waitFor();
      expect(await response(page).locator("ol").innerText()).toMatch(/\{"n":1\}\s+note\s+two/);
      expect(await page.getByText("Receiving…").last().isVisible()).toBe(true);
      api.release();
      await response(page).locator("li").nth(2).waitFor();
      await page.getByRole("button", { name: "Send", exact: true }).waitFor();
    }));

  test("a stream can be stopped", () =>
    tryOut("get", "/events", async (page) => {
      await send(page);
      await response(page).locator("li").nth(1).waitFor();
      await page.getByRole("button", { name: "Cancel", exact: true }).click();
      await page.getByText("Request canceled.").waitFor();
      expect(await response(page).locator("li").count()).toBe(2);
    }));

  test("cancel and timeout", () =>
    tryOut("get", "/slow", async (page) => {
      await send(page);
      await page.getByRole("button", { name: "Cancel", exact: true }).click();
      await page.getByText("Request canceled.").waitFor();
      await page.getByLabel("Timeout in seconds").fill("1");
      await send(page);
      await page.getByText("No response within 1 seconds.").waitFor();
    }));

  test("30 MB of text: the first part is shown, all of it can be downloaded", () =>
    tryOut("get", "/long", async (page) => {
      await send(page);
      await page.getByText("Showing the first 1.0 MB").waitFor();
      expect((await response(page).locator("pre").textContent())!.length).toBe(1_000_000);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download" }).click(),
      ]);
      expect((await downloadedBytes(download)).length).toBe(30 * 1_048_576);
    }));

  test("pictures are pictures, HTML is text, bytes are for download", async () => {
    await tryOut("get", "/image", async (page) => {
      await send(page);
      await expect
        .poll(() =>
          response(page)
            .locator("img")
            .evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth),
        )
        .toBe(40);
      expect(await page.title()).not.toBe("bad");
    });
    await tryOut("get", "/html", async (page) => {
      await send(page);
      await page.getByText("<h1>Hello</h1>").waitFor();
      expect(await page.title()).not.toBe("bad");
    });
    await tryOut("get", "/bytes", async (page) => {
      await send(page);
      expect(await page.getByRole("link", { name: "Download" }).getAttribute("download")).toBe("data.bin");
    });
  });

  test("an API that lets nobody in: which headers it would need, for this request", () =>
    tryOut("put", "/closed", async (page, complaints) => {
      await send(page);
      await page.getByText("Couldn't get a response").first().waitFor();
      const words = await response(page).innerText();
      expect(words).toContain(`Access-Control-Allow-Origin: ${site.url}`);
      expect(words).toContain("Access-Control-Allow-Headers: x-trace");
      expect(words).toContain("Access-Control-Allow-Methods: PUT");
      await page.getByRole("button", { name: "Check the connection" }).click();
      await page.getByText("The server can be reached.").waitFor();
      complaints.list = [];
    }));

  test("the same by the site's own server, which sends cookies too", () =>
    tryOut(
      "put",
      "/closed",
      async (page) => {
        // Not before a request was sent.
        expect(await page.getByText(/^Sent /).count()).toBe(0);
        await field(page, "mood").fill("calm");
        const { headers } = await sent(page);
        expect(await page.getByText(/^Sent /).innerText()).toBe("Sent via proxy");
        expect(headers).toMatchObject({ "x-trace": "1", cookie: "mood=calm" });
        expect(await response(page).innerText()).toContain("200 OK");
      },
      { proxy: true, proxyHref: "/_octavo/proxy" },
    ));

  test("history: kept for the tab, without credentials", () =>
    tryOut(...order, async (page) => {
      await field(page, "orderId").fill("first");
      await field(page, "X-API-Key").fill("secret-2");
      await sent(page);
      await field(page, "orderId").fill("second");
      await page.reload();
      await openPanel(page);
      await page.locator(".o-pg-history summary").click();
      expect(
        await page.evaluate(
          "JSON.stringify(Object.entries(sessionStorage).filter(([key]) => key.startsWith('octavo-history')))",
        ),
      ).not.toContain("secret-2");
      await page.getByRole("button", { name: "Resend" }).click();
      expect(await field(page, "orderId").inputValue()).toBe("first");
    }));
});

test("a field that the page describes has a button that copies the link to it", async () => {
  const file = writePage(folder, "page-links", document, ...order);
  await open(`${site.url}/${file}`, async (page) => {
    await page.evaluate(`document.body.insertAdjacentHTML("beforeend", '<div class="o-field field" id="param-order-id"></div>');
      Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { globalThis.copied = text; } } });`);
    await openPanel(page);
    await page.getByRole("button", { name: "Copy link to orderId" }).click();
    await expect.poll(() => page.evaluate("globalThis.copied")).toBe(`${site.url}/${file}#param-order-id`);
    expect(await page.getByRole("button", { name: /^Copy link/ }).count()).toBe(1);
  });
});

describe("the panel", () => {
  test("by keyboard alone: open, fill in, send, close; focus comes back", () => {
    const file = writePage(folder, "keyboard", document, ...order);
    return open(`${site.url}/${file}`, async (page) => {
      const press = async (key: string, until: string) => {
        for (let i = 0; i < 60 && !(await page.evaluate(until)); i++) await page.keyboard.press(key);
        expect(await page.evaluate(until), until).toBe(true);
      };
      await press("Tab", `document.activeElement.textContent === "Try it"`);
      await page.keyboard.press("Enter");
      await page.locator(".o-pg[open]").waitFor();
      await press("Tab", `document.activeElement.id === "o-pg-path.orderId"`);
      await page.keyboard.type("k 1");
      await press("Shift+Tab", `document.activeElement.textContent === "Send"`);
      const before = api.requests.length;
      await page.keyboard.press("Enter");
      await response(page).locator(".o-pg-tree").waitFor();
      expect(api.requests.slice(before).map(({ url }) => url)).toEqual(["/orders/k%201?currency=EUR"]);
      await page.keyboard.press("Escape");
      expect(await page.locator(".o-pg[open]").count()).toBe(0);
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Try it");
    });
  });

  test("a hostile document is text", async () => {
    const bad = '<img src=x onerror="document.title=1">';
    const hostile: Raw = {
      openapi: "3.1.0",
      info: { title: bad, version: "1" },
      servers: [
        { url: api.url, description: bad },
        { url: `http://user:secret@${new URL(api.url).host}` },
        { url: "data:text/html,x" },
      ],
      paths: {
        "/orders": {
          post: {
            security: [{ key: [] }, { oauth: [] }],
            parameters: [
              {
                name: bad,
                in: "query",
                description: bad,
                schema: { type: "string", enum: [bad], title: bad, default: bad },
              },
              { name: "constructor", in: "query", schema: { type: "string" } },
              { name: "__proto__", in: "query", schema: { type: "string" } },
            ],
            requestBody: {
              content: { "application/json": { schema: { $ref: "#/components/schemas/__proto__" } } },
            },
            responses: {},
          },
        },
      },
      components: {
        securitySchemes: {
          key: {
            type: "apiKey",
            in: "header",
            name: bad,
            description: `[x](javascript:document.title=1) ${bad}`,
          },
          oauth: {
            type: "oauth2",
            flows: { implicit: { authorizationUrl: "javascript:document.title=1", scopes: { [bad]: bad } } },
          },
        },
        schemas: JSON.parse(
          '{"__proto__": {"type": "object", "properties": {"__proto__": {"type": "string"}, "toString": {"type": "string"}}}}',
        ),
      },
    };
    const file = writePage(folder, "hostile", hostile, "post", "/orders");
    await open(`${site.url}/${file}`, async (page) => {
      await openPanel(page);
      await field(page, "constructor").fill("c");
      await page.locator('[id="o-pg-query.__proto__"]').fill("p");
      await page.locator('[id="o-pg-body.__proto__"]').fill("b");
      expect(await page.locator(".o-pg img").count()).toBe(0);
      await field(page, "Authenticate with").selectOption({ label: "OAuth" });
      await field(page, "Client ID").fill("docs");
      await page.getByRole("button", { name: "Get token" }).click();
      await page
        .getByText("Couldn't get a token: invalid authorizationUrl (javascript:document.title=1)")
        .waitFor();
      const { url, json } = await sent(page);
      expect(url).toContain("constructor=c&__proto__=p");
      expect(Object.hasOwn(json as object, "__proto__")).toBe(true);
      for (const index of [1, 2]) {
        await field(page, "Server").selectOption({ index });
        expect(await page.getByRole("button", { name: "Send", exact: true }).count()).toBe(0);
      }
      expect(await page.title()).toBe("hostile");
    });
  });

  test("every field is reached by Tab", () =>
    tryOut(...order, async (page) => {
      const to = async (id: string) => {
        for (let i = 0; i < 60 && (await page.evaluate("document.activeElement.id")) !== id; i++)
          await page.keyboard.press("Tab");
      };
      await to("o-pg-path.orderId");
      await page.keyboard.type("k1");
      await to("o-pg-query.verbose");
      await page.keyboard.press("ArrowDown");
      await to("o-pg-query.tags");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await to("o-pg-query.tags[0]");
      await page.keyboard.type("t1");
      const before = api.requests.length;
      await page.keyboard.press("Enter");
      await expect.poll(() => api.requests.length).toBe(before + 1);
      expect(api.requests.at(-1)!.url).toBe("/orders/k1?verbose=true&tags=t1&currency=EUR");
    }));

  test("Enter in a field sends", () =>
    tryOut(...order, async (page) => {
      const before = api.requests.length;
      await field(page, "orderId").fill("9");
      await page.keyboard.press("Enter");
      await expect.poll(() => api.requests.length).toBe(before + 1);
    }));

  test("opens and sends from file://", () =>
    tryOut(
      "get",
      "/big",
      async (page) => {
        await sent(page);
        await response(page).locator(".o-pg-tree").waitFor();
      },
      { file: true },
    ));

  test("a file that does not load is said and can be asked for again", async () => {
    const file = writePage(folder, "broken", document, "get", "/big");
    const data = path.join(folder, "_octavo/api/broken/operation.js");
    renameSync(data, `${data}.away`);
    await open(`${site.url}/${file}`, async (page, complaints) => {
      await page.getByRole("button", { name: "Try it" }).click();
      await page.getByRole("alert").waitFor();
      complaints.list = [];
      renameSync(`${data}.away`, data);
      await openPanel(page);
    });
  });

  test("without its words it speaks English", () =>
    tryOut(
      "get",
      "/big",
      async (page, complaints) => {
        expect(await page.getByRole("button", { name: "Send", exact: true }).isVisible()).toBe(true);
        complaints.list = [];
      },
      { words: "assets/none.js" },
    ));

  test("axe finds nothing, light and dark, and nothing scrolls sideways", { timeout: 240_000 }, async () => {
    for (const [method, at] of [order, ["post", "/upload"], ["put", "/closed"], ["get", "/big"]] as const) {
      await tryOut(method, at, async (page, complaints) => {
        if (at === order[1]) {
          await field(page, "Authenticate with").selectOption({ label: "OAuth" });
          for (const name of ["items", "labels", "tags"])
            await page.getByRole("button", { name, exact: true }).click();
          await page.getByRole("button", { name: "Add item: items" }).click();
        } else {
          await send(page);
          await page.locator(".o-pg-response .o-pg-status, .o-pg-failure").first().waitFor();
        }
        for (const mode of ["light", "dark"]) {
          await page.evaluate(`document.documentElement.classList.toggle("dark", ${mode === "dark"})`);
          for (const viewport of [wide, { width: 768, height: 900 }, { width: 320, height: 640 }]) {
            await page.setViewportSize(viewport);
            expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
            expect(
              await page.evaluate(
                "[...document.querySelectorAll('.o-pg-columns, .o-pg-form, .o-pg-result')].map((e) => e.scrollWidth - e.clientWidth)",
              ),
              `${at} ${viewport.width}`,
            ).toEqual([0, 0, 0]);
          }
          await page.setViewportSize(wide);
          await page.mouse.move(0, 0);
          expect(await seriousFaults(page), `${at} ${mode}`).toEqual([]);
        }
        complaints.list = [];
      });
    }
  });

  test("its script stays small", () => {
    expect(gzipSync(readFileSync(path.join(folder, "assets/playground.js"))).length).toBeLessThan(80_000);
  });
});
