import { describe, expect, test } from "vitest";
import { buildIndex } from "../../../test/engine/build-index.ts";
import type { IndexedPage } from "../search/index-segment.ts";
import { SearchIndex } from "../search/search-index.ts";
import { declinedReply, replyWithoutModel } from "./reply.ts";
import { retrieve } from "./retrieve.ts";

const filler = Array.from(
  { length: 60 },
  (_, n) =>
    `The ${["harvest", "compost", "greenhouse", "seedling", "trellis"][n % 5]} chapter ${n} of the garden book.`,
);

const pages: IndexedPage[] = [
  page("deploy", "Deployments", ["Guides", "Operate"], {
    "": "A deployment makes a folder a live site.",
    "Roll back": [
      "The service answers at once. To roll back a deployment, post to its URL:",
      "```bash\ncurl -X POST /v1/deployments/$ID/rollback\n```",
      "Rolled back deployments stay in the list.",
    ].join("\n\n"),
    "When it fails":
      "A deployment fails when\n\n- the archive is broken;\n- there is no page;\n- the build takes longer than 20 minutes.\n\nThe last good one stays live.",
  }),
  page("limits", "Limits", ["Guides", "Reference"], {
    Uploads: "| Limit | Value |\n| --- | --- |\n| Size of an upload | 100 MB |\n| Uploads an hour | 60 |",
    Playground:
      "![A picture of the playground](/playground.png)\n\nThe playground sends 60 requests a minute.",
  }),
  page("links", "Download URLs", ["Guides", "Operate"], {
    "How long does a download URL work?":
      "A download URL works for one hour. To change this, set `LINK_SECONDS`.\n\nExpired URLs return 410.",
  }),
  {
    ...page("frost", "Frost", ["Guides"], {
      "": "Protects plants from frost in winter.",
      "Erase the log":
        "Run this command to erase the frost log. It asks for confirmation first.\n\n```bash\nfrost erase\n```",
    }),
    isDescribed: true,
  },
  page(
    "garden",
    "Gardening",
    ["Stories"],
    Object.fromEntries(filler.map((text, n) => [`Chapter ${n}`, text])),
  ),
];

function page(
  route: string,
  title: string,
  breadcrumbs: string[],
  sections: Record<string, string>,
): IndexedPage {
  return {
    route,
    title,
    breadcrumbs,
    group: breadcrumbs.at(-1)!,
    keywords: [],
    boost: 1,
    sections: Object.entries(sections).map(([heading, text]) => ({
      anchor: heading.toLowerCase().replaceAll(" ", "-"),
      headings: heading ? [heading] : [],
      text,
    })),
  };
}

async function open(more: IndexedPage[] = []): Promise<SearchIndex> {
  const parts = buildIndex([...more, ...pages], "en");
  return SearchIndex.open(async (name) => parts.get(name)!);
}

const options = { limit_sections: 6, limit_chars: 8_000 };

async function answer(question: string, earlier: string[] = [], more: IndexedPage[] = []) {
  const retrieved = await retrieve([await open(more)], question, { ...options, earlier });
  return {
    retrieved,
    reply: replyWithoutModel(question, retrieved, ({ route, anchor }) => `/${route}#${anchor}`),
  };
}

