/** Tests queries and their results, with the index files of a built site. */

import { describe, expect, test } from "vitest";
import { buildSiteFrom, type Sources, siteOf } from "../../../test/engine/build.ts";
import { openIndex } from "../../../test/engine/open-index.ts";
import { markWords } from "./mark-words.ts";
import { passagesOf } from "./passages.ts";
import { stopWords } from "./stop-words.ts";

interface Row {
  typed: string;
  finds: string | undefined;
}

const page = (title: string, text: string, more = "") =>
  `---\ntitle: ${JSON.stringify(title)}\n${more}---\n\n${text}\n`;

const english: Sources = {
  "index.mdx": page(
    "Start",
    "Welcome to Acme.\n\n## Deploying\n\nPush to your branch and the deployment begins.",
  ),
  "limits.mdx": page(
    "Limits",
    "The gateway keeps a budget.\n\n## Rate limits\n\nSet `rateLimitPerMinute` in the file.\n\n## Time-outs\n\nA request ends after 30 s.",
  ),
  "auth.mdx": page(
    "Authentication",
    "Send your key in the header.\n\n## OAuth 2.0\n\nTokens expire. Refresh them with `refresh_token`.",
  ),
  "about.mdx": page("About", "Who we are and where we come from."),
  "errors.mdx": page(
    "Errors",
    "## ECONNREFUSED\n\nNobody listens there.\n\n## HTTP 429\n\nToo many requests.",
    "keywords: [troubleshooting]\n",
  ),
  "api/client.mdx": page(
    "Client",
    "Call `client.users.list()` for a page of users. Configure webhooks with `createWebhookEndpoint`.",
  ),
};

test("a question that asks for a heading finds its section first, also below the number of a step", async () => {
  const files = {
    "index.mdx": page("Start", "Start here.\n\n## Add a page later\n\nCreate a file."),
    "steps.mdx": page("Steps", "Start here.\n\n## 3. Add a page\n\nCreate a file."),
  };
  const index = await openIndex(await buildSiteFrom(siteOf(files)));
  const [first] = (await index.search({ text: "how do I add a page?", limit: 3 })).hits;
  expect(first!.route).toBe("steps");
});

test("a misspelled keyword or title finds its page first", async () => {
  const files = {
    "index.mdx": page(
      "Start",
      "Start here.\n\n## Version of the document\n\nThe version is in each document.",
    ),
    "menu.mdx": page("Navigation", "Groups and tabs.", 'keywords: ["versions"]\n'),
    "webhooks.mdx": page("Webhooks", "Events."),
    "events.mdx": page("Events", "## Webhook deliveries\n\nWebhook webhook webhook."),
  };
  const index = await openIndex(await buildSiteFrom(siteOf(files)));
  const first = async (text: string) => (await index.search({ text, limit: 3 })).hits[0]?.route;
  expect(
    await Promise.all(["versionss", "webhoks", "navigatoin", "navigatioon", "deliveeries"].map(first)),
  ).toEqual(["menu", "webhooks", "menu", "menu", "events"]);
});

test("the name of a product isn't found by its parts", async () => {
  const files = {
    "index.mdx": page("GitHub Action", "Deploy on each push. Written in JavaScript."),
    "deploys.mdx": page("Deployments", "Deploy from a git repository."),
  };
  const index = await openIndex(await buildSiteFrom(siteOf(files)));
  const found = async (text: string) =>
    (await index.search({ text, limit: 3 })).hits.map(({ route }) => route);
  expect(await found("deploy git")).toEqual(["deploys", ""]);
  expect(await found("java")).toEqual([]);
  expect(await found("github")).toEqual([""]);
});

describe("a question of an FAQ", async () => {
  const files = {
    "index.mdx": page("Start", "Start here."),
    "signing.mdx": page(
      "Signing keys",
      "A key signs every request. Open the settings, and choose which one to rotate.",
    ),
    "faq.mdx": page(
      "FAQ",
      "## Can I rotate signing keys without downtime?\n\nYes, rotate signing keys at any time.\n\n## Is it free?\n\nYes.",
    ),
  };
  const index = await openIndex(await buildSiteFrom(siteOf(files)));
  const found = async (text: string) => (await index.search({ text, limit: 3 })).hits.map(address);

  test("ranks below the guide about the same subject", async () => {
    expect(await found("rotate signing keys at any time")).toEqual([
      "signing",
      "faq#can-i-rotate-signing-keys-without-downtime?",
    ]);
  });

  test("ranks first if it is the query, or if there is no guide", async () => {
    expect((await found("can I rotate signing keys without downtime"))[0]).toBe(
      "faq#can-i-rotate-signing-keys-without-downtime?",
    );
    expect((await found("is it free?"))[0]).toBe("faq#is-it-free?");
  });
});

