/** Reasons for the answer "No" to "Was this page helpful?". Readers choose one. */
export const feedbackReasons = ["incorrect", "incomplete", "unclear", "other"] as const;

export type FeedbackReason = (typeof feedbackReasons)[number];
