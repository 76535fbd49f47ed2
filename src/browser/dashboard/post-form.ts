/** What is shown if a form that is sent without loading a page fails. */
export const saveFailed = "Couldn't save. Reload the page and try again.";

/** Returns the fields of a form as a request body. */
export function bodyOf(form: HTMLFormElement): URLSearchParams {
  return new URLSearchParams([...new FormData(form)] as [string, string][]);
}