test.each(["en", "de", "fr", "es"])(
  "all pairs of stop words around a separator can be searched: %s",
  { timeout: 120_000 },
  async (language) => {
    const text = [...stopWords(language)].join(" ");
    const files = { "index.mdx": page("Start", `Welcome. ${text}`) };
    const navigation = { languages: [{ language, pages: ["index"] }] };
    const index = await openIndex(
      await buildSiteFrom(siteOf(files, language === "en" ? {} : { navigation })),
      language,
    );
    const words = [...stopWords(language)].slice(0, 60);
    for (const separator of ["/", "-", ".", "_", ":", "/x/", "\u0000", "/-/"])
      for (const first of words)
        for (const second of words)
          for (const isTyping of [false, true])
            await index.search({ text: `${first}${separator}${second}`, limit: 3, isTyping });
  },
);

describe("English", async () => {
  const index = await openIndex(await buildSiteFrom(siteOf(english)));
  const rows: Row[] = [
    { typed: "deploy", finds: "#deploying" },
    { typed: "How do I deploy my branch?", finds: "#deploying" },
    { typed: "rate limit", finds: "limits#rate-limits" },
    { typed: "ratelimit", finds: "limits#rate-limits" },
    { typed: "rate_limit_per_minute", finds: "limits#rate-limits" },
    { typed: "rate-limit-per-minute", finds: "limits#rate-limits" },
    { typed: "timeouts", finds: "limits#time-outs" },
    { typed: "time out", finds: "limits#time-outs" },
    { typed: "AUTHENTICATION", finds: "auth" },
    { typed: "authentcation", finds: "auth" },
    { typed: "timeoutss", finds: "limits#time-outs" },
    { typed: "oauth 2.0", finds: "auth#oauth-2-0" },
    { typed: "refreshToken", finds: "auth#oauth-2-0" },
    { typed: "about", finds: "about" },
    { typed: "troubleshooting", finds: "errors" },
    { typed: "econnrefused", finds: "errors#econnrefused" },
    { typed: "429", finds: "errors#http-429" },
    { typed: "users.list", finds: "api/client" },
    { typed: "create webhook", finds: "api/client" },
    { typed: "=", finds: undefined },
    { typed: "quantum chromodynamics", finds: undefined },
    { typed: "", finds: undefined },
    { typed: "?!", finds: undefined },
  ];
  test.each(rows)("$typed → $finds", async ({ typed, finds }) => {
    const { hits } = await index.search({ text: typed, limit: 5 });
    expect(hits[0] && address(hits[0])).toBe(finds);
  });

  test.each(["a", "au", "aut", "auth", "authe", "authentication", "authentications"])(
    "while typing: %s",
    async (typed) => {
      const { hits } = await index.search({ text: typed, limit: 8, isTyping: true });
      expect(hits.map(({ route }) => route)).toContain("auth");
    },
  );

  test("after the first word of a question, every keystroke has results", async () => {
    const question = "refresh tokens with oauth";
    for (let length = "refresh".length; length <= question.length; length++) {
      const { hits } = await index.search({ text: question.slice(0, length), limit: 3, isTyping: true });
      expect(hits[0] && address(hits[0]), question.slice(0, length)).toBe("auth#oauth-2-0");
    }
  });

  test("one typing error is corrected: an inserted, removed or replaced letter, or two swapped letters", async () => {
    for (const typed of ["tookens", "tken", "tokfn", "toekn", "okens", "rokens", "otkens", "ttokens"]) {
      const { hits } = await index.search({ text: typed, limit: 1 });
      expect(hits[0] && address(hits[0]), typed).toBe("auth#oauth-2-0");
    }
    for (const typed of ["authetication", "quthentication", "authenticatin", "authenticaiton"])
      for (const isTyping of [true, false]) {
        const { hits } = await index.search({ text: typed, limit: 1, isTyping });
        expect(hits[0]?.route, typed).toBe("auth");
      }
  });

  test("stop words are not corrected", async () => {
    expect((await index.search({ text: "must", limit: 1 })).hits).toEqual([]);
  });

  test("concurrent queries do not affect each other", async () => {
    const alone = await Promise.all(
      rows.map(async ({ typed }) => (await index.search({ text: typed, limit: 5 })).hits),
    );
    const fresh = await openIndex(await buildSiteFrom(siteOf(english)));
    const together = await Promise.all(rows.map(({ typed }) => fresh.search({ text: typed, limit: 5 })));
    expect(together.map(({ hits }) => hits)).toEqual(alone);
  });

  test("a very long query is answered", async () => {
    const { hits } = await index.search({ text: `${"lorem ipsum ".repeat(50_000)}oauth`, limit: 5 });
    expect(hits).toEqual([]);
    expect((await index.search({ text: `oauth ${"x".repeat(100_000)}`, limit: 5 })).hits[0]?.route).toBe(
      "auth",
    );
  });
});

