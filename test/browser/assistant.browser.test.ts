/** The assistant's panel in a browser. The test sets the responses of the host. */

import type { ServerResponse } from "node:http";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { buildSiteFrom, siteOf } from "../engine/build.ts";
import {
  type AskingHost,
  answerEvents,
  serveAsking,
  startStream,
  streamText,
  tell,
  turnId,
} from "./asking-fixture.ts";
import { phone, seriousFaults, settled, sidewaysScroll, useChromium, type Visit } from "./chromium.ts";

const { open } = useChromium();

const sources = siteOf(
  {
    "index.mdx": "---\ntitle: Home\n---\n\nWelcome to the garden.\n\n```bash\nwater --all\n```\n",
    "guides/watering.mdx": "---\ntitle: Watering plants\n---\n\n## In summer\n\nWater every evening.\n",
    "faq.mdx":
      '---\ntitle: FAQ\n---\n\n## How much water?\n\nA lot.\n\n## Light\n\n<Accordion title="Do plants sleep at night?">No.</Accordion>\n',
    "listed.mdx":
      '---\ntitle: Listed\nstarterQuestions: ["Which soil?", "Which pot?"]\n---\n\n## How much water?\n\nA lot.\n',
    "ask.mdx": "---\ntitle: Ask\nmode: assistant\n---\n\nWhat would you like to know?\n",
  },
  { contextual: { options: ["copy", "assistant"] } },
);

interface Asked {
  messages: { id: string; role: string; parts: { type: string; text: string }[] }[];
  threadId: string | null;
  currentPath: string;
  filter: { language: string };
  context?: { type: string; value: string; path: string }[];
}

let host: AskingHost;
/** Bodies of the requests to the assistant. */
let asked: Asked[] = [];
let answer: (response: ServerResponse, asked: Asked) => void | Promise<void>;

beforeAll(async () => {
  host = await serveAsking(await buildSiteFrom(sources, { kind: "cloud", links: "clean" }));
  host.handlers.set("/_octavo/assistant", (body, response) => {
    const question = JSON.parse(body) as Asked;
    asked.push(question);
    return answer(response, question);
  });
});
afterAll(() => host.close());

const panel = (page: Page) => page.locator(".o-assistant-panel");
const field = (page: Page) => panel(page).getByRole("textbox", { name: "Ask a question" });
const turns = (page: Page) => panel(page).locator(".o-turn");
const lastAnswer = (page: Page) => turns(page).last().locator(".o-answer");

function visit(path: string, check: Visit, options?: BrowserContextOptions): Promise<void> {
  asked = [];
  return open(host.url + path, check, options);
}

/** Opens the panel, asks a question, and waits for the complete answer. */
async function ask(page: Page, question: string): Promise<void> {
  if (!(await panel(page).isVisible())) await page.keyboard.press("Control+i");
  await field(page).waitFor();
  const before = await turns(page).count();
  await page.keyboard.type(question);
  await page.keyboard.press("Enter");
  await expect.poll(() => turns(page).count()).toBe(before + 1);
  await panel(page).getByRole("button", { name: "Send" }).waitFor();
}

const twoSources = () => [
  { url: `${host.url}/guides/watering#in-summer`, title: "Watering plants: In summer" },
  { url: `${host.url}/`, title: "Home" },
];

