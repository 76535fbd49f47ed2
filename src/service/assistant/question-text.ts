import type { Static } from "@sinclair/typebox";
import { fieldThat, invalid } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import type { AskBody } from "./contract.ts";

/**
 * Returns the ID and text of the last message, which is the question. Throws an AppError if its role isn't
 * `user`, or its text is empty or too long.
 */
export function questionOf({ messages }: Static<typeof AskBody>): { id: string; text: string } {
  const last = messages.at(-1)!;
  const text = last.parts
    .filter(({ type }) => type === "text")
    .map((part) => part.text ?? "")
    .join("\n")
    .trim();

  if (last.role !== "user" || text === "")
    throw invalid(
      "Invalid request body",
      fieldThat("messages", "must end with a user message that contains text"),
    );

  if (text.length > limits.question_chars)
    throw invalid(
      "Invalid request body",
      fieldThat("messages", `must end with a user message of at most ${limits.question_chars} characters`),
    );

  return { id: last.id, text };
}