/** Queries by language. Their word forms differ from those on the page. */
const languages: Record<string, { title: string; text: string; rows: Row[] }> = {
  es: {
    title: "Instalación",
    text: "Instale los paquetes con el gestor.\n\n## Despliegues\n\nLos desarrolladores publican las páginas.",
    rows: [
      { typed: "instalaciones", finds: "es/one" },
      { typed: "instalacion", finds: "es/one" },
      { typed: "¿cómo publicar páginas?", finds: "es/one#despliegues" },
      { typed: "despliegue", finds: "es/one#despliegues" },
    ],
  },
  fr: {
    title: "Déploiement",
    text: "Les pages sont déployées.\n\n## Authentification\n\nL’utilisateur envoie ses clés d’accès.",
    rows: [
      { typed: "déploiements", finds: "fr/one" },
      { typed: "comment envoyer une clé", finds: "fr/one#authentification" },
      { typed: "utilisateurs", finds: "fr/one#authentification" },
    ],
  },
  de: {
    title: "Einrichtung",
    text: "Richten Sie das Werkzeug ein.\n\n## Schlüssel\n\nDie Schlüssel werden in den Einstellungen erzeugt.",
    rows: [
      { typed: "Schlüssels", finds: "de/one#schlüssel" },
      { typed: "Einstellung", finds: "de/one#schlüssel" },
      { typed: "Wie werden Schlüssel erzeugt?", finds: "de/one#schlüssel" },
    ],
  },
  "pt-BR": {
    title: "Implantação",
    text: "Publique as páginas.\n\n## Chaves\n\nAs chaves são criadas nas configurações.",
    rows: [
      { typed: "configuração", finds: "pt-BR/one#chaves" },
      { typed: "como criar uma chave", finds: "pt-BR/one#chaves" },
    ],
  },
  zh: {
    title: "快速开始",
    text: "安装命令行工具。\n\n## 部署网站\n\n推送到分支后，系统会自动部署您的文档网站。使用 API 密钥。",
    rows: [
      { typed: "部署", finds: "zh/one#部署网站" },
      { typed: "如何自动部署文档", finds: "zh/one#部署网站" },
      { typed: "API密钥", finds: "zh/one#部署网站" },
      { typed: "命令行", finds: "zh/one" },
    ],
  },
  ja: {
    title: "はじめに",
    text: "ツールをインストールします。\n\n## デプロイ\n\nブランチにプッシュすると、サイトが自動的に公開されます。",
    rows: [
      { typed: "インストール", finds: "ja/one" },
      { typed: "サイトの公開", finds: "ja/one#デプロイ" },
    ],
  },
  ko: {
    title: "시작하기",
    text: "도구를 설치합니다.\n\n## 배포\n\n브랜치에 푸시하면 문서가 자동으로 배포됩니다.",
    rows: [
      { typed: "설치", finds: "ko/one" },
      { typed: "문서를 배포", finds: "ko/one#배포" },
    ],
  },
};