const says =
  (text: string, status: "answered" | "unanswered" = "answered") =>
  (response: ServerResponse) =>
    tell(response, answerEvents(text, status === "answered" ? twoSources() : [], status));

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("a conversation", () => {
  test("by keyboard alone: open, ask, follow a source; the panel is there on the next page", () => {
    answer = says("Water **every evening**[1].\n\n```bash\nwater --all\n```\n");
    return visit("/", async (page) => {
      await ask(page, "How much water?");
      expect(asked[0]).toMatchObject({ threadId: null, currentPath: "/", filter: { language: "en" } });
      expect(asked[0]!.messages.at(-1)).toMatchObject({
        role: "user",
        parts: [{ type: "text", text: "How much water?" }],
      });
      expect(await lastAnswer(page).locator("strong").innerText()).toBe("every evening");
      expect(await lastAnswer(page).locator("pre").innerText()).toBe("water --all");
      expect(await page.evaluate("document.activeElement.tagName")).toBe("TEXTAREA");
      await expect
        .poll(() => page.locator('.o-assistant-panel > [role="status"]').innerText())
        .toBe("The answer is complete.");
      await lastAnswer(page).getByRole("link", { name: "Source 1: Watering plants: In summer" }).focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(/guides\/watering#in-summer$/);
      await panel(page).waitFor();
      expect(await turns(page).count()).toBe(1);
      expect(await page.evaluate("document.activeElement.tagName")).not.toBe("TEXTAREA");
      expect(await turns(page).locator(".o-sources li").allInnerTexts()).toEqual([
        "1\nWatering plants: In summer",
        "2\nHome",
      ]);
    });
  });

  test("an empty panel suggests questions of the page; one press asks", async () => {
    answer = says("A lot[1].");
    const starters = (page: Page) => panel(page).locator(".o-starters button");
    await visit("/faq", async (page) => {
      await page.keyboard.press("Control+i");
      await field(page).waitFor();
      expect(await starters(page).allInnerTexts()).toEqual(["How much water?", "Do plants sleep at night?"]);
      await starters(page).first().click();
      await expect.poll(() => lastAnswer(page).innerText()).toContain("A lot");
      expect(asked[0]!.messages.at(-1)!.parts[0]!.text).toBe("How much water?");
      expect(await starters(page).count()).toBe(0);
    });
    await visit("/listed", async (page) => {
      await page.keyboard.press("Control+i");
      await field(page).waitFor();
      expect(await starters(page).allInnerTexts()).toEqual(["Which soil?", "Which pot?"]);
    });
  });

  test("a claim without a source is marked in words", () => {
    answer = says("Plants like moonlight. [?] Water them[1].");
    return visit("/", async (page) => {
      await ask(page, "Light?");
      await lastAnswer(page).getByText("No source in this documentation").waitFor();
      expect(await lastAnswer(page).innerText()).not.toContain("[?]");
    });
  });

  test("a question that fits several products offers them as buttons, until one is chosen", () => {
    const which = answerEvents("Which product do you mean: Pots or Beds?", twoSources());
    Object.assign(which.at(-1)!.messageMetadata!, { answerKind: "question", choices: ["Pots", "Beds"] });
    answer = (response) => tell(response, which);
    return visit("/", async (page) => {
      await ask(page, "How much water?");
      const choices = panel(page).locator(".o-starters button");
      expect(await choices.allInnerTexts()).toEqual(["Pots", "Beds"]);
      expect(await seriousFaults(page)).toEqual([]);
      answer = says("A lot[1].");
      await choices.last().click();
      await expect.poll(() => lastAnswer(page).innerText()).toContain("A lot");
      expect(asked.at(-1)).toMatchObject({
        threadId: turnId,
        messages: [{ parts: [{ text: "How much water? (Beds)" }] }],
      });
      expect(await choices.count()).toBe(0);
    });
  });

  test("goes on in its thread; a new one begins another; earlier ones can be opened and removed", () => {
    answer = says("Yes.");
    return visit("/", async (page) => {
      await ask(page, "first");
      await ask(page, "second");
      expect(asked.map(({ threadId }) => threadId)).toEqual([null, turnId]);
      expect(new Set(asked.map(({ messages }) => messages.at(-1)!.id)).size).toBe(2);
      await panel(page).getByRole("button", { name: "New conversation" }).click();
      expect(await turns(page).count()).toBe(0);
      await ask(page, "third");
      expect(asked.at(-1)!.threadId).toBe(null);
      await page.reload();
      await panel(page).getByRole("button", { name: "Earlier conversations" }).click();
      await panel(page).getByRole("button", { name: "first", exact: true }).click();
      expect(await turns(page).locator(".o-question p").allInnerTexts()).toEqual(["first", "second"]);
      await panel(page).getByRole("button", { name: "Earlier conversations" }).click();
      await panel(page).getByRole("button", { name: "Remove third" }).click();
      expect(await panel(page).locator(".o-earlier li").count()).toBe(1);
    });
  });

  test("is gone from the storage and from every tab after the reader signs out or another one signs in", {
    timeout: 60_000,
  }, () => {
    answer = says("A secret.");
    const signIn = (page: Page, id: string) =>
      page.evaluate(`document.cookie = "octavo_reader_session=${id}; path=/"`);
    const stored = (page: Page) => page.evaluate<string>("JSON.stringify([localStorage, sessionStorage])");
    return visit("/", async (page) => {
      await signIn(page, "ada");
      await page.reload();
      await page.evaluate('localStorage.setItem("octavo-mode", "light")');
      await ask(page, "What is secret?");
      const second = await page.context().newPage();
      await second.goto(`${host.url}/guides/watering`);
      await ask(second, "Another secret?");
      expect(await stored(second)).toContain("What is secret?");
      // As the host does without HTTPS: the cookie ends, and the storage stays.
      await page.evaluate('document.cookie = "octavo_reader_session=; path=/; max-age=0"');
      for (const tab of [page, second]) await expect.poll(() => turns(tab).count()).toBe(0);
      // The tab that is left open doesn't store its conversation again.
      await second.goto(`${host.url}/faq`);
      for (const next of ["", "bea"]) {
        await signIn(page, next);
        for (const tab of [page, second]) {
          await tab.reload();
          await field(tab).or(tab.locator("h1")).first().waitFor();
          if (!(await panel(tab).isVisible())) await tab.keyboard.press("Control+i");
          await panel(tab).getByRole("button", { name: "Earlier conversations" }).click();
          expect(await panel(tab).innerText()).not.toContain("secret");
          expect(await stored(tab)).not.toContain("secret");
        }
      }
      expect(await page.evaluate('localStorage.getItem("octavo-mode")')).toBe("light");
    });
  });

  test("stays when the reader signs in", () => {
    answer = says("Yes.");
    return visit("/", async (page) => {
      await ask(page, "before");
      await page.evaluate('document.cookie = "octavo_reader_session=ada; path=/"');
      await page.reload();
      await panel(page).waitFor();
      expect(await turns(page).locator(".o-question p").allInnerTexts()).toEqual(["before"]);
    });
  });

  test("text shows as it comes, and can be stopped; the same turn is asked again", () => {
    let isGone = false;
    answer = async (response) => {
      response.on("close", () => {
        isGone = true;
      });
      startStream(response);
      const [start, ...rest] = answerEvents("The first words and the last words.");
      response.write(streamText([start!]).replace("data: [DONE]\n\n", ""));
      response.write('data: {"type":"text-delta","id":"0","delta":"The first words"}\n\n');
      await pause(1_500);
      response.end(streamText(rest));
    };
    return visit("/", async (page) => {
      await page.keyboard.press("Control+i");
      await field(page).fill("Slowly");
      await page.keyboard.press("Enter");
      await expect.poll(() => lastAnswer(page).innerText()).toBe("The first words");
      await panel(page).getByRole("button", { name: "Stop" }).click();
      await panel(page).getByText("Stopped.").waitFor();
      await expect.poll(() => isGone).toBe(true);
      expect(await lastAnswer(page).innerText()).toBe("The first words");
      answer = says("All of it.");
      await turns(page).getByRole("button", { name: "Try again" }).click();
      await expect.poll(() => lastAnswer(page).innerText()).toBe("All of it.");
      expect(await turns(page).count()).toBe(1);
      expect(asked[1]!.messages.at(-1)!.id).toBe(asked[0]!.messages.at(-1)!.id);
      expect(asked[1]!.threadId).toBe(turnId);
    });
  });

  test("nothing is sent that is empty, that a line break ends, or that an input method still writes", () =>
    visit("/", async (page) => {
      await page.keyboard.press("Control+i");
      await field(page).waitFor();
      await page.keyboard.press("Enter");
      await page.keyboard.type("   ");
      await page.keyboard.press("Enter");
      await panel(page).getByRole("button", { name: "Send" }).click({ force: true });
      await field(page).fill("one");
      await page.keyboard.press("Shift+Enter");
      await page.keyboard.type("two");
      expect(await field(page).inputValue()).toBe("one\ntwo");
      await field(page).evaluate((element) =>
        element.dispatchEvent(
          new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true }),
        ),
      );
      await settled(page);
      expect(asked).toEqual([]);
      expect(await turns(page).count()).toBe(0);
    }));

  test("what the documentation does not say: it is said, with related pages and no marks", () => {
    const events = answerEvents("The documentation does not say. [?]", [], "unanswered");
    const related = [{ url: `${host.url}/guides/watering`, title: "Watering plants" }];
    Object.assign(events.at(-1)!.messageMetadata!, { related });
    answer = (response) => tell(response, events);
    return visit("/", async (page) => {
      await ask(page, "Who invented zanzibar?");
      const near = panel(page).getByRole("region", { name: "Related pages" });
      await near.waitFor();
      expect(await near.getByRole("link").allInnerTexts()).toEqual(["Watering plants"]);
      expect(await near.getByRole("link").getAttribute("href")).toBe(`${host.url}/guides/watering`);
      expect(await lastAnswer(page).innerText()).toBe("The documentation does not say.");
    });
  });

  test("thumbs, and a word on why", () => {
    answer = says("Yes.");
    const told: unknown[] = [];
    host.handlers.set("/_octavo/assistant/feedback", (body, response) => {
      told.push(JSON.parse(body));
      response.writeHead(204).end();
    });
    return visit("/", async (page) => {
      await ask(page, "Good?");
      await panel(page).getByRole("button", { name: "Good answer" }).click();
      await expect.poll(() => told).toEqual([{ turnId, helpful: true }]);
      await panel(page).getByRole("button", { name: "Poor answer" }).click();
      await panel(page).getByLabel("How can we improve this answer?").fill("Say how much.");
      await panel(page).getByRole("button", { name: "Send comment" }).click();
      await expect.poll(() => told.at(-1)).toEqual({ turnId, helpful: false, comment: "Say how much." });
      await panel(page).getByText("Thank you for your feedback.").waitFor();
    });
  });

  test("an answer is copied with its sources", () => {
    answer = says("Water it[1].");
    return visit("/", async (page) => {
      await page.evaluate(
        "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { globalThis.copied = text; } } })",
      );
      await ask(page, "How?");
      await panel(page).getByRole("button", { name: "Copy answer" }).click();
      await expect
        .poll(() => page.evaluate("globalThis.copied"))
        .toBe(
          `Water it[1].\n\n[1] Watering plants: In summer: ${host.url}/guides/watering#in-summer\n[2] Home: ${host.url}/`,
        );
    });
  });
});

