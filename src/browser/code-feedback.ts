/**
 * Lets readers give feedback on code blocks: adds a button to each block, which opens a form below it. A
 * classic script that follows the page's script.
 */

import { analyticsLinks } from "./analytics-events.ts";
import { all, create } from "./dom.ts";

/** The endpoint's limits, in characters. */
const code_chars = 10_000;
const name_chars = 200;

const links = analyticsLinks();
const { path, codeFeedback: feedback } = links ?? {};

if (path !== undefined && feedback)
  for (const pre of all(".o-code > pre")) {
    const button = create("button", { type: "button", className: "o-ask-code", ariaLabel: feedback.open });
    button.style.setProperty("--o-c-assistant", "var(--o-c-issue)");
    // Next to the buttons that copy the code and ask about it.
    if (pre.parentElement!.querySelector(".o-ask-code")) button.style.right = "4.375rem";
    button.ariaExpanded = "false";
    let widget: HTMLElement | undefined;
    button.onclick = () => {
      const isOpen = widget?.isConnected;
      if (isOpen) widget!.remove();
      else {
        // A text that wasn't sent stays.
        widget = widget?.querySelector("form") ? widget : createWidget(pre);
        (pre.closest(".o-code-group") ?? pre.parentElement!).after(widget);
        widget.querySelector("textarea")?.focus();
      }
      button.ariaExpanded = String(!isOpen);
    };
    pre.before(button);
  }

function createWidget(pre: HTMLElement): HTMLElement {
  const { endpoint, comment, send, thanks, failed } = feedback!;
  const widget = create("div", { className: "o-feedback" });
  const form = create("form", {});
  const label = create("label", { textContent: comment });
  const text = create("textarea", { rows: 3, maxLength: 2_000 });
  const status = create("p", { role: "status", tabIndex: -1 });
  label.append(text);
  form.append(label, create("button", { type: "submit", textContent: send }));
  widget.append(form, status);

  form.onsubmit = async (event) => {
    event.preventDefault();
    const name = pre.parentElement!.querySelector(".o-code-head")?.textContent?.trim();
    const body = {
      path,
      code: pre.textContent?.slice(0, code_chars),
      filename: name?.slice(0, name_chars) || undefined,
      lang: pre.querySelector("code")?.dataset.lang,
      comment: text.value.trim() || undefined,
    };
    const response = await fetch(endpoint, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }).catch(() => undefined);
    status.textContent = response?.ok ? thanks : failed;
    if (!response?.ok) return;
    form.remove();
    // The focused button is gone now.
    status.focus();
  };

  return widget;
}
