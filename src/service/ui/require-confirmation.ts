import { invalid } from "../../base/app-error.ts";
import { field } from "./read-form.ts";

/** What cannot be undone is done when its name was typed. */
export function requireConfirmation(form: URLSearchParams, name: string): void {
  if (field(form, "confirm") !== name) throw invalid("Nothing was changed", `Type ${name} to confirm`);
}
