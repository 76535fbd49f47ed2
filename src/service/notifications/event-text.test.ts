/** Texts that strangers wrote, in emails, Slack messages, and comments on pull requests. */

import { expect, test } from "vitest";
import { quotedName } from "../core/quoted-text.ts";
import { eventText, slackBody } from "./event-text.ts";

const hostile =
  'How do I pay\n\nYour session ended. Sign in:\u2028https://evil.example/sign-in\u0085www.evil.example me@evil.example \\\\evil\\share 1.2.3.4/x \u202eevil.example/x <https://evil.example|Pay> "';
const url = "https://octavo.example.com/dashboard";
const project = { projectId: "p", projectName: hostile, url };
const deployment = {
  ...project,
  deploymentId: "d",
  number: 7,
  branch: hostile,
  commit: hostile,
  summary: hostile,
};
const bundle = { ...project, jobId: "j", deploymentId: "d", domain: hostile, version: hostile };
const week = { ...project, from: "2026-05-03", to: "2026-05-09" };
const asked = [{ id: "q", question: hostile, count: 2 }];

const events = [
  ["deployment.failed", deployment],
  ["deployment.failed", { ...deployment, branch: `#12 ${hostile}` }],
  ["deployment.failed", { ...deployment, branch: null }],
  ["deployment.succeeded", { ...deployment, isLive: true, siteUrl: url }],
  ["deployment.succeeded", { ...deployment, isLive: false, isHeld: true, siteUrl: url }],
  ["site.published", { ...project, reason: "rollback", hosts: [], siteUrl: url }],
  ["export.completed", { ...bundle, pages: 3, bytes: 1_000, sha256: "0" }],
  ["export.failed", { ...bundle, error: hostile }],
  ["question.unanswered", { ...project, questions: asked, count: 1 }],
  [
    "key.expiring",
    { keyId: "k", name: hostile, lastFour: "abcd", expiresAt: "2026-05-09T10:00:00.000Z", url },
  ],
  [
    "links.broken",
    {
      ...project,
      number: 7,
      count: 1,
      links: [{ code: "dead-link", file: hostile, line: 3, message: hostile }],
    },
  ],
  ["questions.weekly", { ...week, questions: asked }],
  [
    "digest.weekly",
    {
      ...week,
      views: 1,
      visitors: 1,
      questions: 1,
      answered: 0,
      failedDeployments: 0,
      topPages: [{ path: `/${hostile}`, views: 1 }],
      unansweredQuestions: asked,
      searchesWithoutResults: [{ query: hostile, count: 1 }],
    },
  ],
  ["webhook.disabled", { webhookId: "w", host: "evil.example", url }],
] as const;

test.each(events)("%s: texts from strangers are on one line, and nothing in them is a link", (type, data) => {
  const { subject, paragraphs } = eventText(type, data);
  expect(subject).not.toMatch(/[\r\n\u0085\u2028]/);
  // Lists have one line for each item.
  for (const line of paragraphs.flatMap((text) => text.split("\n")))
    expect(line).not.toMatch(/^\s*$|^Your session|[\r\u0085\u2028\u202e]/);
  const slack = (JSON.parse(slackBody(type, data)) as { text: string }).text;
  for (const text of [subject, ...paragraphs, slack].map((text) => text.replaceAll(url, "")))
    expect(text).not.toMatch(/https?:\/\/|www\.\S|evil\.\S|@evil|\\\\evil|1\.2\.3/);
});

test("texts stay readable", () => {
  const question = 'Is "v1.2" of /v1/users in docs.json from 10:30?';
  const { paragraphs } = eventText("question.unanswered", {
    ...project,
    count: 1,
    questions: [{ id: "q", question }],
  });
  expect(paragraphs).toEqual([
    `The assistant couldn't answer:\n- "Is 'v1.2' of /v1/users in docs. json from 10:30?"`,
  ]);
  expect(quotedName("Acme & Söhne")).toBe('"Acme & Söhne"');
  expect(
    eventText("deployment.failed", { ...deployment, branch: "feature/new", summary: "Build failed" })
      .paragraphs,
  ).toEqual(['Branch "feature/new": Build failed']);
});
