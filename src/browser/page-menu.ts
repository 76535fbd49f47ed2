import { announce, copyText, onClick } from "./dom.ts";

/** "Copy page": the page's Markdown where it can be fetched, its text where it cannot (`file://`). */
export function startPageMenu(): void {
  document.addEventListener("keydown", copyByKeys);
  onClick("[data-copy-page]", async (button) => {
    const href = button.closest<HTMLElement>("[data-markdown]")?.dataset.markdown;
    const done = await copyText((href && (await markdown(href))) || textOfPage());
    const words = document.body.dataset;
    announce(done ? words.copied : words.copyFailed);
    const label = button.closest(".o-page-menu")?.querySelector("[data-copy-page] > span:last-child");
    const before = label?.textContent ?? "";
    if (!label || before === words.copied) return;
    label.textContent = (done ? words.copied : words.copyFailed) ?? before;
    setTimeout(() => {
      label.textContent = before;
    }, 1600);
  });
}

/** The keys that copy, with nothing selected to copy, mean the page. */
function copyByKeys(event: KeyboardEvent): void {
  const copies = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === "c";
  const writes = event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]");
  if (copies && !writes && getSelection()?.isCollapsed !== false) document.querySelector<HTMLElement>("[data-copy-page]")?.click();
}

async function markdown(href: string): Promise<string | undefined> {
  if (location.protocol === "file:") return undefined;
  try {
    const response = await fetch(href);
    return response.ok ? await response.text() : undefined;
  } catch {
    return undefined;
  }
}

/** As a reader sees it, so by innerText: what is hidden stays out, and lines break where they do on the page. */
function textOfPage(): string {
  const title = document.getElementById("page-title")?.innerText ?? document.title;
  const body = document.querySelector<HTMLElement>(".o-prose")?.innerText ?? "";
  return `# ${title}\n\n${body}\n`;
}
