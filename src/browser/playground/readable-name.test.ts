import { expect, test } from "vitest";
import { readableName } from "./readable-name.ts";

test.each([
  ["plantId", "en", "plant ID"],
  ["created_at", "en-US", "created at"],
  ["callbackURL", "en", "callback URL"],
  ["limit", "en", "limit"],
  ["X-Api-Key", "en", "X-Api-Key"],
  ["plantId", "de", "plantId"],
])("%s in %s", (name, language, text) => expect(readableName(name, language)).toBe(text));
