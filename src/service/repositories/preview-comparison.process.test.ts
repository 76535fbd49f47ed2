/** The comment on a pull request says what differs from the live site, without restricted texts and questions. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { type Member, newMember } from "../../../test/service/dashboard.ts";
import { visit } from "../../../test/service/deploying.ts";
import { commitFiles, git, startGitServer } from "../../../test/service/git-server.ts";
import type { OpenTestService } from "../../../test/service/open-test-service.ts";
import { newOrganization } from "../../../test/service/service.ts";
import { hookOn, pullRequestOf, sendDelivery } from "../../../test/service/webhooks.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { questionKey } from "../conversations/question-key.ts";
import { deployPullRequest } from "../deployments/previews.ts";

const root = temporaryFolder();
let server: Awaited<ReturnType<typeof startGitServer>>;
let service: OpenTestService;
/** Texts of the comment, the newest last. */
const comments: string[] = [];
const api = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { body } = JSON.parse(Buffer.concat(chunks).toString()) as { body?: string };
  if (body !== undefined) comments.push(body);
  response.writeHead(201, { "content-type": "application/json" }).end('{"id":1}');
});

beforeAll(async () => {
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
  server = await startGitServer(root);
  service = await openTestService({ env: { OCTAVO_GIT_ALLOW: "http private" } });
}, 120_000);
afterAll(async () => {
  await service.stop();
  await server.stop();
  api.close();
});

interface Team {
  admin: Member;
  /** Path of the project in the dashboard. */
  project: string;
  /** Host name of the live site. */
  host: string;
  send(files: Record<string, string>, options?: { isFork?: boolean }): Promise<string>;
}

/** Creates a project whose live site has these files. `send` opens a pull request and returns its comment. */
async function newTeam(name: string, files: Record<string, string>): Promise<Team> {
  const organization = await newOrganization(service);
  const admin = await newMember(service, organization.id);
  const repository = path.join(root, name);
  commitFiles(repository, files);
  const url = `http://127.0.0.1:${server.port}/${name}/.git`;
  const subdomain = `${organization.subdomain}-c`;
  const apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const form = { name, subdomain, url, branch: "main", access: "token", token: "a-token", apiUrl };
  const page = await admin.submit(`${admin.home}/projects`, form, { from: `${admin.home}/projects/new` });
  const project = /^(.+)\/deployments\//.exec(page.path)![1]!;
  const hook = hookOn((await admin.get(`${project}/settings/repository`)).text);
  await service.until(async () => (await visit(service, `${subdomain}.localhost`)).status === 200);

  let number = 0;
  return {
    admin,
    project,
    host: `${subdomain}.localhost`,
    async send(changed, { isFork = false } = {}) {
      const ref = `refs/pull/${++number}/head`;
      git(repository, ["checkout", "--quiet", "-B", "topic", "main"]);
      git(repository, ["rm", "--quiet", "-rf", "."]);
      const sha = commitFiles(repository, changed, { branch: "topic", message: "Change" });
      git(repository, ["update-ref", ref, sha]);
      git(repository, ["checkout", "--quiet", "main"]);
      git(repository, ["branch", "--quiet", "-D", "topic"]);
      comments.length = 0;
      const delivery = pullRequestOf("github", { url, number, sha, action: "opened" });
      if (isFork) {
        // Deliveries about forks are ignored, because the service allows its own internal host.
        const commit = { sha, ref: ref.slice(5), message: "Change", author: null, isFork };
        const owner = { organizationId: organization.id, actor: "webhook" };
        await deployPullRequest(service.service, owner, project.split("/").at(-1)!, number, commit);
      } else expect((await sendDelivery(service, hook, "github", delivery)).status).toBe(200);
      await service.until(async () => /live site|failed/.test(comments.at(-1) ?? ""));
      return comments.at(-1)!;
    },
  };
}

const projectIdOf = ({ project }: Team) => project.split("/").at(-1)!;

/** Records a question of a reader. */
async function record(team: Team, query: string, status: "answered" | "unanswered"): Promise<void> {
  const id = service.service.ulid();
  await service.service.db
    .insertInto("conversations")
    .values({
      project_id: projectIdOf(team),
      id,
      thread_id: id,
      query,
      response: "Text.",
      response_type: "answer",
      sources: "[]",
      resolution_status: status,
      query_category: null,
      page_url: null,
      is_finished: true,
      message_id: null,
      asker: null,
      theme: null,
      question_key: questionKey(query),
    })
    .execute();
}

const config = (more: object = {}) =>
  JSON.stringify({ theme: "mint", name: "Acme", colors: { primary: "#2F5BD7" }, ...more });
const page = (title: string, text: string, more = "") => `---\ntitle: ${title}\n${more}---\n\n${text}\n`;
const home = page("Home", "Welcome to the documentation.");

/** Words that appear on one page only. */
const animals =
  "aardvark badger caribou dolphin elephant falcon gazelle hedgehog iguana jaguar kangaroo lemur meerkat narwhal ocelot pelican quokka raccoon salamander tapir".split(
    " ",
  );
const trees =
  "acacia birch cedar dogwood elm fir ginkgo hazel ironwood juniper kapok larch maple nutmeg oak poplar quince rowan spruce teak".split(
    " ",
  );
const metals =
  "aluminum bismuth chromium dysprosium europium francium gallium hafnium iridium krypton lithium manganese nickel osmium palladium rhodium silver titanium uranium vanadium".split(
    " ",
  );

const pageOf = (word: string) =>
  page(
    `Calibrate the ${word}`,
    `To calibrate the ${word}, open the ${word} panel and press the ${word} button for three seconds.`,
  );

