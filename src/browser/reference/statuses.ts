const sets = [".o-body > .o-part > .o-responses", '[data-example="response"] > [data-tabs]'];

/** Keeps the selected status of the responses and of the response examples in sync. */
export function startStatuses(): void {
  const follow = ({ target }: Event) => {
    if (!(target instanceof Element)) return;
    const from = sets.findIndex((set) => target.closest(`${set} > .o-tab-list`));
    if (from < 0) return;
    const chosen = target.closest(".o-tab-list")?.querySelector<HTMLElement>('[aria-selected="true"]')
      ?.dataset.label;
    const tabs = document.querySelectorAll<HTMLElement>(`${sets[1 - from]} > .o-tab-list > [role="tab"]`);
    const twin = [...tabs].find((tab) => tab.dataset.label === chosen);
    if (twin?.getAttribute("aria-selected") === "false") twin.click();
  };
  document.addEventListener("click", follow);
  document.addEventListener("keydown", follow);
}
