/**
 * Sends the feedback of the form "Was this page helpful?". The rating is sent immediately. The reason,
 * comment and email are sent when the form is submitted.
 */

import { analyticsLinks } from "./analytics-events.ts";
import { all } from "./dom.ts";

export function startPageFeedback(): void {
  const widget = document.querySelector<HTMLElement>(".o-feedback");
  const links = analyticsLinks();
  if (!widget || links?.path === undefined || links.feedback === undefined) return;

  const { path, feedback } = links;
  const form = widget.querySelector("form")!;
  const status = widget.querySelector<HTMLElement>("[role=status]")!;
  const thumbs = all<HTMLButtonElement>("[data-helpful]", widget);

  /** ID of the feedback that was sent. The next request updates that feedback. */
  let id: string | undefined;
  let helpful = true;
  let isSaved = false;
  let sent: Promise<boolean> = Promise.resolve(true);

  const send = () => {
    const body: Record<string, unknown> = { path, helpful };
    for (const [name, value] of new FormData(form)) body[name] = String(value).trim() || undefined;

    sent = sent.then(async () => {
      try {
        body.id = id;
        const headers = { "content-type": "application/json" };
        const response = await fetch(feedback, {
          method: "POST",
          headers,
          body: JSON.stringify(body),
          keepalive: true,
        });
        if (response.status === 201) id = ((await response.json()) as { id: string }).id;
        return response.ok;
      } catch {
        return false;
      }
    });

    return sent;
  };

  const showStatus = (isSent: boolean) => {
    isSaved = isSent;
    status.textContent = (isSent ? widget.dataset.thanks : widget.dataset.failed) ?? "";
  };

  for (const thumb of thumbs)
    thumb.onclick = async () => {
      if (isSaved && thumb.ariaPressed === "true") return;
      helpful = thumb.dataset.helpful === "true";
      // Values of disabled controls aren't sent.
      form.querySelector("fieldset")!.disabled = helpful;
      for (const other of thumbs) other.ariaPressed = String(other === thumb);
      form.hidden = false;
      showStatus(await send());
    };

  form.onsubmit = async (event) => {
    event.preventDefault();
    const isSent = await send();
    form.hidden = isSent;
    for (const thumb of thumbs) thumb.disabled = isSent;
    showStatus(isSent);
    // The focused button is hidden now.
    if (isSent) status.focus();
  };
}