describe("short queries that are the name of a page", async () => {
  const index = await openIndex(
    await buildSiteFrom(
      siteOf({
        "index.mdx": page("Welcome", "Start here."),
        "install.mdx": page("Installation", "Run the installer.\n\n## Requirements\n\nA computer."),
        "notes.mdx": page(
          "Notes",
          "To install, install again. Install, then install. The install log says what install did.\n\n## Install log\n\nInstall.",
        ),
        "cluster.mdx": page("Kubernetes", "Use the chart."),
        "proxy.mdx": page("Reverse proxy", "Pass the Host header on."),
        "load.mdx": page("Load tests", "Load is measured before each release."),
        "settings.mdx": page(
          "All settings",
          "| Variable | Default |\n| --- | --- |\n| `ACME_TOKEN` | none |\n| `ACME_PORT` | `4000` |",
        ),
        "guide.mdx": page(
          "Guide",
          "Set `ACME_TOKEN`, keep `ACME_TOKEN` apart, and never print `ACME_TOKEN`.",
        ),
        "problems/dead-link.mdx": page("A link is broken", "No page has the path.", "sidebarTitle: E-17\n"),
        "headers.mdx": page("Headers", "## Content security policy\n\nPages run their own scripts."),
      }),
    ),
  );
  test.each([
    ["install", "install", "its title before passages that repeat the word"],
    ["dead-link", "problems/dead-link", "the last part of its path"],
    ["E-17", "problems/dead-link", "its title in the sidebar"],
    ["ACME_TOKEN", "settings", "the row of a table that describes it"],
    ["k8s", "cluster", "an abbreviation"],
    ["load balancer", "proxy", "another term for the same thing"],
    ["CSP", "headers#content-security-policy", "an abbreviation of several words"],
  ])("%s → %s: %s", async (typed, found) => {
    for (const isTyping of [false, true]) {
      const { hits } = await index.search({ text: typed, limit: 5, isTyping });
      expect(hits[0] && address(hits[0])).toBe(found);
    }
  });
});

describe("languages of a site", async () => {
  const pages: Sources = { "en/one.mdx": page("Deploying keys", "Deployments and keys.") };
  for (const [code, { title, text }] of Object.entries(languages))
    pages[`${code}/one.mdx`] = page(title, text);
  const navigation = {
    languages: ["en", ...Object.keys(languages)].map((language) => ({
      language,
      pages: [`${language}/one`],
    })),
  };
  const site = await buildSiteFrom(siteOf(pages, { navigation }));

  const rows = Object.entries(languages).flatMap(([language, entry]) =>
    entry.rows.map((row) => ({ language, ...row })),
  );
  test.each(rows)("$language: $typed → $finds", async ({ language, typed, finds }) => {
    const { hits } = await (await openIndex(site, language)).search({ text: typed, limit: 5 });
    expect(hits[0] && address(hits[0])).toBe(finds);
  });

  test("a search in one language finds only pages in that language", async () => {
    const { hits } = await (await openIndex(site, "en")).search({
      text: "keys deployment Schlüssel",
      limit: 20,
    });
    expect(hits.map(address)).toEqual(["en/one"]);
  });
});

describe("filters and boosts", async () => {
  const text = "Set the port with the flag.";
  const versions = {
    versions: [
      { version: "v1", groups: [{ group: "Guides", pages: ["v1/port"] }] },
      { version: "v2", groups: [{ group: "Guides", boost: 3, pages: ["v2/port"] }] },
    ],
  };
  const site = await buildSiteFrom(
    siteOf(
      { "v1/port.mdx": page("Port", text), "v2/port.mdx": page("Port", text) },
      { navigation: versions },
    ),
  );
  const index = await openIndex(site);

  test("a version filter", async () => {
    const routes = async (version?: string) =>
      (await index.search({ text: "port", limit: 5, ...(version ? { filter: { version } } : {}) })).hits.map(
        ({ route }) => route,
      );
    expect(await routes("v1")).toEqual(["v1/port"]);
    expect(await routes("v2")).toEqual(["v2/port"]);
    expect((await routes()).sort()).toEqual(["v1/port", "v2/port"]);
  });

  test("the boost of a group raises the scores of its pages", async () => {
    const { hits } = await index.search({ text: "flag", limit: 5 });
    expect(hits[0]!.route).toBe("v2/port");
    expect(hits[0]!.score / hits[1]!.score).toBeCloseTo(3);
  });

  test("the boost of a page takes precedence over the boost of its group", async () => {
    const own = await buildSiteFrom(
      siteOf(
        { "v1/port.mdx": page("Port", text), "v2/port.mdx": page("Port", text, "boost: 0.5\n") },
        { navigation: versions },
      ),
    );
    const { hits } = await (await openIndex(own)).search({ text: "flag", limit: 5 });
    expect(hits[0]!.route).toBe("v1/port");
  });
});

