/**
 * The rules of API changes: each kind of change, and what it means for clients. `breaking`: correct clients
 * can fail. `may-break`: clients that rely on a detail can fail. `compatible`: correct clients keep working.
 * `text`: only texts for people differ.
 */

export type ChangeLevel = "breaking" | "may-break" | "compatible" | "text";

/** Levels from the worst one on. */
export const changeLevels: readonly ChangeLevel[] = ["breaking", "may-break", "compatible", "text"];

/** Level of each rule, by its id. */
export const changeRules = {
  "operation-removed": "breaking",
  "deprecated-operation-removed": "may-break",
  "operation-added": "compatible",
  "operation-deprecated": "compatible",
  "operation-no-longer-deprecated": "compatible",
  "operation-id-changed": "may-break",
  "operation-text-changed": "text",
  "server-removed": "breaking",
  "server-added": "compatible",
  "security-required": "breaking",
  "security-alternative-removed": "breaking",
  "security-alternative-added": "compatible",
  "security-optional": "compatible",
  "scope-required": "breaking",
  "scope-no-longer-required": "compatible",
  "required-parameter-added": "breaking",
  "optional-parameter-added": "compatible",
  "parameter-removed": "may-break",
  "parameter-required": "breaking",
  "parameter-optional": "compatible",
  "parameter-deprecated": "compatible",
  "parameter-serialization-changed": "breaking",
  "required-body-added": "breaking",
  "optional-body-added": "compatible",
  "body-removed": "may-break",
  "body-required": "breaking",
  "body-optional": "compatible",
  "request-media-type-removed": "breaking",
  "request-media-type-added": "compatible",
  "success-response-removed": "breaking",
  "error-response-removed": "may-break",
  "response-added": "compatible",
  "response-media-type-removed": "breaking",
  "response-media-type-added": "compatible",
  "response-header-removed": "breaking",
  "response-header-added": "compatible",
  "request-type-narrowed": "breaking",
  "request-type-widened": "compatible",
  "response-type-narrowed": "compatible",
  "response-type-widened": "breaking",
  "request-value-removed": "breaking",
  "request-value-added": "compatible",
  "response-value-removed": "compatible",
  "response-value-added": "may-break",
  "response-values-replaced": "breaking",
  "response-values-unlimited": "breaking",
  "request-limit-tightened": "breaking",
  "request-limit-loosened": "compatible",
  "response-limit-tightened": "compatible",
  "response-limit-loosened": "breaking",
  "limit-changed": "may-break",
  "request-property-required": "breaking",
  "request-property-optional": "compatible",
  "response-property-required": "compatible",
  "response-property-optional": "breaking",
  "required-request-property-added": "breaking",
  "optional-request-property-added": "compatible",
  "request-property-removed": "may-break",
  "response-property-added": "compatible",
  "response-property-removed": "breaking",
  "request-alternative-removed": "breaking",
  "request-alternative-added": "compatible",
  "response-alternative-removed": "compatible",
  "response-alternative-added": "breaking",
  "content-encoding-changed": "breaking",
  "format-changed": "may-break",
  "default-changed": "may-break",
  "property-deprecated": "compatible",
} as const satisfies Record<string, ChangeLevel>;

export type ChangeRule = keyof typeof changeRules;
