/** A form that was refused is shown again, with what was wrong and what was filled in. */
import type { Wrong } from "../../../dashboard/kit/problems.tsx";
import { Refusal } from "../../../platform/refusal.ts";
import { errorAnswer } from "../../problem-response.ts";
import type { Answer } from "../answer.ts";

/** What can be mended in the form. */
const mendable: ReadonlySet<Refusal["kind"]> = new Set(["invalid", "unauthorized", "conflict", "gone", "rate-limited", "forbidden"]);

/** `show` makes the form's page; what cannot be mended there is thrown on. */
export async function orShowAgain(act: () => Promise<Answer>, show: (wrong: Wrong) => Promise<Answer> | Answer): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal && mendable.has(error.kind))) throw error;
    const { message, details } = error;
    const answer = await show({ message, details });
    const { status, headers } = errorAnswer(error);
    return answer.kind === "page" ? { ...answer, status, headers } : answer;
  }
}
