/** Defines the labels of event types in the dashboard. */

import { type ChosenEventType, eventTypes } from "../core/notification-events.ts";
import type { ServiceSettings } from "../core/service.ts";

const labels: Record<ChosenEventType, { label: string; hint?: string }> = {
  "deployment.failed": { label: "Deployment failed" },
  "deployment.succeeded": { label: "Deployment succeeded" },
  "site.published": {
    label: "Live site changed",
    hint: "When a deployment, rollback, sign-in setting, or domain changes the live site. You can use this event to purge a CDN.",
  },
  "export.completed": { label: "Static export completed" },
  "export.failed": { label: "Static export failed" },
  "question.unanswered": {
    label: "New unanswered questions",
    hint: "At most once an hour for each project.",
  },
  "conversation.handed-over": {
    label: "Reader contacted support",
    hint: "When a reader follows the link to support in docs.json below an answer. Once for each conversation.",
  },
  "key.expiring": { label: "API key expires soon", hint: "7 days and 1 day before it expires." },
  "links.broken": { label: "New broken links", hint: "When a deployment with new broken links goes live." },
  "questions.weekly": {
    label: "Weekly unanswered questions",
    hint: "Mondays after 8:00 UTC, for each live project with unanswered questions.",
  },
  "digest.weekly": {
    label: "Weekly digest",
    hint: "Mondays after 8:00 UTC, for each live project with activity.",
  },
};

export interface EventOption {
  type: ChosenEventType;
  label: string;
  hint?: string;
}

/** Returns the event types to choose from. Leaves out events about features that the service doesn't have. */
export function eventOptions({ hasAssistant }: Pick<ServiceSettings, "hasAssistant">): EventOption[] {
  const isOffered = (type: ChosenEventType) =>
    hasAssistant || !["question.unanswered", "conversation.handed-over", "questions.weekly"].includes(type);
  return eventTypes.filter(isOffered).map((type) => ({ type, ...labels[type] }));
}

/** Returns the label of an event type, or the type itself if it has no label. */
export function eventLabel(type: string): string {
  if (type === "webhook.test") return "Test event";
  return Object.hasOwn(labels, type) ? labels[type as ChosenEventType].label : type;
}
