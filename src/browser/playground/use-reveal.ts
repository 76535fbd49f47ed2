import { useEffect, useState } from "preact/hooks";
import type { Draft } from "./draft.ts";
import { fieldId } from "./form-context.ts";

/** Returns a function that opens the objects and lists around a value and focuses the value's field. */
export function useReveal(setDraft: (update: (draft: Draft) => Draft) => void): (path: string) => void {
  const [target, setTarget] = useState<string>();
  useEffect(() => {
    if (target === undefined) return;
    setTarget(undefined);
    focusField(target);
  }, [target]);

  return (path) => {
    const parents = [...path.matchAll(/[.[]/g)].map(({ index }) => path.slice(0, index));
    setDraft((before) => ({
      ...before,
      opened: { ...before.opened, ...Object.fromEntries([...parents, path].map((each) => [each, true])) },
    }));
    setTarget(path);
  };
}

/** Focuses the field of a value, or of the nearest parent that has one. */
function focusField(path: string): void {
  for (let parent = path; parent !== ""; parent = parent.replace(/(?:^|[.[])[^.[]*$/, "")) {
    const field = document.getElementById(fieldId(parent));
    if (!field) continue;
    field.scrollIntoView({ block: "center" });
    field.focus();
    return;
  }
}
