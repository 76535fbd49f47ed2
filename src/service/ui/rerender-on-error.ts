/** Renders a form again after an error, with the error messages and the submitted values. */

import { AppError, type ErrorCode } from "../../base/app-error.ts";
import { errorResponse } from "../http/error-response.ts";
import type { DashboardResponse } from "./dashboard-response.ts";
import type { FormErrors } from "./kit/form-errors.tsx";

/** Codes of errors after which the form is shown again. */
const fixable: ReadonlySet<ErrorCode> = new Set([
  "invalid",
  "unauthorized",
  "conflict",
  "gone",
  "rate-limited",
  "forbidden",
]);

/**
 * Runs `act`. After an AppError with a code in `fixable`, `show` renders the form's page; other errors are
 * thrown again.
 */
export async function rerenderOnError(
  act: () => Promise<DashboardResponse>,
  show: (errors: FormErrors) => Promise<DashboardResponse> | DashboardResponse,
): Promise<DashboardResponse> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AppError && fixable.has(error.code))) throw error;
    const { message, details } = error;
    const errors = { message, details };
    const response = await show(errors);
    const { status, headers } = errorResponse(error);
    return response.kind === "page" ? { ...response, status, headers, errors } : response;
  }
}
