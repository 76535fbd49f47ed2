import { atField, invalid } from "../../base/app-error.ts";
import { field } from "./read-form.ts";

/** Throws an AppError unless the form's `confirm` field contains `name`. For actions that can't be undone. */
export function requireConfirmation(form: URLSearchParams, name: string): void {
  if (field(form, "confirm") !== name)
    throw invalid("Nothing was changed", atField("confirm", `Type ${name} to confirm`));
}
