import { describe, expect, test } from "vitest";
import { buildIndex } from "../../../test/engine/build-index.ts";
import type { IndexedPage } from "../search/index-segment.ts";
import { SearchIndex } from "../search/search-index.ts";
import { replyWithoutModel } from "./reply.ts";
import { type RetrieveOptions, retrieve } from "./retrieve.ts";

function page(
  route: string,
  title: string,
  text: string,
  division: { product?: string; version?: string } = {},
): IndexedPage {
  const section = { anchor: "", headings: [], text };
  return { route, title, breadcrumbs: [], keywords: [], boost: 1, sections: [section], ...division };
}

const cloud = { product: "Acme Cloud" };
const server = { product: "Acme Server" };
const filler = Array.from({ length: 40 }, (_, n) =>
  page(`story-${n}`, `Story ${n}`, `Chapter ${n} about gardens, compost and seedlings.`),
);
const products = [
  page(
    "cloud/backup",
    "Back up your data",
    "Acme makes a backup of your data every night. Nothing to set up.",
    cloud,
  ),
  page(
    "server/backup",
    "Back up your data",
    "To make a backup of your data, run `acme backup` every night.",
    server,
  ),
  page("server/upgrade", "Upgrade the database", "Stop the database and run the upgrade command.", server),
  page("cloud/billing", "Invoices of the month", "Invoices arrive on the first day of the month.", cloud),
  ...filler,
];
const versions = [
  page("v1/keys", "Rotate a key", "Rotate a key with `keys rotate`.", { version: "v1" }),
  page("v2/keys", "Rotate a key", "Rotate a key with `acme keys renew`.", { version: "v2" }),
  page("v1/same", "Delete a key", "Delete a key with `keys delete`.", { version: "v1" }),
  page("v2/same", "Delete a key", "Delete a key with `keys delete`.", { version: "v2" }),
  ...filler,
];

async function open(pages: readonly IndexedPage[]): Promise<SearchIndex> {
  const parts = buildIndex(pages, "en");
  return SearchIndex.open(async (name) => parts.get(name)!);
}

async function find(pages: readonly IndexedPage[], question: string, options: Partial<RetrieveOptions> = {}) {
  const retrieved = await retrieve([await open(pages)], question, {
    limit_sections: 12,
    limit_chars: 24_000,
    ...options,
  });
  return {
    retrieved,
    choices: retrieved.choices?.options.map(({ name }) => name),
    first: retrieved.sections[0]?.route,
  };
}

describe("a question that fits several products about equally", () => {
  const question = "How do I back up my data?";

  test("is answered by asking which one is meant, in the reader's language, with the section of each", async () => {
    const { retrieved, choices } = await find(products, question);
    expect([...choices!].sort()).toEqual(["Acme Cloud", "Acme Server"]);
    const reply = replyWithoutModel(question, retrieved, ({ route }) => `/${route}`);
    expect(reply.kind).toBe("question");
    expect(reply.text).toMatch(
      /^Which product do you mean: Acme (Cloud or Acme Server|Server or Acme Cloud)\?$/,
    );
    expect(reply.sections.map((number) => retrieved.sections[number - 1]!.route).sort()).toEqual([
      "cloud/backup",
      "server/backup",
    ]);
    expect(replyWithoutModel(question, retrieved, ({ route }) => `/${route}`, "de").text).toMatch(
      /^Welches Produkt meinen Sie: .* oder .*\?$/,
    );
  });

  test.each<[name: string, question: string, options: Partial<RetrieveOptions>]>([
    ["the question", "How do I back up my data on the server?", {}],
    ["the question, after a choice", `${question} (Acme Server)`, { earlier: [question] }],
    ["an earlier question", question, { earlier: ["How do I upgrade Acme Server?", "What does it cost?"] }],
    ["the page of the reader", question, { currentProduct: "Acme Server" }],
  ])("is about the product that %s names", async (_name, text, options) => {
    const { choices, first } = await find(products, text, options);
    expect(choices).toBeUndefined();
    expect(first).toBe("server/backup");
  });

  test("the product that the question names counts more than that of the page", async () => {
    expect(
      (await find(products, "back up my data on the server", { currentProduct: "Acme Cloud" })).first,
    ).toBe("server/backup");
  });
});

test("a question about a subject of one product needs no choice", async () => {
  expect(await find(products, "How do I upgrade the database?")).toMatchObject({
    choices: undefined,
    first: "server/upgrade",
  });
  expect(await find(products, "When do invoices arrive?")).toMatchObject({
    choices: undefined,
    first: "cloud/billing",
  });
});

test("every choice can be chosen, also one whose words the other names contain", async () => {
  const alike = products.map((one) =>
    one.product === undefined
      ? one
      : { ...one, product: one.product === "Acme Cloud" ? "Acme" : "Acme (all)" },
  );
  const question = "How do I back up my data?";
  expect([...(await find(alike, question)).choices!].sort()).toEqual(["Acme", "Acme (all)"]);
  expect(await find(alike, `${question} (Acme)`)).toMatchObject({
    choices: undefined,
    first: "cloud/backup",
  });
  expect(await find(alike, `${question} (Acme (all))`)).toMatchObject({
    choices: undefined,
    first: "server/backup",
  });
});

test("a question about pages of two versions asks for the version, unless the pages are equal or the filter has one", async () => {
  expect([...(await find(versions, "How do I rotate a key?")).choices!].sort()).toEqual(["v1", "v2"]);
  expect((await find(versions, "How do I delete a key?")).choices).toBeUndefined();
  expect(await find(versions, "How do I rotate a key?", { filter: { version: "v2" } })).toMatchObject({
    choices: undefined,
    first: "v2/keys",
  });
  expect(await find(versions, "How do I rotate a key in v1?")).toMatchObject({
    choices: undefined,
    first: "v1/keys",
  });
});
