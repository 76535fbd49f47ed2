/** Why a page wasn't helpful. Readers choose one of these after "No". */
export const feedbackReasons = ["incorrect", "incomplete", "unclear", "other"] as const;

export type FeedbackReason = (typeof feedbackReasons)[number];
