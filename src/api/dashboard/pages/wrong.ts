/** A form that was refused is shown again, with what was wrong and what was filled in. */
import type { Wrong } from "../../../dashboard/kit/problems.tsx";
import { Refusal } from "../../../platform/refusal.ts";
import type { Answer } from "../answer.ts";

const statuses: Partial<Record<Refusal["kind"], number>> = {
  invalid: 400,
  unauthorized: 401,
  conflict: 409,
  gone: 410,
  "rate-limited": 429,
  forbidden: 403,
};

/** `show` makes the form's page; what cannot be mended there is thrown on. */
export async function orShowAgain(act: () => Promise<Answer>, show: (wrong: Wrong) => Promise<Answer> | Answer): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    const status = error instanceof Refusal ? statuses[error.kind] : undefined;
    if (status === undefined) throw error;
    const { message, details } = error as Refusal;
    const answer = await show({ message, details });
    return answer.kind === "page" ? { ...answer, status } : answer;
  }
}
