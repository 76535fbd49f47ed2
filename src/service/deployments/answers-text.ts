import type { ReplayedAnswers } from "../../builder/replay-questions.ts";

/** Returns what happens to the answers, such as `1 answered question loses its answer`. */
export function answersText({ lost, gained }: Pick<ReplayedAnswers, "lost" | "gained">): string {
  const losing =
    lost.length === 1
      ? "1 answered question loses its answer"
      : `${lost.length} answered questions lose their answer`;
  const gaining =
    gained.length === 1 ? "1 open question gains one" : `${gained.length} open questions gain one`;
  return [...(lost.length ? [losing] : []), ...(gained.length ? [gaining] : [])].join(", ");
}
