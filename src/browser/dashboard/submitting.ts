/** A form that is on its way is not sent again by a second press. */
export function startSubmitting(): void {
  const sent = new Set<HTMLFormElement>();
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (form.method !== "post") return;
    if (sent.has(form)) event.preventDefault();
    sent.add(form);
  });
  // Who comes back to the page may send it anew.
  addEventListener("pageshow", () => sent.clear());
}
