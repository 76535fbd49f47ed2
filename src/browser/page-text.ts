/** Returns the page's Markdown, or its text if the Markdown can't be fetched, as on `file://`. */
export async function pageText({ dataset }: HTMLElement): Promise<string> {
  return (dataset.markdown && (await markdown(dataset.markdown))) || textOfPage();
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
