import { announce } from "../announce.ts";
import { create } from "../dom.ts";
import { bodyOf, saveFailed } from "./post-form.ts";

/**
 * Hides the row of a form with `data-removes` as soon as the form is submitted. If the change fails, the row
 * is shown again.
 */
export function startRemoving(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    const row = form.matches("[data-removes]") && form.closest("tr");
    if (!row) return;
    event.preventDefault();
    void remove(form, row);
  });
}

async function remove(form: HTMLFormElement, row: HTMLTableRowElement): Promise<void> {
  const table = row.closest<HTMLElement>(".d-table")!;
  row.hidden = true;

  // The focus was on a button in the row.
  table.focus({ preventScroll: true });
  const response = await fetch(form.action, { method: "POST", body: bodyOf(form) }).catch(() => undefined);

  // The user must sign in again or confirm their identity, or the list is empty.
  const isElsewhere = response?.redirected && new URL(response.url).pathname !== location.pathname;
  if (response && (isElsewhere || (response.ok && !table.querySelector("tbody tr:not([hidden])"))))
    return location.assign(response.url);

  if (response?.ok) {
    row.remove();
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    announce(page.querySelector("main > [role=status]")?.textContent ?? "");
  } else {
    row.hidden = false;
    table.before(
      create("div", { className: "d-note d-note-danger", role: "alert", textContent: saveFailed }),
    );
  }
}
