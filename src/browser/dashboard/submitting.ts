import { all } from "../dom.ts";

/**
 * Time after which a form without a file can be submitted again, in case the user stopped the page from
 * loading.
 */
const wait_ms = 15_000;

/** Prevents POST forms from being submitted twice, and shows that the submission is in progress. */
export function startSubmitting(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (form.method !== "post") return;

    if (form.dataset.busy !== undefined) {
      event.preventDefault();
      return;
    }

    if (event.defaultPrevented) return;
    form.dataset.busy = "";
    const button = event.submitter as HTMLButtonElement | null;

    // The browser reads the form after this event, without its disabled buttons.
    setTimeout(() => {
      if (button) button.disabled = true;
    });

    // Uploads can take longer, so their forms stay busy.
    if (form.enctype !== "multipart/form-data") setTimeout(() => release(form), wait_ms);
  });

  // When the user navigates back, the browser shows the page in its last state.
  addEventListener("pageshow", () => all<HTMLFormElement>("form[data-busy]").forEach(release));
}

function release(form: HTMLFormElement): void {
  delete form.dataset.busy;
  for (const button of all<HTMLButtonElement>("button[disabled]", form)) button.disabled = false;
}