describe("words that decide between pages", async () => {
  const keywords = Array.from({ length: 30 }, (_, n) => `term${String.fromCharCode(97 + (n % 26))}${n}`).join(
    ", ",
  );
  const sections = ["Delete", "Rename", "Create"]
    .map((verb) => `## ${verb} a token\n\nSelect the token and confirm.`)
    .join("\n\n");
  const index = await openIndex(
    await buildSiteFrom(
      siteOf({
        "index.mdx": page("Start", "Welcome."),
        "tokens.mdx": page("Access", sections),
        "few.mdx": page("Pumps", "Give plants water.", "keywords: [irrigation]\n"),
        "many.mdx": page("Water", "Give plants water.", `keywords: [irrigation, ${keywords}]\n`),
      }),
    ),
  );

  test("a section about the opposite action is below others", async () => {
    const { hits } = await index.search({ text: "create a token", limit: 5 });
    expect(hits.map(({ anchor }) => anchor).filter(Boolean)).toEqual([
      "create-a-token",
      "rename-a-token",
      "delete-a-token",
    ]);
  });

  test("other keywords of a page hardly lower the weight of a keyword", async () => {
    const { hits } = await index.search({ text: "irrigation plants", limit: 5 });
    expect(hits.map(({ route }) => route)).toEqual(["few", "many"]);
    expect(hits[1]!.score / hits[0]!.score).toBeGreaterThan(0.75);
  });

  test.each(["wipe the token", "get rid of a token"])(
    "a synonym finds the page, and is marked: %s",
    async (text) => {
      const { hits, terms } = await index.search({ text, limit: 5 });
      expect(hits[0]).toMatchObject({ route: "tokens", anchor: "delete-a-token" });
      expect(markWords("Delete a token", terms, "en").filter(({ isMatch }) => isMatch)).toContainEqual({
        text: "Delete",
        isMatch: true,
      });
    },
  );
});

describe("names of pages among many pages with the same words", async () => {
  const others = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [
      `guides/g${n}.mdx`,
      page(
        `Guide ${n} to examples`,
        "## Examples\n\nExamples, and more examples of first steps.\n\n## Samples\n\nSamples and setup.",
      ),
    ]),
  );
  const index = await openIndex(
    await buildSiteFrom(
      siteOf({
        "index.mdx": page("Start", "Welcome."),
        "z/list.mdx": page("Examples", "All of them are listed here.", "keywords: [First steps]\n"),
        "z/short.mdx": page("A collection of code", "Code to copy.", "sidebarTitle: Samples\n"),
        "z/examples.mdx": page("More of it", "Examples by topic."),
        ...others,
      }),
    ),
  );
  test.each([
    ["the title", "examples", "z/list"],
    ["the title in another form", "Example", "z/list"],
    ["a keyword", "first steps", "z/list"],
    ["the sidebar title", "samples", "z/short"],
  ])("%s", async (_, text, route) => {
    const { hits } = await index.search({ text, limit: 3 });
    expect(hits[0]).toMatchObject({ route, anchor: "" });
  });

  test("names don't complete words and don't correct spelling", async () => {
    const { terms } = await index.search({ text: "sampl", limit: 3, isTyping: true });
    const { terms: corrected } = await index.search({ text: "exsmples", limit: 3 });
    expect([...terms, ...corrected].flatMap(({ also }) => also).filter((term) => term.includes("="))).toEqual(
      [],
    );
  });
});

test("headings keep their numbers, and words of a path find its page", async () => {
  const site = await buildSiteFrom(
    siteOf({
      "billing/late.mdx": page(
        "When nobody pays",
        "## 1. Remind\n\nSend a letter.\n\n## `code` and **bold**\n\nMore.",
      ),
    }),
  );
  const index = await openIndex(site);
  const { hits } = await index.search({ text: "billing", limit: 5 });
  expect(hits.map(({ headings }) => headings)).toEqual(
    expect.arrayContaining([["1. Remind"], ["code and bold"]]),
  );
});

