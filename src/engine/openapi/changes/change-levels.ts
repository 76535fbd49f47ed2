import { type ChangeLevel, changeLevels } from "../../../base/change-rules.ts";
import type { Change } from "./change.ts";

/** `api.changes.rules` in docs.json: levels that replace those of the rules. */
export type LevelsOfRules = Readonly<Record<string, ChangeLevel | "ignore">>;

/** Applies the levels of a project to changes, and sorts them: the worst first. */
export function withLevels<T extends Pick<Change, "rule" | "level">>(
  changes: readonly T[],
  rules: LevelsOfRules,
): T[] {
  const order = ({ level }: T) => changeLevels.indexOf(level);
  return changes
    .flatMap((change) => {
      const level = rules[change.rule] ?? change.level;
      return level === "ignore" ? [] : [{ ...change, level }];
    })
    .sort((a, b) => order(a) - order(b));
}
