/** Prevents POST forms from being submitted twice. */
export function startSubmitting(): void {
  const sent = new Set<HTMLFormElement>();
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (form.method !== "post") return;
    if (sent.has(form)) event.preventDefault();
    sent.add(form);
  });
  // Forms can be submitted again after the user navigates back.
  addEventListener("pageshow", () => sent.clear());
}
