import { describe, expect, test } from "vitest";
import { buildIndex } from "../search/build-index.ts";
import type { IndexedPage } from "../search/index-segment.ts";
import { SearchIndex } from "../search/search-index.ts";
import { extractAnswer } from "./quoted-answer.ts";
import { retrieve } from "./retrieve.ts";

const filler = Array.from(
  { length: 60 },
  (_, n) => `The ${["harvest", "compost", "greenhouse", "seedling", "trellis"][n % 5]} chapter ${n} of the garden book.`,
);

const pages: IndexedPage[] = [
  page("deploy", "Deployments", ["Guides", "Operate"], {
    "": "A deployment makes a folder a live site.",
    "Roll back": [
      "To roll back a deployment, post to its address. The service answers at once.",
      "```bash\ncurl -X POST /v1/deployments/$ID/rollback\n```",
      "Rolled back deployments stay in the list.",
    ].join("\n\n"),
    "When it fails":
      "A deployment fails when\n\n- the archive is broken;\n- there is no page;\n- the build takes longer than 20 minutes.\n\nThe last good one stays live.",
  }),
  page("limits", "Limits", ["Guides", "Reference"], {
    Uploads: "| Limit | Value |\n| --- | --- |\n| Size of an upload | 100 MB |\n| Uploads an hour | 60 |",
    Playground: "![A picture of the playground](/playground.png)\n\nThe playground sends 60 requests a minute.",
  }),
  page("garden", "Gardening", ["Stories"], Object.fromEntries(filler.map((text, n) => [`Chapter ${n}`, text]))),
];

function page(route: string, title: string, breadcrumbs: string[], sections: Record<string, string>): IndexedPage {
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

async function open(): Promise<SearchIndex> {
  const parts = buildIndex(pages, "en");
  return SearchIndex.open(async (name) => parts.get(name)!);
}

const options = { limit_sections: 6, limit_chars: 8_000 };

async function answer(question: string, earlier: string[] = []) {
  const retrieved = await retrieve([await open()], question, { ...options, earlier });
  return { retrieved, extract: extractAnswer(question, retrieved) };
}

describe("quoted parts", () => {
  test("the sentence that answers the question is quoted with its citation", async () => {
    const { extract, retrieved } = await answer("What does the playground send in a minute?");
    expect(extract?.text).toBe("The playground sends 60 requests a minute. [1]");
    expect(extract?.used).toEqual([1]);
    expect(retrieved.sections[0]).toMatchObject({ route: "limits", anchor: "playground", title: "Limits: Playground" });
  });

  test("whole code blocks are quoted if the question asks for code", async () => {
    const { extract } = await answer("How can I roll back a deployment?");
    expect(extract?.text).toContain("```bash\ncurl -X POST /v1/deployments/$ID/rollback\n```");
  });

  test("a list is quoted with the sentence that introduces it", async () => {
    const { extract } = await answer("When does a deployment fail with a broken archive?");
    expect(extract?.text).toContain(
      "A deployment fails when\n\n- the archive is broken;\n- there is no page;\n- the build takes longer than 20 minutes. [1]",
    );
  });

  test("a table row is quoted with the head of the table", async () => {
    const { extract } = await answer("What is the size of an upload?");
    expect(extract?.text).toContain("| Limit | Value |\n| --- | --- |\n| Size of an upload | 100 MB |");
    expect(extract?.text).toMatch(/\[1\]$/);
  });

  test("nothing is quoted if the documentation doesn't cover the question", async () => {
    const { extract, retrieved } = await answer("Can I pay invoices with bitcoin on Sundays?");
    expect(extract).toBeUndefined();
    expect(retrieved.isCovered).toBe(false);
    expect(retrieved.category).toBeNull();
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

  test("other questions borrow no words", async () => {
    const question = "What is the size of an upload?";
    const [alone, following] = [await answer(question), await answer(question, ["How can I roll back a deployment?"])];
    expect(following.retrieved.terms).toEqual(alone.retrieved.terms);
  });

  test("the text is within the limit and includes the best passage", async () => {
    const retrieved = await retrieve([await open()], "roll back deployment", { limit_sections: 3, limit_chars: 400 });
    expect(retrieved.sections.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(400);
    const [{ text, best }] = retrieved.sections as [(typeof retrieved.sections)[0]];
    expect(text.slice(best.start, best.end)).toContain("roll back");
  });

  test("the topic is the group of most of the sections found", async () => {
    expect((await answer("How can I roll back a deployment?")).retrieved.category).toBe("Operate");
  });
});
