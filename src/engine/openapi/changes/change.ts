import type { ChangeLevel, ChangeRule } from "../../../base/change-rules.ts";

/** A difference between two versions of an API. */
export interface Change {
  rule: ChangeRule;
  level: ChangeLevel;
  /** One sentence for readers, without a period at the end. */
  message: string;
  /**
   * The operations that the change affects, such as `GET /pets`. The same change of a schema affects several.
   */
  operations: string[];
  /** JSON pointers of the changed part in each document. Absent where a document doesn't have the part. */
  before?: string;
  after?: string;
  /**
   * Name of the parameter that changed, or path of the property, such as `owner.name`. Absent if the change
   * affects the whole operation, body, or response.
   */
  field?: string;
}