/** A site whose navigation has all pages. */
const site = (pages: Record<string, string>) => ({
  "docs.json": config({
    navigation: {
      groups: [{ group: "Guides", pages: ["index", ...Object.keys(pages).map((name) => name.slice(0, -4))] }],
    },
  }),
  "index.mdx": home,
  ...pages,
});

test("planted removals and additions of answers are found, and no others", async () => {
  const reworded = (word: string) =>
    page(`${word} calibration`, `Press the button of the ${word} panel. This will calibrate the ${word}.`);
  const pages = (words: readonly string[], folder = "", text = pageOf) =>
    Object.fromEntries(words.map((word) => [`${folder}${word}.mdx`, text(word)]));
  const team = await newTeam("answers", site(pages([...animals, ...metals])));
  const question = (word: string) => `How do I calibrate the ${word}?`;
  for (const word of [...animals, ...metals]) await record(team, question(word), "answered");
  for (const word of trees) await record(team, question(word), "unanswered");
  for (let index = 0; index < 20; index++)
    await record(team, `Where is the invoice number ${index}xyz of zzyzx${index}?`, "unanswered");

  const comment = await team.send(
    site({
      ...pages(metals.slice(0, 10), "moved/"),
      ...pages(metals.slice(10), "", reworded),
      ...pages(trees),
    }),
  );
  expect(comment).toContain(
    "**Answers**: 20 answered questions lose their answer, 20 open questions gain one. [Show the questions](",
  );
  for (const word of ["calibrate the aardvark", "zzyzx"]) expect(comment).not.toContain(word);

  const link = /\[Show the questions\]\(([^)]+)\)/.exec(comment)![1]!;
  const { text } = await team.admin.get(new URL(link).pathname);
  const shown = [...text.matchAll(/How do I calibrate the (\w+)\?/g)].map(([, word]) => word!);
  expect([...shown].sort()).toEqual([...animals, ...trees].sort());
});

test("pages, links, APIs, and new problems are listed", async () => {
  const document = (more: object) =>
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Pets", version: "1" },
      paths: { "/pets": { get: { summary: "List pets", responses: { 200: { description: "" } } }, ...more } },
    });
  const files = {
    "docs.json": config({
      navigation: { groups: [{ group: "API", openapi: "api.json" }] },
      redirects: [{ source: "/moved", destination: "/old" }],
    }),
    "index.mdx": home,
    "old.mdx": page("Old", "Text."),
    "kept.mdx": page("Kept", "Text.\n\n## Section\n\nMore."),
    "api.json": document({ delete: { summary: "Delete pets", responses: { 200: { description: "" } } } }),
  };
  const team = await newTeam("listed", files);
  expect(await team.send(files)).toContain("There are no differences from the live site.");

  const { "old.mdx": _, ...others } = files;
  const comment = await team.send({
    ...others,
    "new.mdx": page("New", "Text with `code`."),
    "kept.mdx": page("Kept", "Text.\n\n## Other section\n\n[Broken](/nowhere)"),
    "api.json": document({}),
  });
  expect(comment).toContain("**1 page added**\n- `/new`");
  expect(comment).toContain("- `/kept`");
  expect(comment).toMatch(/\*\*2 pages removed\*\*\n- `\/api-reference\/[^`]+`\n- `\/old`/);
  for (const link of ["/old", "/moved", "/kept#section"]) expect(comment).toContain(`- \`${link}\``);
  expect(comment).toContain(
    "**1 API change** in `api.json`: 1 breaking\n- Breaking: `DELETE /pets: Removed`",
  );
  expect(comment).toMatch(/Error in `kept\.mdx:9`: |Warning in `kept\.mdx:9`: /);
});

test("pull requests from forks don't show whether they answer a question", async () => {
  const pages = Object.fromEntries(metals.map((word) => [`${word}.mdx`, pageOf(word)]));
  const team = await newTeam("forks", site(pages));
  await record(team, "How do I calibrate the acacia?", "unanswered");
  const changed = site({ ...pages, "acacia.mdx": pageOf("acacia") });
  expect(await team.send(changed)).toContain("1 open question gains one");
  const comment = await team.send(changed, { isFork: true });
  expect(comment).toContain("**1 page added**");
  expect(comment).not.toMatch(/question|Answers/);
});

test("restricted pages are counted, and their names and texts aren't shown", async () => {
  const files = {
    "docs.json": config(),
    "index.mdx": page("Home", "Welcome.", "public: true\n"),
    "readers.mdx": page("For readers", "Text."),
    "canary-old.mdx": page("Canary old", "Canary text.", 'groups: ["staff"]\n'),
  };
  const team = await newTeam("restricted", files);
  await team.admin.submit(
    `${team.project}/settings/readers`,
    { mode: "password", password: "correct horse" },
    { from: `${team.project}/settings` },
  );
  await service.until(async () => {
    const { status } = await visit(service, team.host, "/readers", { accept: "text/html" });
    return status === 302;
  });
  const { "canary-old.mdx": _, ...others } = files;
  await record(team, "What is the canary text?", "answered");
  const comment = await team.send({
    ...others,
    "canary-readers.mdx": page("Canary readers", "Text."),
    "canary-new.mdx": page("Canary new", "Canary text.", 'groups: ["staff"]\n'),
  });
  expect(comment).toContain("**2 pages added**\n- 2 not listed");
  expect(comment).toContain("**1 page removed**\n- 1 not listed");
  expect(comment).not.toMatch(/canary/i);
});
