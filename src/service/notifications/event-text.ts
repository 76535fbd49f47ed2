/**
 * Writes the texts of events, for emails and Slack. Texts that members, authors and readers wrote are quoted.
 */

import type { EventData, EventType, PublishReason } from "../core/notification-events.ts";
import { quoted, quotedName, withoutLinks } from "../core/quoted-text.ts";

export interface EventText {
  subject: string;
  paragraphs: string[];
  /** URL of a page in the dashboard with more information; absent for test events. */
  url?: string;
}

/** Maximum number of items in a list. */
const listed_count = 10;

type TextsOf = { [Type in EventType]: (data: EventData[Type]) => EventText };

const plural = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
const list = (title: string, items: readonly string[]) =>
  items.length ? [[title, ...items.slice(0, listed_count).map((item) => `- ${item}`)].join("\n")] : [];

/**
 * Returns a deployment's summary, after the branch or pull request if it is a preview. `branch`: as in the
 * event's data.
 */
function ofPreview(branch: string | null, summary: string): string {
  const text = withoutLinks(summary);
  if (branch === null) return text;
  return /^#\d+$/.test(branch) ? `Pull request ${branch}: ${text}` : `Branch ${quoted(branch)}: ${text}`;
}

const texts: TextsOf = {
  "deployment.failed": ({ projectName, number, branch, summary, url }) => ({
    subject: `${quotedName(projectName)}: deployment ${number} failed`,
    paragraphs: [ofPreview(branch, summary)],
    url,
  }),
  "deployment.succeeded": ({ projectName, number, branch, summary, isHeld, siteUrl, url }) => ({
    subject: `${quotedName(projectName)}: deployment ${number} ${isHeld ? "isn't live" : "succeeded"}`,
    paragraphs: isHeld
      ? [`${withoutLinks(summary)}. The live site didn't change.`]
      : [ofPreview(branch, summary), siteUrl],
    url,
  }),
  "site.published": ({ projectName, reason, siteUrl, url }) => ({
    subject: `${quotedName(projectName)}: live site changed`,
    paragraphs: [publishReasons[reason], siteUrl],
    url,
  }),
  "export.completed": ({ projectName, domain, version, pages, url }) => ({
    subject: `${quotedName(projectName)}: static export completed`,
    paragraphs: [
      `The bundle for ${quoted(domain)} has ${plural(pages, "page")}.${version === null ? "" : ` Version: ${quoted(version)}`}`,
    ],
    url,
  }),
  "export.failed": ({ projectName, domain, error, url }) => ({
    subject: `${quotedName(projectName)}: static export failed`,
    paragraphs: [`There is no bundle for ${quoted(domain)}. ${withoutLinks(error)}`],
    url,
  }),
  "question.unanswered": ({ projectName, questions, count, url }) => ({
    subject: `${quotedName(projectName)}: ${plural(count, "new unanswered question")}`,
    paragraphs: list(
      "The assistant couldn't answer:",
      questions.map(({ question }) => quoted(question)),
    ),
    url,
  }),
  "conversation.handed-over": ({ projectName, conversationId, url }) => ({
    subject: `${quotedName(projectName)}: a reader contacted support`,
    paragraphs: [
      `The reader followed the link to your support. The ID of the conversation is ${conversationId}.`,
    ],
    url,
  }),
  "key.expiring": ({ name, lastFour, expiresAt, url }) => ({
    subject: `API key ${quotedName(name)} expires on ${expiresAt.slice(0, 10)}`,
    paragraphs: [
      `The key ending in ${lastFour} will stop working at ${expiresAt.slice(0, 16).replace("T", " ")} UTC. Create a new key before then.`,
    ],
    url,
  }),
  "links.broken": ({ projectName, number, count, links, url }) => ({
    subject: `${quotedName(projectName)}: ${plural(count, "new broken link")}`,
    paragraphs: list(
      `Deployment ${number} is live with broken links that the previous deployment didn't have:`,
      links.map(
        ({ file, line, message }) =>
          `${quoted(file)}${line === null ? "" : `, line ${line}`}: ${withoutLinks(message)}`,
      ),
    ),
    url,
  }),
  "questions.weekly": ({ projectName, from, to, questions, url }) => ({
    subject: `${quotedName(projectName)}: unanswered questions, ${from} to ${to}`,
    paragraphs: list(
      "The assistant couldn't answer these questions. In the dashboard, you can create a draft of a page from each of them:",
      questions.map(({ question, count }) => `${quoted(question)} (${count})`),
    ),
    url,
  }),
  "digest.weekly": (digest) => ({
    subject: `${quotedName(digest.projectName)}: weekly digest, ${digest.from} to ${digest.to}`,
    paragraphs: [
      [
        ...(digest.views === null
          ? []
          : [`${plural(digest.views, "page view")} by ${plural(digest.visitors ?? 0, "visitor")}`]),
        ...(digest.questions === null ? [] : [questionsLine(digest.questions, digest.answered ?? 0)]),
        ...(digest.failedDeployments ? [plural(digest.failedDeployments, "failed deployment")] : []),
      ].join("\n"),
      ...list(
        "Top pages:",
        digest.topPages.map(({ path, views }) => `${quoted(path)} (${plural(views, "view")})`),
      ),
      ...list(
        "Top unanswered questions:",
        digest.unansweredQuestions.map(({ question, count }) => `${quoted(question)} (${count})`),
      ),
      ...list(
        "Searches without results:",
        digest.searchesWithoutResults.map(({ query, count }) => `${quoted(query)} (${count})`),
      ),
    ],
    url: digest.url,
  }),
  "webhook.test": ({ message }) => ({ subject: "Test event from Octavo", paragraphs: [message] }),
  "webhook.disabled": ({ host, url }) => ({
    subject: `Webhook disabled: ${withoutLinks(host)}`,
    paragraphs: [
      `The webhook to ${quoted(host)} was disabled because it had been failing for 5 days. Fix the receiver, and then enable the webhook again.`,
    ],
    url,
  }),
};

const publishReasons: Record<PublishReason, string> = {
  deployment: "A new deployment is live.",
  rollback: "The site was rolled back to an earlier deployment.",
  "sign-in": "The sign-in settings for readers changed.",
  domains: "The site's domains changed.",
};

function questionsLine(questions: number, answered: number): string {
  const share = questions === 0 ? "" : `, ${Math.round((100 * answered) / questions)}% answered`;
  return `${plural(questions, "question")}${share}`;
}

/** Returns the text of an event. `data` must be the data of an event of this type. */
export function eventText(type: EventType, data: unknown): EventText {
  return (texts[type] as (data: unknown) => EventText)(data);
}

/** Returns the JSON body for a Slack incoming webhook. */
export function slackBody(type: EventType, data: unknown): string {
  const { subject, paragraphs, url } = eventText(type, data);
  const escaped = (text: string) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const text = [
    `*${escaped(subject)}*`,
    ...paragraphs.map(escaped),
    ...(url === undefined ? [] : [`<${url}|Open in Octavo>`]),
  ];
  return JSON.stringify({ text: text.join("\n") });
}
