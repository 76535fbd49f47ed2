/** How long a button shows that its text was copied. */
export const copied_ms = 1_600;

/**
 * Copies text. Falls back to a selection if the clipboard API is missing (insecure contexts) or fails.
 * Resolves to false on failure.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.cssText = "position:fixed;opacity:0";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
