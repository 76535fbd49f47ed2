import { type ChangeLevel, type ChangeRule, changeRules } from "../../../base/change-rules.ts";
import type { Direction } from "../schema/schema-flags.ts";

/** Whether clients send the data (`request`) or receive it (`response`). */
export type DataDirection = Exclude<Direction, "schema">;

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

/** Adds a change of the part that is compared. */
export type AddChange = (rule: ChangeRule, message: string) => void;

export function newChange(
  rule: ChangeRule,
  message: string,
  {
    before,
    after,
    field,
  }: { before?: string | undefined; after?: string | undefined; field?: string | undefined },
): Change {
  return {
    rule,
    level: changeRules[rule],
    message,
    operations: [],
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(field ? { field } : {}),
  };
}
