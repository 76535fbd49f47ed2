/** Reasons that a reader can choose from after answering "No" to "Was this page helpful?". */
export const feedbackReasons = ["incorrect", "incomplete", "unclear", "other"] as const;

export type FeedbackReason = (typeof feedbackReasons)[number];
