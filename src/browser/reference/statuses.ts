const sets = [".o-body > .o-part > .o-responses", '[data-example="response"] > [data-tabs]'];

/** A status that is chosen on one side of the page shows on the other too. */
export function startStatuses(): void {
  const follow = ({ target }: Event) => {
    if (!(target instanceof Element)) return;
    const from = sets.findIndex((set) => target.closest(`${set} > .o-tab-list`));
    if (from < 0) return;
    const chosen = target.closest(".o-tab-list")?.querySelector<HTMLElement>('[aria-selected="true"]')?.dataset.label;
    const tabs = document.querySelectorAll<HTMLElement>(`${sets[1 - from]} > .o-tab-list > [role="tab"]`);
    const twin = [...tabs].find((tab) => tab.dataset.label === chosen);
    if (twin?.getAttribute("aria-selected") === "false") twin.click();
  };
  document.addEventListener("click", follow);
  document.addEventListener("keydown", follow);
}
