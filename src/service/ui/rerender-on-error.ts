/** Renders a form again after an error, with the message and the submitted values. */

import { AppError, type ErrorCode } from "../../base/app-error.ts";
import { errorAnswer } from "../http/problem-response.ts";
import type { Answer } from "./answer.ts";
import type { Wrong } from "./kit/problems.tsx";

/** Errors that the user can fix in the form. */
const fixable: ReadonlySet<ErrorCode> = new Set(["invalid", "unauthorized", "conflict", "gone", "rate-limited", "forbidden"]);

/** `show` renders the form's page; errors that can't be fixed there are thrown again. */
export async function rerenderOnError(act: () => Promise<Answer>, show: (wrong: Wrong) => Promise<Answer> | Answer): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AppError && fixable.has(error.code))) throw error;
    const { message, details } = error;
    const answer = await show({ message, details });
    const { status, headers } = errorAnswer(error);
    return answer.kind === "page" ? { ...answer, status, headers } : answer;
  }
}
