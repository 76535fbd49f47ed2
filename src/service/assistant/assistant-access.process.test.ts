/**
 * Access of the assistant to pages (groups, sign-in, hidden pages, drafts, previews), and active content that
 * answers must not contain.
 */

import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { ask, bodyOf } from "../../../test/service/ask-assistant.ts";
import { deploy, docs, ended, visit } from "../../../test/service/deploying.ts";
import { commitFiles, startGitServer } from "../../../test/service/git-server.ts";
import { liveIn } from "../../../test/service/live-markdown.ts";
import { answered, type ModelServer, startModelServer } from "../../../test/service/model-server.ts";
import { send } from "../../../test/service/service.ts";
import {
  newReader,
  newSite,
  rowOf,
  rowsOf,
  type TestSite,
  trusting,
} from "../../../test/service/test-sites.ts";
import { until } from "../../../test/service/until.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { endpoints } from "../app/endpoints.ts";

/** Texts with images, scripts, external links, paths of other pages and imitated sources. */
const carriers = [
  "![x](https://sink.test/?q=1)",
  "![x](//sink.test/a.png)",
  "![x][r]\n\n[r]: https://sink.test/a.png",
  "![r][]\n\n[r]: https://sink.test/a.png",
  "![r]\n\n[r]: https://sink.test/a.png",
  "![x](/own.png)",
  "![x](<https://sink.test/a b.png> 'title')",
  "[![x](https://sink.test/i.png)](/guides/install)",
  "![a ![b](https://sink.test/b)](https://sink.test/a)",
  "&#33;[x](https://sink.test)",
  '<img src="https://sink.test/a.png">',
  "<img\nsrc=https://sink.test/a.png\n>",
  "<IMG SRC=https://sink.test/a.png",
  "&lt;img src=https://sink.test/a.png&gt;",
  "<im<b>g src=x onerror=alert(1)>",
  "<svg><image href='https://sink.test/a'/></svg>",
  "<svg/onload=alert(1)>",
  "<a href='https://sink.test'>here</a>",
  "<iframe src=https://sink.test></iframe>",
  "<style>@import 'https://sink.test/a.css'</style>",
  '<div style="background:url(https://sink.test/a)">x</div>',
  "<script>fetch('https://sink.test')</script>",
  "<link rel=stylesheet href=https://sink.test/a.css>",
  "<video src=https://sink.test/a.mp4 autoplay></video>",
  "<object data=https://sink.test/a></object>",
  "<form action=https://sink.test><button>x</button></form>",
  "<base href=https://sink.test/>",
  "<meta http-equiv=refresh content='0;url=https://sink.test'>",
  "<!-- --><img src=x><!-- -->",
  "<!--><img src=x>-->",
  "<?php echo 1 ?><img src=x>",
  "<![CDATA[<img src=x>]]>",
  "<details open ontoggle=alert(1)>",
  "[here](https://sink.test/?q=1)",
  "[here](//sink.test)",
  "[here](/\\sink.test)",
  "[here](\\\\sink.test)",
  "[here](https&colon;//sink.test)",
  "[here](/&sol;sink.test)",
  "[here](javascript:alert(1))",
  "[here](JaVaScRiPt&colon;alert(1))",
  "[here](data:text/html,<script>alert(1)</script>)",
  "[here](vbscript:x)",
  "[here](http://HOST@sink.test/)",
  "[here](http://HOST.sink.test/)",
  "[here](/guides/hidden)",
  "[here](/staff)",
  "[here](/_octavo/redirects.json)",
  "[here]( <//sink.test> )",
  "[he\nre](https://sink.test)",
  "[here][r]\n\n[r]: https://sink.test",
  "[1]: https://sink.test\n\nsee [1]",
  "[1](https://sink.test)",
  "[1][9](//sink.test)",
  "[^1]\n\n[^1]: https://sink.test",
  "<https://sink.test>",
  "<mailto:a@sink.test>",
  "https://sink.test/a_b_(c)",
  "HTTPS://SINK.TEST",
  "www.sink.test",
  "ftp://sink.test",
  "a@sink.test",
  "`a\n\n<img src=x>`",
  "\\[x](https://sink.test)",
];

