/** Unanswered questions as work: assign, ignore and resolve groups, in the dashboard and by the API. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { newMember } from "../../../test/service/dashboard.ts";
import { onEachDatabase } from "../../../test/service/databases.ts";
import { importAll, recorded } from "../../../test/service/recorded.ts";
import { newOrganization, type TestOrganization, type TestService } from "../../../test/service/service.ts";
import { endpoints } from "../app/endpoints.ts";

const hour_ms = 3_600_000;
const minute_ms = 60_000;

onEachDatabase("unanswered questions", (start) => {
  let service: TestService;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.stop());

  const unanswered = (age_ms: number, query: string, page: string | null = null) =>
    recorded(Date.now() - age_ms, query, {
      resolutionStatus: "unanswered",
      pageUrl: page,
      sources: [{ title: "Keys", url: "https://docs.example.com/keys#rotate" }],
    });
  const apiOf = ({ client, projectId }: TestOrganization) => ({
    list: (query: Record<string, string | number> = {}) =>
      client(endpoints.listUnanswered, { params: { projectId }, query }),
    change: (questionId: string, body: object) =>
      client(endpoints.changeUnanswered, { params: { projectId, questionId }, body: body as never }),
  });

  test("a group shows its count, the pages where it was asked, and related sections", async () => {
    const organization = await newOrganization(service);
    const [guide, start] = ["https://docs.example.com/guide", "https://docs.example.com/start"];
    await importAll(organization, [
      unanswered(3 * hour_ms, "How do I rotate keys?", guide),
      unanswered(2 * hour_ms, "rotate a key", start),
      unanswered(hour_ms, "Rotating the key", guide),
      unanswered(hour_ms, "Where is the moon?"),
    ]);
    const { groups } = await apiOf(organization).list();
    expect(groups.map(({ question, count, status, pages }) => ({ question, count, status, pages }))).toEqual([
      {
        question: "Rotating the key",
        count: 3,
        status: "open",
        pages: [
          { url: guide, count: 2 },
          { url: start, count: 1 },
        ],
      },
      { question: "Where is the moon?", count: 1, status: "open", pages: [] },
    ]);
    expect(groups[0]!.sections).toEqual([{ title: "Keys", url: "https://docs.example.com/keys#rotate" }]);
    const viewer = await newMember(service, organization.id, "viewer");
    const { text } = await viewer.get(
      `${viewer.home}/p/${organization.projectId}/questions/${groups[0]!.id}`,
    );
    for (const shown of [
      "Rotating the key",
      "3 times",
      "/guide",
      'href="https://docs.example.com/keys#rotate"',
    ])
      expect(text).toContain(shown);
    expect(text).not.toContain("<select");
  });

  test("a group has the draft of a page, which can be downloaded and created on the repository's host", async () => {
    const organization = await newOrganization(service);
    const { projectId, client } = organization;
    const questions = ["How do I rotate keys?", "rotate a key", "rotate a key", "When do keys end?"];
    await importAll(
      organization,
      questions.map((text, place) => unanswered((5 - place) * hour_ms, text)),
    );
    const [group, similar] = (await apiOf(organization).list()).groups;
    const viewer = await newMember(service, organization.id, "viewer");
    const path = `${viewer.home}/p/${projectId}/questions/${group!.id}?similar=${similar!.id}`;
    const { text } = await viewer.get(path);
    expect(text).toContain("## rotate a key");
    expect(text).toContain("Also asked as: “How do I rotate keys?”");
    expect(text).toContain("## When do keys end?");
    expect(text).toContain("- [Keys](/keys#rotate)");
    // Without a repository, there is nothing to create a page in.
    expect(text).not.toContain("Create page on");
    const file = await viewer.get(`${path}&format=mdx`);
    expect(file.headers["content-disposition"]).toContain("rotate-a-key.mdx");
    expect(file.text).toMatch(/^---\ntitle: "rotate a key"\n---\n/);
    const source = {
      kind: "git" as const,
      url: "https://user:canary-token@github.com/acme/docs.git",
      branch: "main",
      directory: "site",
    };
    await client(endpoints.changeProject, { params: { projectId }, body: { source } });
    const page = (await viewer.get(path)).text;
    const [, href] = /href="([^"]+)">Create page on GitHub/.exec(page)!;
    const link = new URL(href!.replaceAll("&amp;", "&"));
    expect(link.origin + link.pathname).toBe("https://github.com/acme/docs/new/main");
    expect(Object.fromEntries(link.searchParams)).toEqual({
      filename: "site/rotate-a-key.mdx",
      value: file.text,
    });
    expect(page).not.toContain("canary-token");
  });

  test("an editor assigns a group to a member, who finds it in the list of their own", async () => {
    const organization = await newOrganization(service);
    await importAll(organization, [
      unanswered(hour_ms, "How do I rotate keys?"),
      unanswered(hour_ms, "Where is the moon?"),
    ]);
    const editor = await newMember(service, organization.id, "editor", "Edith");
    const path = `${editor.home}/p/${organization.projectId}/questions`;
    const [moon] = (await apiOf(organization).list()).groups.filter(({ question }) =>
      question.includes("moon"),
    );
    const form = (await editor.get(`${path}/${moon!.id}`)).forms.find(({ action }) =>
      action.includes("/questions/"),
    )!;
    const [, userId] = /<option value="([0-9A-Z]{26})"[^>]*>Edith/.exec(
      (await editor.get(`${path}/${moon!.id}`)).text,
    )!;
    await editor.submit(form.action, { assignee: userId! }, { from: `${path}/${moon!.id}` });
    const mine = (await editor.get(`${path}?assignee=me`)).text;
    expect([mine.includes("moon"), mine.includes("rotate")]).toEqual([true, false]);
    const { groups } = await apiOf(organization).list({ assigneeId: userId! });
    expect(groups.map(({ question, assignee }) => [question, assignee])).toEqual([
      ["Where is the moon?", { id: userId, name: "Edith" }],
    ]);
  });

  test("an ignored group leaves the open list and does not come back", async () => {
    const organization = await newOrganization(service);
    const { list, change } = apiOf(organization);
    await importAll(organization, [unanswered(hour_ms, "Where is the moon?")]);
    await change((await list()).groups[0]!.id, { status: "ignored" });
    await importAll(organization, [unanswered(-minute_ms, "where is the MOON")]);
    expect((await list({ status: "open" })).groups).toEqual([]);
    expect((await list({ status: "ignored" })).groups).toMatchObject([{ count: 2, isReopened: false }]);
  });

  test("a resolved group names the page that answers, and is open again when it is asked after that", async () => {
    const organization = await newOrganization(service);
    const { list, change } = apiOf(organization);
    const question = unanswered(hour_ms, "Where is the moon?");
    await importAll(organization, [question]);
    await change(question.id, { status: "resolved", answerPath: "/space/moon" });
    expect((await list({ status: "resolved" })).groups).toMatchObject([
      { answerPath: "/space/moon", isReopened: false },
    ]);
    // A question from before the decision that arrives late does not reopen the group.
    await importAll(organization, [unanswered(2 * hour_ms, "where is the moon?")]);
    expect((await list({ status: "open" })).groups).toEqual([]);
    await importAll(organization, [unanswered(-minute_ms, "where is the MOON")]);
    expect((await list({ status: "resolved" })).groups).toEqual([]);
    expect((await list({ status: "open" })).groups).toMatchObject([
      { status: "open", isReopened: true, count: 3 },
    ]);
    const viewer = await newMember(service, organization.id, "viewer");
    expect((await viewer.get(`${viewer.home}/p/${organization.projectId}/questions`)).text).toContain(
      "Reopened",
    );
  });

  test("invalid decisions are refused, and the form keeps what was entered", async () => {
    const organization = await newOrganization(service);
    const stranger = await newOrganization(service);
    const { change, list } = apiOf(organization);
    const question = unanswered(hour_ms, "Where is the moon?");
    await importAll(organization, [question]);
    const foreign = await newMember(service, stranger.id, "editor", "Foreign");
    const foreignId = /members\/([0-9A-Z]{26})/.exec(
      (await (await newMember(service, stranger.id)).get(`${foreign.home}/members`)).text,
    )![1];
    await expect(change(question.id, { status: "open", assigneeId: foreignId })).rejects.toMatchObject({
      status: 400,
    });
    await expect(change(question.id, { status: "open", answerPath: "/moon" })).rejects.toMatchObject({
      status: 400,
    });
    for (const answerPath of ["moon", "https://evil.example/", "/a b", "/\\evil"])
      await expect(change(question.id, { status: "resolved", answerPath }), answerPath).rejects.toMatchObject(
        { status: 400 },
      );
    await expect(change("01ARZ3NDEKTSV4RRFFQ69G5FAV", { status: "ignored" })).rejects.toMatchObject({
      status: 404,
    });
    await expect(apiOf(stranger).change(question.id, { status: "ignored" })).rejects.toMatchObject({
      status: 404,
    });
    const editor = await newMember(service, organization.id, "editor");
    const path = `${editor.home}/p/${organization.projectId}/questions/${question.id}`;
    const { action } = (await editor.get(path)).forms.find(({ action }) => action.includes("/questions/"))!;
    const refused = await editor.submit(action, { status: "resolved", answer: "moon page" }, { from: path });
    expect([
      refused.status,
      refused.text.includes("such as /guides/keys"),
      refused.text.includes('value="moon page"'),
    ]).toEqual([400, true, true]);
    expect((await list()).groups).toMatchObject([{ status: "open", assignee: null }]);
  });

  test("a removed member is no longer the assignee", async () => {
    const organization = await newOrganization(service);
    const { change, list } = apiOf(organization);
    const question = unanswered(hour_ms, "Where is the moon?");
    await importAll(organization, [question]);
    const boss = await newMember(service, organization.id, "admin", "Boss");
    const { email } = await newMember(service, organization.id, "editor", "Leaver");
    const members = (await boss.get(`${boss.home}/members`)).text;
    const userId = [
      ...members.matchAll(/href="[^"]*\/members\/([0-9A-Z]{26})"[^>]*>[^<]*<span class="o-sr"> (\w+)/g),
    ].find(([, , name]) => name === "Leaver")![1]!;
    await change(question.id, { status: "open", assigneeId: userId });
    expect((await list()).groups).toMatchObject([{ assignee: { name: "Leaver" } }]);
    await boss.submit(
      `${boss.home}/members/${userId}/remove`,
      { confirm: email },
      { from: `${boss.home}/members/${userId}` },
    );
    expect((await list()).groups).toMatchObject([{ assignee: null }]);
  });
});
