import { cutText } from "../../base/cut-text.ts";
import type { Finding } from "../../engine/openapi/check/check-value.ts";
import { constraintLimit } from "../../engine/openapi/schema/constraint-text.ts";
import { fill, type PlaygroundMessages } from "./playground-messages.ts";

const sentences: Record<string, Exclude<keyof PlaygroundMessages, "constraints">> = {
  required: "findingRequired",
  type: "findingType",
  enum: "findingEnum",
  const: "findingEnum",
  pattern: "findingPattern",
  format: "findingFormat",
  additionalProperties: "findingUnknown",
  never: "findingUnknown",
  readOnly: "findingUnknown",
  writeOnly: "findingUnknown",
  discriminator: "findingEnum",
  oneOf: "findingVariant",
  anyOf: "findingVariant",
  oneOfSeveral: "findingVariants",
  not: "findingUnknown",
  syntax: "findingSyntax",
  pathSegment: "findingPath",
  header: "findingRequired",
  status: "findingStatus",
  contentType: "findingContentType",
};

const limit = /^(?:min|max|exclusiveM|multipleOf)/;

/** Returns the message for a finding, in the page's language. Shortens long values. */
export function findingText(finding: Finding, messages: PlaygroundMessages): string {
  const { code, wanted = "", found = "" } = finding;
  const keyword = code === "contains" ? "minContains" : code;
  if (limit.test(keyword))
    return fill(messages.findingLimit, {
      wanted: constraintLimit({ keyword }, wanted, messages.constraints).text,
      found,
    });
  const known = Object.hasOwn(sentences, code) ? sentences[code]! : "findingOther";
  return fill(messages[known], { code, wanted: shortened(wanted), found: shortened(found) });
}

function shortened(text: string): string {
  const short = cutText(text, 80);
  // Isolates the value from the direction of right-to-left text.
  return document.dir === "rtl" && short ? `\u2068${short}\u2069` : short;
}