let model: ModelServer;
let site: TestSite;
beforeAll(async () => {
  model = await startModelServer();
  const env = {
    OCTAVO_MODEL_BASE_URL: model.url,
    OCTAVO_MODEL_NAME: "test-model",
    OCTAVO_GIT_ALLOW: "http private",
  };
  site = await newSite(await openTestService({ env: { ...trusting, ...env } }));
});
afterAll(async () => {
  await site.service.stop();
  await model.stop();
});

const characters = (text: string) => [...text];

describe("active content in answers", () => {
  const isOwn = (url: string) => /^\/guides\/install(?:#[\w-]*)?$/.test(url);
  const live = (text: string) => liveIn(text, isOwn);

  test.each(carriers)(
    "%j, sent by the model letter by letter, is never active in the answer",
    async (carrier) => {
      const text = carrier.replaceAll("HOST", site.host);
      model.behave({
        text: characters(`Before ${text} after. [1]`),
        finish: { covered: true, used: [1], clarifying: false },
      });
      const answer = await ask({ ...site, headers: newReader() });
      expect(answer.text).toContain("Before");
      expect(live(answer.text)).toEqual([]);
      // The text is also checked after each event of the stream.
      let told = "";
      for (const event of answer.events) {
        if (event.type !== "text-delta") continue;
        told += event.delta;
        expect(live(told)).toEqual([]);
      }
      expect((await rowOf(site, answer.turnId)).response).toBe(answer.text);
      for (const { url } of answer.sources) expect(new URL(url).host).toBe(`${site.host}:${site.port}`);
    },
  );

  test("the site's own pages may be linked", async () => {
    model.behave({
      text: ["See [the guide](/guides/install#remove). [1]"],
      finish: { covered: true, used: [1], clarifying: false },
    });
    expect((await ask({ ...site, headers: newReader() })).text).toContain(
      "[the guide](/guides/install#remove)",
    );
  });

  test("active content of pages is removed from answers without a model", async () => {
    const own = await newSite(
      site.service,
      docs("Home", {
        "widgets.mdx":
          "---\ntitle: Widgets\n---\n\n## Buy widgets\n\nBuy widgets at [our shop](https://sink.test/shop) or https://sink.test/other today.\n",
      }),
    );
    model.behave({ status: 500 });
    const answer = await ask({ ...own, headers: newReader(), text: "Where do I buy widgets?" });
    expect(answer.resolutionStatus).toBe("answered");
    expect(live(answer.text)).toEqual([]);
    model.behave(answered);
    await ask({ ...own, headers: newReader() });
  });
});

test("sources are retrieved sections only, whatever the model cites", async () => {
  const urls = new Set(
    [
      "",
      "guides/install",
      "guides/install#with-one-command",
      "guides/install#remove",
      "guides/billing",
      "guides/billing#invoices",
    ].map((at) => `${site.origin}/${at}`),
  );
  model.behave({
    text: ["See [1][2][3], [4], [55] and https://sink.test/fake."],
    finish: { covered: true, used: [1, 55], clarifying: false },
  });
  const answer = await ask({ ...site, headers: newReader(), text: "Acme install invoices" });
  expect(answer.sources.length).toBeGreaterThan(1);
  for (const { url } of answer.sources) expect(urls).toContain(url);
  model.behave(answered);
});

describe("readers who sign in", () => {
  const files = docs(
    "Public-home words.",
    {
      "open.mdx":
        "---\ntitle: Open\npublic: true\n---\n\n## Gadget basics\n\nGadgets are open-canary things.\n",
      "member.mdx": "---\ntitle: Member\n---\n\n## Gadget membership\n\nGadgets have member-canary perks.\n",
      "staff.mdx":
        "---\ntitle: Staff\ngroups: [staff]\n---\n\n## Gadget salaries\n\nGadgets have staff-canary salaries.\n",
    },
    { assistant: { widget: { origins: ["https://shop.example"] } } },
  );
  let own: TestSite;
  const cookies: Record<string, string> = {};

  beforeAll(async () => {
    own = await newSite(site.service, files);
    const sign = async (groups: string[]) => {
      await own.organization.client(endpoints.changeProject, {
        params: { projectId: own.organization.projectId },
        body: { signIn: { mode: "password", password: "correct horse", groups } },
      });
      await deploy(own.organization, files);
      await until(
        async () => (await visit(own.service, own.host, "/member", { accept: "text/html" })).status === 302,
        20_000,
      );
      const body = "password=correct+horse";
      const headers = { "content-type": "application/x-www-form-urlencoded", origin: own.origin };
      const answer = await send({
        port: own.port,
        path: "/_octavo/sign-in",
        method: "POST",
        host: `${own.host}:${own.port}`,
        headers,
        body,
      });
      expect([answer.status, answer.text]).toEqual([303, ""]);
      const set = [answer.headers["set-cookie"] ?? []].flat().map((cookie) => cookie.split(";")[0]!);
      return set.filter((cookie) => !cookie.endsWith("=")).join("; ");
    };
    cookies.member = await sign([]);
  });

  const seen = async (asked: Partial<Parameters<typeof ask>[0]>) => {
    model.behave({ text: ["Gadgets [1]."], finish: { covered: true, used: [1], clarifying: false } });
    const count = model.asked.length;
    const answer = await ask({
      ...own,
      headers: { ...newReader(), ...asked.headers },
      text: "What of gadgets?",
      ...(asked.path ? { host: undefined } : {}),
      ...asked,
    } as Parameters<typeof ask>[0]);
    return {
      answer,
      told: model.asked
        .slice(count)
        .map(({ text }) => text)
        .join("\n"),
    };
  };

  test("the widget on another website reads only public pages, even with a reader's cookie", async () => {
    const headers = { origin: "https://shop.example", "sec-fetch-site": "cross-site" };
    const { answer, told } = await seen({ headers: { ...headers, cookie: cookies.member! } });
    expect(answer.headers["access-control-allow-origin"]).toBe("https://shop.example");
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect(told).toContain("open-canary");
    expect(told).not.toMatch(/member-canary|staff-canary/);
  });

  test("without sign-in, answers come from public pages", async () => {
    const { answer, told } = await seen({});
    expect(answer.status).toBe(200);
    expect(told).toContain("open-canary");
    expect(told).not.toMatch(/member-canary|staff-canary/);
    const found = await ask({
      ...own,
      path: "/_octavo/search",
      headers: newReader(),
      body: { query: "gadgets" },
    });
    expect(found.json.results.map(({ path: at }: { path: string }) => at)).toEqual(["open"]);
  });

  test("without public pages, questions without sign-in are refused", async () => {
    const closedFiles = docs("Home words.", { "member.mdx": String(files["member.mdx"]) });
    const closed = await newSite(site.service, closedFiles);
    await closed.organization.client(endpoints.changeProject, {
      params: { projectId: closed.organization.projectId },
      body: { signIn: { mode: "password", password: "correct horse" } },
    });
    await deploy(closed.organization, closedFiles);
    await until(
      async () =>
        (await visit(closed.service, closed.host, "/member", { accept: "text/html" })).status === 302,
      20_000,
    );
    const count = model.asked.length;
    expect((await ask({ ...closed, headers: newReader(), text: "What of gadgets?" })).status).toBe(401);
    expect(model.asked.length).toBe(count);
    for (const at of ["/_octavo/search", "/_octavo/events", "/_octavo/assistant/feedback", "/mcp"])
      expect((await ask({ ...closed, path: at, headers: newReader(), body: {} })).status).toBe(401);
  });

  test("answers come from pages that the reader may read", async () => {
    const { answer, told } = await seen({ headers: { ...newReader(), cookie: cookies.member! } });
    expect(answer.status).toBe(200);
    expect(told).toContain("member-canary");
    expect(told).toContain("open-canary");
    expect(told).not.toContain("staff-canary");
  });

  test("a thread is continued by its own browser only, and with the same access", async () => {
    const question = async (threadId: string | undefined, cookie: string) => {
      const { answer } = await seen({
        headers: { ...newReader(), cookie },
        body: bodyOf("What of gadgets?", { threadId }),
      });
      const visitor = [answer.headers["set-cookie"] ?? []]
        .flat()
        .find((line) => line.startsWith("octavo_visitor="));
      return { ...answer, visitor: visitor?.split(";")[0] ?? "" };
    };
    const first = await question(undefined, cookies.member!);
    const ours = `${cookies.member}; ${first.visitor}`;
    expect((await question(first.threadId, ours)).threadId).toBe(first.threadId);
    for (const cookie of [`${cookies.member}; octavo_visitor=other`, first.visitor, "octavo_visitor=other"])
      expect((await question(first.threadId, cookie)).threadId, cookie).not.toBe(first.threadId);
    const rate = (cookie: string) =>
      ask({
        ...own,
        path: "/_octavo/assistant/feedback",
        headers: { ...newReader(), cookie },
        body: { turnId: first.turnId, helpful: false },
      });
    expect((await rate("octavo_visitor=other")).status).toBe(404);
    expect((await rate(ours)).status).toBe(204);
  });

  test("a program continues a thread for readers of the same groups", async () => {
    const path = `/v1/assistant/${own.organization.subdomain}/message`;
    const { id: organizationId, projectId } = own.organization;
    const body = { name: "groups", type: "assistant" as const, projectId, groups: ["staff", "other"] };
    const { key } = await site.service.operator(endpoints.createKey, { params: { organizationId }, body });
    const headers = { authorization: `Bearer ${key}` };
    const inGroups = async (threadId: string | undefined, groups?: string[]) =>
      (
        await seen({
          path,
          headers,
          body: bodyOf("What of gadgets?", { threadId, ...(groups ? { filter: { groups } } : {}) }),
        })
      ).answer.threadId;
    const staff = await inGroups(undefined, ["staff"]);
    expect(await inGroups(staff, ["staff"])).toBe(staff);
    expect(await inGroups(staff)).not.toBe(staff);
    expect(await inGroups(staff, ["other"])).not.toBe(staff);
  });

  test("groups in the body don't apply to readers", async () => {
    const body = bodyOf("What of gadgets?", { filter: { groups: ["staff"] } });
    const { told } = await seen({ headers: { ...newReader(), cookie: cookies.member! }, body });
    expect(told).toContain("member-canary");
    expect(told).not.toContain("staff-canary");
  });

  test("an assistant key asks for a reader with groups, or for the public", async () => {
    const at = `/v1/assistant/${own.organization.subdomain}/message`;
    const { id: organizationId, projectId } = own.organization;
    const key = { name: "staff", type: "assistant" as const, projectId, groups: ["staff", "guests"] };
    const { key: staffKey } = await site.service.operator(endpoints.createKey, {
      params: { organizationId },
      body: key,
    });
    const by = (groups?: string[], key = staffKey) =>
      seen({
        path: at,
        headers: { authorization: `Bearer ${key}` },
        body: bodyOf("What of gadgets?", groups ? { filter: { groups } } : {}),
      });
    const [none, empty, others, staff] = [
      await by(),
      await by([]),
      await by(["guests"]),
      await by(["staff"]),
    ];
    // A key without groups can't request pages of groups.
    const [publicKey, foreign] = [await by(["staff"], own.key), await by(["managers"])];
    for (const { answer, told } of [none, empty, publicKey, foreign]) {
      expect(answer.status).toBe(200);
      expect(told).toContain("open-canary");
      expect(told).not.toMatch(/member-canary|staff-canary/);
    }
    expect(others.told).toContain("member-canary");
    expect(others.told).not.toContain("staff-canary");
    expect(staff.told).toContain("staff-canary");
  });

  test("search on the host finds pages that the reader may read", async () => {
    const search = async (headers: Record<string, string>) =>
      ask({
        ...own,
        path: "/_octavo/search",
        headers: { ...newReader(), ...headers },
        body: { query: "gadg", pageSize: 5 },
      });
    const { status, json } = await search({ cookie: cookies.member! });
    expect(status).toBe(200);
    expect(json.results.map(({ path: route }: { path: string }) => route).sort()).toEqual(["member", "open"]);
    expect(json.results[0]).toEqual({
      path: expect.any(String),
      anchor: expect.stringMatching(/^gadget-/),
      title: expect.any(String),
      headings: [expect.stringContaining("Gadget")],
      breadcrumbs: expect.any(Array),
      snippet: expect.arrayContaining([{ text: expect.stringMatching(/^gadget/i), isMatch: true }]),
    });
  });
});

describe("pages that are not part of the site's search", () => {
  test("hidden pages are not used for answers", async () => {
    const own = await newSite(
      site.service,
      docs(
        "Home",
        {
          "sprocket.mdx": "---\ntitle: Sprockets\n---\n\n## Turn sprockets\n\nSprockets turn.\n",
          "secret.mdx":
            "---\ntitle: Secret sprockets\nhidden: true\n---\n\n## Turn sprockets\n\nSprockets turn hidden-canary.\n",
        },
        { navigation: { pages: ["index", "sprocket"] } },
      ),
    );
    const count = model.asked.length;
    await ask({ ...own, headers: newReader(), text: "How do sprockets turn?" });
    const told = model.asked
      .slice(count)
      .map(({ text }) => text)
      .join("\n");
    expect(told).toContain("Sprockets turn");
    expect(told).not.toContain("hidden-canary");
  });

  test("previews have no assistant, and nothing of them is recorded or found", async () => {
    const root = temporaryFolder();
    const server = await startGitServer(root);
    const repository = path.join(root, "team-docs");
    const own = await newSite(site.service);
    commitFiles(repository, docs("Main words"), { message: "Begin" });
    commitFiles(repository, docs("Draft-canary words about install Acme"), { branch: "draft" });
    const source = {
      kind: "git" as const,
      url: `http://127.0.0.1:${server.port}/team-docs/.git`,
      branch: "main",
    };
    await own.organization.client(endpoints.changeProject, {
      params: { projectId: own.organization.projectId },
      body: { source },
    });
    const { json } = await own.organization.ask(`/v1/project/preview/${own.organization.projectId}`, {
      method: "POST",
      body: JSON.stringify({ branch: "draft" }),
      headers: { "content-type": "application/json" },
    });
    await ended(own.organization, json.statusId);
    const { host, hostname } = new URL(json.previewUrl);
    await until(async () => (await visit(own.service, host)).status === 200);
    expect((await ask({ ...own, host: hostname, headers: newReader() })).status).toBe(404);
    expect((await ask({ ...own, host: hostname, path: "/mcp", headers: newReader(), body: {} })).status).toBe(
      404,
    );
    const events = { events: [{ type: "search", query: "preview-search", results_count: 1 }] };
    expect(
      (await ask({ ...own, host: hostname, path: "/_octavo/events", headers: newReader(), body: events }))
        .status,
    ).toBe(204);
    for (const domain of [hostname, hostname.split(".")[0]!])
      for (const at of [`/v1/assistant/${domain}/message`, `/v1/search/${domain}`, `/v1/page/${domain}`]) {
        const headers = { authorization: `Bearer ${own.key}` };
        expect(
          (
            await ask({
              port: own.port,
              path: at,
              headers,
              body: { ...bodyOf("x"), query: "x", path: "index" },
            })
          ).status,
        ).toBe(404);
      }
    expect(await rowsOf(own)).toEqual([]);
    await server.stop();
  });
});

test("concurrent answers of a site are limited; further questions get 429", async () => {
  const own = await newSite(site.service);
  let release!: () => void;
  model.behave({ ...answered, until: new Promise((resolve) => (release = resolve)) });
  let refused_count = 0;
  const asked = Array.from({ length: 230 }, async () => {
    const answer = await ask({ ...own, headers: newReader() });
    if (answer.status === 429 && ++refused_count === 30) release();
    return answer;
  });
  const page = await visit(own.service, own.host);
  expect(page.status).toBe(200);
  const answers = await Promise.all(asked);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(200);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(30);
  expect(Number(refused[0]!.headers["retry-after"])).toBeGreaterThan(0);
  model.behave(answered);
  expect((await ask({ ...own, headers: newReader() })).status).toBe(200);
  expect(await rowsOf(own)).toHaveLength(201);
});