describe("replies", () => {
  test.each([
    [
      "the sentence that answers the question, below the title of its section",
      "How many requests does the playground send in a minute?",
      "**Limits: Playground**\n\nThe playground sends 60 requests a minute. [1]",
    ],
    [
      "a sentence with the code that it introduces",
      "How can I roll back a deployment?",
      "**Deployments: Roll back**\n\nThe service answers at once. To roll back a deployment, post to its URL:\n\n```bash\ncurl -X POST /v1/deployments/$ID/rollback\n```\n\n[1]",
    ],
    [
      "a table row with the head of the table",
      "What is the maximum size of an upload?",
      "**Limits: Uploads**\n\n| Limit | Value |\n| --- | --- |\n| Size of an upload | 100 MB |\n\n[1]",
    ],
    [
      "the whole paragraph below a heading that asks the same question",
      "How long will a download URL work, and can I change it?",
      "**Download URLs: How long does a download URL work?**\n\nA download URL works for one hour. To change this, set `LINK_SECONDS`. [1]",
    ],
    [
      "the whole paragraph even if its second sentence fits the question best",
      "How do I set LINK_SECONDS?",
      "**Download URLs: How long does a download URL work?**\n\nA download URL works for one hour. To change this, set `LINK_SECONDS`. [1]",
    ],
  ])("%s", async (_, question, text) => {
    const { reply } = await answer(question);
    expect(reply).toMatchObject({ kind: "quote", text });
    expect(reply.sections[0]).toBe(1);
  });

  test("a sentence is quoted with the rest of its paragraph and the command below it", async () => {
    const { reply } = await answer("How do I erase the frost log?");
    expect(reply.text).toBe(
      "**Frost: Erase the log**\n\nRun this command to erase the frost log. It asks for confirmation first.\n\n```bash\nfrost erase\n```\n\n[1]",
    );
  });

  test("the description of a page is never quoted", async () => {
    const { reply } = await answer("What protects plants from frost in winter?");
    expect(reply.text).not.toContain("Protects plants from frost in winter.\n");
    expect(reply.text).not.toContain("**Frost**\n\nProtects plants");
  });

  test("a quote is followed by sections of up to two other pages", async () => {
    const { reply, retrieved } = await answer("How many requests does the playground send in a minute?");
    const routes = reply.sections.map((number) => retrieved.sections[number - 1]!.route);
    expect(routes[0]).toBe("limits");
    expect(routes.length).toBeGreaterThan(1);
    expect(routes.length).toBeLessThanOrEqual(3);
    expect(new Set(routes).size).toBe(routes.length);
  });

  test("without a clear answer, related sections of different pages are linked with their best sentence", async () => {
    const { reply, retrieved } = await answer("Which playground upload stays in the list?");
    expect(reply.kind).toBe("related");
    const routes = reply.sections.map((number) => retrieved.sections[number - 1]!.route);
    expect(new Set(routes).size).toBe(routes.length);
    expect(reply.isCovered).toBe(true);
    expect(reply.text).toMatch(/^These sections may help:\n\n- /);
    expect(reply.text).toContain(
      "- [Deployments: Roll back](/deploy#roll-back) (Guides › Operate)  \n  Rolled back deployments stay in the list.",
    );
  });

  test("a site of two pages answers with its only sentence about a fact", async () => {
    const kiln = page("kiln", "Kiln", [], { "": "A firing takes nine hours. The kiln cools overnight." });
    const parts = buildIndex([kiln, page("glaze", "Glaze", [], { "": "Glaze dries in a day." })], "en");
    const index = await SearchIndex.open(async (name) => parts.get(name)!);
    const question = "How long does a firing take?";
    const reply = replyWithoutModel(question, await retrieve([index], question, options), () => "/");
    expect(reply).toMatchObject({ kind: "quote", isCovered: true });
    expect(reply.text).toContain("A firing takes nine hours.");
  });

  test("nothing is shown if the documentation doesn't cover the question", async () => {
    const { reply, retrieved } = await answer("Can I pay invoices with bitcoin on Sundays?");
    expect(reply).toEqual({
      kind: "none",
      isCovered: false,
      text: "I couldn't find an answer to this in the documentation.",
      sections: [],
    });
    expect(retrieved.isCovered).toBe(false);
    expect(retrieved.category).toBeNull();
  });

  test("a page of an operation is linked without its fields, and its example isn't quoted", async () => {
    const fields = "- `id` (`string` · required): ID of the fern.\n- `name` (`string`)";
    const operation = page("ferns", "Water a fern", ["API"], {
      "": `${fields}\n\n\`\`\`json\n{ "id": "fern", "water": "a fern" }\n\`\`\``,
    });
    const { reply } = await answer("How do I water a fern with the API?", [], [operation]);
    expect(reply.kind).toBe("related");
    expect(reply.text).toContain("- [Water a fern](/ferns#) (API)");
    expect(reply.text).not.toMatch(/string|required|"id"/);
  });

  test("names of pages can't add Markdown", async () => {
    const hostile = page("a", "*A* [x](https://evil.example) <b>", ["`b`"], {
      "": "Watering the garden takes time.",
    });
    const parts = buildIndex([hostile, ...pages], "en");
    const retrieved = await retrieve(
      [await SearchIndex.open(async (name) => parts.get(name)!)],
      "watering with time and who",
      options,
    );
    const { text } = declinedReply("watering with time", retrieved, ({ route }) => `/${route}`);
    expect(text).toContain("- [\\*A\\* \\[x\\](https://evil.example) \\<b\\>](/a) (\\`b\\`)  \n");
  });
});

describe("retrieval", () => {
  test("a follow-up question borrows words from the previous question", async () => {
    const [alone, following] = [
      await answer("And as an example?"),
      await answer("And as an example?", ["How can I roll back a deployment?"]),
    ];
    expect(alone.retrieved.sections[0]?.anchor).not.toBe("roll-back");
    expect(following.retrieved.sections[0]).toMatchObject({ route: "deploy", anchor: "roll-back" });
  });

  test("a question about something else borrows no words, even if no page contains its own", async () => {
    const { reply } = await answer("Pizza Napoletana?", ["How can I roll back a deployment?"]);
    expect(reply.kind).toBe("none");
  });

  test("other questions borrow no words", async () => {
    const question = "What is the size of an upload?";
    const [alone, following] = [
      await answer(question),
      await answer(question, ["How can I roll back a deployment?"]),
    ];
    expect(following.retrieved.terms).toEqual(alone.retrieved.terms);
  });

  test("the text is within the limit and includes the best passage", async () => {
    const retrieved = await retrieve([await open()], "roll back deployment", {
      limit_sections: 3,
      limit_chars: 400,
    });
    expect(retrieved.sections.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(400);
    const [{ text, best }] = retrieved.sections as [(typeof retrieved.sections)[0]];
    expect(text.slice(best.start, best.end)).toContain("roll back");
  });

  test("the topic is the group of most of the sections found", async () => {
    expect((await answer("How can I roll back a deployment?")).retrieved.category).toBe("Operate");
  });
});
