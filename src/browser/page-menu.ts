import { announce } from "./announce.ts";
import { copyText } from "./clipboard.ts";
import { onClick } from "./dom.ts";
import { isEditable, isShortcut } from "./keyboard.ts";

/**
 * Starts the page menu. "Copy page" copies the page's Markdown, or its text if the Markdown can't be fetched,
 * as on `file://`.
 */
export function startPageMenu(): void {
  document.addEventListener("keydown", copyByKeys);

  onClick("[data-copy-page]", async (button) => {
    const href = button.closest<HTMLElement>("[data-markdown]")?.dataset.markdown;
    const done = await copyText((href && (await markdown(href))) || textOfPage());
    const labels = document.body.dataset;
    announce(done ? labels.copied : labels.copyFailed);
    const label = button.closest(".o-page-menu")?.querySelector("[data-copy-page] > span:last-child");
    const before = label?.textContent ?? "";
    if (!label || before === labels.copied) return;
    label.textContent = (done ? labels.copied : labels.copyFailed) ?? before;
    setTimeout(() => {
      label.textContent = before;
    }, 1600);
  });
}

/** Copies the page on Ctrl+C or Command+C if nothing is selected. */
function copyByKeys(event: KeyboardEvent): void {
  if (isShortcut(event, "c") && !isEditable(event.target) && getSelection()?.isCollapsed !== false)
    document.querySelector<HTMLElement>("[data-copy-page]")?.click();
}

async function markdown(href: string): Promise<string | undefined> {
  if (!location.host) return undefined;
  try {
    const response = await fetch(href);
    return response.ok ? await response.text() : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the visible text of the page. `innerText` leaves out hidden content and keeps line breaks. */
function textOfPage(): string {
  const title = document.querySelector<HTMLElement>(".o-head h1")?.innerText ?? document.title;
  const body = document.querySelector<HTMLElement>(".o-prose")?.innerText ?? "";
  return `# ${title}\n\n${body}\n`;
}