describe("ways in", () => {
  beforeAll(() => {
    answer = says("Yes.");
  });

  test("?assistant opens, ?assistant=… asks", async () => {
    await visit("/?assistant", async (page) => {
      await field(page).waitFor();
      expect(asked).toEqual([]);
    });
    await visit("/?assistant=How%20much%3F", async (page) => {
      await turns(page).waitFor();
      expect(asked.map(({ messages }) => messages[0]!.parts[0]!.text)).toEqual(["How much?"]);
    });
  });

  test("the bar at the end of a page, the page's menu, the button beside the search", () =>
    visit("/guides/watering", async (page) => {
      await page.locator(".o-ask-bar input").fill("When?");
      await page.keyboard.press("Enter");
      await turns(page).waitFor();
      expect(asked[0]).toMatchObject({ currentPath: "/guides/watering" });
      await page.keyboard.press("Escape");
      await expect.poll(() => panel(page).isVisible()).toBe(false);
      await page.locator(".o-page-menu summary").click();
      await page
        .locator(".o-page-menu")
        .getByRole("button", { name: /Ask the assistant/ })
        .click();
      await field(page).waitFor();
      await panel(page).getByRole("button", { name: "Close" }).click();
      await page.locator("#navbar").getByRole("button", { name: "Assistant" }).click();
      await field(page).waitFor();
    }));

  test("a block of code and a selection go along", () =>
    visit("/", async (page) => {
      await page.getByRole("button", { name: "Ask about this code" }).focus();
      await page.keyboard.press("Enter");
      await field(page).waitFor();
      // Moves the focus as a pointer would.
      await page.evaluate(
        "document.activeElement.blur(); getSelection().selectAllChildren(document.querySelector('#content-area .o-body p'))",
      );
      await page.locator(".o-ask-selection").click();
      expect(await panel(page).locator(".o-composer .o-attachments li").allInnerTexts()).toEqual([
        "water --all",
        "Welcome to the garden.",
      ]);
      await ask(page, "What is this?");
      expect(asked[0]!.context).toEqual([
        { type: "code", value: "water --all", path: "/" },
        { type: "textSelection", value: "Welcome to the garden.", path: "/" },
      ]);
      expect(await panel(page).locator(".o-composer .o-attachments").count()).toBe(0);
      await ask(page, "And now?");
      expect(asked[1]!.context).toBe(undefined);
    }));

  test("the last row of the search", () =>
    visit("/", async (page) => {
      await page.keyboard.press("/");
      await page.locator("dialog.o-search").waitFor();
      await page.keyboard.type("how much");
      await page.getByRole("option", { name: "Ask the assistant: how much" }).waitFor();
      await page.keyboard.press("End");
      await page.keyboard.press("Enter");
      await turns(page).waitFor();
      expect(asked[0]!.messages[0]!.parts[0]!.text).toBe("how much");
    }));

  test("a row of the search that was selected stays selected when the results of the last letter arrive", async () => {
    const own = await serveAsking(
      await buildSiteFrom(sources, { kind: "cloud", links: "clean", readers: "signed-in" }),
    );
    onTestFinished(() => own.close());
    own.handlers.set("/_octavo/assistant", (body, response) => {
      asked.push(JSON.parse(body) as Asked);
      tell(response, answerEvents("Yes."));
    });
    const result = (name: string) => ({
      path: `/${name}`,
      anchor: "",
      title: name,
      headings: [],
      breadcrumbs: [],
      snippet: [],
    });
    let answerLast: (() => void) | undefined;
    own.handlers.set("/_octavo/search", (body, response) => {
      const isLast = (JSON.parse(body) as { query: string }).query === "water";
      const results = isLast ? ["third", "second", "first"] : ["first", "second"];
      const send = () =>
        void response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ results: results.map(result) }));
      if (isLast) answerLast = send;
      else send();
    });
    const option = (page: Page, name: string) => page.getByRole("option", { name, exact: true });
    const isSelected = (page: Page, name: string) =>
      expect.poll(() => option(page, name).getAttribute("aria-selected")).toBe("true");
    /** Types `water`, whose results wait for `answerLast`: until then the list shows those of `wate`. */
    const type = async (page: Page) => {
      asked = [];
      answerLast = undefined;
      await page.goto(own.url);
      await page.keyboard.press("/");
      await page.locator("dialog.o-search").waitFor();
      await page.keyboard.type("wate");
      await option(page, "second").waitFor();
      await page.keyboard.type("r");
      await option(page, "Ask the assistant: water").waitFor();
    };
    const showLast = async (page: Page) => {
      await expect.poll(() => answerLast).toBeDefined();
      answerLast!();
      await option(page, "third").waitFor();
    };
    await open("about:blank", async (page, complaints) => {
      await type(page);
      await page.keyboard.press("End");
      await showLast(page);
      await isSelected(page, "Ask the assistant: water");
      await page.keyboard.press("Enter");
      await turns(page).waitFor();
      expect(asked[0]!.messages[0]!.parts[0]!.text).toBe("water");

      await type(page);
      await page.keyboard.press("ArrowDown");
      await showLast(page);
      await isSelected(page, "second");
      // Another query starts at its first result.
      await page.keyboard.press("Backspace");
      await expect.poll(() => option(page, "third").count()).toBe(0);
      await isSelected(page, "first");

      // Enter opens the row that was selected without waiting for the results.
      await type(page);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/second$/);
      // Each page of the site requires a session.
      complaints.list = complaints.list.filter((line) => !/404/.test(line));
    });
  });

  test("a page that is the assistant", () =>
    visit("/ask", async (page) => {
      await field(page).waitFor();
      expect(await page.locator("dialog.o-assistant").count()).toBe(0);
      expect(await page.locator("#content-area").innerText()).toContain("What would you like to know?");
      await field(page).fill("Here?");
      await page.keyboard.press("Enter");
      await lastAnswer(page).waitFor();
      expect(await seriousFaults(page)).toEqual([]);
    }));
});

