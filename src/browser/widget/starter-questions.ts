/** Replaces `assistant/starter-questions.ts` in the widget, whose page isn't about the documentation. */

import { widgetContext } from "./context.ts";

/** Returns the questions that the website suggests. */
export function starterQuestions(): readonly string[] {
  return widgetContext().questions;
}
