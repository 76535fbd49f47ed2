import { announce } from "../announce.ts";
import { onClick } from "../dom.ts";
import { bodyOf, saveFailed } from "./post-form.ts";

/**
 * Saves forms with `data-saves` when their select element changes, without loading a page. Their button
 * undoes the last change.
 */
export function startSaving(): void {
  document.addEventListener("change", ({ target }) => {
    const form = target instanceof HTMLSelectElement && target.closest<HTMLFormElement>("form[data-saves]");
    if (form) void save(form);
  });
  onClick("form[data-saves] > button[type=button]", (undo) => {
    const form = undo.closest("form")!;
    const select = form.querySelector("select")!;
    select.value = savedValues.get(select)!.previous;
    select.focus();
    void save(form);
  });
}

/** The values of a select element before and after its last change that was saved. */
const savedValues = new WeakMap<HTMLSelectElement, { previous: string; current: string }>();

async function save(form: HTMLFormElement): Promise<void> {
  const select = form.querySelector("select")!;
  const undo = form.querySelector<HTMLElement>("button[type=button]")!;
  const before =
    savedValues.get(select)?.current ??
    [...select.options].find(({ defaultSelected }) => defaultSelected)!.value;
  const { value } = select;
  const body = bodyOf(form);
  const response = await fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(
    () => undefined,
  );

  // A saved form is answered with a redirect.
  if (response?.type !== "opaqueredirect") {
    select.value = before;
    announce(saveFailed);
    select.setCustomValidity(saveFailed);
    select.reportValidity();
    select.setCustomValidity("");
    return;
  }

  const isUndone = undo.hidden === false && savedValues.get(select)?.previous === value;
  savedValues.set(select, { previous: before, current: value });
  undo.hidden = isUndone;
  announce(isUndone ? "Undone" : "Saved");
}