describe("what goes wrong is said, and can be tried again", () => {
  const broken: [string, (response: ServerResponse) => void, RegExp][] = [
    ["a server error", (response) => void response.writeHead(500).end("{}"), /The assistant isn.t available/],
    [
      "a refusal",
      (response) => void response.writeHead(400).end('{"error":"no"}'),
      /couldn.t process this question/,
    ],
    ["a connection that breaks", (response) => void response.destroy(), /The assistant isn.t available/],
    [
      "a stream that breaks off",
      (response) => {
        startStream(response);
        response.write(
          streamText(answerEvents("Half an answer").slice(0, 3)).replace("data: [DONE]\n\n", ""),
          () => setTimeout(() => response.destroy(), 1_000),
        );
      },
      /interrupted/,
    ],
    [
      "an error within the stream",
      (response) => {
        const events = answerEvents("Half");
        tell(response, [
          ...events.slice(0, 4),
          { type: "error", errorText: "The answer was interrupted" },
          events.at(-1)!,
        ]);
      },
      /interrupted/,
    ],
  ];

  test.each(broken)("%s", async (_, breaks, words) => {
    answer = breaks;
    await visit("/", async (page, complaints) => {
      await page.keyboard.press("Control+i");
      await field(page).fill("Well?");
      await page.keyboard.press("Enter");
      await panel(page).getByRole("alert").waitFor();
      expect(await panel(page).getByRole("alert").innerText()).toMatch(words);
      answer = says("Now it works.");
      await panel(page).getByRole("button", { name: "Try again" }).click();
      await expect.poll(() => lastAnswer(page).innerText()).toBe("Now it works.");
      expect(await turns(page).count()).toBe(1);
      expect(new Set(asked.map(({ messages }) => messages[0]!.id)).size).toBe(1);
      complaints.list = [];
    });
  });

  test("too many questions: for how long, and not before", () => {
    answer = (response) => void response.writeHead(429, { "retry-after": "2" }).end('{"error":"Too many"}');
    return visit("/", async (page, complaints) => {
      await page.keyboard.press("Control+i");
      await field(page).fill("Well?");
      await page.keyboard.press("Enter");
      await panel(page)
        .getByText(/Try again in [12] s\./)
        .waitFor();
      const retry = panel(page).getByRole("button", { name: "Try again" });
      expect(await retry.isDisabled()).toBe(true);
      answer = says("Now.");
      await panel(page).getByText("You can try again now.").waitFor();
      await retry.click();
      await expect.poll(() => lastAnswer(page).innerText()).toBe("Now.");
      complaints.list = [];
    });
  });
});

