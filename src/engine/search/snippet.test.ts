import { expect, test } from "vitest";
import { snippet } from "./snippet.ts";

const terms = ["config"].map(
  (term) => ({ term, also: [], idf: 1 }) as unknown as Parameters<typeof snippet>[1][number],
);
const textOf = (markdown: string) =>
  snippet(markdown, terms, "en", 120)
    .map(({ text }) => text)
    .join("");

test.each([
  [
    "code between text",
    'Edit the config:\n\n```json\n{ "a": 1 }\n```\n\nThen save it.',
    "Edit the config: Then save it.",
  ],
  ["nested fences", "Before.\n\n````md\n```js\nx\n```\n````\n\nThe config.", "Before. The config."],
  ["an indented fence", "1. The config:\n\n   ```jsx\n   <Card />\n   ```\n\n2. Done.", "The config: Done."],
  ["matches only in code", 'Run it.\n\n```json\n{ "config": true }\n```', "Run it."],
  [
    "a block that starts in the passage before",
    '"a": 1 }\n```\n\nThe config.\n\n```json\n{}\n```',
    "The config.",
  ],
  ["a block that ends in the passage after", "The config:\n\n```json\n{", "The config:"],
  ["nothing but JSON", '```json\n{ "config": true }\n```', ""],
  ["nothing but a command", "```bash\noctavo config\n```", "octavo config"],
  [
    "text that looks like a tag",
    "The config <workspace> of H<sub>2</sub>O<br>here.",
    "The config <workspace> of H2O here.",
  ],
])("a snippet leaves out code blocks: %s", (_name, markdown, text) => expect(textOf(markdown)).toBe(text));
