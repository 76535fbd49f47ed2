/** Prevents that a form is submitted twice. */
export function startSubmitting(): void {
  const sent = new Set<HTMLFormElement>();
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (form.method !== "post") return;
    if (sent.has(form)) event.preventDefault();
    sent.add(form);
  });
  // After navigating back, forms can be submitted again.
  addEventListener("pageshow", () => sent.clear());
}