/** Host that hostile text tries to load from or link to. */
const sink = "https://sink.example";
const payloads = [
  "<script>globalThis.ran = 1</script>",
  "<img src=x onerror='globalThis.ran = 1'>",
  "<svg/onload=globalThis.ran=1>",
  "<iframe srcdoc='<script>parent.ran = 1</script>'></iframe>",
  "<details open ontoggle=globalThis.ran=1>",
  "<a href='javascript:globalThis.ran=1'>x</a>",
  "[x](javascript:globalThis.ran=1)",
  "[x](JaVaScRiPt:globalThis.ran=1)",
  "[x](data:text/html,<script>globalThis.ran=1</script>)",
  "<style>@import 'https://sink.example/c.css'</style>",
  "`<img src=x onerror=globalThis.ran=1>`",
  "```html\n<script>globalThis.ran = 1</script>\n```",
];
const carriers = [
  ...["", "a", "b c"].flatMap((words) => [
    `![${words}](${sink}/i?q=1)`,
    `![${words}](<${sink}/i?q=2>)`,
    `![${words}](${sink}/i "t")`,
    `[${words}](${sink}/l)`,
    `[${words}](<${sink}/l>)`,
    `[${words}](//sink.example/l)`,
    `[${words}](/\\sink.example/l)`,
    `[${words}](\\\\sink.example/l)`,
    `[${words}](http:sink.example)`,
    `[![${words}](${sink}/i)](${sink}/l)`,
    `![${words}][r]\n\n[r]: ${sink}/i`,
    `[${words}][r]\n\n[r]: ${sink}/l`,
    `<img src="${sink}/i" alt="${words}">`,
    `<a href="${sink}/l">${words}</a>`,
    `<picture><source srcset="${sink}/i"></picture>${words}`,
  ]),
  `<${sink}/l>`,
  `${sink}/l`,
  "www.sink.example",
  `<video poster="${sink}/i" src="${sink}/v"></video>`,
  `<link rel=stylesheet href="${sink}/c.css">`,
  `<meta http-equiv=refresh content="0;url=${sink}">`,
  `<form action="${sink}"><button>x</button></form>`,
  `<object data="${sink}/o"></object>`,
  `<embed src="${sink}/o">`,
  `<audio src="${sink}/a">`,
  `<div style="background:url(${sink}/i)">x</div>`,
  `<svg><image href="${sink}/i"/></svg>`,
  `[x](https://user@127.0.0.1@sink.example/)`,
  "[x](ftp://sink.example/)",
  "[x](mailto:a@sink.example)",
];

