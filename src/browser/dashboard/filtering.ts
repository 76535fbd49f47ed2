import { all } from "../dom.ts";

/**
 * Time between the last change to a field and the submission. Keyboard users often change a field several
 * times.
 */
const pause_ms = 500;
const stored = "octavo-filter";

/**
 * Submits filter forms when a field changes. Restores the focus and the scroll position on the next page. On
 * phones, a button shows and hides the filters.
 */
export function startFiltering(): void {
  const toggle = document.querySelector(".d-filters-toggle");
  toggle?.addEventListener("click", () =>
    toggle.setAttribute("aria-expanded", String(toggle.getAttribute("aria-expanded") === "false")),
  );

  for (const form of all<HTMLFormElement>("form:is(.d-filters, .d-dates)")) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    form.addEventListener("change", ({ target }) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const { name } = target as HTMLInputElement;
        sessionStorage.setItem(stored, JSON.stringify({ path: location.pathname, name, top: scrollY }));
        form.requestSubmit();
      }, pause_ms);
    });
  }

  restore();
}

function restore(): void {
  const text = sessionStorage.getItem(stored);
  sessionStorage.removeItem(stored);
  const { path, name, top } = JSON.parse(text ?? "{}") as { path?: string; name?: string; top?: number };
  if (path !== location.pathname || name === undefined) return;
  const field = document.querySelector<HTMLElement>(
    `main form [name="${CSS.escape(name)}"]:not([type="hidden"])`,
  );
  if (field?.closest(".d-filters"))
    document.querySelector(".d-filters-toggle")?.setAttribute("aria-expanded", "true");
  field?.focus({ preventScroll: true });
  scrollTo(0, top ?? 0);
}