test("the topic of a page is its outermost group, else its division", async () => {
  const navigation = {
    tabs: [
      { tab: "Guides", groups: [{ group: "Billing", pages: [{ group: "Invoices", pages: ["invoices"] }] }] },
      { tab: "Recipes", pages: ["recipe"] },
    ],
  };
  const site = await buildSiteFrom(
    siteOf(
      { "invoices.mdx": page("Send", "One text."), "recipe.mdx": page("Cook", "One text.") },
      { navigation },
    ),
  );
  const { hits } = await (await openIndex(site)).search({ text: "text", limit: 5 });
  const themes = Object.fromEntries(
    hits.map(({ route, group, breadcrumbs }) => [route, [group, breadcrumbs]]),
  );
  expect(themes).toEqual({
    invoices: ["Billing", ["Guides", "Billing", "Invoices"]],
    recipe: ["Recipes", ["Recipes"]],
  });
});

test("pages of groups have separate indexes", async () => {
  const sources = siteOf({
    "index.mdx": page("Open", "Everybody reads the canary word: sparrow.", "public: true\n"),
    "staff.mdx": page("Staff", "Only staff reads: nightingale.", 'groups: ["staff"]\n'),
  });
  const site = await buildSiteFrom(sources, { readers: "signed-in" });
  const files = site.paths.filter((at) => /^_octavo\/(?:search|passages)/.test(at));
  const open = files.filter((at) => /^_octavo\/(?:search|passages)\//.test(at));
  expect(open.map((at) => site.read(at)).join("")).not.toMatch(/nightingal|staff/i);
  const closed = files.filter((at) => !open.includes(at));
  expect(closed.map((at) => site.read(at)).join("")).toMatch(/nightingal/);
  const suffix = /search(-[0-9a-f]+)/.exec(closed[0]!)?.[1] ?? /passages(-[0-9a-f]+)/.exec(closed[0]!)![1]!;
  const { hits } = await (await openIndex(site, "en", suffix)).search({ text: "nightingale", limit: 5 });
  expect(hits.map(address)).toEqual(["staff"]);
});

function address({ route, anchor }: { route: string; anchor: string }): string {
  return `${route}${anchor && `#${anchor}`}`;
}

test("code below a long fence is split into passages that end", () => {
  const fence = `\`\`\`js ${"title ".repeat(1_000)}`;
  const passages = passagesOf(`${fence}\n${"first line\n".repeat(200)}last line\n\`\`\``);
  expect(passages.at(-1)).toContain("last line");
});

describe("names and tags in code", async () => {
  const index = await openIndex(
    await buildSiteFrom(
      siteOf({
        "index.mdx": page("Start", "Welcome."),
        "flags.mdx": page(
          "Flags",
          "Set `CAN_NOT_RETRY` and `GROW_MAX_ROWS`. Use `WHEN_NOT_FOUND`.\n\n## OUT_OF_THE_BOX_SETUP\n\nGo on.",
        ),
        "tags.mdx": page(
          "Tags",
          "Put `<marquee>` here.\n\n## The `<bdo>` tag\n\nRun `plant grow <cultivar>`.\n\n## Table\n\n| A | B |\n| --- | --- |\n| `List<fern>` | ``<moss>`` |",
        ),
      }),
    ),
  );
  test.each([
    ["CAN_NOT", "flags"],
    ["can_not_re", "flags"],
    ["WHEN_NOT", "flags"],
    ["MAX_ROWS", "flags"],
    ["OUT_OF_THE", "flags#out_of_the_box_setup"],
    ["OF_THE", "flags#out_of_the_box_setup"],
    ["marquee", "tags"],
    ["bdo", "tags#the-bdo-tag"],
    ["cultivar", "tags#the-bdo-tag"],
    ["fern", "tags#table"],
    ["moss", "tags#table"],
  ])("%s → %s", async (typed, expected) => {
    const { hits } = await index.search({ text: typed, limit: 5 });
    expect(hits[0] && address(hits[0])).toBe(expected);
  });

  test("are shown in full in the titles of results", async () => {
    const { hits } = await index.search({ text: "cultivar", limit: 5 });
    expect(hits[0]!.headings).toEqual(["The <bdo> tag"]);
  });
});