test("nothing in an answer runs, loads or leads elsewhere, wherever its stream is cut", {
  timeout: 120_000,
}, async () => {
  expect(carriers.length).toBeGreaterThanOrEqual(60);
  await visit("/", async (page) => {
    const elsewhere: string[] = [];
    page.on("request", (request) => request.url().startsWith(host.url) || elsewhere.push(request.url()));
    const check = async (text: string) => {
      const found = await lastAnswer(page).evaluate((element) => ({
        elements: [...new Set([...element.querySelectorAll("*")].map(({ tagName }) => tagName))],
        links: [...element.querySelectorAll("a")].map((link) => link.href),
        handlers: [...element.querySelectorAll("*")].flatMap(({ attributes }) =>
          [...attributes].filter(({ name }) => /^(?:on|src|style)/.test(name)),
        ).length,
      }));
      expect(
        found.elements.filter(
          (name) => !/^(?:P|A|UL|OL|LI|CODE|PRE|DIV|SPAN|BUTTON|STRONG|EM|DEL|BR|HR|BLOCKQUOTE)$/.test(name),
        ),
        text,
      ).toEqual([]);
      expect(
        found.links.filter((href) => !href.startsWith(`${host.url}/`)),
        text,
      ).toEqual([]);
      expect(found.handlers, text).toBe(0);
    };
    // Each payload separately, in one piece.
    for (const text of [...payloads, ...carriers]) {
      answer = (response) => tell(response, answerEvents(`Before ${text} after.`));
      await ask(page, "Well?");
      await check(text);
      await panel(page).getByRole("button", { name: "New conversation" }).click();
    }
    // All payloads, letter by letter. The page is rendered after each letter.
    answer = async (response) => {
      startStream(response);
      const events = answerEvents("");
      response.write(streamText(events.slice(0, 2)).replace("data: [DONE]\n\n", ""));
      for (const letter of `${payloads.join("\n\n")}\n\nThe end.`) {
        response.write(`data: ${JSON.stringify({ type: "text-delta", id: "0", delta: letter })}\n\n`);
        await pause(2);
      }
      response.end(streamText(events.slice(2)));
    };
    await ask(page, "Letter by letter");
    await expect.poll(() => lastAnswer(page).innerText(), { timeout: 20_000 }).toContain("The end.");
    await check("letter by letter");
    expect(await page.evaluate("globalThis.ran")).toBe(undefined);
    expect(elsewhere).toEqual([]);
    // Stored conversations are rendered by the same code.
    await page.reload();
    await lastAnswer(page).waitFor();
    await check("kept");
    expect(await page.evaluate("globalThis.ran")).toBe(undefined);
  });
});

test("a stream may be cut between any two bytes", async () => {
  const text = "Zwölf Bäume 🌳[1], `code` und [Hilfe](/guides/watering).";
  let at = 0;
  answer = async (response) => {
    startStream(response);
    const bytes = Buffer.from(
      streamText(answerEvents(text, twoSources())).replaceAll("\n", at % 2 ? "\r\n" : "\n"),
    );
    for (let cut = 0; cut < bytes.length; cut += at + 1) {
      response.write(bytes.subarray(cut, cut + at + 1));
      await new Promise(setImmediate);
    }
    response.end();
  };
  await visit("/", async (page) => {
    for (at = 0; at < 4; at++) {
      await ask(page, "Well?");
      await expect.poll(() => lastAnswer(page).innerText()).toBe("Zwölf Bäume 🌳1, code und Hilfe.");
      expect(
        await lastAnswer(page)
          .locator("a")
          .evaluateAll((links) => links.map((link) => link.getAttribute("href"))),
      ).toEqual([`${host.url}/guides/watering#in-summer`, `${host.url}/guides/watering`]);
    }
  });
});

describe("how it stands", () => {
  const long = `Text with a${"very".repeat(40)}LongWord.\n\n| a | b | c | d |\n| - | - | - | - |\n| ${"cell ".repeat(10)} | b | c | d |\n\n\`\`\`js\nconst line = "${"x".repeat(200)}";\n\`\`\`\n\n- one[1]\n- two\n`;

  test("axe finds nothing, and nothing scrolls sideways: wide and 320 px, light and dark", {
    timeout: 120_000,
  }, async () => {
    answer = says(long);
    for (const colorScheme of ["light", "dark"] as const) {
      await visit(
        "/",
        async (page, complaints) => {
          await ask(page, "Well?");
          for (const viewport of [
            { width: 1440, height: 900 },
            { width: 1024, height: 800 },
            { width: 768, height: 900 },
            phone,
          ]) {
            await page.setViewportSize(viewport);
            await panel(page).waitFor();
            expect(await sidewaysScroll(page), `${viewport.width}`).toBeLessThanOrEqual(0);
            expect(
              await panel(page)
                .locator(".o-assistant-log")
                .evaluate((log) => log.scrollWidth - log.clientWidth),
            ).toBeLessThanOrEqual(0);
            expect(await seriousFaults(page), `${colorScheme} ${viewport.width}`).toEqual([]);
          }
          const box = (await page.locator("dialog.o-assistant").boundingBox())!;
          expect([box.x, box.y, box.width, box.height]).toEqual([0, 0, phone.width, phone.height]);
          complaints.list = [];
        },
        { colorScheme },
      );
    }
  });

  test("beside the text where there is room: both can be read, the page can be used", () => {
    answer = says("Yes.");
    return visit("/guides/watering", async (page) => {
      await ask(page, "Well?");
      const text = (await page.locator("#content-area .o-body").boundingBox())!;
      const beside = (await panel(page).boundingBox())!;
      expect(text.x + text.width).toBeLessThanOrEqual(beside.x);
      expect(text.width).toBeGreaterThan(440);
      await page.locator("#sidebar a", { hasText: "Home" }).click();
      await page.waitForURL(`${host.url}/`);
      await panel(page).waitFor();
    });
  });

  test("on a phone it covers the page, keeps the focus, and closes by Escape", () => {
    answer = says("Yes.");
    return visit(
      "/",
      async (page) => {
        const button = page.locator("#navbar").getByRole("button", { name: "Assistant" });
        await button.click();
        await field(page).waitFor();
        for (let step = 0; step < 12; step++) {
          await page.keyboard.press("Tab");
          expect(
            await page.evaluate(
              "document.activeElement === document.body || !!document.activeElement.closest('dialog.o-assistant')",
            ),
          ).toBe(true);
        }
        await page.keyboard.press("Escape");
        await expect.poll(() => panel(page).isVisible()).toBe(false);
        expect(await page.evaluate("document.activeElement.className")).toContain("o-ask-button");
        await page.reload();
        await settled(page);
        expect(await panel(page).isVisible()).toBe(false);
      },
      { viewport: phone },
    );
  });

  test("it is not printed", () => {
    answer = says("Yes.");
    return visit("/", async (page) => {
      await ask(page, "Well?");
      await page.emulateMedia({ media: "print" });
      expect(await panel(page).isVisible()).toBe(false);
      expect(await page.locator(".o-ask-bar").isVisible()).toBe(false);
      expect(await page.evaluate("getComputedStyle(document.body).paddingRight")).toBe("0px");
    });
  });
});
